"""Rules over what the learned readers propose: drop what says nothing, complete what a plain shape tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.model.memory import SELF
from clew.model.utterance import Act, Ask, Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

_EDGE = " .,!?;:'\"’”~()"


def checked_statements(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Statement], policy: Policy
) -> tuple[Statement, ...]:
    """The statements that say something, each with its status; a name the user gives is added."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(found)
    kept = [_timed(text, s, words, policy) for s in found if _says_something(text, s, words, policy)]
    return (*_introduced(text, sentences, kept, words), *kept)


def checked_asks(text: str, language: str, asks: Sequence[Ask], policy: Policy) -> tuple[Ask, ...]:
    """A question for somebody by name keeps the name."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(asks)
    asks = _with_needs(text, asks, words)
    name = _named(text, words.who)
    if name is None:
        return tuple(asks)
    if not any(a.attribute == "who" for a in asks):
        return (Ask(SELF, "who", name), *asks)
    return tuple(replace(a, name=name) if a.attribute == "who" and not a.name else a for a in asks)


def _with_needs(text: str, asks: Sequence[Ask], words: CheckWords) -> Sequence[Ask]:
    """What bears on safety is asked for too: an allergy when food is in question (ruling M9)."""
    added: dict[str, Ask] = {}
    for row, shape in zip(words.needs.values(), _compiled(tuple(words.needs.values())), strict=True):
        if (asks or row.alone) and shape.search(text):
            added.update((name, Ask(SELF, name)) for name in row.adds)
    had = {a.attribute for a in asks if a.subject == SELF}
    return (*(a for name, a in added.items() if name not in had), *asks)


def _says_something(text: str, told: Statement, words: CheckWords, policy: Policy) -> bool:
    tokens = [t.strip(_EDGE).lower().replace("’", "'") for t in told.value.split()]
    if all(t in words.empty or not t for t in tokens):
        return False
    # "since March" dates something else; it is no plan of its own.
    bare = told.attribute in ("plan", "event") and len(tokens) == 1
    return not (bare and _stands_behind(text, told, words.since, policy))


def _timed(text: str, told: Statement, words: CheckWords, policy: Policy) -> Statement:
    """ "before that Utrecht" was so, and is not any more."""
    current = told.status is Status.IS and told.attribute in policy.checks.ended and told.subject == SELF
    if current and _stands_behind(text, told, words.before, policy):
        return replace(told, status=Status.ENDED)
    return told


def _stands_behind(text: str, told: Statement, shapes: Mapping[str, Shape], policy: Policy) -> bool:
    before = text[max(0, told.start - policy.checks.reach) : told.start]
    return any(shape.search(before) for shape in _compiled(tuple(shapes.values())))


def _introduced(
    text: str, sentences: Sequence[Sentence], found: Sequence[Statement], words: CheckWords
) -> list[Statement]:
    """ "hi, I'm Noor": read by its shape when no reader found a name."""
    if any(s.attribute in ("name", "called") and s.subject == SELF for s in found):
        return []
    for sentence in sentences or (Sentence(0, len(text), text),):
        if sentence.act is not Act.STATEMENT:
            continue
        for shape in _compiled(tuple(words.name.values())):
            match = shape.search(sentence.text)
            if match is None or match["name"].split()[0].lower() in words.adjectives:
                continue
            if any(s.start <= sentence.start + match.start("name") < s.end for s in found):
                continue
            start = sentence.start + match.start("name")
            value = match["name"]
            return [Statement(SELF, "name", value, sentence.text, start, start + len(value))]
    return []


def _named(text: str, shapes: Mapping[str, Shape]) -> str | None:
    for shape in _compiled(tuple(shapes.values())):
        if match := shape.search(text.strip()):
            return match["name"].strip(_EDGE)
    return None


@lru_cache(maxsize=32)
def _compiled(shapes: tuple[Shape, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(shape.pattern, re.I) for shape in shapes)
