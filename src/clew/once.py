"""A pure function that remembers its last answers, and knows the same question by its very arguments.

One turn asks the same thing of the same plan from several places. `lru_cache` would compare plans by all that they
hold; here an answer is given again only for the same objects, so that nothing is compared and nothing can be mixed up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from operator import is_
from typing import Any, NamedTuple, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


class Kept(NamedTuple):
    currsize: int


class Once:
    """Called like the function itself, with arguments in their order; the newest few answers are kept."""

    def __init__(self, function: Callable[..., Any], most: int) -> None:
        update_wrapper(self, function)
        self._function, self._most = function, most
        # Replaced whole, never changed: threads may ask at the same time.
        self._kept: tuple[tuple[tuple[Any, ...], Any], ...] = ()

    def __call__(self, *given: Any) -> Any:
        for known, answer in self._kept:
            if len(known) == len(given) and all(map(is_, known, given)):
                return answer
        answer = self._function(*given)
        self._kept = ((given, answer), *self._kept[: self._most - 1])
        return answer

    def cache_info(self) -> Kept:
        """As `lru_cache` tells it: an erasure empties both (engine/held_texts.py)."""
        return Kept(len(self._kept))

    def cache_clear(self) -> None:
        self._kept = ()


def once(most: int = 2) -> Callable[[F], F]:
    def made(function: F) -> F:
        return cast(F, Once(function, most))

    return made
