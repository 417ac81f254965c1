"""A plain shape of telling about oneself: a row of a language's table, compiled when a sentence first needs it."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.frozen import dataclass
from clew.programs import program


@dataclass(frozen=True, slots=True)
class Telling:
    """The group `value` holds what is told; `who`, where there is one, the word for the person it is told of."""

    name: str
    attribute: str
    pattern: str
    stance: str | None = None
    flags: int = 0

    @property
    def shape(self) -> re.Pattern[str]:
        return _compiled(self.pattern, self.flags)


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return program(pattern, flags)
