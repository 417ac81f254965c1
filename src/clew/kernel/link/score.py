"""Distance first (rulings C4, C5, C10, C18, C21).

A score lies between 0 and (1 + beta_lex) + answer_boost; with the shipped numbers the nearest line
with full overlap and an answer reaches 1.38.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from clew.kernel.link.consequences import answers_yes_no
from clew.kernel.link.sheet import Sheet
from clew.kernel.read.remark import Remark
from clew.model.link import Intent, IntentType
from clew.policy.link import LinkPolicy, Scoring


def hill(distance: float, tau: float, p: float) -> float:
    return 1.0 / (1.0 + math.pow(distance / tau, p))


class Hills(dict[int, float]):
    """hill by distance, each computed once and only when it is asked for: a reach may be far."""

    def __init__(self, scoring: Scoring) -> None:
        super().__init__()
        self.scoring = scoring

    def __missing__(self, distance: int) -> float:
        found = self[distance] = hill(distance, self.scoring.tau, self.scoring.p)
        return found


@lru_cache(maxsize=4)
def _token_rules(policy: LinkPolicy) -> tuple[re.Pattern[str], frozenset[str]]:
    return re.compile(rf"[^\W_]{{{policy.token_min},}}"), frozenset(policy.stopwords)


def tokens(line: Remark, policy: LinkPolicy) -> frozenset[str]:
    """Unicode alphanumeric runs, longer than two, without the frozen stopwords (ruling C10)."""
    pattern, stop = _token_rules(policy)
    return frozenset(pattern.findall(line.text)) - stop


def lexical(a: frozenset[str], b: frozenset[str]) -> float:
    """Overlap over the larger set (ruling C10)."""
    larger = max(len(a), len(b))
    return len(a & b) / larger if larger else 0.0


class Scorer:
    """Scores of one run; what a line says is read once, and only when it may matter."""

    def __init__(self, sheet: Sheet, policy: LinkPolicy, scoring: Scoring) -> None:
        self.low = sheet.low
        self.index = sheet.index
        self.policy = policy
        self.scoring = scoring
        self.hills = Hills(scoring)
        self._tokens: dict[int, frozenset[str]] = {}
        self._answers: dict[int, bool] = {}

    def tokens_at(self, position: int) -> frozenset[str]:
        found = self._tokens.get(position)
        if found is None:
            found = self._tokens[position] = tokens(Remark(self.low[position]), self.policy)
        return found

    def overlap(self, intent: int, candidate: int) -> float:
        """Most pairs share nothing: look for the words before splitting the text."""
        wanted = self.tokens_at(intent)
        text = self.low[candidate]
        for word in wanted:
            if word in text:
                return lexical(wanted, self.tokens_at(candidate))
        return 0.0

    def answer(self, intent: Intent, candidate: int) -> float:
        """Only a question can be answered with yes or no (ruling C5)."""
        if intent.type is not IntentType.QUESTION:
            return 0.0
        found = self._answers.get(candidate)
        if found is None:
            found = self._answers[candidate] = answers_yes_no(Remark(self.low[candidate]), self.policy)
        return self.scoring.answer_boost if found else 0.0

    def combine(self, nearness: float, shared: float, answer: float) -> float:
        if self.scoring.answer == "multiplied":
            return nearness * (1.0 + self.scoring.beta_lex * shared + answer)
        return nearness * (1.0 + shared * self.scoring.beta_lex) + answer

    def ceiling(self, nearness: float, kind: IntentType) -> float:
        """No candidate at this distance can score more."""
        boost = self.scoring.answer_boost if kind is IntentType.QUESTION else 0.0
        return self.combine(nearness, 1.0, boost)
