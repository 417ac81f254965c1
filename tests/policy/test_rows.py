"""Every pattern is a named row with a text that it must match and one that it must not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from clew import policy
from clew.errors import InvalidPolicy
from clew.policy.rows import Pattern, WholePattern, rows

SHIPPED = [found for room in policy.ROOMS for found in rows(getattr(policy.default(), room), f"/{room}")]
# Marks that no word and no sentence of a reply has; a reply may have [plain|polite] and {gaps}.
MARKS = re.compile(r"\\[bswdSWD]|\(\?[:P!=<i-]|\.[*+]|\)[?*+]|[가-힣\w]\|[가-힣\w].*\|")
# Words that hold no pattern, by the last name of their place: weights, signs, and templates of replies.
NO_PATTERNS = frozenset({"says", "not_says", "holes", "weights", "unit_weights", "basis", "asked_matrix", "told_matrix"})


@pytest.mark.parametrize("room", policy.ROOMS)
def test_a_shipped_row_does_what_its_examples_say(room: str) -> None:
    broken = {place: why for place, row in SHIPPED if place.startswith(f"/{room}/") and (why := row.trouble())}
    assert broken == {}


def test_there_are_rows_of_both_languages_to_check() -> None:
    places = " ".join(place for place, _ in SHIPPED)
    for table in ("/remember/correct/deny/", "/checks/languages/en/", "/compose/languages/ko/evidence/", "/times/"):
        assert table in places


def strings(value: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, (*place, key))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, place)


def test_no_pattern_stands_outside_a_row() -> None:
    """What is written like a pattern anywhere in the data is the `pattern` of a row with examples."""
    folder = Path(str(resources.files("clew.policy").joinpath("data")))
    loose = []
    for file in sorted(folder.rglob("*.toml")):
        for place, text in strings(tomllib.loads(file.read_text(encoding="utf-8")), (file.name,)):
            if place[-1] == "pattern" or NO_PATTERNS & set(place):
                continue
            if MARKS.search(re.sub(r"\[[^\[\]]*\|[^\[\]]*\]|<[^<>]*\|[^<>]*>", "", text)):
                loose.append((*place, text[:60]))
    assert loose == []


BROKEN = {
    "not a regular expression": ({"pattern": "(oops"}, "not a regular expression"),
    "does not match its own text": ({"pattern": "xyzzy"}, "does not match"),
    "matches what it must not": ({"not_says": ["I passed my exam"]}, "which stands in not_says"),
    "no counter-example": ({"not_says": []}, "at least one text"),
}


@pytest.mark.parametrize(("row", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_a_users_broken_row_is_named_by_file_table_and_row(row: dict[str, Any], why: str, tmp_path: Path) -> None:
    lines = [f"{key} = {value!r}" for key, value in row.items()]
    file = tmp_path / "mine.toml"
    file.write_text("\n".join(["[weave.languages.en.over]", *lines]), encoding="utf-8")
    with pytest.raises(InvalidPolicy) as caught:
        policy.load(file)
    assert str(file) in caught.value.message and why in caught.value.message
    assert "table /weave/languages/en, row over" in caught.value.message
    assert caught.value.pointer == "/weave/languages/en/over"


def test_a_row_of_a_list_of_patterns_is_replaced_by_its_name_and_keeps_its_place() -> None:
    ours = policy.default().remember.correct.deny
    mine = policy.from_tables(
        {"remember": {"correct": {"deny": {"incorrect": {"pattern": "nonsense", "says": ["nonsense"]}}}}}
    ).remember.correct.deny
    assert [p.name for p in mine] == [p.name for p in ours]
    assert mine[[p.name for p in mine].index("incorrect")] == "nonsense"


def test_a_new_row_needs_examples() -> None:
    with pytest.raises(InvalidPolicy, match="says is required") as caught:
        policy.from_tables({"remember": {"correct": {"deny": {"mine": {"pattern": "nonsense"}}}}})
    assert caught.value.pointer == "/remember/correct/deny/mine/says"


def test_a_bare_pattern_is_refused_with_what_is_needed() -> None:
    with pytest.raises(InvalidPolicy, match="pattern, says and not_says"):
        policy.from_tables({"remember": {"patterns": {"moods_only": "always"}}})
    with pytest.raises(InvalidPolicy, match="named rows"):
        policy.from_tables({"remember": {"correct": {"deny": ["nonsense"]}}})


def test_a_whole_pattern_must_cover_its_clause() -> None:
    assert WholePattern("that's wrong", ["that's wrong"], ["that's wrong here"]).trouble() is None
    assert Pattern("that's wrong", ["that's wrong"], ["that's wrong here"]).trouble()


def test_holes_are_filled_for_the_examples() -> None:
    row = Pattern(r"at {hours}\b", ["see you at six"], ["see you at home"], holes={"hours": "(?:six|seven)"})
    assert row.trouble() is None
