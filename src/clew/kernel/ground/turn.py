"""One follow-up with everything it is judged by, and what "that one" can mean in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.phrases import Tokens
from clew.kernel.read.follow_up import FollowUp, follow_up
from clew.kernel.read.meanings import Meanings
from clew.model.continuity import Action, ContinuityState, PendingClarifier, Scope
from clew.model.evidence import Excerpt
from clew.policy.ground import GroundPolicy


@dataclass(frozen=True, slots=True)
class LoopGuard:
    """The last unresolved attempt: asking the same again reuses its order (ruling G8)."""

    key: str
    order: tuple[str, ...] = ()
    # What this input already resolved to inside the unresolved cycle.
    target: str | None = None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The clarifier that waits for an answer: its own list is what "the first" counts."""

    shown: tuple[str, ...] = ()
    # What was to be done: "delete sample" → which one?
    verb: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    options: OptionSet
    continuity: ContinuityState = field(default_factory=ContinuityState)
    scope: Scope = field(default_factory=Scope)
    option_set_id: str | None = None
    at: datetime | None = None
    # Ids the assistant put forward in its last message.
    offered: tuple[str, ...] = ()
    last_assistant_text: str | None = None
    # The caller said that nothing is on offer: the assistant's words are not searched for one.
    nothing_offered: bool = False
    guard: LoopGuard | None = None
    attempt: int = 1
    open_question: OpenQuestion | None = None
    number: int | None = None
    excerpts: tuple[Excerpt, ...] = ()
    # Earlier messages, oldest first; only the semantic lane's model sees them, bounded.
    history: tuple[str, ...] = ()
    entity: str | None = None
    # Verbs that whoever owns the candidates wants confirmed before they are done.
    destructive: tuple[str, ...] = ()
    # Whatever is done can be taken back: nothing is confirmed first.
    undoable: bool = False
    # What the encoder makes of texts; None where there is none.
    meanings: Meanings | None = None

    @property
    def said(self) -> FollowUp:
        """The message, cut once."""
        return follow_up(self.text)

    @property
    def heard(self) -> FollowUp:
        """What the assistant said last, cut once; nothing when nobody knows it."""
        return follow_up(self.last_assistant_text or "")


@dataclass(frozen=True, slots=True)
class Focus:
    position: int | None
    # Put forward and not yet taken, or already acted on.
    offered: bool
    source: str


def focus(turn: Turn, policy: GroundPolicy) -> Focus:
    """What the conversation points at: the caller's word, the assistant's words, then continuity."""
    place = turn.options.position
    offered = [i for i in turn.offered if i in place]
    if len(offered) == 1:
        return Focus(place[offered[0]], True, "offered")
    if offered:
        return Focus(None, True, "offered_several")
    if turn.last_assistant_text and not turn.nothing_offered:
        named = _named(turn, policy)
        if len(named) == 1:
            return Focus(named[0], True, "assistant_text")
    return _remembered(turn, policy)


def _named(turn: Turn, policy: GroundPolicy) -> tuple[int, ...]:
    said = turn.heard.words
    found = turn.options.mentions(said, policy)
    named = tuple(dict.fromkeys(p for m in found for p in m.positions))
    if len(named) == 1 and _either(said, named[0], turn, policy):
        return ()
    return named


def _either(said: Tokens, named: int, turn: Turn, policy: GroundPolicy) -> bool:
    """ "the Downtown or the Uptown branch?" names both, one of them only in part."""
    if words(policy).grammar["either"].isdisjoint(said) or len(turn.options.candidates) > policy.clarifier_candidates:
        return False
    own = frozenset(turn.options.words[named])
    others = (w for p, ws in enumerate(turn.options.words) if p != named for w in ws)
    return any(w in said and w not in own for w in others)


def _remembered(turn: Turn, policy: GroundPolicy) -> Focus:
    """Continuity counts only for the same set and the same scope (ruling G10)."""
    state = turn.continuity
    if stale(turn) is not None or state.option_set_id is None:
        return Focus(None, False, "none")
    pending = state.pending is PendingClarifier.CONFIRMATION
    for action in (*state.trace[:1], *((state.last_action,) if state.last_action else ())):
        position = turn.options.find(action.target)
        if position is not None and _here(action, turn):
            done = (
                action.outcome or ""
            ).casefold() in policy.executed_outcomes and action.type.casefold() not in policy.offer_types
            return Focus(position, pending or not done, "continuity")
    if state.last_accepted in turn.options.position:
        return Focus(turn.options.position[state.last_accepted or ""], pending, "last_accepted")
    return Focus(None, False, "none")


def _here(action: Action, turn: Turn) -> bool:
    if action.option_set_id is not None and action.option_set_id != turn.option_set_id:
        return False
    return action.scope is None or action.scope.covers(turn.scope)


def stale(turn: Turn) -> str | None:
    """Why this list may not be acted on, or None. Silence is not a conflict; null equals nothing (G18)."""
    state = turn.continuity
    if turn.option_set_id is None:
        return "null_option_set_id"
    if state.option_set_id is not None and state.option_set_id != turn.option_set_id:
        return "option_set_mismatch"
    if state.scope is not None and not turn.scope.same(state.scope):
        return "scope_mismatch"
    return None


def open_question(turn: Turn) -> OpenQuestion | None:
    """The pending clarifier, while it is about this very list."""
    if turn.continuity.pending is PendingClarifier.NONE or stale(turn) is not None:
        return None
    return turn.open_question


def unconfirmed(turn: Turn, verb: str | None, ids: tuple[str, ...], policy: GroundPolicy) -> bool:
    """A destructive verb that the open question has not yet asked about, for these very things.

    Whoever owns the candidates declares such verbs; for several things at once the policy's own always count.
    """
    if turn.undoable:
        return False
    declared = {*turn.destructive, *(policy.destructive_verbs if len(ids) > 1 else ())}
    if verb is None or declared.isdisjoint((verb, verb.split()[0])):
        return False
    asked = open_question(turn)
    pending = turn.continuity.pending is PendingClarifier.CONFIRMATION
    return not (pending and asked is not None and asked.verb == verb and set(asked.shown) == set(ids))


def after_deed(turn: Turn, policy: GroundPolicy) -> bool:
    """The assistant told what it has done and asked nothing: praise takes nothing more (ruling G24)."""
    text = (turn.last_assistant_text or "").rstrip()
    if not text or "?" in text:
        return False
    lists, said = words(policy), turn.heard.words
    grammar = lists.grammar
    told = frozenset(policy.grammar["not_deeds"])
    if any(tuple(opener.split()) == said[: len(opener.split())] for opener in policy.grammar["deed_openers"]):
        return True
    if any(
        a in grammar["doers"] and b in grammar["deeds"] and told.isdisjoint((f"{a} {b}", f"{b} {after}"))
        for a, b, after in zip(said, said[1:], (*said[2:], ""), strict=False)
    ):
        return True
    return said[-1:] != () and any(said[-1].endswith(own.deeds) for own in lists.endings.values())


def after_failure(turn: Turn, policy: GroundPolicy) -> bool:
    """The assistant reported a failure: an agreement then confirms the retry and picks nothing."""
    if not turn.last_assistant_text:
        return _failed(turn, policy)
    return words(policy).failure.inside(turn.heard.words)


def _failed(turn: Turn, policy: GroundPolicy) -> bool:
    """Unheard, the newest entry of this list's trace says whether it worked."""
    state = turn.continuity
    if stale(turn) is not None:
        return False
    newest = next(iter((*state.trace[:1], *((state.last_action,) if state.last_action else ()))), None)
    return (
        newest is not None
        and _here(newest, turn)
        and (newest.outcome or "").casefold() in policy.failed_outcomes
    )
