"""A bare answer to what was asked just before."""

from __future__ import annotations

import pytest

from clew.kernel.statements.told_bare import may_answer, told_bare
from clew.model.utterance import Ask
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    ("asked", "ask", "said", "whole"),
    [
        ("how old am I?", Ask("self", "age"), "haha ok, 41", "i'm 41"),
        ("how old's my gran?", Ask("person:grandmother", "age"), "91 now", "my gran is 91 now"),
        ("where do I live again?", Ask("self", "city"), "Galway!", "i live in Galway!"),
        ("what's my uncle's name", Ask("person:uncle", "name"), "oh sorry, Idris", "my uncle is called Idris"),
        ("what does Vera do?", Ask("person:any", "job", "Vera"), "a florist", "Vera is a florist"),
    ],
)
def test_a_bare_value_stands_for_a_sentence(asked: str, ask: Ask, said: str, whole: str) -> None:
    assert told_bare(said, "en", asked, [ask], POLICY) == whole


@pytest.mark.parametrize("said", ["never mind", "thanks", "no idea", "41 people came", "let me think about it"])
def test_talk_is_no_bare_answer(said: str) -> None:
    asks = [Ask("self", "age"), Ask("self", "city"), Ask("self", "name"), Ask("self", "job")]
    assert told_bare(said, "en", "how old am I?", asks, POLICY) is None


def test_a_number_is_no_town() -> None:
    assert may_answer("41", "en", POLICY)
    assert told_bare("41", "en", "where do I live?", [Ask("self", "city")], POLICY) is None
