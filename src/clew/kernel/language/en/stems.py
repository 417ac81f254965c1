"""Light English stemming: only what makes two forms of one word meet."""

from __future__ import annotations

import re

from clew.policy import Policy

_VOWEL = re.compile(r"[aeiouy]")
_POSSESSIVE = "'s"


def bare(word: str) -> str:
    return word.removesuffix(_POSSESSIVE)


def stem(word: str, policy: Policy, code: str) -> str:
    least, own = policy.recall.stem_min, policy.recall.languages[code]
    word = own.irregular.get(word, word)
    if len(word) <= least or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > least + 1:
        word = word[:-3] + "y"
    elif word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in own.suffixes:
        base = word[: -len(suffix)]
        if word.endswith(suffix) and len(base) >= least and _VOWEL.search(base):
            doubled = len(base) > least and base[-1] == base[-2] and base[-1] not in "lsz"
            word = base[:-1] if doubled else base
            break
    if len(word) > least and word.endswith("e"):
        word = word[:-1]
    if len(word) > least and word.endswith("y"):
        word = word[:-1] + "i"
    return word
