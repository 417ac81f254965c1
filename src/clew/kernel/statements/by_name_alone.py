"""Who is told of by name alone: "our Karen", and whoever "is a teacher", which is no teacher of the user's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.features import Mention, mentions
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import Called
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.policy.checks import CheckWords

SOMEBODY = "person:person"
_JOB = "job"


def by_name_alone(
    text: str, language: str, told: Sequence[Statement], called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """Each of the right one: what was read of somebody under a word that only says what they do is told of them."""
    words = policy.checks.languages.get(language)
    if words is None or not told:
        return tuple(told)
    told = _without_words_for_names(told, [c.name for c in called if c.name])
    spoken_of = mentions(text, policy.reader)
    trades = [m for m in spoken_of if m.subject != SOMEBODY and _only_what_they_do(text, m, words)]
    others = {m.subject for m in spoken_of if m not in trades}
    ours = {m["name"].lower() for _, m in compiled(tuple(words.our_own.values())).matches(text)}
    borne = {m.subject for m in trades} - others
    out: list[Statement] = []
    for s in told:
        mine = s.name is not None and s.name.lower() in ours and not _beside(text, s, spoken_of)
        out.append(replace(s, subject=SOMEBODY) if s.name and (mine or s.subject in borne) else s)
    more = list(_trades(text, trades, out))
    places = {s.start for s in more}
    return (*(s for s in out if s.attribute != "note" or s.start not in places), *more)


def _only_what_they_do(text: str, mention: Mention, words: CheckWords) -> bool:
    before = text[: mention.start]
    return any(m.end() == len(before) for _, m in compiled(tuple(words.as_what.values())).matches(before))


def _beside(text: str, told: Statement, spoken_of: Sequence[Mention]) -> bool:
    """ "our son Stephen": the word for who he is stands right before the name."""
    at = text.find(told.name or "")
    return any(m.subject == told.subject and 0 <= at - m.end <= 1 for m in spoken_of)


def _trades(text: str, trades: Sequence[Mention], told: Sequence[Statement]) -> Iterator[Statement]:
    """What they do, of whoever was named last before it."""
    for trade in trades:
        named = [s for s in told if s.attribute == "name" and s.subject == SOMEBODY and s.end <= trade.start]
        if named and not any(s.attribute == _JOB and s.start == trade.start for s in told):
            said = text[trade.start : trade.end]
            yield replace(named[-1], attribute=_JOB, value=said, start=trade.start, end=trade.end)


def _without_words_for_names(told: Sequence[Statement], introduced: Sequence[str]) -> tuple[Statement, ...]:
    """ "Biscuit, daft as a brush", "vet reckons its his kidneys": words in small letters are no pet's second name.

    introduced: names that stand where names stand.
    """
    spelt = {s.subject for s in told if s.name and s.name[:1].isupper()}
    known = {name.lower() for name in introduced}
    out: list[Statement] = []
    for s in told:
        small = s.name is not None and s.name.islower() and not has_syllables(s.name) and s.subject.startswith("pet:")
        if s.name is None or not small or (s.subject not in spelt and (s.name in known or " " not in s.name)):
            out.append(s)
        elif s.attribute != "name" and s.subject not in spelt:
            out.append(replace(s, name=None))
    return tuple(out)
