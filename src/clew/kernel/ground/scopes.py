"""Scope cues: "from chat", "in this widget". A mistyped cue never executes."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from clew.kernel.ground.phrases import Phrases, Tokens
from clew.model.continuity import Scope
from clew.policy.ground import GroundPolicy

_PART = re.compile(r"[\W_]+")


class CueStrength(StrEnum):
    EXACT = "exact"
    LOW_TYPO = "low_typo"
    SCOPE_UNCERTAIN = "scope_uncertain"


@dataclass(frozen=True, slots=True)
class ScopeCue:
    kind: str
    strength: CueStrength
    # Chat and widget both named: chat wins, and the conflict is said.
    conflict: bool
    rest: Tokens
    # Which one of its kind: "from links panel d".
    name: str | None = None

    def binds(self, scope: Scope) -> bool:
        """The scope in view is of this kind and, when one was named, it is that one."""
        if self.kind != scope.kind:
            return False
        parts = [p for p in _PART.split((scope.instance_id or "").casefold()) if p]
        return self.name is None or self.name in parts[-1:]


@lru_cache(maxsize=8)
def _cues(policy: GroundPolicy) -> tuple[tuple[str, Phrases], ...]:
    return tuple((kind, Phrases(phrases)) for kind, phrases in policy.scope_cues.items())


def scope_cue(
    tokens: Tokens, policy: GroundPolicy, label_words: Container[str] = frozenset()
) -> ScopeCue | None:
    """The cue with the highest precedence, and the words without it."""
    found = [(kind, place) for kind, cues in _cues(policy) if (place := cues.at(tokens))]
    # "from active dashboard" is no bare "from active".
    found = [
        (kind, (a, b))
        for kind, (a, b) in found
        if not any(x <= a and b <= y and y - x > b - a for _, (x, y) in found)
    ]
    if found:
        kind, (start, end) = found[0]
        named = {k for k, _ in found}
        name = _name(tokens, kind, end, policy)
        rest = (*tokens[:start], *tokens[end + (name is not None) :])
        return ScopeCue(kind, CueStrength.EXACT, {"chat", "widget"} <= named, rest, name)
    return _mistyped(tokens, policy, label_words)


def _name(tokens: Tokens, kind: str, end: int, policy: GroundPolicy) -> str | None:
    if tokens[end - 1] not in policy.scope_named.get(kind, ()) or end >= len(tokens):
        return None
    name = tokens[end]
    letter = len(name) == 1 and name.isalpha()
    return name if letter or (name.isdigit() and len(name) <= policy.scope_name_length) else None


def _mistyped(tokens: Tokens, policy: GroundPolicy, label_words: Container[str]) -> ScopeCue | None:
    """After from/in, the next one or two words against the scope nouns."""
    best: tuple[int, str, int] | None = None
    for i, token in enumerate(tokens):
        if token not in policy.scope_prepositions:
            continue
        near = [
            t
            for t in tokens[i + 1 : i + 3]
            if len(t) >= policy.scope_typo_length
            and t not in policy.scope_stop_words
            and t not in label_words
        ]
        if any(t in policy.scope_nouns for t in near):
            continue
        for word in near:
            for noun, kind in policy.scope_nouns.items():
                far = len(noun) >= policy.scope_far_typo_length
                distance = Levenshtein.distance(word, noun, score_cutoff=2)
                if distance <= (2 if far else 1) and (best is None or distance < best[0]):
                    best = (distance, kind, i)
    if best is None:
        return None
    strength = CueStrength.LOW_TYPO if best[0] == 1 else CueStrength.SCOPE_UNCERTAIN
    return ScopeCue(best[1], strength, False, tokens)
