"""What of the user's own life a message asks for."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.asks import chances, read_asks
from clew.kernel.read.utterance import sentences_of
from clew.model.utterance import Ask
from clew.policy import default as policy


@lru_cache(maxsize=256)
def asked(text: str, language: str = "en") -> tuple[Ask, ...]:
    by_chance = chances(text, embedder().embed([text])[0], policy().reader)
    return read_asks(text, language, sentences_of(text, language, policy()), by_chance, policy())


@pytest.mark.parametrize(
    ("language", "text", "subject", "attribute"),
    [
        ("en", "How old am I again?", "self", "age"),
        ("en", "where do i live?", "self", "city"),
        ("en", "What's my brother's name?", "person:brother", "name"),
        ("en", "what is my cat called?", "pet:cat", "name"),
        ("en", "What should I cook for dinner tonight?", "self", "allergy"),
        ("en", "What do you know about me?", "self", "any"),
        ("en", "when is my dentist appointment?", "self", "when"),
        ("ko", "나 몇 살이야?", "self", "age"),
        ("ko", "내가 어디 산다고 했지?", "self", "city"),
        ("ko", "우리 강아지 이름이 뭐였지?", "pet:dog", "name"),
        ("ko", "나에 대해 뭘 알고 있어?", "self", "any"),
    ],
)
def test_a_question_about_oneself_is_heard(language: str, text: str, subject: str, attribute: str) -> None:
    assert (subject, attribute) in {(a.subject, a.attribute) for a in asked(text, language)}


def test_a_named_person_is_asked_about_by_name() -> None:
    found = asked("Who is Yuna?")
    assert found[0].attribute == "who" and found[0].name == "Yuna"


def test_a_pronoun_is_left_open() -> None:
    assert {a.subject for a in asked("how old is she now?")} == {"person:she"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "How tall is the Eiffel tower?"),
        ("en", "turn the volume up"),
        ("en", "that was a lovely walk"),
        ("en", "Is the museum open on Mondays?"),
        ("ko", "에펠탑 높이가 얼마야?"),
        ("ko", "소리 좀 키워줘"),
        ("ko", "오늘 산책 참 좋았다"),
    ],
)
def test_a_question_of_the_world_or_a_request_asks_for_nothing(language: str, text: str) -> None:
    assert asked(text, language) == ()


def test_without_a_vector_nothing_is_heard() -> None:
    assert read_asks("How old am I?", "en", (), chances("How old am I?", None, policy().reader), policy()) == ()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=100))
def test_any_text_is_read(text: str) -> None:
    for ask in asked(text):
        assert 0 <= ask.certainty <= 1 and ask.attribute
        assert ask.name is None or ask.name in text


def test_who_speaks_of_themself_is_nobody_by_name() -> None:
    (age,) = [a for a in asked("제가 몇 살이라고 했죠?", "ko") if a.attribute == "age"]
    assert (age.subject, age.name) == ("self", None)
