"""Whoever is told of by name alone, and words that only say what somebody does."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.engine.bootstrap import make_embedder
from clew.kernel.read.utterance import read

EMBEDDER = make_embedder()


def told(text: str) -> set[tuple[str, str | None, str, str]]:
    vector = EMBEDDER.matrix([text])[0].tolist()
    heard = read(text, policies.default(), vector=vector, tokens=EMBEDDER.tokens(text))
    return {(s.subject, s.name, s.attribute, s.value) for s in heard.statements}


def test_whoever_is_a_teacher_is_no_teacher_of_the_user_s() -> None:
    found = told("our Linda lives in Crewe, she's a teacher, and our Neil moved to Cork")
    assert ("person:person", "Linda", "job", "teacher") in found
    assert not any(subject == "person:teacher" for subject, *_ in found)


@pytest.mark.parametrize(
    ("text", "subject", "name"),
    [
        ("my teacher is called Mrs Hart", "person:teacher", "Mrs Hart"),
        ("our son Stephen lives in Perth", "person:son", "Stephen"),
        ("my boss Dave lives in Bath", "person:boss", "Dave"),
    ],
)
def test_whose_they_are_stands_where_it_is_said(text: str, subject: str, name: str) -> None:
    assert (subject, name) in {(s, n) for s, n, *_ in told(text)}


def test_words_in_small_letters_are_no_pet_s_name() -> None:
    assert not any(name for _, name, *_ in told("poor dog, vet reckons its his liver"))


@pytest.mark.parametrize(("text", "name"), [("나 고2 윤서", "윤서"), ("나 중3 현서", "현서")])
def test_a_korean_name_at_the_end_keeps_its_last_letter(text: str, name: str) -> None:
    assert ("name", name) in {(attribute, value) for _, _, attribute, value in told(text)}
