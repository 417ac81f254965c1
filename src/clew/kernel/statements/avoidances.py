"""What a person does not eat or drink: avoiding is a dislike by the listed phrases ("i avoid")."""

from __future__ import annotations

from collections.abc import Iterator

from clew.kernel.language.ko.statements import clauses, is_mine, item_before
from clew.kernel.language.scripts import mostly_syllables
from clew.kernel.statements.items import read_item, read_items
from clew.kernel.statements.likes_en import Liking
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy

_EATEN = {"eat": "food", "drink": "drink", "먹": "food", "마": "drink"}


def abstained(sentence: str, policy: Policy) -> Iterator[Liking]:
    """Not for the moment, not in part, not one dish at hand: the thing as such, and nothing after it."""
    if pattern("abstain_passing", policy).search(sentence):
        return
    yield from (_korean if mostly_syllables(sentence, policy.text) else _english)(sentence, policy)


def _english(sentence: str, policy: Policy) -> Iterator[Liking]:
    for match in pattern("abstain", policy).finditer(sentence):
        if not is_own(sentence, match.start(), policy):
            continue
        first = read_item(match["item"], policy)
        if first is None or first.category != _EATEN[match["act"].lower()] or _too_wide(first.text, policy):
            continue
        if first.text != normal(match["item"]).no_punct.removeprefix("any "):
            continue
        for item in read_items(sentence[match.start("item") :], policy):
            if item.category == first.category:
                yield Liking("dislike", item, match.start())


def _korean(sentence: str, policy: Policy) -> Iterator[Liking]:
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
            if item and fits and not _too_wide(item.text, policy):
                yield Liking("dislike", item)


def _too_wide(text: str, policy: Policy) -> bool:
    """ "I don't eat breakfast" tells a habit; nobody dislikes food."""
    return text in policy.remember.say.not_abstained
