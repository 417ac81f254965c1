"""What is said to someone in danger: reviewed sentences, never a model's words (rulings S1–S3).

It takes up what was said, asks about safety and names help, every time; on repeats it is shorter, and never the same
twice running.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.compose.choosing import levelled
from clew.kernel.language.pack import words_in
from clew.kernel.language.packs import pack
from clew.kernel.text.passage import Passage, passage
from clew.kernel.text.sentences import sentences
from clew.model.canonical import sha256
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.care import CareWords, Danger

_OTHERWISE = "unnamed"


@dataclass(frozen=True, slots=True)
class Call:
    """Someone in danger. `country` and `minor` are None where nobody told."""

    text: str
    language: str
    message_id: str = ""
    recent_replies: tuple[str, ...] = ()
    country: str | None = None
    minor: bool | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    reasons: tuple[Reason, ...] = field(default_factory=tuple)


def crisis_reply(call: Call, policy: Policy) -> Answer:
    table = policy.care.languages
    words = words_in(call.language, table)
    name = danger_of(passage(call.text, policy), words)
    row = words.dangers[name]
    polite = _polite(call)
    lately = call.recent_replies[-policy.care.remembered :]
    said = frozenset(s for reply in lately for s in sentences(reply, policy.text))
    again = any(_names_help(reply, words, policy) for reply in call.recent_replies[-policy.care.repeat_within :])
    turn = int(sha256(call.message_id or call.text)[:8], 16) + len(call.recent_replies)
    parts = [_pick(words.again if again and not row.now else row.heard, said, turn, polite)]
    if not again or not row.now:
        parts.append(_pick(words.ask_again if again else row.asks, said, turn, polite))
    parts.append(help_line(call, words, row, said, turn, policy))
    if not again and (call.minor or not row.help):
        # Who drives shall not go on writing.
        parts.append(_pick(words.minor if call.minor else words.stay, said, turn, polite))
    reasons = (Reason(f"care.{name}"), Reason("care.again" if again else "care.first"))
    return Answer(" ".join(p for p in parts if p), reasons)


def danger_of(said: Passage, words: CareWords) -> str:
    """Which danger is spoken of; the first row that matches, in the order of the table."""
    return next((name for name, shape in _shapes(words) if shape.search(said.text)), _OTHERWISE)


def help_line(call: Call, words: CareWords, row: Danger, said: frozenset[str], turn: int, policy: Policy) -> str:
    """A line of the table for a country that was told; otherwise the emergency number, and no country assumed."""
    found = policy.engine.crisis_resources.get(call.country or "")
    polite = _polite(call)
    if row.help:
        return _pick(row.help, said, turn, polite)
    if row.now:
        return _pick(words.emergency_now, said, turn, polite)
    if found is None:
        return _pick(words.emergency, said, turn, polite)
    ways = tuple(w.format(name=found.name, contact=found.contact) for w in words.line)
    return _pick(ways, said, turn, polite)


def help_beside(call: Call, policy: Policy) -> str:
    """Help named in few words, for the turns after a crisis (ruling S3)."""
    words = words_in(call.language, policy.care.languages)
    found = policy.engine.crisis_resources.get(call.country or "")
    ways = words.beside_emergency
    if found is not None:
        ways = tuple(way.format(name=found.name, contact=found.contact) for way in words.beside)
    lately = call.recent_replies[-policy.care.remembered :]
    said = frozenset(s for reply in lately for s in sentences(reply, policy.text))
    turn = int(sha256(call.message_id or call.text)[:8], 16) + len(call.recent_replies)
    return _pick(ways, said, turn, _polite(call))


def _names_help(reply: str, words: CareWords, policy: Policy) -> bool:
    """Was this a crisis reply? Each names help in one of the ways of the table."""
    contacts = tuple(r.contact for r in policy.engine.crisis_resources.values())
    own = (way for row in words.dangers.values() for way in row.help)
    ways = (*contacts, *_either((*words.emergency, *words.emergency_now, *own)))
    return any(way in reply for way in ways)


def _either(ways: Sequence[str]) -> tuple[str, ...]:
    return tuple(levelled(way, polite=polite) for way in ways for polite in (False, True))


def _polite(call: Call) -> bool:
    """As the user writes now, else as we wrote last."""
    spoken = pack(call.language)
    told = (spoken.polite(said) for said in (call.text, *reversed(call.recent_replies))) if spoken else ()
    return next((polite for polite in told if polite is not None), False)


def _pick(ways: Sequence[str], said: frozenset[str], turn: int, polite: bool) -> str:
    """Rotates by the message, past what was said lately; at the user's speech level."""
    if not ways:
        return ""
    ways = [levelled(way, polite=polite) for way in ways]
    ordered = [ways[(turn + i) % len(ways)] for i in range(len(ways))]
    fresh = (w for w in ordered if not any(part in w or w in part for part in said))
    return next(fresh, ordered[0])


@lru_cache(maxsize=8)
def _shapes(words: CareWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(row.pattern, re.I)) for name, row in words.dangers.items() if row.pattern)
