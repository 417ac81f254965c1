"""Told by what it is, not by its name: "the one by Lee", "the Thai place", "the document by Kim"."""

from __future__ import annotations

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.options import Positions, stop_words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

_DESCRIBING = frozenset({Kind.FRAGMENT, Kind.REFERENCE, Kind.TAKE, Kind.CONSTRAINT, Kind.ERRAND})


def described(turn: Turn, reading: Reading, policy: GroundPolicy) -> Resolution | None:
    """A definite noun for the kind of thing, and words that only one candidate answers to."""
    said = [c for c in reading.clauses if not c.weak]
    if len(said) != 1 or said[0].kind not in _DESCRIBING or said[0].but:
        return None
    tokens = said[0].body
    nouns = frozenset((*policy.item_nouns, *policy.kind_nouns))
    kinds = turn.options.type_words - stop_words(policy)
    definite = not policy_definite(policy).isdisjoint(tokens)
    if not definite or (nouns | kinds).isdisjoint(tokens):
        return None
    content = tuple(
        w
        for t in tokens
        if (w := t.removesuffix("'s")) not in stop_words(policy) and (w in kinds or w not in nouns)
    )
    if not _telling(content, policy):
        return None
    hits = _answering(turn, content)
    if not hits:
        return None
    if len(hits) == 1:
        return Resolution(Act.SELECT, "ground.described", hits[0], hits)
    return Resolution(Act.SELECT, "ground.described", None, hits, f"ambiguous_{len(hits)}_candidates")


def policy_definite(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.grammar["definite"])


def _telling(content: Tokens, policy: GroundPolicy) -> bool:
    """A lone short word or number is too little to act on."""
    return len(content) > 1 or any(len(t) >= policy.soft_match_length and not t.isdigit() for t in content)


def _answering(turn: Turn, content: Tokens) -> Positions:
    found = [turn.options.holders(t, described=True) for t in content]
    return tuple(sorted(frozenset.intersection(*found)))
