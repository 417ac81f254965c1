"""Words of a language stand in its folder: what all languages share holds none of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.errors import InvalidPolicy
from clew.kernel.language.scripts import has_syllables
from clew.policy.table import joined
from tests.house.tree import PACKAGE

DATA = PACKAGE / "policy" / "data"
LANGUAGES = sorted(p for p in DATA.iterdir() if p.is_dir())
# Counted or learned over texts of all languages at once, and written by a script.
WRITTEN = {"listen.heads.toml", "recall.words.toml", "remember.common.toml"}
# Words of languages that have no pack.
UNPACKED = {"/cues/question_words", "/cues/question_endings", "/cues/now_strong"}
LENT = sorted(p for folder in LANGUAGES for p in (folder / "shared").glob("*.toml"))


def values(table: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(table, dict):
        for key, value in table.items():
            yield from values(value, f"{place}/{key}")
    else:
        yield place, table


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@pytest.mark.parametrize("path", sorted(DATA.glob("*.toml")), ids=lambda p: p.name)
def test_what_all_languages_share_is_written_in_no_languages_own_letters(path: Path) -> None:
    if path.name not in WRITTEN:
        found = [line for line in path.read_text(encoding="utf-8").splitlines() if has_syllables(line)]
        assert found == []


@pytest.mark.parametrize("path", LENT, ids=lambda p: f"{p.parents[1].name}-{p.stem}")
def test_a_list_to_which_languages_lend_words_has_only_marks_of_its_own(path: Path) -> None:
    ours = dict(values(read(DATA / path.name)))
    for place, lent in values(read(path)):
        if isinstance(lent, (list, str)) and place in ours and place not in UNPACKED:
            bare = re.sub(r"\\\w|\(\?-?[a-z]*", "", str(ours[place]))
            assert not re.search(r"[^\W\d_]", bare), f"{path.name}{place}: {ours[place]} stands beside {lent}"


def test_what_languages_lend_is_joined_and_nothing_is_written_over() -> None:
    ours = {"a": ["?"], "row": {"pattern": "x", "says": ["x"]}, "kinds": "one"}
    lent = {"a": ["eo"], "row": {"pattern": "y", "says": ["y"]}, "kinds": "two", "new": 1}
    assert joined(ours, lent) == {
        "a": ["?", "eo"],
        "row": {"pattern": "x|y", "says": ["x", "y"]},
        "kinds": "one two",
        "new": 1,
    }
    with pytest.raises(InvalidPolicy):
        joined({"most": 1}, {"most": 2})
