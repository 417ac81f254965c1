"""A question that is to be answered: what it asks, what may be told, and what each reader found, each made once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from clew.engine.by_rule import only_tells, open_to_say_of, question_of
from clew.engine.own_words import introduced, said_before
from clew.engine.parts import Parts
from clew.engine.recall import SearchHit as Hit
from clew.engine.remembered import and_told_now
from clew.engine.turn_state import Turn
from clew.engine.weighing import Before, may_weigh, weighed
from clew.kernel.keep.told_anew import told_anew
from clew.kernel.read.change_words import says
from clew.kernel.recall.answers import (
    ANY,
    ANYBODY,
    HISTORY,
    POINTED,
    WHEN,
    WHO,
    Moment,
    answers,
    as_held,
    meant_by,
    wanted_attributes,
)
from clew.kernel.recall.narrowing import Wanted, wanted
from clew.kernel.recall.very_thing import says_who
from clew.kernel.statements.features import mentions
from clew.kernel.statements.needs import settled_by_needs
from clew.model.memory import SELF, MemoryRecord, MemoryStatus
from clew.model.plan import Finding
from clew.model.utterance import Act, Ask
from clew.policy import Policy

_EVERY = tuple(MemoryStatus)
# What is asked for under no name of the table can only be in the user's words.
_OF_NO_NAME = "note"


class Asking:
    """One question of one turn. Nothing is looked up before a way to answer needs it."""

    def __init__(self, parts: Parts, turn: Turn) -> None:
        self.parts, self.turn, self.policy = parts, turn, parts.policy
        self.question = question_of(turn)
        self.moment = Moment(turn.read.language, turn.at, turn.zone)
        self.only_tells = only_tells(turn)

    @cached_property
    def own_fact(self) -> bool:
        """A fact of the user's own is asked for by the shape of the words."""
        return says(self.question, "own_fact", self.policy)

    @cached_property
    def may_weigh(self) -> bool:
        """The learned chooser may be asked; what only tells is answered by nothing."""
        return may_weigh(self.parts, self.turn) and not (self.only_tells and self.turn.read.statements)

    @cached_property
    def records(self) -> list[MemoryRecord]:
        """What is held near what is asked for, and may be told."""
        turn = self.turn
        with self.parts.store.read() as session:
            near = session.memories_by_attribute(*turn.scope, _looked_for(turn, self.policy), statuses=_EVERY)
        both = {m.memory_id: m for m in (*turn.memories, *turn.gone.memories(near))}
        anew = told_anew(list(both.values()), self.policy)
        held = open_to_say_of(self.parts, turn, {m.memory_id: m for m in anew})
        return and_told_now(self.parts, turn, held) if eats(turn, self.policy) else held

    @cached_property
    def wanted(self) -> Wanted:
        return wanted(self.question, self.turn.read.asks, self.turn.read.language, self.policy)

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What is asked for, under the words that what is held is known by."""
        meant = _meant(self.turn.read.asks, self.turn, self.wanted, self.policy)
        return as_held(_of_before_what(meant, self.turn, self.policy), self.records, self.policy)

    @cached_property
    def places(self) -> frozenset[tuple[str, str]]:
        """The very persons and sides of their lives that are asked for."""
        return frozenset((subject, a.attribute) for a in self.asks for subject in meant_by(a.subject, self.policy))

    @cached_property
    def who(self) -> str | None:
        """ "Who is Arjun?": the name."""
        return next((a.name for a in self.asks if a.attribute == WHO and a.name), None)

    @cached_property
    def by_place(self) -> tuple[Finding, ...]:
        """What the attribute table holds under what is asked for, or beside it; or the words that say who it is."""
        return self.introduced or self._in_the_table

    @cached_property
    def _in_the_table(self) -> tuple[Finding, ...]:
        if not self.asks:
            return ()
        return _of_whom(self.who, answers(self.asks, self.records, self.policy, self.moment, self.wanted))

    @cached_property
    def introduced(self) -> tuple[Finding, ...]:
        """Who somebody is, in the words that first told it, where no more than a bare name is held."""
        if self.who is None or says_who(self._in_the_table, self.records, self.policy):
            return ()
        return introduced(self.parts, self.turn, self.who, self.heard)

    @cached_property
    def heard(self) -> tuple[Hit, ...]:
        """The user's own words that come near the question."""
        return said_before(self.parts, self.turn, most=self.policy.recall.answers_heard)

    @cached_property
    def settled(self) -> bool:
        """What one may eat, drink or take is asked."""
        return settled_by_needs(self.turn.text, self.turn.read.language, self.policy)

    @cached_property
    def weighs(self) -> bool:
        """The chooser decides; what is told whole or must be minded needs no weighing where it is held."""
        eaten = eats(self.turn, self.policy) and not mentions(self.turn.text, self.policy.reader)
        held = any(f.named == 1 for f in self.by_place)
        by_rule = _by_rule(self.asks) or (held and _of_somebody(self.asks))
        return self.may_weigh and not (self.by_place and (by_rule or self.settled or eaten))

    @cached_property
    def _weighed(self) -> tuple[tuple[Finding, ...], dict[str, float]]:
        if not self.weighs:
            return (), {}
        limits, turn = self.policy.recall, self.turn
        marked = turn.heard.flags.is_question or any(s.act is Act.QUESTION for s in turn.read.sentences)
        at = limits.answers_marked if marked else limits.answers_unasked
        if any(a.certainty >= limits.answers_look for a in self.asks) and not self.only_tells:
            at = limits.answers_at
        before = Before(self.asks, self.by_place, self.records, self.wanted, self.heard, self.question)
        return weighed(self.parts, turn, before, at)

    @property
    def likeliest(self) -> tuple[Finding, ...]:
        """What the chooser proposes, the best first."""
        return self._weighed[0]

    @property
    def chances(self) -> dict[str, float]:
        """How likely each thing that was weighed answers."""
        return self._weighed[1]


def eats(turn: Turn, policy: Policy) -> bool:
    """What to eat is answered from allergies and tastes, all of them."""
    words = policy.compose.languages.get(turn.read.language)
    food = words.moments.get("food") if words else None
    return food is not None and bool(re.search(food.pattern, turn.text, re.I))


def _by_rule(asks: Sequence[Ask]) -> bool:
    """Everything, somebody by name, all of one kind, and one side of what was before are told by rule."""
    sided = any(a.attribute not in (ANY, WHO, WHEN, HISTORY) for a in asks)
    return any(
        a.attribute == ANY
        or (a.attribute == WHO and a.name is not None)
        or (a.attribute == HISTORY and sided)
        or (_of_anybody(a) and not a.name)
        for a in asks
    )


def _of_somebody(asks: Sequence[Ask]) -> bool:
    """Of whom no more than a name is known: what is held of them under the very name needs no weighing."""
    return any(map(_of_anybody, asks))


def _of_anybody(ask: Ask) -> bool:
    return ask.subject in ANYBODY and ask.subject not in POINTED


def _looked_for(turn: Turn, policy: Policy) -> tuple[str, ...]:
    """The attributes that are asked for or stand beside them, and those most likely asked for."""
    chances = dict(turn.read.asked_for)
    first = sorted((a for a in chances if a in policy.attributes.rows), key=lambda a: (-chances[a], a))
    most = first[: policy.recall.answers_attributes]
    return tuple(dict.fromkeys((*wanted_attributes(turn.read.asks, policy), *most, "death")))


def _meant(asks: tuple[Ask, ...], turn: Turn, question: Wanted, policy: Policy) -> tuple[Ask, ...]:
    """Everything is asked for only by who says so; "what's on my list?" is about a list, "who works the till?" is not
    "who am I?", "what do they give him?" is not all that is known of everybody, and "what's Sam's surname?" is about
    one side of Sam that has no name in the table.
    """
    words = policy.compose.languages.get(turn.read.language)
    if words is None or not words.whole or not question.own or re.search(words.whole, turn.text, re.I):
        return asks
    whose = bool(words.who) and bool(re.search(words.who, turn.text, re.I))
    asks = tuple(replace(a, attribute=_OF_NO_NAME) if a.attribute == WHO and a.name and not whose else a for a in asks)
    return tuple(a for a in asks if a.attribute not in (ANY, WHO) or a.name or _whole_of(a, turn, policy))


def _whole_of(ask: Ask, turn: Turn, policy: Policy) -> bool:
    """All of somebody is asked for where they are named, or plainly; "what do they give him?" only points."""
    spoken = {m.subject for m in mentions(turn.text, policy.reader)} | {*ANYBODY} - {*POINTED}
    plainly = ask.certainty >= policy.recall.answers_asked_plainly
    return ask.subject != SELF and (ask.subject in spoken or plainly)


def _of_before_what(asks: tuple[Ask, ...], turn: Turn, policy: Policy) -> tuple[Ask, ...]:
    """ "Where did I live before?" asks for what was, of one side of a life: the likeliest."""
    if not asks or any(a.attribute != HISTORY for a in asks):
        return asks
    chances = {a: c for a, c in turn.read.asked_for if a in policy.attributes.rows}
    best = max(chances, key=lambda a: (chances[a], a), default="")
    named = chances.get(best, 0.0) >= policy.recall.answers_side
    return (*asks, replace(asks[0], attribute=best)) if named else asks


def _of_whom(who: str | None, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """ "Who is Arjun?": what is told of him, not all that was said in one breath with his name."""
    if who is None:
        return found
    name = who.lower()
    about = [f for f in found if name in f.told.lower() and f.subject != SELF]
    return tuple(about or [f for f in found if name in f"{f.told} {f.value}".lower()] or found)
