"""Whether the words of a sentence bear out what a reader took from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.packs import language_of
from clew.model.utterance import Statement, Status
from clew.policy import Policy


def backed(statements: Sequence[Statement], policy: Policy) -> tuple[Statement, ...]:
    """Without what no word of its sentence bears out: no death without a word for it, no clause for a place.

    What is denied without the words that deny it is told as it stands: who "can't eat prawns" does not deny an allergy.
    """
    return tuple(_as_said(told, policy) for told in statements if _borne_out(told, policy))


def _borne_out(told: Statement, policy: Policy) -> bool:
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    if words is None or told.evidence is None:
        return True
    needed, clause = words.backed.get(told.attribute), words.clause_in.get(told.attribute)
    if needed is not None and not re.search(needed, told.sentence, re.I):
        return False
    return clause is None or not re.search(clause, told.value, re.I)


def _as_said(told: Statement, policy: Policy) -> Statement:
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    if words is None:
        return told
    where = words.denied_where.get(told.attribute)
    if where and re.search(where.replace("{value}", re.escape(told.value)), told.sentence, re.I):
        return replace(told, status=Status.NOT)
    denial = words.denied_by.get(told.attribute)
    read = told.evidence is not None and told.status is Status.NOT
    if not read or denial is None or re.search(denial, told.sentence, re.I):
        return told
    return replace(told, status=Status.IS)
