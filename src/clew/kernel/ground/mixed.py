"""A question and a choice in one message: "they're both 210? then the later one", 11일 오후요. 출장비는 얼마예요?"""

from __future__ import annotations

from typing import NamedTuple

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.lexicon import words
from clew.policy.ground import GroundPolicy


class Beside(NamedTuple):
    """What is said beside the questions, and whether it has the last word."""

    text: str
    last: bool


def beside_questions(reading: Reading, policy: GroundPolicy) -> Beside | None:
    """Whole sentences only: in "Japanese, what textbook does it use?" the name is what the question is about."""
    clauses = reading.clauses
    asked = [i for i, c in enumerate(clauses) if c.kind is Kind.QUESTION]
    if not asked:
        return None
    after = clauses[asked[-1] + 1 :]
    if after and after[0].tokens[0] not in words(policy).grammar["added_to_question"]:
        return Beside(", ".join(" ".join(c.tokens) for c in after), True)
    before = clauses[: asked[0]]
    if before and before[-1].full:
        return Beside(", ".join(" ".join(c.tokens) for c in before), False)
    return None
