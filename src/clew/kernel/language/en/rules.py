"""What English reads by rule in a sentence where somebody tells of himself: the promise `Rules` of a pack."""

from __future__ import annotations

import re

from clew.kernel.language.en.avoidances import avoided
from clew.kernel.language.en.deeds import deed, pastimes, taken_up
from clew.kernel.language.en.events import events, month
from clew.kernel.language.en.facts import facts
from clew.kernel.language.en.likes import likings
from clew.kernel.language.en.moods import moods

__all__ = [
    "avoided", "deed", "events", "facts", "likings", "month", "moods", "pastimes", "reads_accounts", "stands_in",
    "taken_up",
]  # fmt: skip

# A long account is read as a whole, not sentence by sentence.
reads_accounts = True
_MIXED = re.compile(r"(?i)\bi(?:'m|\s)")


def stands_in(sentence: str) -> bool:
    """ "i love 김치찌개"."""
    return _MIXED.search(sentence) is not None
