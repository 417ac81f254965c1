"""Telling Korean back never breaks: a bare ending, one syllable, half a syllable, no word at all."""

from __future__ import annotations

import itertools

import pytest

from clew import policy as policies
from clew.kernel.plan.echo_ko import exclaimed, retold_ko

POLICY = policies.default()
WORDS = POLICY.plan.echo["ko"]
ENDINGS = (
    "", "다고", "려고", "는데", "은데", "다", "네", "래", "게", "ㄹ게", "을게", "야", "이야", "아", "어", "해", "워",
    "써", "요", "어요", "대", "거야", "같아", "구나", "습니다", "지", "거든", "a", "ㅋ", "7", "'", "-",
)  # fmt: skip
STEMS = ("", "가", "먹", "우", "했", "ㅎ", "x", "은", "는", "살")


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_may_stand_alone_or_after_anything(ending: str) -> None:
    for stem in STEMS:
        assert isinstance(exclaimed(stem + ending, WORDS), str)


def test_every_pair_of_endings_may_be_a_sentence() -> None:
    for first, second in itertools.product(ENDINGS, repeat=2):
        for glue in ("", " ", ", "):
            retold_ko(f"{first}{glue}{second}", WORDS, POLICY)


@pytest.mark.parametrize("syllables", [*range(1, 10), 25, 26, 27, 51, 52, 53, 54, 200])
def test_a_sentence_without_spaces_is_told_or_left_out_at_any_length(syllables: int) -> None:
    text = ("나는오늘학교에갔다가집에와서밥을먹고잠을잤어" * 10)[:syllables]
    assert len(retold_ko(text, WORDS, POLICY)) <= 3 * POLICY.plan.echo_syllables
