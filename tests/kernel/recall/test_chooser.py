"""Which of what is known answers a question."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from clew.engine.bootstrap import make_embedder
from clew.kernel.read.asks import chances
from clew.kernel.recall.chooser import features, likely
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import wanted
from clew.policy import default

POLICY = default()
embedder = cache(make_embedder)


def question(text: str, language: str = "en") -> Question:
    vector = embedder().embed([text])[0]
    by_name = chances(text, vector, POLICY.reader)
    asked = by_name.pop("", 0.0)
    return Question(text, language, (), asked, by_name, wanted(text, (), language, POLICY), vector)


def known(words: str, value: str = "", attribute: str = "", subject: str = "self") -> Known:
    kind = MEMORY if attribute else TURN
    return Known(words, kind, words, value, subject, attribute, vector=embedder().embed([words])[0])


LIFE = (
    known("dentist 14 March half nine", "dentist 14 March half nine", "plan"),
    known("I'm a radiographer at the Infirmary", "radiographer", "job"),
    known("my sister Noor moved to Bergen", "Bergen", "city", "person:sister"),
    known("we live in a tiny flat in Leeds", "Leeds", "city"),
    known("my dog Pepper is scared of bins", "Pepper", "name", "pet:dog"),
    known("lol that film was awful"),
)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("when was that teeth appointment", "dentist"),
        ("what's my line of work", "radiographer"),
        ("whereabouts am I living", "Leeds"),
        ("which city is my sister in", "Bergen"),
        ("what's the dog called", "Pepper"),
    ],
)
def test_the_best_answers_though_it_is_asked_in_other_words(asked: str, holds: str) -> None:
    found = likely(question(asked), LIFE, POLICY)
    best = max(range(len(LIFE)), key=lambda i: found[i])
    assert holds in LIFE[best].words


@pytest.mark.parametrize("asked", ["how far is the moon", "what is the capital of Peru", "how do I boil an egg"])
def test_a_question_of_the_world_is_answered_by_nothing(asked: str) -> None:
    assert max(likely(question(asked), LIFE, POLICY)) < POLICY.recall.answers_sure


def test_the_same_question_gives_the_same_chances_in_any_order() -> None:
    asked = question("what's the dog called")
    forth, back = likely(asked, LIFE, POLICY), likely(asked, LIFE[::-1], POLICY)
    assert forth == back[::-1]


def test_features_are_whole_numbers_and_the_same_many_for_each() -> None:
    rows = features(question("what's the dog called"), LIFE, POLICY)
    assert rows.shape[0] == len(LIFE) and rows.dtype.kind == "i"


def test_without_weights_or_candidates_nothing_is_likely() -> None:
    bare = replace(POLICY, reader=replace(POLICY.reader, answers=""))
    assert likely(question("what's the dog called"), LIFE, bare) == (0.0,) * len(LIFE)
    assert likely(question("what's the dog called"), (), POLICY) == ()
