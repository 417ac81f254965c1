"""Replies to someone in danger (rulings S1–S3)."""

from __future__ import annotations

import re

import pytest

from clew.kernel.care.crisis import Call, crisis_reply
from clew.kernel.compose.choosing import levelled
from clew.kernel.gate.verdict import check
from clew.kernel.text.emoji import emoji_count
from clew.model.plan import Frame
from clew.model.turn import Pipeline
from clew.policy import default

POLICY = default()
CALLS = {
    "en": ("I want to kill myself", "I took all my pills", "I cut myself again", "goodbye. I wrote the letters"),
    "ko": ("죽고 싶어", "약을 다 먹었어", "또 손목 그었어", "유서 써 놨어"),
}
NUMBERS = {"112", "119"}


def known_numbers() -> set[str]:
    table = POLICY.engine.crisis_resources.values()
    return NUMBERS | {n for r in table for n in re.findall(r"\d+", f"{r.contact} {r.name}")}


@pytest.mark.rule("S3")
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("country", [None, "MN", *POLICY.engine.crisis_resources])
def test_every_reply_of_a_long_crisis_names_help_and_none_is_said_twice_running(
    language: str, country: str | None
) -> None:
    said: tuple[str, ...] = ()
    words = POLICY.care.languages[language]
    ways = [levelled(w, polite=p) for w in (*words.emergency, *words.emergency_now) for p in (False, True)]
    for n in range(12):
        text = CALLS[language][n % 4]
        reply = crisis_reply(Call(text, language, f"m{n}", said, country), POLICY).text
        found = POLICY.engine.crisis_resources.get(country or "")
        named = found.contact in reply if found else False
        assert named or any(w in reply for w in ways)
        assert not set(reply) & set("[|]{}")
        assert not said or reply != said[-1]
        assert set(re.findall(r"\d+", reply)) <= known_numbers()
        assert emoji_count(reply) == 0 and "!" not in reply
        said = (*said, reply)


@pytest.mark.parametrize(("text", "polite"), [("죽고 싶다는 생각이 들어요", True), ("죽고 싶어", False)])
def test_someone_in_danger_is_answered_at_their_speech_level(text: str, polite: bool) -> None:
    for n in range(6):
        said = crisis_reply(Call(text, "ko", f"m{n}"), POLICY).text
        ends = [bool(re.search(r"(?:요|까요)$", s.rstrip(".?"))) for s in re.split(r"(?<=[.?]) ", said)]
        assert all(ends) if polite else not any(ends), said


@pytest.mark.rule("S1")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_was_said_is_taken_up(language: str) -> None:
    firsts = {crisis_reply(Call(t, language, "m"), POLICY).reasons[0].rule for t in CALLS[language]}
    assert firsts == {"care.wish", "care.taken", "care.injury", "care.goodbye"}


@pytest.mark.rule("S2")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_nobody_is_sent_to_a_country_they_did_not_name(language: str) -> None:
    for n in range(20):
        reply = crisis_reply(Call(CALLS[language][0], language, f"m{n}"), POLICY).text
        assert not any(r.contact in reply for r in POLICY.engine.crisis_resources.values())
        assert "112" in reply


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_reviewed_sentence_passes_the_gate(language: str) -> None:
    words = POLICY.care.languages[language]
    frame = Frame(pipeline=Pipeline.EMOTIONAL_SUPPORT, crisis=True, language=language, kind="fallback")
    rows = [s for row in (*words.dangers.values(), *words.support.values()) for s in (*row.heard, *row.asks)]
    for sentence in (*rows, *words.again, *words.ask_again, *words.emergency, *words.stay, *words.minor):
        assert check(sentence, frame, POLICY).hard == (), sentence
