"""Questions in other words: of somebody by "he", and in shapes that sound like advice or food."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.engine.bootstrap import make_embedder
from clew.testing.parts import make_parts, onboard, say

EMBEDDER = make_embedder()


def asked(tmp_path: Path, told: str, question: str) -> str:
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", embedder=EMBEDDER)
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    say(parts, place, told, 1)
    reply = say(parts, place, question, 2).reply
    parts.store.close()
    return reply


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        ("Our milkman Geoff leaves the bottles behind the green bin, he's done it for years", "where does he leave them?", "green bin"),
        ("I cook for 200 at the barracks, mostly stews", "where do I cook?", "barracks"),
        ("Half term trip is booked, Whitby, second week of February", "which week should I keep free", "second week"),
    ],
)
def test_a_fact_that_surely_answers_is_told_whatever_the_question_sounds_like(
    tmp_path: Path, told: str, question: str, answer: str
) -> None:
    assert answer in asked(tmp_path, told, question)


@pytest.mark.rule("M10")
def test_advice_is_not_answered_by_old_words(tmp_path: Path) -> None:
    reply = asked(tmp_path, "I had a row with my boss about the rota again", "what should I do now?")
    assert "You told me" not in reply and "In your words" not in reply


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "question", "never"),
    [
        ("my niece is 4 and my aunt Val has the twins, they're digging the road up for cables", "what are they laying?", "Your niece"),
        ("my uncle Bram is bringing the tent, and the neighbour has one key to the van", "who's got a key?", "Your uncle"),
    ],
)
def test_what_some_they_do_is_not_answered_by_all_that_is_known_of_everybody(
    tmp_path: Path, told: str, question: str, never: str
) -> None:
    assert never not in asked(tmp_path, told, question)


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        ("my uncle Bram is bringing the tent", "tell me about my uncle", "Bram"),
        ("my uncle Bram wants Whitby, I want Crete", "who wants Whitby?", "uncle"),
    ],
)
def test_all_of_somebody_is_told_to_who_asks_for_it(tmp_path: Path, told: str, question: str, answer: str) -> None:
    assert answer in asked(tmp_path, told, question)
