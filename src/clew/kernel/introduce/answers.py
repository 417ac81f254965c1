"""Plain answers to plain questions: "30", "Germany", "I'm in Berlin", "sure", "스물다섯", "skip"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from clew.frozen import dataclass
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.short_answers import ShortAnswer
from clew.model.profile import AgeBand
from clew.model.topic import TopicId
from clew.policy import Policy
from clew.policy.introduce import IntroduceWords

_DIGITS = re.compile(r"\d{1,3}")
_BANDS = ((13, 17), (18, 24), (25, 34), (35, 44))
_OLDEST = 120


@dataclass(frozen=True, slots=True)
class Places:
    """Names in small letters: countries to their codes, cities to their time zones, zones to their country."""

    countries: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    country_of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """`values` by the name of the answer: one city tells a country and a zone. Empty and not `skipped`: unclear."""

    values: Mapping[str, Any] = field(default_factory=dict)
    skipped: bool = False

    @property
    def unclear(self) -> bool:
        return not self.values and not self.skipped


SKIPPED = ReadAnswer(skipped=True)
UNCLEAR = ReadAnswer()


def read_answer(question: str, answer: ShortAnswer, policy: Policy, places: Places) -> ReadAnswer:
    """What the words answer to the question of this name; every language's words are understood."""
    low = answer.low
    for words in policy.introduce.languages.values():
        if low in words.skip:
            return SKIPPED
    if not low:
        return SKIPPED
    if question == "preferred_name":
        return _name(answer.bare, policy)
    if question == "age_band":
        return _age(low, policy)
    if question in ("country_or_region", "client_timezone"):
        return _place(answer, question, policy, places)
    if question == "occupation_category":
        return _occupation(low, policy)
    if question == "suppressed_topics":
        return _topics(low, policy)
    return _yes_or_no(question, low, policy)


def _bare(said: str, policy: Policy) -> str:
    """Without "my name is", "I'm", "I live in", "이에요"."""
    for words in policy.introduce.languages.values():
        for shape in words.around:
            said = re.sub(shape, "", said, flags=re.I).strip()
    return said


def _name(said: str, policy: Policy) -> ReadAnswer:
    name = _bare(said, policy)
    if not name or len(name.split()) > policy.introduce.name_words:
        return UNCLEAR
    return ReadAnswer({"preferred_name": name[:1].upper() + name[1:]})


def _age(low: str, policy: Policy) -> ReadAnswer:
    band = next((b for b in AgeBand if b.value in low.replace(" ", "").replace("–", "-")), None)
    years = int(found.group()) if (found := _DIGITS.search(low)) else _number_word(low, policy)
    if years is None or not 0 < years <= _OLDEST:
        return UNCLEAR
    if band is not None:
        return ReadAnswer({"age_band": band.value})
    if years < _BANDS[0][0]:
        # No band is kept below the first; unknown keeps the rules for minors (ruling S2).
        return SKIPPED
    return ReadAnswer({"age_band": next((f"{a}-{b}" for a, b in _BANDS if a <= years <= b), AgeBand.AGE_45_UP.value)})


def _number_word(low: str, policy: Policy) -> int | None:
    """twenty-five, 스물다섯, mid thirties."""
    for words in policy.introduce.languages.values():
        tens = next((n for w, n in words.tens.items() if w in low), None)
        rest = low
        for word, number in words.tens.items():
            if number == tens:
                rest = rest.replace(word, " ")
        ones = next((n for w, n in words.ones.items() if re.search(_edge(w), rest)), None)
        if tens is not None or ones is not None:
            return (tens or 0) + (ones or 0)
    return None


def _edge(word: str) -> str:
    return rf"\b{word}\b" if not has_syllables(word) else word


def _place(answer: ShortAnswer, question: str, policy: Policy, places: Places) -> ReadAnswer:
    said = _bare(answer.bare, policy).lower()
    aliases: dict[str, str] = {}
    for words in policy.introduce.languages.values():
        aliases.update(words.countries)
    cities = {c: z for words in policy.introduce.languages.values() for c, z in words.cities.items()}
    before = {w for words in policy.introduce.languages.values() for w in words.before_place}
    bare = said.partition(" ")[2] if said.split(" ")[0] in before else said
    joints = [f" {w} " for words in policy.introduce.languages.values() for w in words.within]
    tried = [said, bare, *(part for joint in joints for part in said.split(joint)), *said.split()]
    for name in (n.strip() for n in tried):
        zone = cities.get(name) or places.zones.get(name)
        code = aliases.get(name) or places.countries.get(name) or (name.upper() if len(name) == 2 else None)
        code = code if code in places.countries.values() else None
        if zone:
            here = places.country_of.get(zone)
            both = {"client_timezone": zone, **({"country_or_region": here} if here else {})}
            return ReadAnswer(both)
        if code:
            only = [z for z, c in places.country_of.items() if c == code]
            zone_too = {"client_timezone": only[0]} if len(only) == 1 else {}
            if question == "client_timezone" and not zone_too:
                return UNCLEAR
            return ReadAnswer({"country_or_region": code, **zone_too})
    exact = next((z for z in places.country_of if z.lower() == answer.given.lower()), None)
    return ReadAnswer({"client_timezone": exact}) if exact else UNCLEAR


def _occupation(low: str, policy: Policy) -> ReadAnswer:
    for words in policy.introduce.languages.values():
        for kind, cue in words.occupations.items():
            if re.search(cue, low):
                return ReadAnswer({"occupation_category": kind})
    return ReadAnswer({"occupation_category": "other"}) if low else UNCLEAR


def _topics(low: str, policy: Policy) -> ReadAnswer:
    named: list[str] = []
    for words in policy.introduce.languages.values():
        if low in words.none or low in words.no:
            return ReadAnswer({"suppressed_topics": []})
        named += [t for t, cue in words.topics.items() if re.search(cue, low)]
    known = [t for t in TopicId if t.value in named or t.value.lower().replace("_", " ") in low]
    return ReadAnswer({"suppressed_topics": [t.value for t in known]}) if known else UNCLEAR


def _yes_or_no(question: str, low: str, policy: Policy) -> ReadAnswer:
    for words in policy.introduce.languages.values():
        if _opens(low, words, yes=False):
            return ReadAnswer({question: False})
        if _opens(low, words, yes=True):
            return ReadAnswer({question: True})
    return UNCLEAR


def _opens(low: str, words: IntroduceWords, *, yes: bool) -> bool:
    said = words.yes if yes else words.no
    return any(low == w or low.startswith(f"{w} ") for w in said)
