"""Where sentences begin and end (rulings P52, P53)."""

from __future__ import annotations

from functools import lru_cache

import regex

from clew.policy.text import TextPolicy

# Longer texts are cut anew: they are no messages of a talk, and would fill the memory.
_REMEMBERED = 8000
_DELIMITERS = regex.compile(r"[.!?…。！？]+")
_NEXT = regex.compile(r"\S")
_URL = regex.compile(r"(?:https?://|www\.)\S+", regex.I)


def sentences(text: str, policy: TextPolicy) -> tuple[str, ...]:
    """The sentences of a text, each with its closing mark."""
    return tuple(text[start:end] for start, end in spans(text, policy))


def spans(text: str, policy: TextPolicy) -> tuple[tuple[int, int], ...]:
    """Where each sentence begins and ends; the one place where sentences are cut, and a message only once."""
    return _cut(text, policy) if len(text) <= _REMEMBERED else _cut.__wrapped__(text, policy)


@lru_cache(maxsize=256)
def _cut(text: str, policy: TextPolicy) -> tuple[tuple[int, int], ...]:
    guarded = _guard(text, policy)
    out: list[tuple[int, int]] = []
    start = 0
    for match in _DELIMITERS.finditer(guarded):
        if not _ends_sentence(text, match.start(), match.end()):
            continue
        piece = _trimmed(text, start, match.end())
        if any(c.isalnum() for c in text[slice(*piece)]):
            out.append(piece)
            start = match.end()
        elif out:
            start = match.end()
    rest = _trimmed(text, start, len(text))
    if any(c.isalnum() for c in text[slice(*rest)]):
        out.append(rest)
    return tuple(out)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))


def _guard(text: str, policy: TextPolicy) -> str:
    """Blank the dots that end nothing, keeping every position."""
    guarded = _URL.sub(_blanked, text)
    low = guarded.lower()
    blanked = list(guarded)
    for short in policy.abbreviations:
        at = low.find(short)
        while at >= 0:
            if at == 0 or not low[at - 1].isalnum():
                blanked[at : at + len(short)] = short.replace(".", "_")
            at = low.find(short, at + len(short))
    return "".join(blanked)


def _blanked(match: regex.Match[str]) -> str:
    """An address without its marks; those at its very end close the sentence around it."""
    address = match.group().rstrip(".!?…")
    return regex.sub(r"[.!?]", "_", address) + match.group()[len(address) :]


def _ends_sentence(text: str, start: int, end: int) -> bool:
    mark, after = text[start:end], text[end : end + 1]
    if mark == "." and start and text[start - 1].isdigit() and after.isdigit():
        return False
    if mark.replace("…", "...").startswith("..") and "!" not in mark and "?" not in mark:
        following = _NEXT.search(text, end)
        # "mm… okay" goes on; "Right… Okay" starts anew; Hangul has no case and goes on.
        return following is None or not following[0].isalpha() or following[0].isupper()
    return not (mark == "." and after.isalnum() and not after.isupper())
