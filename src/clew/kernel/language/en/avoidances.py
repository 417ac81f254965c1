"""What somebody says in English that they do not eat or drink."""

from __future__ import annotations

from collections.abc import Iterator

from clew.kernel.statements.items import Liking, read_item, read_items
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy

_EATEN = {"eat": "food", "drink": "drink"}


def avoided(sentence: str, policy: Policy) -> Iterator[Liking]:
    for match in pattern("abstain", policy).finditer(sentence):
        if not is_own(sentence, match.start(), policy):
            continue
        first = read_item(match["item"], policy)
        if first is None or first.category != _EATEN[match["act"].lower()]:
            continue
        if first.text in policy.remember.say.not_abstained:  # "I don't eat breakfast" tells a habit
            continue
        if first.text != normal(match["item"]).no_punct.removeprefix("any "):
            continue
        for item in read_items(sentence[match.start("item") :], policy):
            if item.category == first.category:
                yield Liking("dislike", item, match.start())
