"""What a text must hold for a pattern to match it: some piece of a short list, or it is not known.

Enters: a pattern of the policy. Leaves: pieces in small letters, of which every text that matches holds at least one.
Read off the pattern as the library parses it; where that cannot tell, every text may match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

# Beyond so many ways to write a piece, the pieces of its parts serve as well.
_WAYS = 48
_PIECES = 400
# How often an ordinary message holds a piece of so many letters, or of so many syllables; from the last on rarely.
_LETTERS = (1.0, 0.9, 0.2, 0.03, 0.008, 0.003, 0.001)
_SYLLABLES = (1.0, 0.08, 0.008, 0.001)
# A list that most messages hold a piece of tells nothing.
_TELLING = 0.6
_ODD = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}

Pieces = frozenset[str]
# All that a part of a pattern can match, where that is a short list; and lists of which each match holds a piece.
_Part = tuple[Pieces | None, list[Pieces]]
_EMPTY: Pieces = frozenset(("",))


def lowered(text: str) -> str:
    """As texts are looked through for pieces: letters that a pattern takes for one another are one letter."""
    return text.lower() if text.isascii() else text.translate(_ODD).lower()


def required(pattern: str, flags: int = 0) -> tuple[str, ...] | None:
    """Pieces of which each text that the pattern matches anywhere holds one; None where that is not known."""
    try:
        from re import _parser  # type: ignore[attr-defined]

        found = _of_sequence(_parser.parse(pattern, flags))
    except (ImportError, AttributeError, TypeError, RecursionError):
        return None
    exact, lists = found
    best = min(chain(lists, [exact] if exact else []), key=_often, default=None)
    return None if best is None or _often(best) > _TELLING else tuple(sorted(best))


def _often(pieces: Pieces) -> float:
    if len(pieces) > _PIECES:
        return 1.0
    return sum(map(_rarity, pieces))


def _rarity(piece: str) -> float:
    by_size = _LETTERS if piece.isascii() else _SYLLABLES
    return by_size[min(len(piece), len(by_size) - 1)]


def _of_sequence(items: Iterable[Any]) -> _Part:
    """Pieces grow from part to part as long as each can be written in few ways."""
    run: Pieces = _EMPTY
    whole = True
    lists: list[Pieces] = []
    for operation, value in items:
        exact, more = _of_one(str(operation), value)
        lists += more
        if exact is not None and len(run) * len(exact) <= _WAYS:
            run = frozenset(a + b for a in run for b in exact)
            continue
        whole = False
        lists += _told(run)
        run = _EMPTY if exact is None else exact
    lists += _told(run)
    return (run if whole else None), lists


def _told(run: Pieces) -> Iterator[Pieces]:
    if "" not in run:
        # What holds a longer piece holds the shorter one within it.
        yield frozenset(p for p in run if not any(o != p and o in p for o in run))


def _of_one(operation: str, value: Any) -> _Part:
    if operation == "LITERAL":
        return _letter(value), []
    if operation == "IN":
        return _any_of(value), []
    if operation == "BRANCH":
        return _of_branch([_of_sequence(way) for way in value[1]])
    if operation == "SUBPATTERN":
        return _of_sequence(value[3])
    if operation == "ATOMIC_GROUP":
        return _of_sequence(value)
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, part = value
        exact, lists = _of_sequence(part)
        if (least, int(most)) == (0, 1):
            return (exact | _EMPTY if exact is not None else None), []
        return (exact if (least, int(most)) == (1, 1) else None), (lists if least else [])
    if operation == "AT" or operation == "ASSERT_NOT":
        return _EMPTY, []
    if operation == "ASSERT":
        return _EMPTY, _of_sequence(value[1])[1]
    return None, []


def _of_branch(ways: list[_Part]) -> _Part:
    """One of the ways matches: what is required is a piece of any of them."""
    exact: Pieces | None = frozenset()
    for way, _ in ways:
        exact = None if exact is None or way is None or len(exact) + len(way) > _WAYS else exact | way
    best = [min(chain(lists, [own] if own else []), key=_often, default=None) for own, lists in ways]
    if any(b is None or "" in b for b in best):
        return exact, []
    return exact, [frozenset(p for b in best if b for p in b)]


def _letter(code: int) -> Pieces | None:
    """A letter without cases, or one whose cases are known."""
    mark = chr(code)
    if mark.isascii():
        return frozenset((mark.lower(),))
    return frozenset((mark,)) if mark.lower() == mark.upper() else None


def _any_of(members: Iterable[tuple[Any, Any]]) -> Pieces | None:
    """One of a few letters that are written out."""
    found: Pieces = frozenset()
    for kind, value in members:
        one = _letter(value) if str(kind) == "LITERAL" else None
        if one is None or len(found) > 4:
            return None
        found |= one
    return found or None
