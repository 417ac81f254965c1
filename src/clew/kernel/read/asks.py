"""What of the user's own life a message asks for, or needs to be answered well (ruling M10; weights are policy).

A small linear reader over the text's vector and its words says what is asked; rules say of whom.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp

from clew.kernel.read.linear import sums
from clew.kernel.statements.features import Mention, mentions
from clew.model.utterance import Act, Ask, Sentence
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy
from clew.programs import program

WHO = "who"
_SOMEONE = "person:any"
_DECIMALS = 4
_FEW = 4


def chances(text: str, vector: Sequence[float] | None, policy: ReaderPolicy) -> dict[str, float]:
    """Chance of each attribute to be asked for; under "" that anything is. Empty without a vector."""
    if vector is None or not any(vector):
        return {}
    found = sums(text, vector, policy.asks, policy.asks_sha256)
    return {name: round(1 / (1 + exp(-max(-30.0, total))), _DECIMALS) for name, total in found.items()}


def read_asks(
    text: str, language: str, sentences: Sequence[Sentence], by_chance: Mapping[str, float], policy: Policy
) -> tuple[Ask, ...]:
    """The surest first. Nothing for a question of the world, a request that needs no memory, a statement."""
    table = policy.reader
    if not by_chance:
        return ()
    by_name = dict(by_chance)
    asked = by_name.pop("", 0.0)
    if asked < _mark(text, sentences, table):
        # Nobody can tell from the words whether Yuna is somebody's sister or a star: whoever knows the user looks.
        # One given name and nothing else; a full name is more often the world's.
        asked_for = (shape.match(text.strip()) for shape in _shapes("who_is", table))
        name = next((found.group(1) for found in asked_for if found), None)
        return (Ask(_SOMEONE, WHO, name, table.ask_at),) if name and name.lower() not in table.not_names else ()
    found = mentions(text, table)
    subject, name = _whom(text, found, table)
    best = sorted(by_name.items(), key=lambda item: (-item[1], item[0]))
    chosen = [(a, c) for a, c in best if c >= table.ask_attribute_at][: table.asks_max]
    if not chosen and asked >= table.ask_at:
        # Something is asked, and nothing plainly: the likeliest alone.
        chosen = best[:1]
    if chosen and chosen[0][0] == WHO and name and subject == "self":
        subject = _SOMEONE
    return tuple(Ask(subject, a, name, round(asked * max(c, 0.5), _DECIMALS)) for a, c in chosen)


def only_asks(sentences: Sequence[Sentence]) -> bool:
    """ "남편 직업": a few words that name what is asked for, and tell nothing."""
    return len(sentences) == 1 and sentences[0].act is Act.QUESTION and len(sentences[0].text.split()) <= _FEW


def _mark(text: str, sentences: Sequence[Sentence], policy: ReaderPolicy) -> float:
    if only_asks(sentences) and "?" not in text:
        return 0.0
    asking = any(s.act in (Act.QUESTION, Act.REQUEST) for s in sentences) or "?" in text
    return policy.ask_at if asking else policy.ask_at_stated


def _whom(text: str, found: Sequence[Mention], policy: ReaderPolicy) -> tuple[str, str | None]:
    """The person or pet that is asked about; a bare pronoun is left to whoever knows what was said before."""
    name = _name(text, policy)
    if found:
        return found[0].subject, name
    low = f" {text.lower()} "
    for word, subject in policy.pronouns.items():
        if f" {word} " in re.sub(r"[^\w']+", " ", low):
            return subject, name
    return (_SOMEONE if name else "self"), name


def _name(text: str, policy: ReaderPolicy) -> str | None:
    """A capitalised word inside the question that is no ordinary word, or what a language's own shapes name."""
    for m in re.finditer(r"(?<![.!?] )(?<!^)(?<!\w)([A-Z][a-zà-ÿ]+(?:[-'][A-Z][a-z]+)?)(?:['’]s)?(?!\w)", text):
        if m.start() and m.group(1).lower() not in policy.not_names:
            return m.group(1)
    for shape in _shapes("names", policy):
        found = shape.search(text)
        if found and found.group(1) not in policy.not_names and found.group(1) not in policy.speakers:
            return found.group(1)
    return None


@lru_cache(maxsize=8)
def _shapes(name: str, policy: ReaderPolicy) -> tuple[re.Pattern[str], ...]:
    return tuple(program(shape) for shape in policy.said(name))
