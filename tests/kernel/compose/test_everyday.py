"""Plain everyday messages are met as what they are, by the reader and by key words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.compose.choosing import levelled
from clew.kernel.compose.compose import compose
from clew.kernel.plan.outline import outline
from clew.kernel.read.utterance import read
from clew.model.plan import PlanAsk
from clew.model.turn import Pipeline
from clew.policy import Policy, default
from clew.policy.compose import Judge

MOODS = {"hard", "irk", "glad", "tell", "ask"}
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def by_rules() -> Policy:
    """The shipped policy without the judge of replies: what the rules say alone."""
    return replace(default(), compose=replace(default().compose, judge=Judge()))


def replies(text: str, count: int = 8, policy: Policy | None = None) -> list[str]:
    heard = read(text, default(), vector=embedder().embed([text])[0])
    asks = [
        PlanAsk(
            text=text, signals=heard.signals, utterance=heard, pipeline=Pipeline.FRIEND_CHAT, at=NOON,
            message_id=f"m{number}",
        )
        for number in range(count)
    ]  # fmt: skip
    return [compose(outline(ask, default()), policy or default()) for ask in asks]


def said_to(situation: str, language: str) -> set[str]:
    ways = default().everyday.languages[language].situations[situation].says
    return {levelled(way, polite=polite) for way in ways for polite in (False, True)}


@pytest.mark.parametrize(
    ("text", "language", "situation"),
    [
        ("it's pouring outside again", "en", "rain"), ("the train got cancelled", "en", "train_delay"),
        ("my salary is finally in", "en", "payday"), ("spilled tea all over my laptop", "en", "device_broken"),
        ("비가 또 오네", "ko", "rain"), ("택배가 드디어 왔어", "ko", "parcel_arrived"), ("오늘도 야근이에요", "ko", "overtime"),
    ],
)  # fmt: skip
def test_a_plain_message_is_met_as_its_situation(text: str, language: str, situation: str) -> None:
    said = said_to(situation, language)
    assert sum(any(way in reply for way in said) for reply in replies(text)) >= 6


@pytest.mark.parametrize("text", ["can you call me tomorrow?", "will you come to my party?", "내일 나 깨워 줄 수 있어?"])
def test_a_request_is_no_telling(text: str) -> None:
    assert not any(re.search(r"Of course|Any time|Sure|그럼|언제든지", reply) for reply in replies(text))


@pytest.mark.parametrize(
    "text", ["my plant died", "my phone is about to die", "화분이 죽었어", "the van died", "my sewing machine died mid hem"]
)
def test_a_thing_that_dies_is_not_mourned(text: str) -> None:
    assert not any(re.search(r"sorry|heavy loss|보고 싶|빌게요", reply) for reply in replies(text))


@pytest.mark.parametrize("text", ["the bursar died", "our boiler man died", "my phone died and then our drummer died"])
def test_whoever_is_no_known_thing_is_mourned(text: str) -> None:
    assert all(re.search(r"sorry|loss", reply) for reply in replies(text, 2))


@pytest.mark.parametrize("text", ["my grandmother died this morning", "할머니가 오늘 돌아가셨어"])
def test_a_death_is_no_everyday_situation(text: str) -> None:
    known = {way for language in ("en", "ko") for name in default().everyday.languages[language].situations
             for way in said_to(name, language)}  # fmt: skip
    assert not known & set(replies(text))


def test_every_situation_has_a_mood_and_a_reply_that_asks_nothing() -> None:
    table = default().everyday
    for words in table.languages.values():
        for name, row in words.situations.items():
            assert row.mood in MOODS, name
            assert any("?" not in way for way in row.says), name
        assert table.lifeless | table.asked <= {n for w in table.languages.values() for n in w.situations}


def test_replies_keep_to_both_speech_levels() -> None:
    for name, row in default().everyday.languages["ko"].situations.items():
        for way in row.says:
            assert way.count("[") == way.count("]"), (name, way)
