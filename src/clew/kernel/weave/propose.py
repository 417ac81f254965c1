"""Threads that people and the system propose: `/threads …` lines, and strong intents nobody took up."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.read.loop import Proposal, read_intent, read_proposal
from clew.kernel.text.normalize import tidied
from clew.kernel.weave.contract import faults
from clew.kernel.weave.cues import has_question_form, phrases
from clew.kernel.weave.forms import has_success
from clew.kernel.weave.hazard import prevention_verb
from clew.model.thread import Severity, ThreadAdd, ThreadType
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.weave import Cues, WeavePolicy

_COMMAND = "/threads"
_LINE = re.compile(rf"^\s*{_COMMAND}\b\s*(?P<verb>\w*)\s*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)


class Verb(StrEnum):
    ADD = "add"
    RESOLVE = "resolve"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Command:
    """One `/threads` line as asked: what to add, or which ids to resolve."""

    verb: Verb
    add: ThreadAdd | None
    resolve: tuple[str, ...]
    reason: Reason


def command(line: str, policy: WeavePolicy) -> Command | None:
    """`/threads add [TYPE] [URGENCY] text`, `/threads resolve td-1 …`, `/threads`; None for other lines."""
    found = _LINE.match(line)
    if not found:
        return None
    verb, rest = found.group("verb").lower(), tidied(found.group("rest"))
    if verb == Verb.ADD and rest:
        add, reason = read_add(read_proposal(rest, policy), policy)
        return Command(Verb.ADD, add, (), reason)
    if verb in (Verb.RESOLVE, "done", "close") and rest:
        ids = tuple(dict.fromkeys(re.split(r"[\s,]+", rest)))
        return Command(Verb.RESOLVE, None, ids, Reason("weave.command.resolve", ", ".join(ids)))
    return Command(Verb.LIST, None, (), Reason("weave.command.list"))


def read_add(said: Proposal, policy: WeavePolicy) -> tuple[ThreadAdd, Reason]:
    """Labels are taken at their word; without one the type is guessed from the form."""
    if said.kind is not None:
        return ThreadAdd(said.kind, said.text, said.urgency), Reason("weave.type.stated", said.kind.value)
    kind, rule = guess_type(said, policy)
    return ThreadAdd(kind, said.text, said.urgency), Reason(rule, kind.value)


@dataclass(frozen=True, slots=True)
class _Words:
    relationship: re.Pattern[str]
    moral: re.Pattern[str]
    moral_opening: re.Pattern[str]
    mystery: re.Pattern[str]
    need: re.Pattern[str]
    goal: re.Pattern[str]


@lru_cache(maxsize=4)
def _words(cues: Cues) -> _Words:
    return _Words(
        phrases(cues.relationship_words),
        phrases(cues.moral_words),
        re.compile(rf"^(?:{phrases(cues.moral_openers).pattern})\s"),
        phrases(cues.mystery_words),
        re.compile(rf"^(?:\w+\s+)?(?:{phrases(cues.need_verbs).pattern})\s+(?!{phrases(cues.need_leads).pattern})"),
        re.compile(rf"^(?:{phrases(cues.goal_verbs).pattern})\s"),
    )


def guess_type(said: Proposal, policy: WeavePolicy) -> tuple[ThreadType, str]:
    """The type whose form the text has, and the rule that said so."""
    if said.template is not None:
        return said.template, "weave.type.template"
    low, cues = said.low, policy.cues
    w = _words(cues)
    if has_question_form(low, cues):
        if w.moral.search(low) or w.moral_opening.search(low):
            return ThreadType.MORAL, "weave.type.moral"
        if w.relationship.search(low):
            return ThreadType.RELATIONSHIP, "weave.type.relationship"
        if w.mystery.search(low):
            return ThreadType.MYSTERY, "weave.type.mystery"
        return ThreadType.INFORMATION, "weave.type.question"
    verb = prevention_verb(low, cues)
    if verb and low.startswith(verb):
        return ThreadType.DANGER, "weave.type.prevention"
    if w.need.search(low):
        return ThreadType.RESOURCE, "weave.type.need"
    if w.goal.search(low) or has_success(low, cues):
        return ThreadType.QUEST, "weave.type.goal"
    return policy.default_type, "weave.type.default"


def from_intent(text: str, policy: Policy) -> ThreadAdd | None:
    """A strong intent that nothing answered, as a loop; None where it is no loop at all."""
    weave, bare = policy.weave, tidied(text)
    kind, rule = guess_type(read_intent(bare, weave), weave)
    # What somebody set out to do, in no form of its own, is a goal.
    add = ThreadAdd(ThreadType.QUEST if rule == "weave.type.default" else kind, bare)
    broken = any(weave.rules[f.rule].strict is Severity.REJECT for f in faults(add, policy))
    return None if broken or not bare else add
