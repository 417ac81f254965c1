"""Looking through a table for pieces finds what trying every pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import policy as policies
from clew.pattern_table import NamedPatterns, PatternGroups, PatternTable
from clew.policy.rows import rows
from clew.required import lowered, required

TABLE = (
    r"\bmy (?:mum|mom|dad)\b",
    r"(?:moved|going) (?:over )?to\b",
    r"^\W*(?:이름은|이름이)\s\S+",
    r"\d+ years?",
    r"(?!x)",
    r"[Kk]iss(?:es)?",
    r"(?:(?:really|so) )+tired",
)
TEXTS = ("My MUM moved to Lisbon", "nothing here", "이름은 보리야", "12 year old", "KISSES", "so so tired, mom", "")


def test_a_piece_is_what_every_match_holds() -> None:
    assert required(r"\bmy (?:mum|mom) called", re.I) == ("my mom called", "my mum called")
    assert required(r"(?:exams?|tests?) on", re.I) == ("exam on", "exams on", "test on", "tests on")
    assert required(r"\w+ist\b(?=.*\bwork)", re.I) == ("work",)
    assert required(r"(?<!not )(?:한국|일본)에서", re.I) == ("일본에서", "한국에서")


@pytest.mark.parametrize("pattern", [r"\w+", r".*", "a?", "(?!b)", r"é+", "(?:apple|)", r"[a-z]o"])
def test_where_nothing_is_surely_held_every_text_may_match(pattern: str) -> None:
    assert required(pattern, re.I) is None


@pytest.mark.parametrize("text", ["wor\u212a", "\u017fister", "k\u0131tchen", "K\u0130TCHEN"])
def test_letters_that_a_pattern_takes_for_one_another_are_one(text: str) -> None:
    shape = r"work|sister|kitchen"
    assert re.search(shape, text, re.I)
    assert any(piece in lowered(text) for piece in required(shape, re.I) or ())


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_rows_match_in_the_same_order(text: str) -> None:
    tried = [n for n, pattern in enumerate(TABLE) if re.search(pattern, text, re.I)]
    table = PatternTable(TABLE)
    assert [n for n, _ in table.matches(text)] == tried
    assert table.any(text) is bool(tried) and table.first(text) == (tried[0] if tried else None)
    named = NamedPatterns({f"row {n}": pattern for n, pattern in enumerate(TABLE)})
    assert list(named.names(text)) == [f"row {n}" for n in tried]
    groups = PatternGroups({"odd": TABLE[1::2], "even": TABLE[::2], "all": TABLE})
    assert groups.any("all", text) is bool(tried)
    assert groups.any("odd", text) is any(n % 2 for n in tried)


@given(st.text("mydaMUMomvet tolisb12 보리이름은\u212a\u017f\u0131", max_size=40))
def test_no_text_is_kept_from_a_pattern_that_matches_it(text: str) -> None:
    table = PatternTable(TABLE)
    assert [n for n, _ in table.matches(text)] == [n for n, p in enumerate(TABLE) if re.search(p, text, re.I)]


def test_every_pattern_of_the_policy_finds_its_pieces_where_it_matches() -> None:
    policy = policies.default()
    shapes = [r for room in policies.ROOMS for _, r in rows(getattr(policy, room), room) if getattr(r, "says", "")]
    known = 0
    others = [(r.says if isinstance(r.says, str) else r.says[0]) for r in shapes[::60]]
    for row in shapes:
        pattern = str(getattr(row, "pattern", row))
        pieces = required(pattern, re.I)
        known += pieces is not None
        said = (row.says,) if isinstance(row.says, str) else tuple(row.says)
        for text in (*said, *others):
            if re.search(pattern, text, re.I):
                assert pieces is None or any(p in lowered(text) for p in pieces), (pattern, text, pieces)
    assert known > len(shapes) * 0.8, "mostly the pieces are known"
