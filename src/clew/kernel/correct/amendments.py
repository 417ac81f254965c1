"""A fact put right: "Actually X" and "X, not Y" (ruling P74)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.correct.fitting_values import fits, names_itself
from clew.kernel.correct.told_again import called_anew
from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.merge import same_value
from clew.kernel.read.change_words import says
from clew.kernel.statements.extract import extract
from clew.kernel.statements.own_words import fold
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.model.memory import Candidate, MemoryRecord, MemoryType, Origin
from clew.model.utterance import Wording
from clew.policy import Policy


def amendment(
    message: Wording,
    memories: Sequence[MemoryRecord],
    shown: Sequence[MemoryRecord],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    *,
    denied: bool = False,
    asked: bool = False,
) -> tuple[Candidate, ...]:
    """The facts that replace others; none when the text corrects nothing.

    `shown` are the memories of the last reply in order of appearance; a denial must bring a value of theirs.
    `asked`: the last reply was a question, which "no, Porto" may be answering.
    """
    said = fold(message.text[: policy.remember.say.statement_characters]).strip()
    active = {m.memory_key: m for m in memories if m.status is ACTIVE and m.type is MemoryType.FACT}
    for name in policy.remember.said("put_right"):
        match = pattern(name, policy).match(said)
        found = _instead(match["x"], match["y"], active, at, zone, policy) if match else None
        if found:
            return (found,)
    for name in policy.remember.said("set_anew"):
        match = pattern(name, policy).match(said)
        field = _field(match["field"], policy) if match else None
        if match and field and fits(field, match["x"].strip(), policy):
            value = match["x"].strip()
            return (Candidate(MemoryType.FACT, field, value, initial_confidence(Origin.HEURISTIC, policy)),)
    rest, opened = _after_openers(said, policy)
    facts = _facts(rest, at, zone, policy) if rest else []
    if denied and not {m.memory_key for m in shown} & {f.key for f in facts}:
        facts = []
    if rest and not facts and shown:
        # Right after the reply that used it, a bare name is the new value of what was used last (ruling P86).
        weak = not denied and opened <= set(policy.remember.correct.weak_openers)
        first = pattern("amend_now", policy).sub("", rest.split(",")[0])
        bare = None if weak and asked else _bare(rest, shown[-1], policy) or _bare(first, shown[-1], policy)
        facts = [bare] if bare else []
    return tuple(facts)


def _bare(rest: str, last: MemoryRecord, policy: Policy) -> Candidate | None:
    """ "Wrong, it's Porto", "no, Porto" """
    match = pattern("amend_bare", policy).match(rest)
    if match is None or last.type is not MemoryType.FACT:
        return None
    value = _stripped(match["x"], policy)
    known = names_itself(last.memory_key, value, policy) and fits(last.memory_key, value, policy)
    if not known or same_value(last.memory_value, value, last.type, policy):
        return None
    return Candidate(MemoryType.FACT, last.memory_key, value, initial_confidence(Origin.HEURISTIC, policy))


def _field(named: str, policy: Policy) -> str | None:
    """The key of a fact that is called by its name: "my job", 내 직업."""
    plain = normal(named).no_punct
    for field, names in policy.remember.correct.fact_names.items():
        if plain in names:
            return f"fact:{field}"
    return None


def _facts(said: str, at: datetime, zone: ZoneInfo, policy: Policy) -> list[Candidate]:
    return [c for c in extract(said, at, zone, policy) if c.type is MemoryType.FACT]


def _instead(
    x: str, y: str, active: dict[str, MemoryRecord], at: datetime, zone: ZoneInfo, policy: Policy
) -> Candidate | None:
    """Y must be what is held now; X is a fact of its own, or the new value of the one Y names."""
    for fact in _facts(x, at, zone, policy):
        held = active.get(fact.key)
        if held and same_value(held.memory_value, _tidy(y, policy), MemoryType.FACT, policy):
            return fact
    if says(y, "ended", policy):
        return None  # "not vegan anymore, sorry cows": what is over is not put right by what stands behind it
    named = [m for m in active.values() if same_value(m.memory_value, _tidy(y, policy), MemoryType.FACT, policy)]
    bare = pattern("amend_bare", policy).match(x.strip())
    if len(named) == 1 and bare and len(bare["x"].split()) <= policy.remember.say.fact_words:
        value = _stripped(bare["x"], policy)
        if fits(named[0].memory_key, value, policy):
            held = named[0]
            return Candidate(
                MemoryType.FACT,
                called_anew(held, value, policy),
                value,
                initial_confidence(Origin.HEURISTIC, policy),
                subject=held.subject,
                attribute=held.attribute,
                sensitive=held.sensitive,
            )
    return None


def _stripped(value: str, policy: Policy) -> str:
    """Without the ending behind it and the adverbs before it."""
    value = value.strip()
    for name in policy.remember.said("value_tails"):
        value = pattern(name, policy).sub("", value)
    said = value.split()
    while len(said) > 1 and said[0] in policy.remember.said("adverbs"):
        said.pop(0)
    return " ".join(said)


def _tidy(value: str, policy: Policy) -> str:
    words = value.strip().split()
    while words and words[-1].lower() in policy.remember.correct.value_tails:
        words.pop()
    return " ".join(words)


def _after_openers(said: str, policy: Policy) -> tuple[str, frozenset[str]]:
    """What follows "actually", "no," or a denial, and which of them; nothing when none opens the text."""
    used: set[str] = set()
    rest = said
    openers = sorted(policy.remember.correct.amend_openers, key=lambda o: (-len(o), o))
    while True:
        low = normal(rest).norm
        for opener in openers:
            if low.startswith(opener) and (
                len(low) == len(opener) or (not low[len(opener)].isalnum() and low[len(opener)] != "'")
            ):
                rest = rest[len(opener) :].lstrip(" ,.!:;…-")
                used.add(opener)
                break
        else:
            return (rest if used else ""), frozenset(used)
