"""끊었습니다, 싸웠어: a verb by itself tells no event; it stands with the words that say of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import compiled
from clew.model.utterance import Statement
from clew.policy.checks import CheckWords

_EVENT = "event"


def with_their_words(text: str, told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """Bare verbs as the sentence they stand in; left out where something else was read from that sentence."""
    shapes = compiled(tuple(words.bare_verb.values()))
    if not shapes:
        return list(told)
    bare = [s for s in told if s.attribute == _EVENT and any(shape.fullmatch(s.value) for shape in shapes)]
    rest = [s for s in told if not any(s is b for b in bare)]
    return [*rest, *(one for s in bare if (one := _whole(text, s, rest)) is not None)]


def _whole(text: str, told: Statement, others: Sequence[Statement]) -> Statement | None:
    start = text.find(told.sentence)
    if start < 0 or any(o.sentence == told.sentence for o in others):
        return None
    value = told.sentence.strip(" .!?~…")
    at = text.find(value, start)
    return replace(told, value=value, start=at, end=at + len(value))
