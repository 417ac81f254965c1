"""What somebody says in Korean that they do not eat or drink."""

from __future__ import annotations

from collections.abc import Iterator

from clew.kernel.language.ko.statements import clauses, is_mine, item_before
from clew.kernel.statements.items import Liking
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy

# By the first syllable of the verb.
_EATEN = {"먹": "food", "마": "drink"}


def avoided(sentence: str, policy: Policy) -> Iterator[Liking]:
    if not is_mine(sentence, policy):
        return
    for clause in clauses(normal(sentence).norm, policy):
        match = pattern("abstain_ko", policy).fullmatch(normal(clause).no_punct)
        if match is None:
            continue
        act = match["act"] or match["act2"]
        for part in pattern("korean_and", policy).split(match["item"].strip()):
            item = item_before(part, policy)
            fits = item and (_EATEN[act[0]] == item.category if act else item.category in _EATEN.values())
            if item and fits and item.text not in policy.remember.say.not_abstained:
                yield Liking("dislike", item)
