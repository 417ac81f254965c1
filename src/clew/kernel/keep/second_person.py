"""What the user said of themself, said back to them: "I'm saving for Japan" is "You're saving for Japan"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from clew.policy import Policy
from clew.policy.attributes import AttributeWords
from clew.programs import program

_WORD = re.compile(r"[\w'’]+")


def said_back(statement: str, value: str, who: str, words: AttributeWords, policy: Policy) -> str:
    """The clause of the value, turned; empty where it does not open with its own subject, or is long."""
    if not words.turned:
        return ""
    clause = re.sub(words.asides, "", _clause(statement, value, words), count=1, flags=re.I)
    clause = re.sub(words.asides_end, "", clause, count=1, flags=re.I)
    first = _WORD.search(clause)
    if first is None or len(clause.split()) > policy.attributes.turned_words:
        return ""
    opening = first.group().lower().replace("’", "'")
    if who and opening in words.turned_they:
        rest = _turned(clause[first.end() :], words.turned)
        verb = words.turned_they[opening]
        if re.match(words.turned_perfect, f"{opening}{rest}", re.I):
            verb = words.turned_has  # "he's got a dog" is no "he is"
        return f"{who}{verb}{rest}".strip()
    name = who.split()[-1].lower() if who else ""
    if name and opening in (name, f"{name}'s"):
        # "Felix wants to be a mechanic": your son Felix wants it.
        rest = _turned(clause[first.start() + len(name) :], words.turned)
        return f"{who}{rest}".strip()
    if opening not in words.turned_open or (who and opening not in words.turned_own):
        return ""
    return _turned(clause[first.start() :], words.turned)


def retold(attribute: str, value: str, who: str, words: AttributeWords, when: str = "") -> str:
    """Words without their "I", as a sentence: "gym's on Mondays" is "You have gym on Mondays"."""
    for row in words.retold.values():
        if attribute in row.attributes and (found := re.search(row.pattern, value, re.I)):
            frame = row.they if who else row.you
            said = {name: _turned(part, words.turned) for name, part in found.groupdict(default="").items()}
            return frame.format(who=who, time=when, **said)
    return ""


def well_spelt(told: str, words: AttributeWords) -> str:
    """Hasty words as they are written: "you dont drink" is "you don't drink". A quotation stays as it is."""
    if not words.spelt or not told:
        return told
    said = told.split("“", 1)
    said[0] = _listed(tuple(words.spelt)).sub(lambda m: words.spelt[m.group()], said[0])
    return "“".join(said)


def turned(value: str, words: AttributeWords) -> str:
    """A value that holds a word for the user, in the second person: arthritis in your hands."""
    return _turned(value, words.turned)


def _clause(statement: str, value: str, words: AttributeWords) -> str:
    parts = program(words.turned_breaks, re.I)
    place = statement.lower().find(value.lower())
    if place < 0:
        return ""
    start = max((m.end() for m in parts.finditer(statement) if m.end() <= place), default=0)
    after = parts.search(statement, place + len(value))
    return statement[start : after.start() if after else len(statement)].strip(" .!?,;")


def _turned(clause: str, pairs: Mapping[str, str]) -> str:
    """Longest phrases first, each word once; "am" and "was" follow the "I" before them."""
    if not pairs:
        return clause
    spoken = _listed(tuple(pairs), re.I)
    return spoken.sub(lambda m: pairs[m.group().lower().replace("’", "'")], clause.replace("’", "'"))


@lru_cache(maxsize=16)
def _listed(phrases: tuple[str, ...], flags: int = 0) -> re.Pattern[str]:
    """Any of these as whole words, the longest first."""
    ways = "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p)))
    return program(rf"(?<![\w'’])(?:{ways})(?![\w'’])", flags)
