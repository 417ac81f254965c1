"""Korean verbs whose stem ends in 나 tell in the polite style; the ending 나요 asks."""

from __future__ import annotations

import pytest

from clew.kernel.read.questions import is_question
from clew.kernel.text.normalize import normal
from clew.policy import default


@pytest.mark.parametrize("text", ["매일 다섯 시에 깨어나요", "친구들을 자주 만나요", "찬 거 먹으면 탈나요", "밤마다 열이 나요"])
def test_a_stem_that_ends_like_a_question_tells(text: str) -> None:
    assert not is_question(normal(text), default())


@pytest.mark.parametrize("text", ["요즘도 수영하나요", "어디서 만나요", "몇 시에 끝나요", "제가 거기 사나요", "만나요?"])
def test_the_ending_and_a_question_word_still_ask(text: str) -> None:
    assert is_question(normal(text), default())
