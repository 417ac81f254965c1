"""The user's own words as an answer: who somebody is, and what a sentence leans on."""

from __future__ import annotations

import pytest

from clew.kernel.recall.own_words import (
    OwnMessage,
    introducing,
    leaning,
    only_greets,
    plainly_told,
    without_old,
)
from clew.policy import default

POLICY = default()


def said(*lines: str) -> list[OwnMessage]:
    return [OwnMessage(str(i), line, lines[i - 1] if i else "") for i, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("name", "lines", "answer"),
    [
        ("Kofi", ("Kofi burned the rye again", "my apprentice Kofi tastes everything"), "Kofi burned the rye again"),
        ("Mina", ("Mina called", "my sister Mina is a nurse"), "my sister Mina is a nurse"),
        ("수안", ("프론트는 공동창업자 수안이가 해",), "프론트는 공동창업자 수안이가 해"),
        ("림", ("그림 그려", "과외쌤은 림 선생님"), "과외쌤은 림 선생님"),
    ],
)
def test_the_message_that_says_who_it_is(name: str, lines: tuple[str, ...], answer: str) -> None:
    found = introducing(name, said(*lines), POLICY)
    assert found is not None and found.words == answer


def test_a_name_inside_another_word_is_nobody() -> None:
    assert introducing("Ray", said("the x-rays were fine", "Raymond called"), POLICY) is None


@pytest.mark.parametrize(
    ("words", "plainly"),
    [
        ("I live in Berlin with my husband Arjun", True),
        ("my study buddy is Ananya", False),
        ("하숙집 어머님은 정례 씨", False),
        ("우리 누나 이름은 지수야", True),
    ],
)
def test_a_word_for_somebody_that_something_narrows_says_more(words: str, plainly: bool) -> None:
    assert plainly_told(words, POLICY) is plainly


@pytest.mark.parametrize(
    ("asked", "before", "words", "leans"),
    [
        ("how old is gran?", "gran fell again", "91 and won't use her walker", True),
        ("할머니 연세가 어떻게 되시지?", "할머니 또 넘어지셨어", "아흔하나인데 보행기를 안 쓰셔", True),
        ("what does Lorcan do?", "my partner Lorcan thinks clay is mud", "he's a data analyst", True),
        ("how old is my sister?", "gran fell again", "my sister is 30", False),
        ("where do I live?", "boxes everywhere", "I live in Leeds", False),
        ("where do I live?", "", "I live in Leeds", False),
        ("who's Figaro?", "my uncle Bert left us his shed", "there's a fox in it, I call him Figaro", False),
        ("which one of us won?", "the next one is in May", "I know nobody there but Odile", False),
    ],
)
def test_what_leans_on_the_words_before_it(asked: str, before: str, words: str, leans: bool) -> None:
    language = "en" if asked.isascii() else "ko"
    assert leaning(OwnMessage("1", words, before), asked, language, POLICY) is leans


@pytest.mark.parametrize(
    ("words", "old", "new", "language", "left"),
    [
        ("Left the mill, I bake now", ["mill"], ["bake"], "en", "I bake now"),
        ("put the tuba away, it's banjo these days", ["tuba"], [], "en", "it's banjo these days"),
        ("베이스 접고 요즘은 하프 켜", ["베이스"], ["하프"], "ko", "요즘은 하프 켜"),
        ("swapped my Corsa for a Yaris", ["Corsa"], ["Yaris"], "en", "swapped my Corsa for a Yaris"),
        ("packed in the choir, my voice is gone", [], [], "en", "packed in the choir, my voice is gone"),
    ],
)
def test_what_is_new_is_quoted_without_the_old(
    words: str, old: list[str], new: list[str], language: str, left: str
) -> None:
    assert without_old(words, old, new, language, POLICY) == left


@pytest.mark.parametrize(
    ("text", "greets"),
    [("안녕", True), ("안녕하세요!", True), ("hi, good morning", True), ("안녕 나 부산 살아", False), ("good news", False), ("ㅋㅋㅋ", True)],
)
def test_a_greeting_answers_nothing(text: str, greets: bool) -> None:
    assert only_greets(text, POLICY) is greets
