"""What happened to whom: a reply built from a predicate that is known, and from who stands before it and what behind.

A row knows its predicate alone ("broke down", "취직했"). Whose doing it is, what it is done to, where and when are
read here from the words around it, so that one row speaks of the user, of Jo and of the van, and of what is yet to
come. What cannot be put right is left out: a way with a gap that nothing fills is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.compose.choosing import GAP, Choice
from clew.kernel.compose.deeds import worded
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.naming import quotable
from clew.kernel.keep.keys import STANCES, bare_value, stance_of
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.once import once
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Frame
from clew.programs import program

_ASKED = re.compile("[?？]")
# Whose doing it is.
_OWN, _THEIRS, _THING = "me", "who", "it"
_PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Happening:
    """A row that fits, the ways that speak of this doer, and what fills their gaps."""

    name: str
    row: Frame
    ways: tuple[str, ...]
    values: Mapping[str, str]
    kind: str


def only_a_thing(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Of all that is known to have happened, all happened to a thing: "my oven broke down" is no breakdown."""
    kinds = {found.kind for found in happenings(plan, words, policy)}
    return kinds == {_THING}


def to_happening(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, of_others: bool = False
) -> str:
    """A sentence about what has happened, or will; "" where no row knows it. of_others: nothing of the user."""
    last = plan.recent_replies[-1] if plan.recent_replies else ""
    # A question that only fits this message is no form filled in: it waits only for its turn.
    choice = replace(choice, ask=plan.questions and (choice.ask or not _ASKED.search(last)))
    for found in happenings(plan, words, policy):
        if of_others and found.kind != _THEIRS:
            continue
        if said := choice.fresh(_fullest(found), f"frame:{found.name}", found.values):
            return said
        plain = [way for way in found.ways if "?" not in way]
        if said := choice.fresh(plain, f"frame:{found.name}", found.values):
            return said
    return ""


def _fullest(found: Happening) -> Sequence[str]:
    """Where some ways name a person, a thing or a day of the message, the bare ones wait."""
    filled = [way for way in found.ways if GAP.search(way) and all(found.values.get(n) for n, _ in GAP.findall(way))]
    bare = [way for way in found.ways if not GAP.search(way)]
    return filled if len(filled) > 1 else (*filled, *bare)


@once()
def happenings(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> tuple[Happening, ...]:
    """Rows that fit, the last sentence first: what was said last is what a listener answers."""
    return tuple(_found(plan, words, policy))


def _found(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> Iterator[Happening]:
    shapes, rows = _rows(words)
    sentences = plan.utterance.sentences if plan.utterance is not None else ()
    for sentence in reversed(sentences):
        text = tidied(sentence.text, words).strip()
        asks = sentence.act is not Act.STATEMENT or _search(words.framing.to_us, text)
        if len(text.split()) > policy.compose.deed_words or asks:
            continue
        for place, found in shapes.matches(text):
            name, row = rows[place]
            if (row.mood == "glad" and plan.focus.negative) or (row.mood == "hard" and plan.focus.positive):
                continue
            if made := _happening(name, row, found, text, plan, words, policy):
                yield made


def _happening(
    name: str, row: Frame, found: re.Match[str], text: str, plan: ResponsePlan, words: ComposeWords, policy: Policy
) -> Happening | None:
    spoken = words.framing
    before, after = text[: found.start()], text[found.end() :]
    around = f"{before[-spoken.denied_before :]}{found.group()}{after[: spoken.denied_after]}"
    if not row.denied and _search(spoken.denied, around):
        return None
    doer = _search(spoken.doer, before)
    who, kind = _doer(doer, before, words)
    if not who and _search(spoken.hearsay, text):
        kind = _THEIRS
    from_doer = before[doer.start() :] if doer is not None else before
    if not row.unsure and _search(spoken.unsure, from_doer + after[: spoken.denied_after]):
        return None
    ahead = bool(_search(spoken.ahead, text)) or _planned(plan)
    if kind == _THING and spoken.topic_first and not (row.thing or row.thing_ahead):
        who, kind = "", _OWN
    ways = _ways(row, kind, ahead=ahead)
    if not ways:
        return None
    values = {name: worded(own, words, policy) for name, own in found.groupdict().items() if own}
    values |= _around(before, after, words, policy)
    values["value"] = _taste(plan, policy)
    if kind != _OWN and who:
        own = _display(who, words, policy)
        values[_THING if kind == _THING else _THEIRS] = own
        # Whom a sentence calls by name, where "she" alone cannot stand.
        values["named"] = "" if _search(words.framing.pronoun, own) else own
    return Happening(name, row, ways, {n: said for n, said in values.items() if said}, kind)


def _doer(doer: re.Match[str] | None, before: str, words: ComposeWords) -> tuple[str, str]:
    """The words for whoever does it, and which kind that is; "" for neither."""
    if doer is not None:
        for kind in (_OWN, _THEIRS, _THING):
            if own := (doer.groupdict().get(kind) or "").strip(" ,"):
                return own, _THEIRS if kind == _THING and _search(words.framing.agent, own) else kind
    return ("", _OWN) if _search(words.framing.dropped, before) else ("", "")


def _ways(row: Frame, kind: str, *, ahead: bool) -> tuple[str, ...]:
    """What this row says of such a doer, now or of what is yet to come."""
    now = {_OWN: row.own, _THEIRS: row.theirs, _THING: row.thing}
    later = {_OWN: row.own_ahead, _THEIRS: row.theirs_ahead, _THING: row.thing_ahead}
    if ahead and any((row.own_ahead, row.theirs_ahead, row.thing_ahead)):
        return later.get(kind, ()) or row.any
    return now.get(kind, ()) or row.any


def _planned(plan: ResponsePlan) -> bool:
    return any(c.attribute == _PLAN for c in plan.told)


def _taste(plan: ResponsePlan, policy: Policy) -> str:
    """What is liked or disliked, as it was read and is kept."""
    tastes = (c for c in plan.told if stance_of(c.value) in STANCES)
    return next((quotable(bare_value(c.value), plan.language, policy) for c in tastes), "")


def _around(before: str, after: str, words: ComposeWords, policy: Policy) -> Mapping[str, str]:
    """What it is done to, where, when and for how long."""
    spoken = words.framing
    out = {}
    for name, shape, text in (
        ("thing", spoken.thing_behind, after),
        ("thing", spoken.thing_before, before),
        ("place", spoken.place, f"{before} {after}"),
        ("span", spoken.span, f"{before} {after}"),
        ("day", spoken.day, f"{before} {after}"),
    ):
        found = _search(shape, text) if shape else None
        if found is not None and name not in out:
            own = found.groupdict().get(name) or ""
            out[name] = worded(own, words, policy, thing=name == "thing")
    return out


def _display(who: str, words: ComposeWords, policy: Policy) -> str:
    """my husband Jo → Jo; the kids stay the kids."""
    if _search(words.framing.pronoun, who):
        return who.lower()
    first, _, rest = who.strip().partition(" ")
    last = rest.rpartition(" ")[2]
    if last[:1].isupper() and first.lower() in words.first_words:
        return last
    return worded(who, words, policy)


def _search(shape: str, part: str) -> re.Match[str] | None:
    """Of a part of a sentence."""
    return program(shape, re.I).search(part) if shape else None


@lru_cache(maxsize=8)
def _rows(words: ComposeWords) -> tuple[PatternTable, tuple[tuple[str, Frame], ...]]:
    return PatternTable([row.pattern for row in words.frames.values()]), tuple(words.frames.items())
