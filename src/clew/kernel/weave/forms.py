"""The three allowed forms, and one loop a thread (ruling T10)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.text.sentences import sentences
from clew.kernel.weave.cues import ThreadReading, phrases
from clew.kernel.weave.hazard import prevention, prevention_verb
from clew.model.thread import Form
from clew.policy import Policy
from clew.policy.weave import Cues, WeavePolicy

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule by its row in the policy, and what was seen."""

    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Patterns:
    success: re.Pattern[str]
    need: re.Pattern[str]
    marks: re.Pattern[str]
    joined_question: re.Pattern[str]
    joined_goal: re.Pattern[str]


@lru_cache(maxsize=4)
def _patterns(cues: Cues) -> _Patterns:
    joins = phrases(cues.bundle_joins).pattern
    needs, purposes = phrases(cues.need_verbs).pattern, phrases(cues.purpose_words).pattern
    asks = phrases(tuple(w for w in cues.interrogatives if w not in cues.asking_inside)).pattern
    return _Patterns(
        success=re.compile(rf"(?:{phrases(cues.success_clauses).pattern}):?(?P<condition>.*)", re.DOTALL),
        need=re.compile(rf"(?:{needs}).{{1,120}}?(?:{purposes})\s+\w"),
        marks=re.compile("[" + "".join(map(re.escape, cues.question_marks)) + "]+"),
        joined_question=re.compile(rf"(?:{joins})\s+(?:{asks})"),
        joined_goal=re.compile(rf"(?:{joins})\s+(?:{phrases(cues.goal_verbs).pattern})\s"),
    )


def form_fault(reading: ThreadReading, policy: WeavePolicy) -> Fault | None:
    """Does the text have the form of its type?"""
    form, cues = policy.forms[reading.kind], policy.cues
    template = policy.templates[reading.kind]
    if form is Form.QUESTION:
        ok = reading.asks or (reading.prefixed and bool(_WORD.search(reading.body)))
        return None if ok else Fault("form_question", f"no question in it; template: {template}")
    if form is Form.GOAL:
        ok = has_success(reading.body, cues)
        return None if ok else Fault("form_goal", f"no success condition; template: {template}")
    framed = prevents(reading.body, cues) or (reading.prefixed and bool(_WORD.search(reading.body)))
    return None if framed else Fault("form_prevention", f"nothing is prevented; template: {template}")


def has_success(body: str, cues: Cues) -> bool:
    """A success clause with a condition in it, or a need with its purpose."""
    p = _patterns(cues)
    found = p.success.search(body)
    if found is not None:
        if _WORD.search(found.group("condition")):
            return True
        return found.group().startswith(cues.success_behind) and bool(_WORD.search(body[: found.start()]))
    return bool(p.need.search(body))


def prevents(body: str, cues: Cues) -> bool:
    return prevention(body, cues) is not None or prevention_verb(body, cues) is not None


def bundle_fault(reading: ThreadReading, policy: Policy) -> Fault | None:
    """One sentence with one core unknown, goal or dilemma."""
    p = _patterns(policy.weave.cues)
    body = reading.body.rstrip()
    if len(p.marks.findall(body)) > 1:
        return Fault("form_bundled", "more than one question")
    if len(sentences(body, policy.text)) > 1:
        return Fault("form_bundled", "more than one sentence")
    if policy.weave.forms[reading.kind] is Form.QUESTION:
        found = p.joined_question.search(body)
    else:
        success = p.success.search(body)
        found = p.joined_goal.search(body[: success.start()] if success else body)
    return Fault("form_bundled", f"two loops joined by {found.group().strip()!r}") if found else None
