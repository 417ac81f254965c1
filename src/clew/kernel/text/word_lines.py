"""Many texts cut into words in one go: the labels of a long list."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.text.normalize import normalize, without_punctuation
from clew.kernel.text.tokens import split

# Stands between texts that are normalised in one go; no text holds it.
_BETWEEN = "\ue000"


def word_lines(texts: Sequence[str]) -> list[str]:
    """Each text as its words with one space between them; plain letters need no folding and take a short way."""
    joined = "\n".join(texts)
    if not texts or joined.count("\n") != len(texts) - 1 or _BETWEEN in joined:
        return [" ".join(split(t)) for t in texts]
    if joined.isascii() and "'" not in joined and "`" not in joined:
        return _tidy(joined.lower().translate(_MARKS)).split("\n")
    spaced = without_punctuation(normalize(f" {_BETWEEN} ".join(texts)))
    lines = spaced.split(_BETWEEN)
    if len(lines) != len(texts):
        return [" ".join(split(t)) for t in texts]
    if "'" not in spaced:
        return [line.strip() for line in lines]
    return [" ".join(t for w in line.split() if (t := w.strip("'"))) for line in lines]


def _tidy(labels: str) -> str:
    """Labels in lines, with single spaces only, and none at the ends of lines."""
    for odd in "\t\r\x0b\x0c\x1c\x1d\x1e\x1f":
        if odd in labels:
            labels = labels.replace(odd, " ")
    while "  " in labels:
        labels = labels.replace("  ", " ")
    return labels.replace(" \n", "\n").replace("\n ", "\n").strip(" ")


_MARKS = dict.fromkeys(map(ord, '!"#$%&()*+,-./:;<=>?@[\\]^_{|}~'), " ")
