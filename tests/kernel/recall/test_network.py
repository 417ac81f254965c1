"""The network of answers: every question beside everything that may answer it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.engine.meanings import lend
from clew.kernel.recall.chooser import features, likely
from clew.kernel.recall.known import Known
from clew.kernel.recall.network import EARLIER, VALUE, WORD, parts_of, weigh
from tests.kernel.recall.test_chooser import LIFE, POLICY, embedder, question

MEANINGS = lend(embedder())


def weighed(asked: str) -> dict[int, float]:
    assert MEANINGS is not None
    q = question(asked)
    return weigh(q, LIFE, features(q, LIFE, POLICY), [0.0] * len(LIFE), MEANINGS, POLICY.recall.answers_network)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("when was that teeth appointment", "dentist"),
        ("which city is my sister in", "Bergen"),
        ("what's the dog called", "Pepper"),
    ],
)
def test_the_network_finds_the_answer_without_a_word_of_the_trees(asked: str, holds: str) -> None:
    found = weighed(asked)
    assert holds in LIFE[max(found, key=lambda i: found[i])].words


def test_the_same_question_gives_the_same_numbers_twice() -> None:
    assert weighed("what's the dog called") == weighed("what's the dog called")


def test_with_the_encoder_the_mean_of_network_and_trees_is_taken() -> None:
    q = question("what's the dog called")
    assert MEANINGS is not None
    trees, both = likely(q, LIFE, POLICY), likely(q, LIFE, POLICY, MEANINGS)
    without = replace(POLICY, recall=replace(POLICY.recall, answers_network=replace(POLICY.recall.answers_network, file="")))
    assert both != trees
    assert likely(q, LIFE, without, MEANINGS) == trees


def test_a_value_is_marked_in_its_words_or_read_behind_them() -> None:
    inside = Known("1", "memory", "my dog Pepper", "Pepper", before="we went out")
    assert parts_of(inside) == [("we went out", EARLIER, None), ("my dog Pepper", WORD, (7, 13))]
    assert parts_of(Known("2", "memory", "my dog", "Pepper")) == [("my dog", WORD, None), ("Pepper", VALUE, None)]


def test_nothing_known_is_nothing_weighed() -> None:
    assert MEANINGS is not None
    assert weigh(question("what's the dog called"), (), None, [], MEANINGS, POLICY.recall.answers_network) == {}
