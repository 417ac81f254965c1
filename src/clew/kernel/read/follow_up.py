"""A follow-up as words: a short message that answers something said or shown, cut once for all that judge it.

Each cut is made when it is first asked for: most follow-ups are asked two or three of them.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from clew.kernel.language.scripts import TYPED_LETTER, letters_apart
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import split
from clew.programs import program

_SENTENCE = r"[.!?;…\n]+(?=\s|$)|[!?;…\n]+"
_PAUSE = re.compile(r"[.!?…;,\n]+\s*")
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_ASKING = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!]")
_STOPPED = re.compile(r"\d+(?:[.:]\d+)+|[^\W_]+(?:'[^\W_]+)*|[,;.!?…&]+")
_WRITTEN = re.compile(r"(?:[^.!?…\n]|\.(?=\d))+[.!?…\n]*")
_PIECE = re.compile(r"(?:[^.!?…,;\n]|[.,](?=\d))+[.!?…,;\n]*")
_REMARK = re.compile(r"[,.!?;:\n]+")
# A remark of one letter means nothing by itself; more of them than these say nothing new.
_SHORTEST, _REMARKS = 2, 4
_STANDING = re.compile(rf"\d+(?:[.:]\d+)+|{TYPED_LETTER}+|(?:(?!{TYPED_LETTER})[^\W_])+(?:'[^\W_]+)*")
_PIECE_WORD = re.compile(r"[^\W_]+(?:['.:][^\W_]+)*")


@lru_cache(maxsize=8)
def _sentence(openers: tuple[str, ...]) -> re.Pattern[str]:
    glued = rf"|(?<=[^\W\d_]{{3}})\.(?=(?:{'|'.join(map(re.escape, openers))})\s)" if openers else ""
    return program(_SENTENCE + glued)


class FollowUp:
    """One text; two of the same text are the same follow-up."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def norm(self) -> str:
        return normalize(letters_apart(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Without any mark but inner apostrophes."""
        return split(letters_apart(self.text))

    @cached_property
    def asks(self) -> bool:
        """Does it end in a question mark?"""
        return self.text.rstrip().endswith("?")

    def sentences(self, openers: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
        """Each sentence with the mark that ends it, drawn-out letters taken back: "yesss" is yes.

        openers: words that start a new sentence right behind a full stop, without a space: "good.I also need".
        """
        norm = _DRAWN_OUT.sub(r"\1", self.norm)
        ends = [*((m.start(), m.group()) for m in _sentence(openers).finditer(norm)), (len(norm), "")]
        starts = [0, *(end + len(mark) for end, mark in ends)]
        return tuple((norm[start:end], mark) for start, (end, mark) in zip(starts, ends, strict=False))

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Each sentence as it stands, with the marks that end it; "3.5" ends none."""
        return tuple(_WRITTEN.findall(self.text))

    @cached_property
    def pieces(self) -> tuple[tuple[tuple[str, ...], bool], ...]:
        """The words between two marks, and whether a question mark ends them; "3.5" and "9:30" are one word."""
        found = ((tuple(_PIECE_WORD.findall(piece)), "?" in piece) for piece in _PIECE.findall(self.norm))
        return tuple((words, asks) for words, asks in found if words)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What stands between two marks, as it stands, with the marks that end it."""
        return tuple(part for part in map(str.strip, _PIECE.findall(self.text)) if len(part) >= _SHORTEST)

    @cached_property
    def asked_words(self) -> tuple[str, ...]:
        """Words, question and exclamation marks."""
        return tuple(_ASKING.findall(self.norm))

    @cached_property
    def openings(self) -> tuple[tuple[str, ...], ...]:
        """The first two words of whatever stands between two pauses."""
        return tuple(tuple(_ASKING.findall(s)[:2]) for s in _PAUSE.split(self.norm) if s)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """All of it, then what stands between its last marks."""
        cut = [part for part in map(str.strip, _REMARK.split(self.text)) if len(part) >= _SHORTEST]
        return (self.text, *cut[-_REMARKS:]) if len(cut) > 1 else (self.text,)

    @cached_property
    def standing(self) -> tuple[tuple[int, int, str], ...]:
        """Where each word begins and ends, and the word in small letters."""
        low = self.text.lower()
        low = low if len(low) == len(self.text) else self.text
        return tuple((m.start(), m.end(), m.group()) for m in _STANDING.finditer(low))

    def stopped_words(self, respelled: tuple[tuple[str, str], ...] = ()) -> list[str]:
        """Words and every stop between them; `respelled` are other ways to say the same, replaced in order."""
        norm = self.norm
        for said, meant in respelled:
            norm = norm.replace(said, meant)
        return _STOPPED.findall(norm)


@lru_cache(maxsize=512)
def follow_up(text: str) -> FollowUp:
    return FollowUp(text)
