"""What the best turn names is looked for in later turns, where a present value is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from clew.kernel.read.inquiry import inquiry
from clew.kernel.recall.turns import ask, rank, view
from clew.kernel.recall.turns.again import named_again
from clew.kernel.recall.turns.overtaking import Nearby
from clew.model.transcript import Line
from tests.kernel.recall.conversation import POLICY, indexed, said

BARBER = ("user", "My barber is a cheerful man called Emrezan.")
GONE = ("user", "Emrezan went home to Izmir, so Tony has my head in his hands.")
OTHERS = [("user", f"We had soup number {n} for lunch.") for n in range(30)]


def _pairs(lines: list[Line], question: str) -> set[tuple[int, int]]:
    built = indexed(lines)
    asked = ask.against(inquiry(question, POLICY), built.names, built.years, POLICY)
    return set(named_again(built, [0], asked, POLICY))


def test_a_later_turn_that_names_it_again_is_found_though_it_shares_nothing_with_the_question() -> None:
    assert _pairs(said(BARBER, *OTHERS, GONE), "Who is my barber?") == {(0, 31)}


def test_of_several_the_last_one_counts() -> None:
    lines = said(BARBER, ("user", "Emrezan was late."), *OTHERS, GONE)
    assert _pairs(lines, "Who is my barber?") == {(0, 32)}


@pytest.mark.parametrize(
    "question", ["Who was my barber at first?", "Why did I leave my barber?", "Have I ever had a barber?"]
)
def test_nothing_is_looked_for_where_no_present_value_is_asked_for(question: str) -> None:
    assert _pairs(said(BARBER, *OTHERS, GONE), question) == set()


def test_another_speaker_an_earlier_turn_and_a_common_word_lead_nowhere() -> None:
    question = "Who is my barber?"
    assert _pairs(said(BARBER, *OTHERS, ("assistant", GONE[1])), question) == set()
    assert _pairs(said(BARBER, *OTHERS, ("user", "A man called the house.")), question) == set()
    often = [("user", f"Emrezan rang, call {n}.") for n in range(POLICY.recall.again_turns)]
    assert _pairs(said(BARBER, *often, GONE), question) == set()


def test_a_long_turn_names_too_much_to_be_followed() -> None:
    long = " ".join(f"word{n}" for n in range(POLICY.recall.again_length))
    assert _pairs(said((BARBER[0], f"{BARBER[1]} {long}"), *OTHERS, GONE), "Who is my barber?") == set()


@pytest.mark.parametrize(("alike", "first"), [(0.9, 31), (-0.9, 0)])
def test_it_comes_first_where_it_is_likely_to_tell_the_same_anew(alike: float, first: int) -> None:
    lines = said(BARBER, *OTHERS, GONE)
    built = indexed(lines)
    asked = ask.against(inquiry("Who is my barber?", POLICY), built.names, built.years, POLICY)
    leading = rank.leading(built, view.gather(built, asked, POLICY), asked, 3, POLICY).until(3)
    assert 31 in leading.turns
    near = np.array([alike, (1 - alike**2) ** 0.5, 0.0], np.float32)
    vectors = dict.fromkeys(range(32), np.array([0.0, 0.0, 1.0], np.float32))
    vectors |= {0: np.array([1.0, 0.0, 0.0], np.float32), 31: near}
    hits = rank.settled(
        built, asked, leading, dict(enumerate(lines)), 3, POLICY, nearby=Nearby(vectors[0], vectors)
    )
    assert hits[0].line.index == first
