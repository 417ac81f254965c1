"""From clauses to one act: asking for others outweighs praise, a question outweighs praise,
praise outweighs the next errand.
"""

from __future__ import annotations

from clew.kernel.ground.clause import Clause, Kind
from clew.model.evidence import Act

_ELSEWHERE = frozenset({Kind.SEARCH, Kind.CONSTRAINT, Kind.ABOUT, Kind.INQUIRY})


def weigh(clauses: tuple[Clause, ...]) -> tuple[Act, str]:
    kinds = [c.kind for c in clauses]
    accepted = next((i for i, k in enumerate(kinds) if k in (Kind.ACCEPT, Kind.CLOSE)), None)
    if Kind.ALTERNATIVES in kinds:
        return Act.ALTERNATIVES, "asks_for_others"
    if Kind.REFUSE in kinds and (accepted is None or kinds.index(Kind.REFUSE) < accepted):
        if not _ELSEWHERE.isdisjoint(kinds):
            return Act.ALTERNATIVES, "refuses_and_asks"
        return (Act.QUESTION, "asks") if Kind.QUESTION in kinds else (Act.NEGATE, "refuses")
    if accepted is not None and Kind.QUESTION in kinds[:accepted]:
        return Act.QUESTION, "asks"
    if any(c.but and c.kind in _ELSEWHERE for c in clauses):
        return Act.ALTERNATIVES, "but"
    if accepted is not None and any(c.but and c.kind is Kind.FRAGMENT for c in clauses[accepted + 1 :]):
        return Act.SELECT, "qualified"
    if accepted is not None:
        return _after_praise(clauses, clauses[accepted + 1 :])
    if Kind.QUESTION in kinds:
        return Act.QUESTION, "asks"
    if not _ELSEWHERE.isdisjoint(kinds):
        if kinds[0] in (Kind.TAKE, Kind.REFERENCE):
            return Act.SELECT, "takes"
        leads = kinds[0] in _ELSEWHERE and Kind.INQUIRY not in kinds
        if leads and any(c.moving_on and c.tokens[0] != "now" for c in clauses):
            # "I also need a hotel there" presupposes what was offered.
            return Act.SELECT, "presupposes"
        return Act.ALTERNATIVES, "searches"
    if Kind.TAKE in kinds or Kind.REFERENCE in kinds:
        return Act.SELECT, "takes"
    return Act.OTHER, "unread"


def _after_praise(clauses: tuple[Clause, ...], after: tuple[Clause, ...]) -> tuple[Act, str]:
    mere_manners = all(c.weak for c in clauses if c.kind is Kind.ACCEPT)
    for clause in after:
        if clause.kind is Kind.REFUSE and (clause.but or mere_manners):
            return Act.NEGATE, "refuses"
        if clause.kind is Kind.QUESTION and (clause.but or not clause.moving_on):
            return Act.QUESTION, "praises_and_asks"
        if clause.kind is Kind.ABOUT and not clause.moving_on:
            return Act.ALTERNATIVES, "praises_and_turns"
        if mere_manners and (
            clause.kind is Kind.INQUIRY or (clause.kind in _ELSEWHERE and not clause.moving_on)
        ):
            return Act.ALTERNATIVES, "manners_and_searches"
        if clause.kind in _ELSEWHERE:
            # What moves on from the offer takes it; more of the same wish changes nothing.
            break
    return Act.SELECT, "accepts"
