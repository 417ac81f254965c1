"""A turn of a conversation read once for finding it again: its passages, their words, and what it holds."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from clew.kernel.read.signs import Signs, signs
from clew.kernel.text.terms import word_terms
from clew.kernel.text.words_in import words_in
from clew.model.inquiry import Word
from clew.policy import Policy
from clew.policy.recall import RecallPolicy

_BREAK = regex.compile(r"(?<=[.!?…。！？\n])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Part:
    """A passage of a turn, and its words where they stand."""

    text: str
    words: tuple[Word, ...]
    terms: tuple[tuple[str, str], ...]  # (term, the word it stands for)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn: found by the part of it that fits. `length` counts its words by spaces."""

    parts: tuple[Part, ...]
    signs: Signs
    length: int


def spoken(text: str, policy: Policy) -> Spoken:
    parts = tuple(part(passage, policy) for passage in passages(text, policy.recall))
    # What lies behind the last passage is not found, but it is there.
    whole = parts[0].words if len(parts) == 1 else words_in(text, policy)
    return Spoken(parts, signs(text, whole, policy), len(text.split()))


def part(passage: str, policy: Policy) -> Part:
    words = words_in(passage, policy)
    return Part(passage, words, tuple(term for word in words for term in word_terms(word.text, policy)))


def passages(text: str, policy: RecallPolicy) -> list[str]:
    """Whole sentences packed up to the policy's size; never empty, bounded in number."""
    text = text.strip()
    size = policy.passage
    if len(text) <= size:
        return [text]
    out: list[str] = []
    passage = ""
    for sentence in _BREAK.split(text[: size * policy.passages_max]):
        for piece in _pieces(sentence.strip(), size):
            if passage and len(passage) + 1 + len(piece) > size:
                out.append(passage)
                passage = piece
            else:
                passage = f"{passage} {piece}" if passage else piece
    if passage:
        out.append(passage)
    return out or [""]


def _pieces(sentence: str, size: int) -> list[str]:
    pieces: list[str] = []
    while len(sentence) > size:
        cut = sentence.rfind(" ", size // 2, size)
        cut = size if cut < 0 else cut
        pieces.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if sentence else pieces
