"""Documentation that cannot drift: printed pages are current, sessions run, commands are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.faces.cli.main import COMMANDS
from clew.kernel.door import DOORS
from tests.house.rules import GIVERS, PREFIXES, ROOMS, SHARED, rules, ruling_words, rulings, stale
from tests.house.sessions import Step, end_servers, fits, on_free_ports, run, sessions
from tests.house.tree import ROOT, files, name

PAGES = [p for p in (ROOT / "README.md", *files(ROOT / "docs")) if p.suffix == ".md"]


def test_printed_pages_say_what_the_code_says() -> None:
    assert stale() == [], "run `make docs`"


def test_every_rule_id_belongs_to_one_room() -> None:
    """The engine may pass on a kernel's rule; a kernel gives only its own and the shared ones."""
    givers: dict[str, set[str]] = {}
    for rule, places in rules().items():
        for place in places:
            if place.startswith("src/clew/kernel/") and place.count("/") > 3:
                givers.setdefault(rule.split(".")[0], set()).add(place.split("/")[3])
    strangers = {
        prefix: sorted(rooms)
        for prefix, rooms in givers.items()
        if prefix not in SHARED
        and not rooms <= set(GIVERS.get(prefix, (prefix,) if prefix in ROOMS else rooms if len(rooms) == 1 else ()))
    }
    assert strangers == {}


def test_there_are_rules_and_rulings_to_print() -> None:
    assert {"similar.reply", "weave.duplicate.<kind>"} <= set(rules())
    assert {"P2", "T11", "N7"} <= set(rulings())
    assert {"text", "listen", "weave"} <= set(PREFIXES)


def test_every_ruling_that_a_test_names_is_told_in_words() -> None:
    named = {r for r in rulings() if r[:1].isupper() and r[1:].isdigit()}
    assert named <= set(ruling_words())


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_documented(command: str) -> None:
    assert f"`clew {command}" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kernel", sorted(DOORS))
def test_every_kernel_is_documented(kernel: str) -> None:
    assert f"`{kernel}`" in (ROOT / "docs" / "kernels.md").read_text(encoding="utf-8")


def told() -> list[tuple[Path, int, list[Step]]]:
    return [
        (page, number, steps)
        for page in PAGES
        for number, steps in enumerate(sessions(page.read_text(encoding="utf-8")), 1)
    ]


def test_the_readme_shows_a_real_session() -> None:
    assert any(page.name == "README.md" for page, _, _ in told())


@pytest.mark.parametrize(
    ("page", "number", "steps"), told(), ids=lambda v: name(v) if isinstance(v, Path) else ""
)
def test_a_session_in_the_docs_prints_what_it_promises(
    page: Path, number: int, steps: list[Step], tmp_path: Path
) -> None:
    try:
        for step in on_free_ports(steps):
            printed = run(step.command, tmp_path)
            assert fits(step.output, printed), f"$ {step.command}\n{printed}\n-- promised --\n{step.output}"
    finally:
        end_servers(tmp_path)


@pytest.mark.parametrize(
    ("promised", "printed", "same"),
    [
        ("a", "a\n", True), ("a", "b", False), ("a…c", "abc", True), ("a…c", "a\nc", False),
        ("a\n…\nd", "a\nb\nc\nd", True), ("…", "x", True), ("", "x", False), ("a.c", "abc", False),
    ],
)  # fmt: skip
def test_a_promise_is_kept_to_the_letter_save_for_ellipses(promised: str, printed: str, same: bool) -> None:
    assert fits(promised, printed) is same


def test_links_between_pages_lead_somewhere() -> None:
    import re

    broken = []
    for page in (p for p in files() if p.suffix == ".md"):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if (
                "://" not in target
                and not target.startswith("mailto:")
                and not (page.parent / target).exists()
            ):
                broken.append(f"{name(page)}: {target}")
    assert broken == []
