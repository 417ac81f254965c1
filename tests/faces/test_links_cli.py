"""`clew links` from outside: every shape of answer, folders, bad input."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clew.errors import InvalidInput
from clew.faces.cli.links import links

TALE = """DM: You stand at the old gate.
Al: Is the gate locked?
Bo: I push the iron gate open.
DM: Yes, but you manage to push it.
Bo: [laughter]
Al: Let's go to the <b>inn</b>.
Al: brb
"""


@pytest.fixture
def tale(tmp_path: Path) -> Path:
    path = tmp_path / "tale.txt"
    path.write_text(TALE, encoding="utf-8")
    return path


def clew(*args: object) -> Result:
    return CliRunner().invoke(links, [str(a) for a in args], standalone_mode=False)


def answer(*args: object) -> dict[str, object]:
    result = clew(*args)
    assert result.exception is None, result.exception
    found: dict[str, object] = json.loads(result.output)
    return found


def test_the_game_master_is_recognised_by_name_and_everything_is_in_the_json(tale: Path) -> None:
    found = answer(tale, "--json", "--traces")
    assert {"links", "mask", "metrics", "traces", "hierarchy", "thread_candidates", "skipped"} <= set(found)
    assert [(x["intent_anchor_index"], x["consequence_anchor_index"]) for x in found["links"]] == [  # type: ignore[attr-defined]
        (1, 3),
        (2, 3),
        (5, None),
    ]
    assert found["thread_candidates"][0]["text"] == "Let's go to the <b>inn</b>."  # type: ignore[index]


def test_the_summary_is_short(tale: Path) -> None:
    output = clew(tale).output
    assert "7 lines (plain), 5 eligible, 3 links, 2 claimed" in output
    assert "1 strong intents went unanswered" in output


def test_markdown_shows_bids_exclusions_and_what_stayed_open(tale: Path) -> None:
    text = clew(tale, "--markdown").output
    assert "claims **3**" in text and "contested: 1, 2" in text
    assert "`excluded: ooc_hard`" in text
    assert text.rstrip().endswith("- 5 Al: Let's go to the \\<b\\>inn\\</b\\>.")


class _Page(HTMLParser):
    VOID = frozenset({"meta", "input", "br", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.ids: set[str] = set()
        self.bold = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in ("src", "href") and not (value or "").startswith("#"):
                self.outside.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_complete_in_itself_and_escapes_the_transcript(tale: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert clew(tale, "--html", "-o", target).exception is None
    text = target.read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    assert page.outside == [] and page.open == []
    assert {f"L{i}" for i in range(7)} <= page.ids
    assert "<b>inn</b>" not in text and "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", text)
    data = re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert data is not None
    assert [row["a"] for row in json.loads(data[1])] == [1, 2, 5]
    assert "contested ×2" in text and "Strong intents nobody answered" in text


def test_a_closing_script_in_the_transcript_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("</script><b>: Can I open the door?\nDM: </script> yes\n", encoding="utf-8")
    page = _Page()
    page.feed(clew(path, "--html", "--dm", "DM", "--format", "plain").output)
    assert page.open == []


def test_speakers_prints_a_starter_and_a_map_is_obeyed(tale: Path, tmp_path: Path) -> None:
    starter = clew("speakers", tale).output
    assert '"DM" = "DM"  # 2 lines' in starter
    path = tmp_path / "who.toml"
    path.write_text(starter.replace('"Bo" = "PC"', '"Bo" = "ignore"'), encoding="utf-8")
    found = answer(tale, "--json", "--speakers", path)
    assert {x["actor"] for x in found["links"]} == {"Al"}  # type: ignore[attr-defined]


def test_profiles_and_parameters(tale: Path) -> None:
    found = answer(tale, "--json", "--profile", "best", "--param", "k_local=3")
    assert found["provenance"]["params"]["k_local"] == 3  # type: ignore[index]
    with pytest.raises(InvalidInput, match="unknown parameter"):
        raise clew(tale, "--param", "speed=9").exception  # type: ignore[misc]


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("--dm", "Nobody"), "no line is spoken by 'Nobody'; speakers here: Al, "),
        (("--format", "word"), "no transcript format"),
        (("--param", "k_local"), "KEY=VALUE"),
    ],
)
def test_bad_input_gets_a_clear_word(tale: Path, args: tuple[str, ...], word: str) -> None:
    result = clew(tale, *args)
    assert isinstance(result.exception, InvalidInput) and word in result.exception.message


def test_a_failed_run_writes_nothing_over_an_earlier_answer(tale: Path, tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    clew(tale, "--json", "-o", target)
    before = target.read_bytes()
    tale.write_bytes(b"\0\0")
    assert clew(tale, "--json", "-o", target).exception is not None
    assert target.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answer.json", "tale.txt"]


def test_links_go_into_a_database(tale: Path, tmp_path: Path) -> None:
    import sqlalchemy as sa

    from clew.adapters.store.links import find

    url = f"sqlite:///{tmp_path / 'clew.db'}"
    for _ in range(2):
        assert clew(tale, "--json", "--db", url).exception is None
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        stored = find(connection, "tale")
    engine.dispose()
    assert [link.intent_anchor_index for link in stored] == [1, 2, 5]


def test_a_folder_is_linked_once_and_resumed(tale: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "deep").mkdir(parents=True)
    for n in range(3):
        (corpus / "deep" / f"{n}.txt").write_text(TALE.replace("gate", f"gate{n}"), encoding="utf-8")
    (corpus / "bad.bin").write_bytes(b"\0")
    first = clew(corpus, "--jobs", 2)
    assert first.return_value == 1 and "3 files, 21 lines, 9 links (6 claimed), 1 failed" in first.output
    target = tmp_path / "corpus.links"
    done = {p: p.stat().st_mtime_ns for p in target.rglob("*.links.json")}
    assert len(done) == 3
    (corpus / "deep" / "0.txt").write_text(TALE, encoding="utf-8")
    clew(corpus)
    again = {p: p.stat().st_mtime_ns for p in target.rglob("*.links.json")}
    assert [p.name for p in done if done[p] != again[p]] == ["0.txt.links.json"]
    assert not list(target.rglob("*.part"))
