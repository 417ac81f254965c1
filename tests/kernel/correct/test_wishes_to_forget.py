"""Wishes to forget that no plain shape holds."""

from __future__ import annotations

from functools import cache

import pytest

from clew.engine.bootstrap import make_embedder
from clew.kernel.correct.commands import hear_command
from clew.kernel.correct.wishes import command_words, forget_wish, pointing_wish
from clew.kernel.read.wording import wording
from clew.model.memory import Command
from clew.policy import default

POLICY = default()
embedder = cache(make_embedder)


def heard(text: str, language: str) -> Command:
    words = command_words(wording(text, POLICY), language, embedder().embed([text])[0], POLICY)
    return hear_command(words, POLICY).command


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I'd rather you didn't keep my pin", "en"),
        ("wipe my age from your notes would you", "en"),
        ("내 나이는 못 들은 걸로 해줘", "ko"),
        ("아까 말한 비번은 기억하지 말아줘", "ko"),
    ],
)
def test_it_is_put_plainly_and_obeyed(text: str, language: str) -> None:
    assert heard(text, language) in (Command.FORGET, Command.FORGET_TARGET)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I forgot my keys again", "en"),
        ("don't forget my birthday", "en"),
        ("my job is nurse", "en"),
        ("how old am I", "en"),
        ("폰 비번 까먹었어", "ko"),
        ("나 몇 살이야", "ko"),
    ],
)
def test_what_only_sounds_like_it_is_none(text: str, language: str) -> None:
    assert heard(text, language) is Command.NONE


def test_without_a_vector_only_the_rules_hear() -> None:
    assert forget_wish(wording("I'd rather you didn't keep my pin", POLICY), "en", None, POLICY) == ""


@pytest.mark.parametrize(
    ("text", "language", "named"),
    [
        ("the locker code - don't save that", "en", "locker code"),
        ("never mention Pippa again, forget her", "en", "pippa"),
        ("forget my pin", "en", None),
        ("please forget that", "en", None),
    ],
)
def test_a_wish_that_points_means_what_is_named_beside_it(text: str, language: str, named: str | None) -> None:
    plain = pointing_wish(wording(text, POLICY), language, POLICY)
    assert (hear_command(plain, POLICY).named if plain else None) == named


@pytest.mark.parametrize(("text", "language"), [("delete everything", "en"), ("wipe it all", "en"), ("전부 지워줘", "ko")])
def test_a_wish_that_everything_goes_is_not_taken_for_one_thing(text: str, language: str) -> None:
    said = wording(text, POLICY)
    assert command_words(said, language, embedder().embed([text])[0], POLICY) is said
