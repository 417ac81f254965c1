"""A user's pattern that could run away is refused by its row, from the pattern alone."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.errors import InvalidPolicy
from clew.policy.patterns import MOST_CHARACTERS, trouble

RUNAWAY = [
    r"(a+)+$", r"(a*)*b", r"(a|aa)+$", r"(aa?)+$", r"(?:ab|\w\w)+!", r"(\w+\s?)+$", r"(?:[a-z]+[0-9]*)+$",
    r"^(?:(?:a+)b?)+$", r"(?:a{0,30}){0,30}b", r".*a.*b.*c", r"(가+나*)+다", r"\w*\w*\w*!",
]  # fmt: skip
CHEAP = [
    r"i (?:really )?love (\w+)", r"(?:\s+(?:please|now))+$", r"([a-z]+,)+", r"\bmy (\w+) is (\w+)", r".*foo.*",
    r"(?:(?:hi|hey)\s*)+", r"^\d+[a-z]*$", r"(?:(?:a|an|the)\s)+", r"plain + words :)", r"(?:un?fair )+",
    r"\s*\w+\s*=\s*\w+", r"(ab)+", r"[", "C++", "좋아(?:해|했어)요?",
]  # fmt: skip


@pytest.mark.parametrize("pattern", RUNAWAY)
def test_a_runaway_pattern_is_known(pattern: str) -> None:
    assert trouble(pattern)


@pytest.mark.parametrize("pattern", CHEAP)
def test_a_cheap_pattern_and_plain_words_pass(pattern: str) -> None:
    assert trouble(pattern) is None


def test_a_pattern_without_end_in_length_is_refused() -> None:
    assert "characters" in (trouble("a+|" * MOST_CHARACTERS) or "")


def test_the_row_is_named() -> None:
    with pytest.raises(InvalidPolicy, match="repeat inside a repeat") as caught:
        policies.from_tables({"remember": {"patterns": {"moods_only": {"pattern": r"(?:\w+\s?)+!"}}}})
    assert caught.value.pointer == "/remember/patterns/moods_only/pattern"


def test_a_shipped_row_may_be_repeated() -> None:
    ours = policies.default().remember.patterns
    again = {n: {"pattern": str(p), "says": p.says, "not_says": p.not_says} for n, p in ours.items()}
    assert policies.from_tables({"remember": {"patterns": again}}).remember.patterns == ours
