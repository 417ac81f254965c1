"""How what is told stands in time: whether it is so, was so, is over or never was (ruling M7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import compiled, one, pattern
from clew.model.memory import SELF
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

_PLACES = ("city", "home")
_PLAN, _ROUTINE = "plan", "routine"

def of_the_plan(text: str, told: Sequence[Statement]) -> list[Statement]:
    """ "thinking of moving to Ely, ground floor": what stands behind a plan, parted by a mere comma, is of the plan."""
    plans = [s for s in told if s.status is Status.FUTURE and s.subject == SELF and s.attribute in ("plan", *_PLACES)]

    def planned(s: Statement) -> bool:
        ahead = [p for p in plans if p.sentence == s.sentence and p.end <= s.start]
        between = text[max(p.end for p in ahead) : s.start].strip() if ahead else "."
        return s.subject == SELF and s.attribute in _PLACES and s.status is Status.IS and between == ","

    return [replace(s, status=Status.FUTURE) if planned(s) else s for s in told]


def again_and_again(told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "Practice every Saturday morning" is no plan of one day."""

    def habit(s: Statement) -> bool:
        return s.attribute == _PLAN and re.search(words.plans.habit, s.sentence, re.I) is not None

    return [replace(s, attribute=_ROUTINE, status=Status.IS) if habit(s) else s for s in told]


def timed(text: str, told: Statement, words: CheckWords, policy: Policy) -> Statement:
    """The statement with the status that the words around it give: "before that Utrecht" is over."""
    if told.status not in (Status.IS, Status.NOT) and told.attribute in policy.checks.changing:
        clause = _clause(text, told, policy)
        today = compiled(tuple(words.now.values())).any(clause)
        over = compiled(tuple(words.over.values())).any(clause)
        if today and not over:
            return replace(told, status=Status.IS)
    before = text[max(0, told.start - policy.checks.reach) : told.start]
    may_deny = told.status is Status.IS and told.attribute in policy.checks.deniable
    if may_deny and one(words.denied_before).search(before):
        return replace(told, status=Status.NOT)
    if told.status is Status.NOT and words.negation:
        # "no, she's a dentist" denies what was said before, not what it says.
        clause = _clause(text, told, policy)
        if not compiled(tuple(words.negation.values())).any(clause):
            told = replace(told, status=Status.IS)
    may_end = (*policy.checks.ends, *policy.checks.ended)
    if told.status in (Status.IS, Status.PAST) and told.attribute in may_end and told.subject == SELF:
        clause = _clause(text, told, policy)
        at = max(0, clause.find(told.value))
        said = _own_verb(clause[at + len(told.value) :], words) if words.verb_last else clause[:at]
        if told.status is Status.PAST:  # "gave up rugby": the verb may be part of what was found
            said = clause
        if compiled(tuple(words.ended.values())).any(said):
            return replace(told, status=Status.ENDED)
    may_be_ahead = told.status is Status.IS and told.attribute in policy.checks.not_yet
    if may_be_ahead and _only_thought_of(text, told, words, policy):
        return replace(told, status=Status.FUTURE)
    current = told.status is Status.IS and told.attribute in policy.checks.ended
    if current and stands_behind(text, told, words.before, policy):
        return replace(told, status=Status.ENDED)
    return told


def _own_verb(behind: str, words: CheckWords) -> str:
    """회는 좋아하는데 술은 끊었어: what is said behind the end of its own clause is said of something else."""
    if not words.quote_breaks:
        return behind
    parted = next((m for m in re.finditer(words.quote_breaks, behind) if m.start()), None)
    return behind[: parted.end()] if parted else behind


def _only_thought_of(text: str, told: Statement, words: CheckWords, policy: Policy) -> bool:
    """ "thinking of moving to Leeds": nobody lives there yet."""
    clause = _clause(text, told, policy)
    at = max(0, clause.find(told.value))
    said = clause[at + len(told.value) :] if words.verb_last else clause[:at]
    return compiled(tuple(words.ahead.values())).any(said)


def _clause(text: str, told: Statement, policy: Policy) -> str:
    """The words from the comma or "and" before the value to the one after it."""
    between = pattern("between_clauses", policy)
    start = max((m.end() for m in between.finditer(text, 0, told.start)), default=0)
    after = between.search(text, told.end)
    return text[start : after.start() if after else len(text)]


def stands_behind(text: str, told: Statement, shapes: Mapping[str, Shape], policy: Policy) -> bool:
    before = text[max(0, told.start - policy.checks.reach) : told.start]
    return compiled(tuple(shapes.values())).any(before)
