"""The noun of a told value: its article as the user gave it, and whether it is a noun at all."""

from __future__ import annotations

import re

from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import pack, writer
from clew.policy.attributes import AttributeWords

_CONDITION = "condition"
# Of which a name or a number may carry one: you have a 2009 Buick, you work for the Infirmary.
_OWNED = ("possession", "device", "employer")
_NAMES = ("name", "called")


def built_around(attribute: str, template: str) -> bool:
    """The sentence needs a noun: it neither quotes nor lists the value, and a name is one by itself."""
    return "{value}" in template and "“" not in template and ":" not in template and attribute not in _NAMES


def noun_in(value: str) -> str:
    """The value as a noun in the language it is written in; empty where it holds a verb."""
    return writer(value).noun_phrase(value)


def with_article(value: str, words: AttributeWords) -> str:
    """a nurse, an architect; what has an article, a number or a capital needs none."""
    first = value.split()[0].lower() if value.split() else ""
    lettered = re.match(r"[A-Z]{2,4} [a-z]", value) is not None
    bare = value[:1].islower() or lettered
    if not words.articles or not bare or first in words.articles or (first.endswith("s") and not lettered):
        return value
    spoken = pack(HOUSE)
    return spoken.join(value, "a") if spoken is not None else value


def with_own_article(value: str, statement: str, words: AttributeWords, attribute: str) -> str:
    """the hospital, a small town: as it stands in the user's words; my flat is your flat."""
    bare = value[:1].islower() or attribute in _OWNED
    if not words.articles or not bare or value.lower() not in statement.lower():
        return value
    before = "|".join(map(re.escape, words.said_before))
    found = re.search(rf"(?<![\w'’])({before}) {re.escape(value)}(?!\w)", statement, re.I)
    article = found.group(1).lower() if found else ""
    if attribute == _CONDITION and article in words.definite:
        return value  # you have diabetes
    if attribute == "exists" and article in (*words.turned_own, *words.definite):
        # Nobody says "you have your two kids".
        return value if article in words.turned_own else with_article(value, words)
    return f"{words.turned.get(article, article)} {value}" if article else value


def is_brand(value: str, statement: str, words: AttributeWords) -> bool:
    """ "a job at tesco": one small word for where somebody works, without an article before it, is a name."""
    if not words.articles or not value.islower() or not value.isalpha() or value in words.no_brands:
        return False
    before = "|".join(map(re.escape, (*words.said_before, "some", "any", "his", "her", "their")))
    return not re.search(rf"(?<![\w'’])(?:{before})(?: [\w-]+)? {re.escape(value)}(?!\w)", statement, re.I)
