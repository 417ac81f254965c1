"""The text of an open loop, read once: without its type's template, in tokens, and what it asserts (T3, T7–T11)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import regex

from clew.frozen import dataclass
from clew.kernel.language.scripts import is_spaced
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import content_sequence
from clew.model.thread import ThreadType, Urgency
from clew.policy.weave import WeavePolicy

# Scripts that put no space between words: their runs are read as pairs of characters.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]{3,}")
_LABEL = re.compile(r"^\s*(?P<word>[A-Za-z]+)\s*(?P<colon>:?)\s*(?P<rest>.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Loop:
    """`sequence`: its tokens in order, template and filler gone. `asserted`: what the guards read of it."""

    text: str
    kind: ThreadType
    sequence: tuple[str, ...]
    asserted: str

    @property
    def tokens(self) -> frozenset[str]:
        return frozenset(self.sequence)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody typed to open a loop: the labels before it, the template it has, and its lower-cased words."""

    text: str
    low: str
    kind: ThreadType | None
    urgency: Urgency | None
    template: ThreadType | None


@lru_cache(maxsize=1024)
def read_loop(text: str, kind: ThreadType, policy: WeavePolicy) -> Loop:
    low = _stops(policy).sub(" ", _scaffold(policy, kind).sub(" ; ", normalize(text)))
    sequence = content_sequence(low)
    if not is_spaced(text):
        sequence = tuple(part for word in sequence for part in _parts(word))
    bare = _scaffold(policy, kind).sub(" ; ", unicodedata.normalize("NFKC", text)).strip(" ;")
    return Loop(text, kind, sequence, _neutral(policy).sub(" ", bare))


def read_proposal(text: str, policy: WeavePolicy) -> Proposal:
    """Leading capitals TYPE and URGENCY are taken at their word."""
    kind: ThreadType | None = None
    urgency: Urgency | None = None
    while label := _LABEL.match(text):
        word, rest = label.group("word"), label.group("rest")
        exact = word.isupper() or bool(label.group("colon"))
        if not rest or not exact:
            break
        if kind is None and word.upper() in ThreadType.__members__:
            kind = ThreadType(word.upper())
        elif urgency is None and word.upper() in Urgency.__members__:
            urgency = Urgency(word.upper())
        else:
            break
        text = rest
    return Proposal(text, normalize(text), kind, urgency, _template(text, policy))


def read_intent(text: str, policy: WeavePolicy) -> Proposal:
    """The same of an intent that somebody spoke: it has no labels."""
    return Proposal(text, normalize(text), None, None, _template(text, policy))


def without_template(text: str, kind: ThreadType, policy: WeavePolicy) -> str:
    """The text without the prefix of its type's template."""
    return _prefix(policy, kind).sub("", text, count=1)


def _template(text: str, policy: WeavePolicy) -> ThreadType | None:
    return next((kind for kind in ThreadType if without_template(text, kind, policy) != text), None)


@lru_cache(maxsize=16)
def _prefix(policy: WeavePolicy, kind: ThreadType) -> re.Pattern[str]:
    prefixes = "|".join(map(re.escape, policy.scaffold_prefixes[kind]))
    return re.compile(rf"^\s*(?:{prefixes})\s*(?::|-|–|—)\s*", re.IGNORECASE)


@lru_cache(maxsize=16)
def _scaffold(policy: WeavePolicy, kind: ThreadType) -> re.Pattern[str]:
    """The type's own prefix where the text starts, its connector where it joins two clauses (T9)."""
    connectors = "|".join(map(re.escape, policy.scaffold_connectors[kind]))
    parts = [_prefix(policy, kind).pattern]
    if connectors:
        parts.append(rf"[;,.(–—-]\s*(?:{connectors})\b:?")
    return re.compile("|".join(parts), re.IGNORECASE)


@lru_cache(maxsize=4)
def _stops(policy: WeavePolicy) -> re.Pattern[str]:
    return _whole(policy.stop_phrases)


@lru_cache(maxsize=4)
def _neutral(policy: WeavePolicy) -> re.Pattern[str]:
    return _whole((*policy.neutral_negations, *policy.stop_phrases))


def _whole(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, longest)) + r")\b", re.IGNORECASE)


def _parts(word: str) -> tuple[str, ...]:
    if not _UNSPACED.fullmatch(word):
        return (word,)
    return tuple(word[i : i + 2] for i in range(len(word) - 1))
