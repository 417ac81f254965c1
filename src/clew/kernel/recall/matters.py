"""What must be minded where something is eaten, drunk or taken, before anything else is said (ruling M9).

"What should I cook tonight?" is answered from allergies, diets and tastes, whatever else its words come near to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from clew.kernel.keep.keys import attribute_for, bare_value, relation_name
from clew.kernel.recall.answers import meant_by, tellable
from clew.kernel.recall.narrowing import held, wanted, words_of_record
from clew.kernel.statements.categories import category_of
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import one
from clew.model.key import Key, first_part, relation_of
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy
from clew.policy.check_rows import Matter

_TASTES = ("like", "dislike")


def matter_of(question: str, language: str, policy: Policy) -> Matter | None:
    """The matter that a question is of, if it is one of these."""
    words = policy.checks.languages.get(language)
    for row in words.matters.values() if words else ():
        found = one(row.pattern).search(question)
        thing = found.groupdict().get("thing") if found else None
        # a glass of wine: what is in it, where the whole is of no kind
        if found and (thing is None or any(category_of(t, policy) in row.kinds for t in _named(thing))):
            return row
    return None


def _named(thing: str) -> tuple[str, str]:
    return thing, thing.split()[-1]


def minded(
    question: str, language: str, records: Sequence[MemoryRecord], policy: Policy, whom: Collection[str] = ()
) -> tuple[MemoryRecord, ...]:
    """What bears on the matter, of whoever the question names and of the user; nothing where it is of no matter.

    whom: who is meant by a "her" or "them" of the question.
    """
    matter = matter_of(question, language, policy)
    if matter is None:
        return ()
    spoken = {relation_of(s) for s in (*(m.subject for m in mentions(question, policy.reader)), *whom)}
    held_as = {f"{r[0].value}:{relation_name(*r, policy) or r[1]}" for r in spoken if r is not None}
    named = {who for s in held_as for who in meant_by(s, policy)}
    own = wanted(question, (), language, policy).own
    first = policy.recall.answers_first
    found = [
        r
        for r in records
        if tellable(r, past=False)
        and (r.subject == SELF or r.subject in named or _called(r, question))
        and _bears(r, matter, own, policy)
    ]
    found.sort(key=lambda r: r.last_confirmed_at, reverse=True)
    return tuple(sorted(found, key=lambda r: (r.subject == SELF, _place(r, first, policy))))


def _place(record: MemoryRecord, first: Sequence[str], policy: Policy) -> int:
    attribute = attribute_for(record, policy)
    return first.index(attribute) if attribute in first else len(first)


def _called(record: MemoryRecord, question: str) -> bool:
    key = Key.parse(record.memory_key)
    name = key.name.replace("_", " ") if key is not None and key.name else ""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.I) is not None


def _bears(record: MemoryRecord, matter: Matter, own: frozenset[str], policy: Policy) -> bool:
    attribute, said = attribute_for(record, policy), words_of_record(record)
    if attribute in _TASTES and record.subject != SELF:
        value = bare_value(record.memory_value).replace("_", " ")
        food = category_of(value, policy) in matter.kinds or one(matter.about).search(value) is not None
        return attribute in (*matter.always, *matter.named) and food
    if attribute in _TASTES:
        return attribute in (*matter.always, *matter.named) and first_part(record.memory_key) in matter.kinds
    value = record.memory_value.replace("_", " ").replace("|", " ")
    if attribute in matter.always:
        return one(matter.aside).search(value) is None
    return attribute in matter.named and (one(matter.about).search(said) is not None or bool(own & held(said, policy)))
