"""Words that everybody uses: how rare they are at large, and the directions in which words are compared.

Shipped with the policy, so that their vectors can be shared between conversations and rarity does not depend
on what one chat happens to be about. Any other word belongs to the conversation it was said in.
"""

from __future__ import annotations

from base64 import b85decode, b85encode
from functools import lru_cache

import numpy as np

from clew.kernel.recall.turns.entries import Floats, term_number
from clew.policy import Policy
from clew.programs import table

# The alphabet, in order: a number below 85 is written as four zeros and its digit.
_DIGITS = b"".join(b85encode(bytes([0, 0, 0, n]))[4:] for n in range(85))


@lru_cache(maxsize=4)
def common(policy: Policy) -> dict[int, tuple[str, float]]:
    """Number of a term -> (the word that stands for it, how improbable it is: minus the log of its share)."""
    words = dict(policy.recall.words)
    return table("common words", words, lambda: _numbered(words))


def _numbered(words: dict[str, str]) -> dict[int, tuple[str, float]]:
    out: dict[int, tuple[str, float]] = {}
    for level, listed in words.items():
        for entry in listed.split():
            term, _, word = entry.partition("=")
            out[term_number(term)] = (word or term, float(level))
    return out


def rarity(term: str, policy: Policy) -> float:
    """An idf that does not depend on the conversation: of a text of common length."""
    return rarity_of(term_number(term), policy)


def rarity_of(number: int, policy: Policy) -> float:
    known, unknown = _rarities(policy)
    return known.get(number, unknown)


@lru_cache(maxsize=4)
def _rarities(policy: Policy) -> tuple[dict[int, float], float]:
    """Of each common term, and of any other."""
    usual = float(np.log(policy.recall.common_length))
    known = {number: max(improbable - usual, 0.0) for number, (_, improbable) in common(policy).items()}
    return known, max(policy.recall.unknown_word - usual, 0.0)


@lru_cache(maxsize=4)
def basis(policy: Policy, space: str, dimensions: int) -> Floats | None:
    """The directions in which the words of this space differ most, the first ones most; None: not known."""
    table = policy.recall.space
    if table.get("dimensions") != str(dimensions) or not space.startswith(table.get("name", " ")):
        return None
    packed = np.frombuffer(_b85(table["basis"].replace("\n", "")), np.int8).astype(np.float32)
    rows = packed.reshape(dimensions, -1)
    unit: Floats = rows / np.linalg.norm(rows, axis=0)
    return unit


def _b85(text: str) -> bytes:
    """As `base64.b85decode`, all groups of five at once; what is left over it decodes itself."""
    whole = len(text) // 5 * 5
    digits = np.zeros(256, np.uint64)
    digits[np.frombuffer(_DIGITS, np.uint8)] = np.arange(85, dtype=np.uint64)
    groups = digits[np.frombuffer(text[:whole].encode("ascii"), np.uint8)].reshape(-1, 5)
    numbers = groups @ np.array([85**4, 85**3, 85**2, 85, 1], np.uint64)
    return numbers.astype(">u4").tobytes() + b85decode(text[whole:])
