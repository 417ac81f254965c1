"""The learned chooser: every candidate against taking none, and what pointing newly reads."""

from __future__ import annotations

import pytest

from clew.kernel.ground.cards import card
from clew.kernel.ground.chooser import Choice
from clew.kernel.ground.numbers import Compared, compared
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.pick import understand
from clew.kernel.ground.point import point
from clew.kernel.ground.saying import spoken
from clew.model.evidence import Candidate
from clew.policy import default

POLICY = default().ground
SEATS = (
    Candidate("a", "Studio Light", "3 seats, $40"),
    Candidate("b", "Night Walk", "1 seat, $55"),
    Candidate("c", "Street", "6 seats, $35"),
)
SONGS = (
    Candidate("a", "Hallelujah", "Leonard Cohen, 1984"),
    Candidate("b", "Hallelujah", "Jeff Buckley, 1994"),
    Candidate("c", "Hallelujah", "Pentatonix, 2016"),
)


def test_a_choice_leads_over_none_and_over_the_others() -> None:
    choice = Choice(((0, 120), (1, 90), (2, -40)))
    assert choice.best == 0
    assert choice.lead((0,)) == 30
    assert choice.lead((0, 1)) == 120
    assert choice.lead((2,)) == -160
    assert Choice().best is None and Choice().lead((0,)) == 0


def test_numbers_are_compared_both_ways() -> None:
    cards = tuple(card(c, POLICY.pointing) for c in SEATS)
    found = compared(spoken("there are 4 of us", POLICY).numbers, cards)
    assert found.above == found.only_above == {2}
    assert found.below == {0}
    assert compared(spoken("3 seats", POLICY).numbers, cards).same == {0}
    assert compared((), cards) == Compared()


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("not that, the pdf pls", [("that", True), ("the pdf pls", False)]),
        ("no fish no eggs", [("fish", True), ("eggs", True)]),
        ("kids want to swim so the other one", [("kids want to swim", False), ("the other one", False)]),
        ("비싸니까 두번째 걸로", [("비싸니까", False), ("두번째 걸로", False)]),
    ],
)
def test_a_message_is_heard_in_clauses(text: str, clauses: list[tuple[str, bool]]) -> None:
    assert [(c.text, c.denied) for c in spoken(text, POLICY).clauses] == clauses


def test_a_sentence_that_asks_is_told_from_one_that_does_not() -> None:
    heard = spoken("the 9.30 then. is there parking?", POLICY)
    assert [c.asks for c in heard.clauses] == [False, True]
    assert heard.ends_asking and heard.clauses[0].text == "the 9.30"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the one with the most seats", "c"),
        ("the one with the fewest seats", "b"),
        ("the top two", "ab"),
        ("the bottom one", "c"),
        ("the middle price", "a"),
        ("the pricier of the first two", "b"),
        ("under 40", "c"),
        ("자리 위에 두 개", "ab"),
    ],
)
def test_ends_extremes_and_middles_are_pointed_at(text: str, meant: str) -> None:
    found = point(text, OptionSet(SEATS), None, POLICY)
    assert "".join(SEATS[p].id for p in found.positions) == meant


@pytest.mark.parametrize(
    ("text", "choice"),
    [("the Buckley version", "b"), ("the 90s one", "b"), ("the one from the eighties", "a"), ("the newest", "c")],
)
def test_versions_are_told_by_people_years_and_decades(text: str, choice: str) -> None:
    found = understand(text, SONGS, POLICY, last_assistant_text="I found three. Which one?")
    assert found.choice_ids == (choice,)


def test_an_ambiguous_name_is_asked_back_by_what_differs() -> None:
    found = understand("play hallelujah", SONGS, POLICY, last_assistant_text="I found three. Which one?")
    assert found.choice_ids == ()
    assert found.question is not None and "the 1984 one" in found.question
