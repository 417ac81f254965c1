"""Filling the slots of a semantic question: explicit first, then borrowed under rules.

Referent priority: named in the turn > active scoped entity > last resolved action > newest trace
entry > ask. Borrowing needs a referent marker, freshness, the same scope and no explicit conflict.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from clew.kernel.ground.lexicon import words
from clew.kernel.ground.phrases import Phrases
from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import split
from clew.model.continuity import ASKED, OFFERED, Action
from clew.model.evidence import Excerpt, Intent
from clew.policy.ground import GroundPolicy

SOURCE_PRIORITY = ("active_scoped_entity", "active_widget_snapshot", "last_assistant_explanation")


@dataclass(frozen=True, slots=True)
class Slots:
    intent: Intent
    missing: tuple[str, ...] = ()
    action: Action | None = None
    actions: tuple[Action, ...] = ()
    referent: str | None = None
    evidence: Excerpt | None = None
    borrowed: str | None = None
    blocked: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "intent": self.intent.value,
            "action": self.action.as_dict() if self.action else None,
            "actions": [a.as_dict() for a in self.actions],
            "referent": self.referent,
            "evidence": self.evidence.as_dict() if self.evidence else None,
        }


def fill(turn: Turn, intent: Intent, policy: GroundPolicy) -> Slots:
    match intent:
        case Intent.SUMMARIZE_RECENT_ACTIVITY:
            return _summary(turn, intent)
        case Intent.EXPLAIN_ENTITY_MEANING:
            return _entity(turn, intent, policy)
        case _:
            return _last_action(turn, intent, policy)


def _summary(turn: Turn, intent: Intent) -> Slots:
    """Never merged across scopes."""
    actions = tuple(
        a for a in turn.continuity.trace if _in_scope(a, turn) and a.outcome != OFFERED and a.type != ASKED
    )
    return Slots(intent, () if actions else ("recentActionTrace",), actions=actions)


def _last_action(turn: Turn, intent: Intent, policy: GroundPolicy) -> Slots:
    named = _named(turn, policy)
    known = [
        a
        for a in (turn.continuity.last_action, *turn.continuity.trace)
        if a is not None and a.outcome != OFFERED and a.type != ASKED
    ]
    here = [a for a in known if _in_scope(a, turn)]
    if not known:
        return Slots(intent, ("lastResolvedAction",))
    if not here:
        return Slots(intent, ("lastResolvedAction",), blocked=("blocked_conflict",))
    if named is not None:
        position = turn.options.position[named]
        here = [a for a in here if turn.options.find(a.target) == position]
        if not here:
            return Slots(intent, ("lastResolvedAction",), blocked=("blocked_conflict",))
    action = here[0]
    if not _fresh(action, turn, policy):
        return Slots(intent, ("lastResolvedAction",), blocked=("ttl_expired",))
    return Slots(intent, action=action, referent=action.target, borrowed="lastResolvedAction")


def _entity(turn: Turn, intent: Intent, policy: GroundPolicy) -> Slots:
    referent, borrowed, blocked = _referent(turn, policy)
    if referent is None:
        return Slots(intent, ("entityReferent", "scopedEvidence"), blocked=blocked)
    evidence, why = _evidence(turn, referent, policy)
    missing = () if evidence is not None else ("scopedEvidence",)
    return Slots(
        intent, missing, referent=referent, evidence=evidence, borrowed=borrowed, blocked=(*blocked, *why)
    )


def _referent(turn: Turn, policy: GroundPolicy) -> tuple[str | None, str | None, tuple[str, ...]]:
    if named := _named(turn, policy):
        return named, None, ()
    if keyed := _keyed(turn):
        return keyed, None, ()
    if turn.entity is not None:
        return turn.entity, None, ()
    last = turn.continuity.last_action or next(iter(turn.continuity.trace), None)
    if last is None or last.target is None:
        return None, None, ()
    if not Phrases(policy.referent_markers).inside(turn.said.words):
        return None, None, ("no_referent_marker",)
    if _names_something(turn, policy) or not _in_scope(last, turn):
        return None, None, ("blocked_conflict",)
    if not _fresh(last, turn, policy):
        return None, None, ("ttl_expired",)
    return last.target, "lastResolvedAction", ()


def _named(turn: Turn, policy: GroundPolicy) -> str | None:
    found = {p for m in turn.options.mentions(turn.said.words, policy) for p in m.positions}
    return turn.options.candidates[found.pop()].id if len(found) == 1 else None


def _keyed(turn: Turn) -> str | None:
    """An entity known from the evidence: the one whose key is said."""
    said = set(turn.said.words)
    found = {k for e in turn.excerpts for k in e.entity_keys if set(split(k)) and set(split(k)) <= said}
    return found.pop() if len(found) == 1 else None


def _names_something(turn: Turn, policy: GroundPolicy) -> bool:
    """Something is named that nobody here knows: "what does zeta9 mean"."""
    tokens = turn.said.words
    return any(any(c.isdigit() for c in t) for t in tokens) and not words(policy).deictic_words & set(tokens)


def _evidence(turn: Turn, referent: str, policy: GroundPolicy) -> tuple[Excerpt | None, tuple[str, ...]]:
    """Normalise, age, resolve by source priority; unique means exactly one is left."""
    position = turn.options.position.get(referent)
    label = turn.options.candidates[position].label if position is not None else referent
    keys = {referent.casefold(), label.casefold()}
    fitting = [
        e
        for e in turn.excerpts
        if (e.scope is None or turn.scope.same(e.scope) or e.scope == turn.scope)
        and (not e.entity_keys or keys & {k.casefold() for k in e.entity_keys})
    ]
    fresh = [e for e in fitting if _recent(e, turn, policy)]
    if fitting and not fresh:
        return None, ("ttl_expired",)
    unique = {(e.scope, e.excerpt_id or e.excerpt_hash or e.source_id): e for e in reversed(fresh)}
    for source in SOURCE_PRIORITY:
        tier = [e for e in unique.values() if e.source_type == source]
        if len(tier) == 1:
            return tier[0], ()
        if tier:
            return None, ("non_unique_scoped_evidence",)
    if position is not None and not turn.excerpts:
        # The candidate on the table is itself the active entity.
        return Excerpt("active_scoped_entity", referent, turn.scope, entity_keys=(label,)), ()
    return None, ()


def _in_scope(action: Action, turn: Turn) -> bool:
    return action.scope is None or action.scope.covers(turn.scope)


def _fresh(action: Action, turn: Turn, policy: GroundPolicy) -> bool:
    counted = action.turn is not None and turn.number is not None
    if counted and (turn.number or 0) - (action.turn or 0) > policy.continuity_ttl_max_turns:
        return False
    if action.at is None or turn.at is None:
        return True
    return turn.at - action.at <= timedelta(minutes=policy.continuity_ttl_max_minutes)


def _recent(excerpt: Excerpt, turn: Turn, policy: GroundPolicy) -> bool:
    if excerpt.at is None or turn.at is None:
        return True
    return turn.at - excerpt.at <= timedelta(minutes=policy.continuity_ttl_max_minutes)
