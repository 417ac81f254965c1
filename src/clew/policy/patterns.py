"""A user's pattern must stay cheap on any text: decided from the pattern alone, so always the same.

Python's engine tries every way to share a text out among repeats that overlap. One inside another
takes for ever; three in a row take the cube of the length. Such a row is refused by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

from clew.errors import InvalidPolicy

MOST_CHARACTERS = 2000
_MOST_IN_A_ROW = 2
# A repeat of at most so many is no repeat without end.
_FEW = 8
# One of every kind of character that patterns tell apart.
_SAMPLE = "".join(map(chr, range(32, 127))) + "\t\né가힣ㅋㅏ、…“”’"
_EVERY = frozenset(_SAMPLE)


def check(layer: Any, shipped: Any, pointer: str) -> None:
    """Every string of a user's layer that is a pattern and could run away is refused; ours may be repeated."""
    known = {text for text, _ in _strings(shipped, pointer)} if layer else set()
    for text, place in _strings(layer, pointer):
        if text not in known and (why := trouble(text)):
            raise InvalidPolicy(f"{place}: {why}", pointer=place)


def trouble(text: str) -> str | None:
    """Why this string, read as a pattern, could take for ever; None for a cheap one and for plain words."""
    if not any(mark in text for mark in "*+{"):
        return None
    try:
        parsed = _parser.parse(text)
    except (re.error, RecursionError, OverflowError, Warning):
        return None
    if not any(_endless(parsed)):
        return None
    if len(text) > MOST_CHARACTERS:
        return f"a pattern of {len(text):,} characters; at most {MOST_CHARACTERS:,} are taken"
    for body in _endless(parsed):
        for inner, characters in _loose(body):
            if not _separated(body, characters, inner):
                return "a repeat inside a repeat that can match the same characters: it could take for ever"
    if _in_a_row(parsed) > _MOST_IN_A_ROW:
        return f"more than {_MOST_IN_A_ROW} open repeats in a row that can match the same characters"
    return None


def _strings(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield value, pointer
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _strings(item, f"{pointer}/{key}")
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _strings(item, f"{pointer}/{i}")


def _inside(name: str, given: Any) -> list[Any]:
    """The parts that a part is made of."""
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [given[2]]
    if name == "SUBPATTERN":
        return [given[3]]
    if name == "ATOMIC_GROUP":
        return [given]
    if name == "BRANCH":
        return list(given[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return [given[1]]
    if name == "GROUPREF_EXISTS":
        return [part for part in given[1:] if part is not None]
    return []


def _endless(parsed: Any) -> Iterator[Any]:
    """The bodies of all repeats without end, at any depth."""
    for code, given in parsed:
        if str(code) in ("MAX_REPEAT", "MIN_REPEAT") and given[1] - given[0] > _FEW:
            yield given[2]
        for part in _inside(str(code), given):
            yield from _endless(part)


def _loose(body: Any) -> Iterator[tuple[Any, frozenset[str]]]:
    """What may match in several lengths or several ways: open repeats, options, branches that begin alike."""
    for code, given in body:
        name = str(code)
        if name in ("MAX_REPEAT", "MIN_REPEAT") and given[0] != given[1]:
            yield given[2], _characters(given[2])
        if name == "BRANCH":
            firsts = [_characters(part[:1]) for part in given[1]]
            seen: frozenset[str] = frozenset()
            for first in firsts:
                if not first or first & seen:
                    yield given, _characters(_parser.SubPattern(body.state, [(code, given)]))
                    break
                seen |= first
        if name not in ("ASSERT", "ASSERT_NOT"):
            for part in _inside(name, given):
                yield from _loose(part)


def _characters(parsed: Any) -> frozenset[str]:
    """Which characters a part can match."""
    out: frozenset[str] = frozenset()
    for code, given in parsed:
        name = str(code)
        if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            out |= _matched(parsed, code, given)
        elif name == "GROUPREF":
            return _EVERY
        elif name not in ("ASSERT", "ASSERT_NOT"):
            for part in _inside(name, given):
                out |= _characters(part)
    return out


def _matched(parsed: Any, code: Any, given: Any) -> frozenset[str]:
    if str(code) == "ANY":
        return _EVERY
    if str(code) == "LITERAL" and chr(given) not in _EVERY:
        return frozenset({chr(given)})
    one = _parser.SubPattern(parsed.state, [(code, given)])
    found = _compiler.compile(one, parsed.state.flags | re.I)
    return frozenset(c for c in _SAMPLE if found.fullmatch(c))


def _separated(body: Any, inner: frozenset[str], skip: Any) -> bool:
    """Something in the body must be there each time, and is nothing that the inner repeat can match."""
    for code, given in body:
        name = str(code)
        if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            if not _matched(body, code, given) & inner:
                return True
        elif name == "BRANCH":
            if all(_separated(part, inner, skip) for part in given[1]):
                return True
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            if any(_separated(part, inner, skip) for part in _inside(name, given)):
                return True
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and given[0] and given[2] is not skip:
            characters = _characters(given[2])
            if _separated(given[2], inner, skip) or (characters and not characters & inner):
                return True
    return False


def _in_a_row(parsed: Any) -> int:
    """The longest run of endless repeats that share characters with nothing between to part them."""
    best, run = 0, 0
    shared = _EVERY
    for code, given in parsed:
        name = str(code)
        if name in ("MAX_REPEAT", "MIN_REPEAT") and given[1] - given[0] > _FEW:
            characters = _characters(given[2])
            run, shared = (run + 1, shared & characters) if shared & characters else (1, characters)
        elif name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            if run and not _matched(parsed, code, given) & shared:
                run, shared = 0, _EVERY
        else:
            inner = [_in_a_row(part) for part in _inside(name, given)]
            deepest = max(inner, default=0)
            if deepest and name in ("SUBPATTERN", "ATOMIC_GROUP", "BRANCH"):
                run += deepest
            best = max(best, deepest)
        best = max(best, run)
    return best
