"""What the first turns found name is looked for in later turns: who tells that something changed names it again.

"My barber is called Emre", later "Emre went back to Izmir, so Tony cuts my hair": nothing of the second is in the
question "who is my barber?", and all that leads to it is a name in the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

import numpy as np

from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import term_number
from clew.kernel.recall.turns.index import Index
from clew.kernel.recall.turns.vocabulary import rarity_of
from clew.policy import Policy


def named_again(index: Index, first: Sequence[int], ask: Ask, policy: Policy) -> frozenset[tuple[int, int]]:
    """(earlier, later): the same speaker says a rare word of the earlier turn again, which the question lacks.

    Only where a present value is asked for, and where the earlier turn is short: a long one names many things, and each
    leads somewhere else. A word that stands in many turns leads nowhere; of the others the last
    turn that says it counts, since that is where the thing stands now.
    """
    numbers, out = policy.recall, set[tuple[int, int]]()
    if not ask.inquiry.wants_state or ask.inquiry.wants_past or ask.inquiry.wants_reason:
        return frozenset()
    asked = {term_number(term) for term, _ in ask.terms}
    speaker = index.columns["speaker"]
    for turn in first[: numbers.again_first]:
        terms = index.terms_of(turn)
        if len(terms) > numbers.again_length:
            continue
        held = ((rarity_of(number, policy), number) for number in terms - asked)
        rarest = nlargest(numbers.again_terms, (one for one in held if one[0] >= numbers.again_rarity))
        for _, number in rarest:
            there = np.concatenate([index.passage_turn[segment.of(number)[0]] for segment in index.segments])
            turns = dict.fromkeys(there.tolist())
            later = [other for other in turns if other > turn and speaker[other] == speaker[turn]]
            if later and len(turns) <= numbers.again_turns:
                out.add((turn, max(later)))
    return frozenset(out)
