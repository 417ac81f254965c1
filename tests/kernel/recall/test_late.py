"""Late interaction: nearest words, with and without vectors, and the window of a turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.read.inquiry import inquiry
from clew.kernel.recall.turns import ask, index, late
from tests.kernel.recall.conversation import POLICY, indexed, line

WORDS = ("puppy", "dog", "opera", "soup", "train", "river")
VECTORS = {
    "puppy": (1.0, 0.0, 0.0),
    "dog": (0.8, 0.6, 0.0),
    "opera": (0.0, 1.0, 0.0),
    "soup": (0.0, 0.0, 1.0),
    "train": (-1.0, 0.0, 0.0),
    "river": (0.6, 0.0, 0.8),
}


# Words are first compared in one direction of three: what that leaves open is compared in all.
FIRST = replace(POLICY, recall=replace(POLICY.recall, word_first=1))


def _built(texts: list[str]) -> index.Index:
    lines = [line(i, "Ann", text) for i, text in enumerate(texts)]
    vectors = {word: np.array(v, np.float32) for word, v in VECTORS.items()}
    return indexed(lines, words=vectors, policy=FIRST)


def _meet(
    built: index.Index, asked: ask.Ask, vectors: tuple[late.Floats, late.Floats] | None
) -> tuple[late.Floats, late.Floats]:
    return late.meet(built, [built.posted(term) for term, _ in asked.terms], vectors, FIRST)


def _asked(built: index.Index, words: list[str]) -> tuple[ask.Ask, tuple[late.Floats, late.Floats]]:
    asked = ask.against(inquiry(" ".join(words), POLICY), built.names, built.years, POLICY)
    rows = np.array([VECTORS[source] for _, source in asked.terms], np.float32)
    return asked, (rows, np.ones(len(rows), np.float32))


def test_without_vectors_a_term_meets_only_itself() -> None:
    built = indexed([line(0, "Ann", "a puppy"), line(1, "Ann", "a dog")])
    asked = ask.against(inquiry("puppy", POLICY), built.names, built.years, POLICY)
    assert _meet(built, asked, None)[0].tolist() == [[1.0, 0.0]]


def test_a_term_meets_the_nearest_word_above_the_floor() -> None:
    built = _built(["a dog by the river", "a river", "soup", "train"])
    found, _ = _meet(built, *_asked(built, ["puppy"]))
    floor = POLICY.recall.word_floor
    expected = [(0.8 - floor) / (1 - floor), (0.6 - floor) / (1 - floor), 0, 0]
    assert np.allclose(found[0], expected, atol=1e-6)


def test_a_word_nobody_said_weighs_more_than_one_that_was_said() -> None:
    built = _built(["a dog", "a dog again", "soup"])
    _, weights = _meet(built, *_asked(built, ["opera", "dog"]))
    assert weights[0] > weights[1]


def test_the_answer_after_a_question_holds_the_words_of_both() -> None:
    built = indexed([line(0, "Ann", "Which opera?"), line(1, "Ben", "Tosca."), line(2, "Ann", "Soup.", 30)])
    turns = np.array([[1.0, 0.0, 0.0]], np.float32)
    share = POLICY.recall.window_previous[0]
    assert np.allclose(
        late.of_windows(index.masks(built.session, 2), turns, POLICY.recall.window_previous, ()), [[1.0, share, 0.0]]
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=8),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
)
def test_visiting_only_close_words_gives_the_same_as_comparing_all(
    texts: list[list[str]], query: list[str]
) -> None:
    built = _built([" ".join(words) for words in texts])
    asked, vectors = _asked(built, query)
    found, _ = _meet(built, asked, vectors)
    floor = POLICY.recall.word_floor
    for row, (_, source) in enumerate(asked.terms):
        for turn, words in enumerate(texts):
            closest = max(float(np.dot(VECTORS[w], VECTORS[source])) for w in words)
            exact = source in words
            expected = 1.0 if exact else max(0.0, (closest - floor) / (1 - floor))
            assert abs(float(found[row, turn]) - expected) < 1e-5
