"""Getting to know each other: one plain question at a time, every one of them may be passed over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from clew.engine import identity
from clew.engine.parts import Parts
from clew.errors import InvalidInput
from clew.kernel.introduce.answers import ReadAnswer, read_answer
from clew.kernel.language.packs import language_of
from clew.kernel.read.short_answers import short_answer
from clew.model.language import HOUSE
from clew.policy import Policy
from clew.policy.introduce import IntroduceWords

DEMO: dict[str, Any] = {
    "preferred_name": "Robin",
    "age_band": "25-34",
    "country_or_region": "GB",
    "occupation_category": "working",
    "client_timezone": "Europe/London",
    "proactive_messages_enabled": False,
    "suppressed_topics": ["POLITICS"],
}
_ZONE, _COUNTRY = "client_timezone", "country_or_region"
_TRIES = 2
_NAME_WORDS = 2


def local_zone() -> str | None:
    """The machine's IANA zone; None when it does not say."""
    named = os.environ.get("TZ", "").lstrip(":")
    link = Path("/etc/localtime")
    if not named and link.is_symlink():
        named = str(link.resolve()).partition("zoneinfo/")[2]
    try:
        zone = ZoneInfo(named).key if named else None
    except (KeyError, ValueError, OSError):
        return None
    # A server's clock says nothing about where a person is.
    return None if zone in (None, "UTC", "Etc/UTC") else zone


def spoken_here(policy: Policy) -> str:
    """The language of the terminal, until the user writes in their own."""
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    code = named.lower()[:2]
    return code if code in policy.introduce.languages else HOUSE


def ask(parts: Parts, user_id: str, prompt: Callable[[str], str], say: Callable[[str], None]) -> str:
    """Each answer is kept when it is given, so that leaving half-way loses nothing; the language of the answers."""
    language = spoken_here(parts.policy)
    say(words_for(parts, language).lines["hello"])
    known: dict[str, Any] = {}

    def heard(question: str) -> str:
        nonlocal language
        answer = prompt(question)
        language = _spoken(answer, parts.policy) or language
        return answer

    for name in parts.policy.introduce.order:
        if name in known:
            continue
        for _ in range(_TRIES):
            said = _one(parts, name, words_for(parts, language), heard)
            if said.unclear:
                say(words_for(parts, language).lines["unclear"])
                continue
            if said.values:
                try:
                    identity.change(parts, user_id, said.values)
                except InvalidInput:
                    say(words_for(parts, language).lines["unclear"])
                    continue
                known.update(said.values)
            break
    say(words_for(parts, language).lines["done"])
    return language


def _spoken(answer: str, policy: Policy) -> str:
    """A name or a place in Latin letters tells no language; an answer in other letters, or in several words, does."""
    code = language_of(answer, policy, HOUSE)
    tells = code in policy.introduce.languages and (code != HOUSE or len(answer.split()) > _NAME_WORDS)
    return code if tells else ""


def _one(parts: Parts, name: str, words: IntroduceWords, prompt: Callable[[str], str]) -> ReadAnswer:
    zone = local_zone()
    if name == _ZONE and zone is not None:
        text = prompt(words.lines["clock"].format(zone=zone))
        agreed = read_answer("yes", short_answer(text), parts.policy, identity.places())
        if agreed.values.get("yes"):
            return ReadAnswer({_ZONE: zone})
        if agreed.skipped or "yes" in agreed.values:
            return ReadAnswer(skipped=True)
        return read_answer(name, short_answer(text), parts.policy, identity.places())
    return read_answer(name, short_answer(prompt(words.questions[name])), parts.policy, identity.places())


def words_for(parts: Parts, language: str) -> IntroduceWords:
    table = parts.policy.introduce.languages
    return table.get(language) or table[HOUSE]
