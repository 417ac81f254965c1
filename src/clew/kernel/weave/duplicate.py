"""When two open loops are one (thread-contract dedup rules, rulings T3, T7–T11)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normalize
from clew.kernel.text.similarity import jaccard
from clew.kernel.text.tokens import content_words
from clew.model.likeness import Likeness
from clew.model.thread import ThreadType
from clew.policy import Policy
from clew.policy.weave import WeavePolicy


@lru_cache(maxsize=16)
def _scaffold(policy: WeavePolicy, kind: ThreadType) -> re.Pattern[str]:
    """The type's own prefix where the text starts, its connector where it joins two clauses."""
    prefixes = "|".join(map(re.escape, policy.scaffold_prefixes[kind]))
    connectors = "|".join(map(re.escape, policy.scaffold_connectors[kind]))
    parts = [rf"^\s*(?:{prefixes})\s*(?::|-|–|—)\s*"]
    if connectors:
        parts.append(rf"[;,.]\s*(?:{connectors})\b:?")
    return re.compile("|".join(parts))


@lru_cache(maxsize=4)
def _stops(policy: WeavePolicy) -> re.Pattern[str]:
    phrases = sorted(policy.stop_phrases, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, phrases)) + r")\b")


def loop_text(text: str, kind: ThreadType, policy: WeavePolicy) -> str:
    """What is left to compare once template and filler are gone."""
    bare = _scaffold(policy, kind).sub(" ; ", normalize(text))
    return _stops(policy).sub(" ", bare)


def loop_tokens(text: str, kind: ThreadType, policy: WeavePolicy) -> frozenset[str]:
    return content_words(loop_text(text, kind, policy))


def thread_similarity(a: str, b: str, kind: ThreadType, policy: Policy) -> Likeness:
    weave = policy.weave
    score = jaccard(loop_tokens(a, kind, weave), loop_tokens(b, kind, weave))
    close = score >= weave.thresholds[kind]
    guard = veto(a, b, policy.text) if close else None
    return Likeness(score, close, guard, f"weave.duplicate.{kind.lower()}")
