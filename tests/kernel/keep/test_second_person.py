"""What the user said of themself, said back to them."""

from __future__ import annotations

import pytest

from clew.kernel.keep.second_person import said_back
from clew.policy import default

WORDS = default().attributes.languages["en"]


@pytest.mark.parametrize(
    ("statement", "value", "who", "told"),
    [
        ("I'm saving for a trip to Japan", "saving", "", "you're saving for a trip to Japan"),
        ("my dress is green", "dress is green", "", "your dress is green"),
        ("she's recovering, thank god", "recovering", "your sister", "your sister is recovering"),
        ("my brother lent me money", "lent", "your brother", "your brother lent you money"),
    ],
)
def test_a_clause_with_its_own_subject_is_turned(statement: str, value: str, who: str, told: str) -> None:
    assert said_back(statement, value, who, WORDS, default()) == told


@pytest.mark.parametrize(
    ("statement", "value", "who"),
    [("mostly weddings", "weddings", ""), ("I met him", "met", "your boss"), ("I like tea", "coffee", "")],
)
def test_without_a_subject_of_its_own_nothing_is_turned(statement: str, value: str, who: str) -> None:
    assert said_back(statement, value, who, WORDS, default()) == ""
