"""Whether a stranger's expression is found in a text, in a bounded number of steps.

Python's own parser reads the expression, so that it means what authors expect. It is then run as a set of states that
advance together, one character at a time, so no repetition can run away. Steps are counted, not timed: the same card
and the same talk always give the same answer. What cannot be run that way (a reference back, a look around, an atomic
group) and what is too large matches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MOST_PATTERN = 300
MOST_STATES = 600
# About a second of Python for a whole card, and a tenth of it for one expression.
MOST_STEPS = 2_000_000
MOST_STEPS_OF_ONE = 200_000

Test = Callable[[str], bool]
_FOUND = -1


@dataclass(frozen=True, slots=True)
class State:
    """A character that must follow, a place that must be here, or nothing; then where it goes on."""

    then: tuple[int, ...]
    test: Test | None = None
    at: Any = None


@dataclass(frozen=True, slots=True)
class Program:
    states: tuple[State, ...]
    start: int
    lines: bool


@dataclass(slots=True)
class Steps:
    """What is left for a whole card."""

    left: int = MOST_STEPS


class _TooMuch(Exception):
    pass


def found(pattern: str, text: str, *, case_sensitive: bool, steps: Steps) -> bool:
    """False too for an expression that is wrong, that cannot be bounded, or when the steps are used up."""
    program = _compiled(pattern, case_sensitive)
    if program is None:
        return False
    run = _Run(program, text, min(steps.left, MOST_STEPS_OF_ONE))
    try:
        return run.search()
    except _TooMuch:
        return False
    finally:
        steps.left -= run.used


@dataclass(slots=True)
class _Run:
    program: Program
    text: str
    most: int
    used: int = 0
    # (states, what stood before, what follows, whether it is the last) -> states; kept for one text only, so that the
    # count of steps depends on nothing else.
    known: dict[tuple[frozenset[int], str, str, bool], frozenset[int] | None] = field(default_factory=dict)

    def search(self) -> bool:
        here: frozenset[int] = frozenset()
        text, last = self.text, len(self.text) - 1
        before = ""
        for n, character in enumerate(text):
            self._step()
            key = (here, _kind(before), character, n == last)
            if key in self.known:
                after = self.known[key]
            else:
                after = self.known[key] = self._advance(here, before, character, n == last)
            if after is None:
                return True
            here, before = after, character
        return self._advance(here, before, "", True) is None

    def _advance(self, here: frozenset[int], before: str, character: str, last: bool) -> frozenset[int] | None:
        """The states after this character; None when the expression is found before it."""
        out: set[int] = set()
        seen: set[int] = set()
        todo = [*here, self.program.start]
        while todo:
            number = todo.pop()
            if number == _FOUND:
                return None
            if number in seen:
                continue
            seen.add(number)
            self._step()
            state = self.program.states[number]
            if state.test is not None:
                if character and state.test(character):
                    out.update(state.then)
            elif state.at is None or self._stands(state.at, before, character, last):
                todo.extend(state.then)
        return frozenset(out)

    def _stands(self, place: Any, before: str, character: str, last: bool) -> bool:
        if place is codes.AT_BEGINNING_STRING:
            return not before
        if place is codes.AT_BEGINNING:
            return not before or (self.program.lines and before == "\n")
        if place is codes.AT_END_STRING:
            return not character
        if place is codes.AT_END:
            return not character or (character == "\n" and (last or self.program.lines))
        inside = _is_word(before) != _is_word(character)
        return inside if place is codes.AT_BOUNDARY else not inside

    def _step(self) -> None:
        self.used += 1
        if self.used > self.most:
            raise _TooMuch


def _kind(character: str) -> str:
    return character if character in ("", "\n") else "w" if _is_word(character) else "."


def _is_word(character: str) -> bool:
    return bool(character) and (character.isalnum() or character == "_")


@lru_cache(maxsize=1024)
def _compiled(pattern: str, case_sensitive: bool) -> Program | None:
    if len(pattern) > MOST_PATTERN:
        return None
    try:
        tree = parser.parse(pattern)
        flags = tree.state.flags
        made = _Making(folded=not case_sensitive or bool(flags & re.IGNORECASE), dots=bool(flags & re.DOTALL))
        start = made.sequence(tree, _FOUND)
    except (re.error, RecursionError, OverflowError, ValueError, _TooMuch):
        return None
    return Program(tuple(made.states), start, bool(flags & re.MULTILINE))


@dataclass(slots=True)
class _Making:
    """Built from the end: each part is given where it goes on."""

    folded: bool
    dots: bool
    states: list[State] = field(default_factory=list)

    def add(self, state: State) -> int:
        if len(self.states) >= MOST_STATES:
            raise _TooMuch
        self.states.append(state)
        return len(self.states) - 1

    def sequence(self, tree: Iterable[Any], then: int) -> int:
        for code, value in reversed(list(tree)):
            then = self.part(code, value, then)
        return then

    def part(self, code: Any, value: Any, then: int) -> int:
        if code is codes.BRANCH:
            return self.add(State(tuple(self.sequence(branch, then) for branch in value[1])))
        if code is codes.SUBPATTERN:
            _, added, taken, body = value
            if added or taken:
                raise _TooMuch
            return self.sequence(body, then)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            least, most, body = value
            return self.repeated(least, most, body, then)
        if code is codes.AT:
            return self.add(State((then,), at=value))
        return self.add(State((then,), test=_test(code, value, self.folded, self.dots)))

    def repeated(self, least: int, most: Any, body: Any, then: int) -> int:
        if most is codes.MAXREPEAT:
            loop = self.add(State(()))
            self.states[loop] = State((self.sequence(body, loop), then))
            then = loop
        else:
            end = then
            for _ in range(most - least):
                then = self.add(State((self.sequence(body, then), end)))
        for _ in range(least):
            then = self.sequence(body, then)
            self.add(State(()))  # an empty body repeated a billion times is too large as well
        return then


def _test(code: Any, value: Any, folded: bool, dots: bool) -> Test:
    if code is codes.ANY:
        return (lambda c: True) if dots else (lambda c: c != "\n")
    if code in (codes.LITERAL, codes.NOT_LITERAL):
        letters = _forms(chr(value)) if folded else {chr(value)}
        wanted = code is codes.LITERAL
        return lambda c: (c in letters) is wanted
    if code is not codes.IN:
        raise _TooMuch
    items = list(value)
    negated = bool(items) and items[0][0] is codes.NEGATE
    tests = [_member(*item) for item in items[negated:]]

    def one_of(character: str) -> bool:
        forms = _forms(character) if folded else (character,)
        return any(test(form) for test in tests for form in forms) is not negated

    return one_of


def _forms(character: str) -> set[str]:
    return {character, character.lower(), character.upper()}


_CLASSES: dict[Any, Test] = {
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: _is_word,
    codes.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    codes.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    codes.CATEGORY_NOT_WORD: lambda c: not _is_word(c),
}


def _member(code: Any, value: Any) -> Test:
    if code is codes.LITERAL:
        return lambda c: c == chr(value)
    if code is codes.RANGE:
        first, last = value
        return lambda c: len(c) == 1 and first <= ord(c) <= last
    if code is codes.CATEGORY:
        return _CLASSES[value]
    raise _TooMuch
