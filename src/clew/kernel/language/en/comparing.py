"""English statements compared: the promise `Comparing` of a pack."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.language.comparing import Standing
from clew.kernel.text.guards import sides
from clew.policy import Policy
from clew.programs import program

_WHOSE = ("my", "his", "her", "our")
_FIRST = ("i", "we", "you", "my", "our", "your")
capitals = True


def listed(word: str) -> str:
    """One beginning for the forms of a word: movie and movies, story and stories, bake and baking."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            if ending == "ies":
                return stem + "i"
            return stem if ending == "s" and len(stem) == 3 else stem.rstrip("e")
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word.rstrip("e") if len(word) > 3 else word


def bare(word: str, policy: Policy) -> str:
    return listed(word)


def stem(word: str, policy: Policy) -> str:
    return listed(word)


def noun(word: str, policy: Policy) -> str:
    return word


def bases(word: str, policy: Policy) -> tuple[str, ...]:
    return (word,)


def forms(word: str, policy: Policy) -> frozenset[str]:
    return frozenset((listed(word),))


def letters(word: str) -> str:
    return word


def tail(word: str, policy: Policy) -> str:
    return ""


def is_verb(word: str, policy: Policy) -> bool:
    return False


def inflected(letters: str, policy: Policy) -> bool:
    return False


def denies(low: str, policy: Policy) -> bool:
    """Denied an odd number of times, by a word of denial and by verbs such as "stopped"."""
    not_denied, denied, _ = _patterns(policy)
    low = not_denied.sub(" ", low)
    return sides(low, policy.text).negated != (len(denied.findall(low)) % 2 == 1)


def last_clause(low: str, policy: Policy) -> str:
    """A denial counts wherever it stands."""
    return low


def standing(low: str, words: tuple[str, ...], policy: Policy) -> Standing:
    passive = _patterns(policy)[2].search(low) is not None
    own = bool(words) and words[0].split("'")[0] in _FIRST
    return Standing(order=_order(words, policy), passive=passive, about=_about(words, policy), third=not own)


@lru_cache(maxsize=8)
def _patterns(policy: Policy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = policy.remember.contrast
    return program(table.not_denies_en), program(table.denies_en), program(table.passive)


def _about(words: tuple[str, ...], policy: Policy) -> str:
    if len(words) < 3 or words[0] not in _WHOSE or words[1] not in policy.remember.contrast.kin:
        return ""
    return "" if words[2] == "and" else listed(words[1])


def _order(words: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    case = dict(policy.text.roles)
    out = []
    for n, word in enumerate(words):
        bare = word.removesuffix("'s").split("'")[0]
        if bare == "her":  # hers before a noun, the object at the end
            last = n + 1 == len(words) or words[n + 1] in policy.remember.contrast.after_object
            bare = "she" if last else "my"
        bare = case.get(bare, bare)
        if bare not in policy.text.roleless:
            out.append(listed(bare))
    return tuple(out)
