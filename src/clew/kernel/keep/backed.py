"""Whether a value is one, and whether the words of its sentence deny it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.packs import language_of
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.attributes import AttributeWords

_DEATH = "death"


def backed(statements: Sequence[Statement], policy: Policy) -> tuple[Statement, ...]:
    """Without clauses where a place is meant, and without people whose absence no word tells.

    What is denied without the words that deny it is told as it stands: who "can't eat prawns" does not deny an allergy.
    "아이를 못 구했어" denies what was done: it tells neither that there is a child nor that there is none.
    """
    held = [told for told in statements if not _clause(told, policy) and not _undenied(told, policy, "exists")]
    return tuple(_as_said(told, policy) for told in held if not _undone(told, held, policy))


def _undone(told: Statement, beside: Sequence[Statement], policy: Policy) -> bool:
    """땅콩 알레르기 있어서 땅콩은 안 써: what is done because of it does not deny it."""
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    where = words.denied_where.get(told.attribute) if words else None
    if where is None or told.status is not Status.NOT or told.evidence is None or _denied_there(told, where):
        return False
    thing = (told.subject, told.attribute, told.value)
    return any((s.subject, s.attribute, s.value) == thing and s.status is Status.IS for s in beside)


def _backed(told: Statement, words: AttributeWords) -> bool:
    needed = words.backed.get(told.attribute)
    return needed is None or re.search(needed, told.sentence, re.I) is not None


def _denied_there(told: Statement, where: str) -> bool:
    return re.search(where.replace("{value}", re.escape(told.value)), told.sentence, re.I) is not None


def _clause(told: Statement, policy: Policy) -> bool:
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    clause = words.clause_in.get(told.attribute) if words and told.evidence is not None else None
    return clause is not None and re.search(clause, told.value, re.I) is not None


def _as_said(told: Statement, policy: Policy) -> Statement:
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    if words is None:
        return told
    if told.attribute == _DEATH and told.evidence is not None and not _backed(told, words):
        return replace(told, attribute="note", value=told.sentence)  # 쓰러지셨어요: no word calls them dead
    where = words.denied_where.get(told.attribute)
    if where and _denied_there(told, where):
        return replace(told, status=Status.NOT)
    return replace(told, status=Status.IS) if _undenied(told, policy, told.attribute) else told


def _undenied(told: Statement, policy: Policy, attribute: str) -> bool:
    """Read as denied, though its sentence has none of the words that deny an attribute like this."""
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    denial = words.denied_by.get(attribute) if words else None
    read = told.attribute == attribute and told.evidence is not None and told.status is Status.NOT
    return read and denial is not None and re.search(denial, told.sentence, re.I) is None
