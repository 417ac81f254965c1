"""The newer of two statements about the same thing comes first."""

from __future__ import annotations

import numpy as np
import pytest

from clew.kernel.read.telling import telling
from clew.kernel.recall.turns.overtaking import Nearby, PlacedTurn, chance
from tests.kernel.recall.conversation import POLICY, find, found, line, said

NOISE = [("user", "I like walking by the river."), ("assistant", "That sounds calm."), ("user", "Yes it is.")]

# (older, newer, question): the value changed in between.
UPDATES = [
    ("I live in Oslo near the harbour.", "I moved to Bergen, I live near the sea now.", "Where do I live?"),
    ("My budget for gifts is $400.", "I raised my gifts budget to $450.", "What is my budget for gifts?"),
    ("I have 3 cats at home.", "We now have 4 cats after the rescue.", "How many cats do I have?"),
    ("My favorite color is blue.", "My favorite color is green.", "What is my favorite color?"),
    (
        "My reading goal is 10 books.",
        "I extended my reading goal to 12 books.",
        "How many books is my reading goal?",
    ),
    ("제 예산은 50만원이에요.", "이제 제 예산은 70만원이에요.", "제 예산은 얼마예요?"),
]


@pytest.mark.parametrize(("older", "newer", "question"), UPDATES)
def test_the_newer_value_is_first(older: str, newer: str, question: str) -> None:
    lines = said(("user", older), *NOISE, ("user", newer), *NOISE)
    assert found(lines, question, 2) == [4, 0]


def test_what_happened_last_is_newer_than_what_fits_better() -> None:
    lines = said(("user", "The vet weighed the dog, he weighs 32 kilos."), *NOISE, ("user", "The dog now weighs 30."))
    assert found(lines, "What did the dog weigh the last time he was at the vet?", 2) == [4, 0]
    assert found(lines, "What did the dog weigh at the vet?", 2)[0] == 0


def test_the_order_does_not_depend_on_which_was_worded_closer() -> None:
    newer = "I adjusted the snack budget to $75 for us."
    lines = said(("user", "The snack budget for movie night is $65."), *NOISE, ("user", newer))
    assert found(lines, "What is the snack budget for movie night?", 2) == [4, 0]


def test_a_question_about_the_past_gets_the_older_first() -> None:
    lines = said(
        ("user", "My budget for gifts is $400."), *NOISE, ("user", "I raised my gifts budget to $450.")
    )
    assert found(lines, "What is the original budget for gifts I had?", 2) == [0, 4]


def test_what_happened_once_is_not_reordered() -> None:
    lines = said(
        ("user", "I broke my arm skiing in the Alps last winter."), *NOISE, ("user", "My arm hurts now.")
    )
    assert found(lines, "How was my arm broke skiing in the Alps?", 1) == [0]


def test_a_dated_question_is_not_reordered() -> None:
    lines = [
        line(0, "user", "My budget for gifts is $400.", 0),
        line(1, "user", "I raised my gifts budget to $450.", 40),
    ]
    assert found(lines, "What is my gifts budget on 1 May 2023?", 1) == [0]


def test_another_speakers_value_is_another_subject() -> None:
    lines = said(("Nora", "I have 3 cats."), ("Ben", "I have 5 cats."))
    assert found(lines, "How many cats does Nora have?")[0] == 0


def test_why_says_whose_place_was_taken() -> None:
    older, newer, question = UPDATES[1]
    lines = said(("user", older), *NOISE, ("user", newer))
    assert any("fresh" in hit.why for hit in find(lines, question, 2))


def test_who_has_risen_above_the_best_is_not_drawn_down_to_the_next() -> None:
    lines = said(
        ("user", "My monthly budget for books is $35."),
        *NOISE,
        ("user", "My monthly budget for books and subscriptions is $43."),
        *NOISE,
        ("user", "I increased the book budget to $50 for a new series."),
    )
    last = len(lines) - 1
    assert found(lines, "What is my monthly budget for books and subscriptions?", 3)[0] == last


def _nearby(lines: list[object], alike: float) -> Nearby:
    """The first and the last turn as alike as that, both near the question; all others far from them."""
    far = np.array([0.0, 0.0, 1.0], np.float32)
    first = np.array([1.0, 0.0, 0.0], np.float32)
    last = np.array([alike, (1 - alike**2) ** 0.5, 0.0], np.float32)
    turns = dict.fromkeys(range(len(lines)), far) | {0: first, len(lines) - 1: last}
    return Nearby(first, turns)


TOLD = ("user", "I work at the bakery on Elm Street."), *NOISE, ("user", "First week on the trams, bye bakery!")


def test_what_is_told_anew_in_other_words_comes_first_and_the_old_is_marked() -> None:
    lines = said(*TOLD)
    hits = find(lines, "Where do I work?", 2, nearby=_nearby(lines, 0.9))
    assert [hit.line.index for hit in hits] == [4, 0]
    assert str(hits[1].why["stale"]).endswith("4")


def test_what_is_far_from_it_in_meaning_stays_behind() -> None:
    lines = said(*TOLD)
    assert find(lines, "Where do I work?", 2, nearby=_nearby(lines, -0.9))[0].line.index == 0


def test_somebody_else_does_not_tell_it_anew() -> None:
    lines = said(*TOLD[:-1], ("assistant", TOLD[-1][1]))
    assert find(lines, "Where do I work?", 1, nearby=_nearby(lines, 0.9))[0].line.index == 0


def test_what_is_most_alike_to_it_and_answers_most_is_likeliest_to_tell_it_anew() -> None:
    def at(*numbers: float) -> np.ndarray:
        row = np.array(numbers, np.float32)
        return row / np.linalg.norm(row)

    told, other = at(1, 0.2, 0), at(1, 0, 0.6)
    older = PlacedTurn(0, 0.0, telling("I work at the bakery.", POLICY))
    newer = PlacedTurn(1, 0.1, telling("First week on the trams.", POLICY))
    pair = {0: told, 1: other}
    alone = Nearby(told, pair)
    rival = Nearby(told, {**pair, 2: at(1, 0.2, 0.1)})
    assert rival.closest(0) > alone.closest(0) == pytest.approx(alone.alike(0, 1))
    assert rival.behind(2) > rival.behind(1) and alone.behind(0) == 0
    answers = Nearby(told, pair, toward=at(0, 0, 1))
    assert answers.behind(1) == 0 > alone.behind(1)
    likely = [chance(older, newer, frozenset(), some, POLICY) for some in (rival, alone, answers)]
    assert likely == sorted(likely) and len(set(likely)) == 3


def test_a_turn_alone_is_close_to_nothing() -> None:
    assert Nearby(np.ones(2, np.float32), {5: np.ones(2, np.float32)}).closest(5) == 0
