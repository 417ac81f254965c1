"""The word for who somebody is, as the user says it: 누나, not 언니; mum, not mother."""

from __future__ import annotations

import re

from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.features import lexicon
from clew.policy import Policy
from clew.policy.attributes import AttributeWords


def as_called(ways: tuple[str, ...], statement: str, words: AttributeWords) -> str:
    """The user's own word for the person, where their words hold it: 누나, not 언니; mum, not mother."""
    low = statement.lower()
    # "my flatmates are Ed and Lou": each of them is a flatmate.
    own = [way for way in ways if way not in words.plural and _said(low, way.lower(), words)]
    # 큰아들 before 아들; of two that tell of different ones, that which stands last.
    return max(own, key=lambda way: (low.rfind(way.lower()) + len(way), len(way))) if own else ways[0]


def possessor(statement: str, value: str, policy: Policy) -> str | None:
    """ "zosia's party": the name right before what is told of somebody, unless it is a word for who they are."""
    found = re.search(rf"(?<![\w'’])(?P<name>[A-Za-zÀ-ž-]+)['’]s {re.escape(value)}", statement, re.I)
    low = found["name"].lower() if found else ""
    people, pets, _ = lexicon(policy.reader)
    if found is None or low in people or low in pets or low in policy.reader.not_names or low in policy.reader.they:
        return None
    return found["name"].capitalize() if found["name"].islower() else found["name"]


def _said(low: str, way: str, words: AttributeWords) -> bool:
    return holds(low, way) or (way in words.each_called and holds(low, f"{way}s"))


def up_to(statement: str, name: str | None) -> str:
    """첫째는 하린이, 둘째는 하준이요: the word for who somebody is stands last before their name."""
    said = statement.partition(name)[0] if name and name in statement else ""
    return re.split(r"[,.!?]", said)[-1] or statement


def holds(statement: str, way: str) -> bool:
    """da is no part of yesterday; in Korean a word has its particles behind it."""
    if way not in statement or has_syllables(way):
        return way in statement
    return bool(re.search(rf"(?<!\w){re.escape(way)}(?!\w)", statement))
