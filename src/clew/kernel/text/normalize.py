"""The normal forms of a message (rulings P1–P3, P16)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from clew.frozen import dataclass

_APOSTROPHES = {ord(c): "'" for c in "\u2018\u2019\u02bc\u2032\uff07`"}
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u2060\ufeff\u00ad"))
_EMOJI_SIDE = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]"
_LOOSE_JOINER = regex.compile(rf"(?<!{_EMOJI_SIDE})\u200d|\u200d(?!\p{{Extended_Pictographic}})")
_ASCII_LOWER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}
_PUNCTUATION = regex.compile(r"[\p{P}$+<=>^|~--[']]", regex.V1)
_ASCII_PUNCTUATION = dict.fromkeys(map(ord, '!"#$%&()*+,-./:;<=>?@[\\]^_{|}~'), " ")
_ASCII_REMOVED = dict.fromkeys(_ASCII_PUNCTUATION)


@dataclass(frozen=True, slots=True)
class Normal:
    """One message in the forms that the detectors read."""

    raw: str
    norm: str
    no_punct: str
    joined: str

    @property
    def variants(self) -> tuple[str, ...]:
        return (self.no_punct,) if self.joined == self.no_punct else (self.no_punct, self.joined)


def normalize(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().replace("`", "'").split())
    text = unicodedata.normalize("NFKC", text)
    text = text.translate(_ZERO_WIDTH)
    if "\u200d" in text:
        text = _LOOSE_JOINER.sub("", text)
    text = text.translate(_APOSTROPHES).translate(_ASCII_LOWER)
    # Lower-casing and stripping can leave pairs that compose (H + macron below has no capital form).
    text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split())


def without_punctuation(norm: str) -> str:
    """Punctuation becomes a space; apostrophes stay."""
    if norm.isascii():
        return " ".join(norm.translate(_ASCII_PUNCTUATION).split())
    return " ".join(_PUNCTUATION.sub(" ", norm).split())


def joined_punctuation(norm: str) -> str:
    """Punctuation vanishes: k-pop becomes kpop (ruling P3)."""
    if norm.isascii():
        return " ".join(norm.translate(_ASCII_REMOVED).split())
    # The mark may have kept two letters apart that compose.
    return " ".join(unicodedata.normalize("NFKC", _PUNCTUATION.sub("", norm)).split())


@lru_cache(maxsize=1024)
def normal(text: str) -> Normal:
    norm = normalize(text)
    spaced = without_punctuation(norm)
    # Nothing removed: both ways of removing it are the same.
    return Normal(text, norm, spaced, norm if spaced == norm else joined_punctuation(norm))


def tidied(text: str) -> str:
    """Trimmed, inner whitespace collapsed."""
    return " ".join(text.split())


def as_spelt(text: str, low: str, start: int, end: int) -> str:
    """A part of a folded text in the writer's own spelling, where folding moved no letter."""
    return (text[start:end] if text[: len(low)].lower() == low else low[start:end]).strip()
