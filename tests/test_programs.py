"""A pattern from a program that was kept is the pattern that the library would make."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from clew import policy as policies
from clew import programs
from clew.kernel.read.phrases import Phrases, fold
from clew.kernel.text.normalize import normal
from clew.policy.rows import rows

PATTERNS = (
    (r"(?<![\w'])(?:foo|bar(?P<number>\d+)|바[가-힣]{2,3})(?!\w)", re.I),
    ("a|b", 0),
    ("(?i)x(?P<rest>.*)$", re.S),
    ("[^\\W\\d_]+", 0),
)


@pytest.fixture(autouse=True)
def none_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(programs, "_KNOWN", {})
    monkeypatch.setattr(programs, "_NEW", set())
    monkeypatch.setattr(programs, "_TABLES", {})
    yield


def _again() -> None:
    kept = programs.given()
    assert kept is not None
    programs._KNOWN.clear()
    programs._TABLES.clear()
    programs._NEW.clear()
    programs.take(kept)


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_it_is_the_same_pattern_made_now_or_before(pattern: str, flags: int) -> None:
    there = re.compile(pattern, flags)
    assert programs.program(pattern, flags) == there
    _again()
    again = programs.program(pattern, flags)
    assert again == there and again.groupindex == there.groupindex and again.groups == there.groups
    text = "X foo BAR12, 바다가 x and\nmore"
    assert [m.span() for m in again.finditer(text)] == [m.span() for m in there.finditer(text)]
    assert [m.groupdict() for m in again.finditer(text)] == [m.groupdict() for m in there.finditer(text)]
    assert programs.given() is None, "nothing new was made"


def test_every_pattern_of_the_policy_matches_its_own_example_from_a_kept_program() -> None:
    policy = policies.default()
    shapes = [r for room in policies.ROOMS for _, r in rows(getattr(policy, room), room) if getattr(r, "says", "")]
    assert shapes
    patterns = list(dict.fromkeys(str(getattr(r, "pattern", r)) for r in shapes))[:400]
    for pattern in patterns:
        programs.program(pattern, re.I)
    _again()
    for pattern in patterns:
        assert programs.program(pattern, re.I) == re.compile(pattern, re.I)


@pytest.mark.parametrize("kept", [b"", b"nothing", b"\xff" * 40])
def test_what_cannot_be_read_is_made_again(kept: bytes) -> None:
    programs.take(kept)
    assert programs.program("a+").fullmatch("aaa")


def test_a_program_that_is_none_is_refused_and_made_again() -> None:
    programs._KNOWN["a+", 0] = (32, b"\x01\x00\x00\x00\x63\x00\x00\x00", 0, {})
    assert programs.program("a+").fullmatch("aaa")


def test_a_bad_pattern_is_told_as_the_library_tells_it() -> None:
    with pytest.raises(re.error):
        programs.program("(")


def test_a_table_is_made_once_for_what_it_is_made_of() -> None:
    made: list[int] = []

    def make(of: int) -> dict[str, tuple[int, ...]]:
        made.append(of)
        return {"a": (of, 2)}

    for of in (1, 1, 2):
        assert programs.table("toy", of, lambda of=of: make(of)) == {"a": (of, 2)}  # type: ignore[misc]
    assert made == [1, 2]
    _again()
    assert programs.table("toy", 1, lambda: make(1)) == {"a": (1, 2)} and made == [1, 2]
    assert programs.table("other", 1, lambda: make(3)) == {"a": (3, 2)}, "another table of the same things"
    assert programs.given() is not None


def test_phrases_from_a_kept_table_find_what_they_found() -> None:
    policy = policies.default()
    texts = ("I want to kill myself", "i am so tired of everything, nobody cares", "죽고 싶어", "exam tomorrow 시험")

    def found() -> list[object]:
        rules = policy.listen.safety.rules
        heard = Phrases({n: r.says for n, r in rules.items()}, policy.listen.safety.slots, policy.listen.fold)
        return [heard.find(fold(normal(text), policy.listen.fold)) for text in texts]

    first = found()
    assert any(first)
    _again()
    assert found() == first
