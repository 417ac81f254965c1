"""English verbs as names of what is done: cook, cooking."""

from __future__ import annotations

_VOWELS = frozenset("aeiou")
# Shorter words in -ing are seldom made of a verb: king, thing, being.
_SHORT = 5


def doing(verb: str) -> str:
    """cook, bake, run → cooking, baking, running."""
    if verb.endswith("ing") or not verb.isascii() or not verb.isalpha():
        return verb
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    short = (
        len(verb) >= 3
        and verb[-1] not in _VOWELS | set("wxy")
        and verb[-2] in _VOWELS
        and verb[-3] not in _VOWELS
    )
    doubled = short and (len(verb) <= 4 or verb.endswith(("blog", "vlog")))
    return verb + (verb[-1] if doubled else "") + "ing"


def names_doing(word: str) -> bool:
    return word.isascii() and word.endswith("ing") and len(word) > _SHORT
