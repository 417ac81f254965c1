"""Counting and comparing words in English, Korean and anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.language.scripts import mostly_syllables, syllables
from clew.kernel.text.tokens import (
    content_words,
    effective_count,
    token_estimate,
    tokens,
    words,
)
from clew.policy import default

TEXT = default().text


@pytest.mark.rule("P15")
@pytest.mark.parametrize(
    ("text", "count", "effective"),
    [
        ("", 0, 0),
        ("ok", 1, 1),
        ("so it goes, on and on", 6, 6),
        ("응", 1, 1),
        ("오늘 너무 힘들었어", 3, 4),
        ("오늘하루종일일했는데", 1, 4),
        ("나는 밥을 먹었어요", 3, 4),
        ("ㅋㅋㅋㅋㅋㅋ", 1, 1),
        # One borrowed word does not make an English sentence Korean.
        ("i really love eating 떡볶이 with friends", 7, 7),
    ],
)
def test_korean_counts_as_many_words_as_its_syllables_would_be(text: str, count: int, effective: int) -> None:
    assert len(tokens(text)) == count
    assert effective_count(text, TEXT) == effective


@given(st.text())
def test_the_effective_count_is_never_below_the_tokens(text: str) -> None:
    assert effective_count(text, TEXT) >= len(tokens(text))


def test_syllables_are_counted_not_jamo() -> None:
    assert syllables("한글 ㅋㅋ abc") == 2
    assert mostly_syllables("ㅋㅋ", TEXT)


def test_the_token_estimate_is_rounded_up_exactly() -> None:
    assert [token_estimate("w " * n, TEXT) for n in (0, 1, 10, 30)] == [0, 2, 13, 39]


@pytest.mark.rule("T8")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alicia's trust in Bobby", {"alicia", "trust", "in", "bobby"}),
        ("the twins' map", {"the", "twins", "map"}),
        ("a I x go", {"go"}),
        ("봄 in 서울, 中 國", {"봄", "in", "서울", "中", "國"}),
        ("Straße STRASSE", {"strasse"}),
        ("don’t can't", {"dont", "cant"}),
        ("...", set()),
    ],
)
def test_words_for_comparison_drop_possessives_and_short_latin_only(text: str, expected: set[str]) -> None:
    assert content_words(text) == expected


@pytest.mark.rule("N8")
def test_episode_words_have_three_letters_and_no_punctuation_stuck_to_them() -> None:
    assert content_words("Is it up? Show me the status.", min_latin=3) == {"show", "the", "status"}


@given(st.text())
def test_words_for_comparison_come_from_the_words(text: str) -> None:
    bare = {w.removesuffix("'s").replace("'", "") for w in words(text)}
    assert content_words(text) <= bare
    assert content_words(text, min_latin=1) == bare - {""}
