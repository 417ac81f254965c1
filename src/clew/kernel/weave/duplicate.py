"""When two open loops are one (dedup rules, rulings T3, T7–T11, T13)."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

import regex

from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normalize
from clew.kernel.text.similarity import jaccard
from clew.kernel.text.tokens import content_sequence
from clew.model.likeness import Likeness
from clew.model.thread import Form, ThreadType
from clew.policy import Policy
from clew.policy.weave import WeavePolicy

# Scripts that put no space between words: their runs are read as pairs of characters.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]{3,}")


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


def strip_scaffold(text: str, kind: ThreadType, policy: WeavePolicy) -> str:
    """The text without the prefix of its type's template."""
    return _prefix(policy, kind).sub("", text, count=1)


def loop_text(text: str, kind: ThreadType, policy: WeavePolicy) -> str:
    """What is left to compare once template and filler are gone."""
    bare = _scaffold(policy, kind).sub(" ; ", normalize(text))
    return _stops(policy).sub(" ", bare)


@lru_cache(maxsize=1024)
def loop_sequence(text: str, kind: ThreadType, policy: WeavePolicy) -> tuple[str, ...]:
    """The tokens in order; a replacement with the same sequence refines nothing (ruling T6)."""
    sequence = content_sequence(loop_text(text, kind, policy))
    if text.isascii():
        return sequence
    return tuple(part for word in sequence for part in _parts(word))


def _parts(word: str) -> tuple[str, ...]:
    if not _UNSPACED.fullmatch(word):
        return (word,)
    return tuple(word[i : i + 2] for i in range(len(word) - 1))


def loop_tokens(text: str, kind: ThreadType, policy: WeavePolicy) -> frozenset[str]:
    return frozenset(loop_sequence(text, kind, policy))


def loop_guard(a: str, b: str, kind_a: ThreadType, kind_b: ThreadType, policy: Policy) -> str | None:
    """Template words, filler and "or not" assert nothing, so the guards do not read them."""
    return veto(_asserted(a, kind_a, policy.weave), _asserted(b, kind_b, policy.weave), policy.text)


def _asserted(text: str, kind: ThreadType, policy: WeavePolicy) -> str:
    bare = _scaffold(policy, kind).sub(" ; ", unicodedata.normalize("NFKC", text)).strip(" ;")
    return _neutral(policy).sub(" ", bare)


def thread_similarity(a: str, b: str, kind: ThreadType, policy: Policy) -> Likeness:
    weave = policy.weave
    score = jaccard(loop_tokens(a, kind, weave), loop_tokens(b, kind, weave))
    close = score >= weave.thresholds[kind]
    guard = loop_guard(a, b, kind, kind, policy) if close else None
    return Likeness(score, close, guard, f"weave.duplicate.{kind.lower()}")


def family_threshold(a: ThreadType, b: ThreadType, policy: WeavePolicy) -> Fraction | None:
    """Types of one question family are compared at the stricter threshold (ruling T13)."""
    if a is b or policy.forms[a] != policy.forms[b] or policy.forms[a] is not Form.QUESTION:
        return None
    return max(policy.thresholds[a], policy.thresholds[b])
