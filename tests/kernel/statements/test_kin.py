"""Whose kin somebody is: read from the words between two people, without a learned reader."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.kernel.statements.kin import of_kin, of_their_kind
from clew.kernel.statements.people import Called
from clew.model.memory import SELF
from clew.model.utterance import Statement

POLICY = policies.default()
WORDS = POLICY.checks.languages["en"]


def told(text: str, value: str, subject: str, attribute: str = "name") -> Statement:
    start = text.index(value)
    name = value if attribute == "name" else None
    return Statement(subject, attribute, value, text, start, start + len(value), name=name)


@pytest.mark.parametrize(
    ("before", "relation", "mine"),
    [
        ("person:granddaughter", "brother", "person:grandchild"),
        ("person:sister", "husband", "person:brother-in-law"),
        ("person:wife", "mother", "person:mother-in-law"),
        ("person:son", "wife", "person:daughter-in-law"),
        ("person:boss", "wife", "person:person"),
    ],
)
def test_her_kin_is_what_the_kin_of_ones_kin_is(before: str, relation: str, mine: str) -> None:
    text = f"her {relation} Alan is a plumber"
    called = [Called(-1, -1, before, "Jean"), Called(4, 4 + len(relation), f"person:{relation}")]
    found = of_kin(text, [told(text, "Alan", f"person:{relation}")], WORDS, called, POLICY)
    assert [s.subject for s in found] == [mine]


def test_whoever_somebody_has_is_theirs() -> None:
    text = "Judith has twins, Ada and Bea"
    called = [Called(0, 6, "person:daughter", "Judith"), Called(11, 16, "person:child")]
    found = of_kin(text, [told(text, "Ada", "person:child")], WORDS, called, POLICY)
    assert [s.subject for s in found] == ["person:grandchild"]


def test_who_says_what_they_are_speaks_of_themself() -> None:
    text = "I'm a single mum in Detroit"
    called = [Called(13, 16, "person:mother")]
    found = of_kin(text, [told(text, "Detroit", "person:mother", "city")], WORDS, called, POLICY)
    assert [s.subject for s in found] == [SELF]


def test_two_budgies_are_no_cat() -> None:
    text = "I've got a cat called Biscuit and two budgies"
    found = of_their_kind([told(text, "two budgies", "pet:cat", "exists")], WORDS, (), POLICY)
    assert [s.subject for s in found] == ["pet:budgie"]
