"""Texts that this process holds in memory to answer faster: let go of when somebody is erased.

Readings, vectors and rows met lately are kept by their text, a bounded number of each, while the process lives. What
is made of the policy alone (compiled patterns, word lists, weights) holds nothing of a user and stays.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from clew import pattern_table
from clew.engine import histories, reading, vectors, words
from clew.once import Once

_BY_TEXT: tuple[dict[Any, Any], ...] = (
    vectors._KEPT, vectors._TOKENS, words._MET, reading._NEEDS, histories._WARM, pattern_table._LOOKED,
)  # fmt: skip
_REMEMBERING: tuple[type, ...] = (type(lru_cache(lambda: None)), Once)
# A key made of these alone comes from the policy.
_OF_POLICY = re.compile(r"\w*(?:Policy|Words|Cues|Table|Head|Scorer|Reader|Level|Stage)|bool|int|float|type(?:\[.*\])?")


def let_go() -> int:
    """Empties everything that is kept by a text of somebody; says how many stores were emptied."""
    emptied = [held for held in _BY_TEXT if held]
    for held in emptied:
        held.clear()
    remembering = [cache for cache in _caches() if cache.cache_info().currsize and not _of_policy(cache)]
    for cache in remembering:
        cache.cache_clear()
    return len(emptied) + len(remembering)


def _caches() -> Iterator[Any]:
    ours = [module for name, module in tuple(sys.modules.items()) if name.partition(".")[0] == "clew"]
    held = (value for module in ours for value in vars(module).values() if isinstance(value, _REMEMBERING))
    yield from {id(cache): cache for cache in held}.values()


def _of_policy(cache: Any) -> bool:
    kinds = [kind for name, kind in cache.__wrapped__.__annotations__.items() if name != "return"]
    return all(isinstance(kind, str) and _OF_POLICY.fullmatch(kind) for kind in kinds)
