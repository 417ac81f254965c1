"""Which of several things told in one message a wish to forget means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from clew.kernel.keep.keys import bare_value
from clew.kernel.language.scripts import has_syllables
from clew.model.memory import MemoryRecord


def of_these_words(
    held: Sequence[MemoryRecord], words: AbstractSet[str], chances: Mapping[str, float]
) -> list[MemoryRecord]:
    """Of several things told in one message those that stand nearest to the words; else the likeliest one.

    "I've a parrot called Captain and an allergy to wasps", "forget the parrot": the allergy stays.
    """
    if len(held) < 2:
        return list(held)
    away = {m.memory_id: d for m in held if (d := _apart(m, words)) is not None}
    if away:
        return [m for m in held if away.get(m.memory_id) == min(away.values())]
    return [max(held, key=lambda m: (chances.get(m.memory_id, 0.0), m.memory_id))]


def _apart(memory: MemoryRecord, words: AbstractSet[str]) -> int | None:
    """How many letters lie between a value and the nearest of the words in the sentence that told it."""
    said, value = (memory.statement or "").lower(), bare_value(memory.memory_value).replace("_", " ").lower()
    at = said.find(value)
    places = [said.find(word) for word in words if word in said]
    if at < 0 or not places:
        return None
    return min(0 if at <= p < at + len(value) else min(abs(p - at), abs(p - at - len(value))) for p in places)


def held_in(words: AbstractSet[str], said: AbstractSet[str]) -> frozenset[str]:
    """Those of the words that are among what was said, whatever ending they have there: "sacked" in "they sack people",
    잘린 in "잘렸어".
    """

    def there(word: str) -> bool:
        root = _root(word)
        return word in said or (bool(root) and any(w.startswith(root) for w in said))

    return frozenset(w for w in words if there(w))


def _root(word: str) -> str:
    """The beginning that an ending leaves alone; a word that is too short has none."""
    if not has_syllables(word):
        return word[:-2] if len(word) > 5 else ""
    return word[:-1] if len(word) > 1 else word
