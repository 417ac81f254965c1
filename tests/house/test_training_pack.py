"""What the statement network learns from, packed for a machine without the package, is read there as the kernel reads it here."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from clew.kernel.statements import features

TRAIN = Path(__file__).resolve().parents[2] / "bench/train"


@pytest.fixture(scope="module")
def carried() -> ModuleType:
    sys.path.insert(0, str(TRAIN))
    try:
        import carried
    finally:
        sys.path.remove(str(TRAIN))
    return carried


@pytest.mark.parametrize("word", ["a", "granddaughter", "o'clock", "할머니께서는", "9", "x" * 60])
def test_pieces_of_a_word_are_those_that_the_kernel_makes(carried: ModuleType, word: str) -> None:
    assert tuple(carried.pieces(word, features.BUCKETS)) == features.pieces(word)


@pytest.mark.parametrize("text", ["My cat Bo's ill?", "우리 강아지 보리는 3살", "…"])
def test_a_packed_message_has_the_tokens_words_and_signs_of_the_kernel(carried: ModuleType, text: str) -> None:
    from clew.policy import default as policy

    words = features.words_of(text)
    marks = features.signs(text, words, features.mentions(text, policy().reader), policy().reader)
    opened = carried.Carried.__new__(carried.Carried)
    opened.vocabulary = sorted({w.text for w in words})
    opened.pieces = [carried.pieces(word, features.BUCKETS) for word in opened.vocabulary]
    opened.buckets = features.BUCKETS
    # Every word is a token of its own here.
    count = len(words)
    opened.held = {
        "ids": np.arange(count), "at": np.array([0] + [1] * (count - 1)),
        "words": np.array([opened.vocabulary.index(w.text) for w in words]),
        "signs": np.array([sum(bit << n for n, bit in enumerate(row)) for row in marks]),
    }  # fmt: skip
    opened.from_id = opened.from_word = [0, count]
    ids, bags, bits = opened.tokens(0)
    assert ids == list(range(count))
    assert [tuple(bag) for bag in bags] == features.bags(words)
    assert [tuple(row >> n & 1 for n in range(features.SIGNS)) for row in bits] == marks
    assert opened.tokens(0, 1, 2)[1] == bags[1:2]
