"""How an everyday message is met: by its kind, in its mood, never with cheer for a doubt."""

from __future__ import annotations

import re

import pytest

from clew.policy import default
from tests.kernel.compose.test_compose import many

CHEER = re.compile(r"ongratulat|축하")


@pytest.mark.parametrize("text", ["결혼해야 하나", "should I take the job?", "이직할까 말까", "취직하면 끝일 줄 알았는데 할 게 많아"])
def test_a_doubt_is_not_congratulated(text: str) -> None:
    assert not any(CHEER.search(reply) for reply in many(text))


@pytest.mark.parametrize("text", ["I feel stuck", "feeling a bit down", "매일 술 먹기로 했어", "I hate dentists"])
def test_no_cold_word_answers_what_weighs(text: str) -> None:
    cold = {"I'm here.", "Understood.", "Okay, will do.", "그다음엔?", "알아 둘게."}
    assert not cold & set(many(text))


def test_every_occasion_has_a_mood_and_words_in_each_language() -> None:
    table = default().occasions
    for words in table.languages.values():
        assert set(words.cues) <= set(table.moods)
        assert set(table.moods) - table.answered <= set(words.met)
