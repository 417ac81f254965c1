"""The composer's own ruler: near enough to the gate's to aim by; the gate still has the last word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SENTENCE = re.compile(r"[.!?…]+(?=\s+(?![a-z가-힣])|$)|(?<=[가-힣])[.!?]+\s+|[.!?]+\s+")
_WORD = re.compile(r"[\w'’]+")
_HANGUL = re.compile("[가-힣]")
_OPENER_TOKENS = 12
_RUN = 3


@dataclass(frozen=True, slots=True)
class Measured:
    sentences: int
    words: int


def sentences(text: str) -> list[str]:
    return [p.strip() for p in _SENTENCE.split(text) if p and any(c.isalnum() for c in p)]


def measured(text: str) -> Measured:
    parts = sentences(text)
    tokens = sum(1 for t in text.split() if any(c.isalnum() for c in t))
    hangul = len(_HANGUL.findall(text))
    if hangul * 2 > len(re.findall(r"[A-Za-z]", text)):
        tokens = max(tokens, -(-hangul * 2 // 5))
    return Measured(len(parts), tokens)


def words(text: str) -> list[str]:
    return [w.replace("’", "'") for w in _WORD.findall(text.lower())]


def opener(text: str) -> str:
    """The first tokens without case or punctuation; apostrophes stay."""
    plain = "".join(" " if c not in "'’" and unicodedata.category(c)[0] == "P" else c for c in text.lower())
    return " ".join(plain.replace("’", "'").split()[:_OPENER_TOKENS])


def similarity(a: str, b: str) -> float:
    """Three-word runs in common, of all that either has."""
    left, right = _runs(a), _runs(b)
    return len(left & right) / len(left | right) if left and right else 0.0


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    tokens = words(text)
    return frozenset(tuple(tokens[i : i + _RUN]) for i in range(len(tokens) - _RUN + 1))
