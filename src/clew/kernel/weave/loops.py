"""The four disallowed forms: what is a fact and no loop (re-homing).

Each detector wants a positive sign; a text that merely lacks a form is left to the form rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.weave.cues import ThreadReading, phrases, starting
from clew.kernel.weave.forms import Fault, has_success, prevents
from clew.policy.weave import Cues, WeavePolicy


@dataclass(frozen=True, slots=True)
class _Patterns:
    goal: re.Pattern[str]
    unsettled: re.Pattern[str]
    embedded: re.Pattern[str]
    doubt: re.Pattern[str]
    now: re.Pattern[str]
    finite: re.Pattern[str]
    progressive: re.Pattern[str]
    hazard: re.Pattern[str]
    scene: re.Pattern[str]
    label: re.Pattern[str]
    holding: re.Pattern[str]
    holding_item: re.Pattern[str]
    place: re.Pattern[str]
    feeling: re.Pattern[str]
    completed_label: re.Pattern[str]
    completed: re.Pattern[str]
    answered: re.Pattern[str]
    marks: re.Pattern[str]


@lru_cache(maxsize=4)
def _patterns(c: Cues) -> _Patterns:
    be = phrases(c.be_forms).pattern
    items = phrases(c.item_words).pattern
    marks = "[" + "".join(map(re.escape, c.question_marks)) + "]"
    degrees = phrases(c.feeling_degrees).pattern
    return _Patterns(
        goal=starting(c.goal_verbs),
        unsettled=phrases(c.unsettled),
        embedded=phrases(c.embedded_questions),
        doubt=phrases(c.doubt_words),
        now=phrases(c.now_strong),
        finite=phrases(c.be_forms, c.have_forms),
        progressive=re.compile(rf"(?:{be})\s+(?:{c.be_adverbs})?(?P<verb>{c.progressive})\b"),
        hazard=phrases(c.hazard_progressive, c.hazard_states),
        scene=phrases(c.scene_deixis),
        label=re.compile(rf"^\s*(?:{phrases(c.inventory_labels).pattern})\s*:"),
        holding=re.compile(
            rf"^(?:(?:\S+\s+){{0,4}}\S+\s+)?(?:{phrases(c.holding_strong).pattern})(?P<object>.*)$"
        ),
        holding_item=re.compile(
            rf"^(?:\S+\s+){{1,4}}?(?:{phrases(c.holding_weak).pattern})\s+(?:\S+\s+){{0,4}}?(?:{items})"
        ),
        place=phrases(c.pack_places),
        feeling=re.compile(
            rf"^(?:\S+\s+){{0,4}}?(?:{phrases(c.feeling_verbs).pattern})\s+(?:(?:{degrees})\s+){{0,2}}"
            rf"(?:{phrases(c.feeling_words).pattern})"
        ),
        completed_label=re.compile(rf"^\s*(?:\w+\s+)?(?:{phrases(c.completed_labels).pattern})\s*:"),
        completed=re.compile(
            rf"{phrases(c.completed_states, c.completed_verbs).pattern}"
            rf"|(?:{phrases(c.learning_verbs).pattern})\s+(?:\S+\s+){{0,3}}?(?:{phrases(c.learned_words).pattern})"
        ),
        answered=re.compile(
            rf"{marks}\s*[-–—:]?\s*(?:(?:{phrases(c.answer_openings).pattern})"
            rf"|(?:\S+\s+){{1,3}}(?:{phrases(c.answer_closings).pattern})\W*$)"
        ),
        marks=re.compile(marks),
    )


def fact_fault(reading: ThreadReading, policy: WeavePolicy) -> Fault | None:
    """The disallowed form this text has, if any. The template prefix alone does not make a loop."""
    c, p, body = policy.cues, _patterns(policy.cues), reading.body
    done = p.completed_label.search(body) or p.answered.search(body)
    if done:
        return Fault("completed_question", f"{done.group().strip()!r} says that it is answered")
    if p.label.search(body):
        return Fault("inventory_fact", "it lists what is owned")
    open_signs = (p.goal.search(body), p.unsettled.search(body))
    if reading.asks or has_success(body, c) or prevents(body, c) or any(open_signs):
        return None
    return _completed(body, p) or _inventory(body, p, c) or _feeling(body, p, c) or _event(body, p, policy)


def _completed(body: str, p: _Patterns) -> Fault | None:
    found = p.completed.search(body)
    if not found:
        return None
    # "unclear who was revealed" still asks; "the mystery of who did it is solved" does not.
    doubted = p.doubt.search(body)
    return None if doubted else Fault("completed_question", f"{found.group()!r} says that it is answered")


def _inventory(body: str, p: _Patterns, c: Cues) -> Fault | None:
    place = p.place.search(body)
    if place:
        return Fault("inventory_fact", f"{place.group()!r} says where it is kept")
    held = p.holding.search(body)
    # "the letter that Bobby carries" names a thing; it does not report who owns it.
    names = bool(p.embedded.search(body)) or not frozenset(c.relatives).isdisjoint(body.split()[1:-1])
    if held and not names and not _abstract(held.group("object") or body, c):
        return Fault("inventory_fact", "it says what somebody carries")
    item = p.holding_item.search(body)
    if item and not _abstract(item.group(), c):
        return Fault("inventory_fact", "it says what somebody has")
    return None


def _abstract(thing: str, c: Cues) -> bool:
    return bool(phrases(c.not_items).search(thing))


def _feeling(body: str, p: _Patterns, c: Cues) -> Fault | None:
    found = p.feeling.search(body)
    if found:
        return Fault("emotional_snapshot", f"{found.group().strip()!r} is a feeling of the moment")
    ending = body.rstrip(" .!…")
    if ending.endswith(c.feeling_endings):
        return Fault("emotional_snapshot", "a feeling of the moment")
    return None


def _event(body: str, p: _Patterns, policy: WeavePolicy) -> Fault | None:
    """Reports of the present, by score; a bare stop phrase without a finite verb is filler (ruling T7)."""
    if p.embedded.search(body):
        return None
    weights = policy.weights
    finite = p.finite.search(body)
    seen: list[tuple[str, int]] = []
    now = p.now.search(body)
    if now and finite:
        seen.append((now.group(), weights.now_strong))
    progressive = p.progressive.search(body)
    if progressive and progressive.group("verb") not in policy.cues.not_progressive:
        seen.append((progressive.group(), weights.progressive))
    hazard = p.hazard.search(body)
    if hazard and finite:
        seen.append((hazard.group(), weights.hazard_progressive))
    scene = p.scene.search(body)
    if scene and seen:
        seen.append((scene.group(), weights.scene))
    if sum(weight for _, weight in seen) < weights.event_at:
        return None
    return Fault("current_event", "it reports the present: " + ", ".join(repr(s) for s, _ in seen))
