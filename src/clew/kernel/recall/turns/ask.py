"""Reading a question: its terms, whom and when it asks about, and whether it wants the present."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.kernel.recall.terms import _lists, word_terms
from clew.kernel.recall.turns.dates import Span, spans
from clew.kernel.recall.turns.speakers import Names, base_word
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import words
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Ask:
    """One question against one conversation."""

    text: str
    bare: str  # without speaker names: what is embedded
    terms: tuple[tuple[str, str], ...]  # distinct (term, word), speaker names left out
    speakers: frozenset[str]
    names: frozenset[str]
    role: str | None  # whose turns are meant: `user`, `assistant`, or unknown
    dates: tuple[Span, ...]
    wants_time: bool
    wants_amount: bool
    wants_name: bool
    wants_place: bool
    wants_reason: bool
    wants_past: bool
    wants_state: bool  # how it is now, not what happened once
    wants_latest: bool  # the newest value, in so many words
    wants_many: bool  # a list, an order, a sum


def read(text: str, names: Names, years: Collection[int], policy: Policy, at: datetime | None = None) -> Ask:
    if not text.strip():
        raise InvalidInput("query must not be empty", pointer="/query")
    # Beyond this nothing new is asked; the beginning and the end carry a long question.
    most = policy.recall.query_max
    if len(text) > most:
        text = text[: most // 2] + " " + text[-most // 2 :]
    particles = _lists(policy)[2]
    found = words(text)
    based = frozenset(base_word(w, particles) for w in found)
    seen: dict[str, str] = {}
    for word in found:
        if base_word(word, particles) in names.words:
            continue
        for term, source in word_terms(word, policy):
            seen.setdefault(term, source)
    padded = f" {normal(text).no_punct} "
    return Ask(
        text=text,
        bare=names.removed(text),
        terms=tuple(seen.items()),
        speakers=names.named_in(based),
        names=based & names.words,
        role=None if _any(policy.recall.shared_cues, padded) else _role(found, policy),
        dates=spans(text, at.date() if at else None, years, policy),
        wants_time=_any(policy.recall.when_cues, padded),
        wants_amount=_any(policy.recall.amount_cues, padded),
        wants_name=_any(policy.recall.name_cues, padded),
        wants_place=_any(policy.recall.place_cues, padded),
        wants_reason=_any(policy.recall.reason_cues, padded),
        wants_past=_any(policy.recall.past_cues, padded),
        wants_state=_state(padded, policy),
        wants_latest=_latest(padded, policy),
        wants_many=_any(policy.recall.sum_cues, padded),
    )


def _state(padded: str, policy: Policy) -> bool:
    """How it is now, or (an amount, "originally") how it was; what happened once is neither."""
    table = policy.recall
    if _any(table.sum_cues, padded):
        return False
    if _any((*table.amount_cues, *table.past_cues), padded) or _latest(padded, policy):
        return True
    return _any(table.state_cues, padded) and not _any(table.told_cues, padded)


def _latest(padded: str, policy: Policy) -> bool:
    table = policy.recall
    return _any(table.latest_cues, padded) and not _any((*table.sum_cues, *table.past_cues), padded)


def _role(found: tuple[str, ...], policy: Policy) -> str | None:
    """ "What did you recommend?" means the assistant; "can you tell me" and "my sister" the one who asks."""
    told, telling, first = _verbs(policy)
    for i, word in enumerate(found):
        if word not in policy.recall.second_person:
            continue
        after = found[i + 1 : i + 4]
        asked_back = i > 0 and found[i - 1] in policy.recall.past_helpers
        if any(w in told for w in after) or (asked_back and any(w in telling for w in after)):
            return "assistant"
    return "user" if any(w in first for w in found) else None


@lru_cache(maxsize=4)
def _verbs(policy: Policy) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    told = frozenset(policy.recall.told_verbs)
    return told, told | frozenset(policy.recall.telling_verbs), frozenset(policy.recall.first_person)


def _any(cues: tuple[str, ...], padded: str) -> bool:
    return _pattern(cues).search(padded) is not None


@lru_cache(maxsize=32)
def _pattern(cues: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words of spaced scripts; Korean cues anywhere, endings vary."""
    return re.compile(
        "|".join(rf" {re.escape(c)}(?= )" if c.isascii() else re.escape(c) for c in cues) or "(?!)"
    )
