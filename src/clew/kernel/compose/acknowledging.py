"""What was told, taken up by whose life and which side of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.naming import proper, quotable, who_is
from clew.kernel.compose.scenes import scene_of, touches
from clew.kernel.keep.keys import bare_value, stance_of
from clew.kernel.keep.values import affirmed
from clew.kernel.text.where_it_stands import stands
from clew.model.memory import SELF, Candidate
from clew.model.persona import Length
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.programs import program

# Of these a denial is as telling as the thing.
_DENIABLE = ("diet", "like", "dislike")
_NAMES = ("name", "called")
_PLAN = "plan"
# What a list of people tells of each of them.
_LISTED = ("name", "age", "grade", "job", "employer", "school", "city")


def acknowledged(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, cares: bool = False
) -> str:
    """A sentence about the most telling thing told; behind a greeting by name, one about the next."""
    table = policy.compose
    told = _in_order(plan.told, policy)
    lost = table.grave_scene and touches(table.grave_scene, plan, words)
    if cares or lost:
        told = [c for c in told if c.attribute in table.grave]
    if lost and not told:
        return scene_of(plan, words, choice, policy, gentle=True)
    if not cares and (news := scene_of(plan, words, choice, policy, news=True)):
        return news
    said: list[str] = []
    kinds: set[str] = set()
    for candidate in told:
        if len(said) >= table.told_most or (said and "?" in said[-1]):
            break
        attribute = candidate.attribute or "note"
        if attribute in kinds or (said and attribute in table.clauses):
            continue
        one = _one(candidate, plan, words, choice, policy, more=bool(said))
        if one and not any(_alike(one, other) for other in said):
            kinds.add(attribute)
            said.append(one)
            if attribute not in _NAMES or candidate.subject != SELF:
                break
    if not said:
        return ""
    return " ".join((*said, *_recalled(plan, words, choice, policy, said)))


def _alike(one: str, other: str) -> bool:
    """Two sentences with three words in a row in common sound like a form that was filled in."""
    mine, theirs = one.lower().split(), f" {' '.join(other.lower().split())} "
    return any(f" {' '.join(mine[i : i + 3])} " in theirs for i in range(len(mine) - 2))


def _in_order(told: tuple[Candidate, ...], policy: Policy) -> list[Candidate]:
    """What weighs most first; an event that only says again what another value says is left out."""
    first = policy.compose.told_first
    values = [bare_value(c.value).lower() for c in told if c.attribute not in policy.compose.clauses]
    kept = [
        c
        for c in told
        if not (c.attribute == "event" and any(v and v in bare_value(c.value).lower() for v in values))
    ]
    return sorted((c for c in kept if not _one_of_several(c, told)), key=lambda c: _place(c, first))


def _one_of_several(one: Candidate, told: tuple[Candidate, ...]) -> bool:
    """Of three children with their ages none is taken up alone."""
    if one.subject == SELF or one.attribute not in _LISTED:
        return False
    alike = [c for c in told if c.attribute == one.attribute and c.subject == one.subject]
    return len({c.value for c in alike}) > 1


def _place(told: Candidate, first: tuple[str, ...]) -> int:
    """Whom somebody's name belongs to says less than what is told of them."""
    if told.attribute in _NAMES and told.subject != SELF:
        return len(first) + 1
    return first.index(told.attribute) if told.attribute in first else len(first)


def _one(
    candidate: Candidate,
    plan: ResponsePlan,
    words: ComposeWords,
    choice: Choice,
    policy: Policy,
    *,
    more: bool,
) -> str:
    attribute = candidate.attribute or "note"
    clause = attribute in policy.compose.clauses
    doubted = not _told_so(candidate, plan, words, policy)
    another = attribute == "name" and candidate.subject != "self"
    if another and not re.search(words.introduces or "", plan.user_text, re.I):
        return ""  # "my dog Rufus got run over" introduces nobody
    if (clause or doubted) and candidate.subject == "self" and (scene := scene_of(plan, words, choice, policy)):
        return "" if more else scene
    if doubted or (attribute not in _DENIABLE and affirmed(attribute, bare_value(candidate.value), policy)[1]):
        return ""
    values = _values(candidate, plan, words, choice, policy)
    if values is None or (attribute == _PLAN and not values["when"]):
        return ""  # no day is known on which it would be asked about
    for kind in _kinds(candidate, plan, workplace=_at_work(values["value"], attribute, plan.user_text, words)):
        ways = words.told.get(kind, ())
        if values["when"]:
            ways = tuple(w for w in ways if "{when" in w) or ways
        if more:
            ways = tuple(w for w in ways if "{value" in w)
        # A bare "noted" beside a real sentence adds nothing; what the message touches says more.
        if kind.endswith("any") and more:
            return ""
        if kind.endswith("any") and (scene := scene_of(plan, words, choice, policy)):
            return scene
        if said := choice.fresh(ways, kind, values):
            return said
    return ""


def _values(
    candidate: Candidate, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> dict[str, str] | None:
    """What fills the gaps of its rows; None where the value is a mere name behind "I'm"."""
    attribute = candidate.attribute or "note"
    value = _as_written(quotable(bare_value(candidate.value), choice.language, policy), plan)
    if attribute == "job" and value and _stands(words.bare, value, plan.user_text):
        return None
    if attribute in policy.compose.names and not proper(value, plan.user_text, policy):
        value = ""
    if attribute == "age" and not any(c.isdigit() or c in words.age_signs for c in value):
        value = ""
    return {
        "value": value,
        "who": who_is(candidate.subject, choice, policy, bare_value(candidate.value)),
        "when": (candidate.when_text or "").strip(),
    }


def told_met(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> Iterator[tuple[str, tuple[str, ...], dict[str, str]]]:
    """For each thing told, the rows that take it up, with all they may say and what fills their gaps."""
    for candidate in _in_order(plan.told, policy):
        attribute = candidate.attribute or "note"
        values = _values(candidate, plan, words, choice, policy)
        if values is None or not _told_so(candidate, plan, words, policy):
            continue
        if attribute not in _DENIABLE and affirmed(attribute, bare_value(candidate.value), policy)[1]:
            continue
        for kind in _kinds(candidate, plan, workplace=_at_work(values["value"], attribute, plan.user_text, words))[:-1]:
            if ways := words.told.get(kind, ()):
                yield kind, ways, values


@lru_cache(maxsize=256)
def _shape(pattern: str) -> re.Pattern[str]:
    return program(pattern, re.I)


def _evident(attribute: str, text: str, words: ComposeWords) -> bool:
    """The message itself holds words of this attribute, where the table names any."""
    pattern = words.evidence.get(attribute)
    return pattern is None or bool(_shape(pattern).search(tidied(text, words)))


def _told_so(candidate: Candidate, plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """It stands where such a fact stands; where nothing is known of that, the message holds words of its kind."""
    who, _, relation = candidate.subject.partition(":")
    if relation in policy.compose.kin and words.theirs and _shape(words.theirs).search(tidied(plan.user_text, words)):
        return False
    if candidate.attribute in policy.compose.by_shape and f"{who}.{candidate.attribute}" in words.sure:
        return _said_so(candidate, plan, words, policy)
    evident = _evident(candidate.attribute or "note", plan.user_text, words)
    return evident and _said_so(candidate, plan, words, policy)


def _said_so(candidate: Candidate, plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """The value stands where a name, a trade or an age stands, where the table says where that is."""
    who = candidate.subject.partition(":")[0]
    where = words.sure.get(f"{who}.{candidate.attribute}")
    value = quotable(bare_value(candidate.value), plan.language, policy)
    if where is None or not value:
        return True
    return stands(where, value, tidied(plan.user_text, words))


def plainly_told(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """What would be taken up first is a fact of the user that stands where such a fact stands: "allergic to …"."""
    first = next(iter(_in_order(plan.told, policy)), None)
    if first is None or first.subject != SELF or first.attribute not in policy.compose.by_shape:
        return False
    return f"{SELF}.{first.attribute}" in words.sure and _said_so(first, plan, words, policy)


def _at_work(value: str, attribute: str, text: str, words: ComposeWords) -> bool:
    """ "I work in a warehouse": the warehouse is a place, nobody's trade."""
    return attribute == "job" and bool(value) and _stands(words.workplace, value, text)


def _stands(where: str, value: str, text: str) -> bool:
    return bool(where) and stands(where, value, text.replace("’", "'"))


def _as_written(value: str, plan: ResponsePlan) -> str:
    """With the capital letters of the message: Ursula Le Guin, not ursula le guin."""
    found = re.search(re.escape(value), plan.user_text, re.I) if value else None
    return found.group() if found else value


def _kinds(candidate: Candidate, plan: ResponsePlan, *, workplace: bool = False) -> tuple[str, ...]:
    """From the most telling to the widest: friend.name, person.name, person.any, then any."""
    attribute = "workplace" if workplace else candidate.attribute or "note"
    stance = stance_of(candidate.value)
    if stance is not None and attribute in ("like", "dislike", "hobby", "sport", "game"):
        attribute = "dislike" if stance == "dislike" else attribute
    who, _, relation = candidate.subject.partition(":")
    mood = "bad" if plan.focus.negative else "good" if plan.focus.positive else ""
    moods = (f"{who}.{attribute}.{mood}",) if mood else ()
    closer = (f"{relation}.{attribute}",) if relation else ()
    return (*moods, *closer, f"{who}.{attribute}", f"{who}.any", "any")


def _recalled(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, said: list[str]
) -> tuple[str, ...]:
    """A longer persona adds what it remembers of the same thing; when there is nothing it stays short."""
    if plan.constraints.length is Length.SHORT or plan.callback is None or plan.focus.negative:
        return ()
    snippet = next((s for s in plan.snippets if s.memory_id == plan.callback), None)
    value = quotable(snippet.words, choice.language, policy) if snippet is not None and snippet.stance else ""
    if not value or "?" in said[-1] or any(value.lower() in one.lower() for one in said):
        return ()
    assert snippet is not None
    return (choice.pick(words.answers[f"beside_{snippet.stance}"], "beside", {"value": value}),)
