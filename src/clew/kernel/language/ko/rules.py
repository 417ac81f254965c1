"""What Korean reads by rule in a sentence where somebody tells of himself: the promise `Rules` of a pack."""

from __future__ import annotations

from clew.kernel.language.ko.avoidances import avoided
from clew.kernel.language.ko.events import events, month
from clew.kernel.language.ko.moods import moods
from clew.kernel.language.ko.statements import facts, likings
from clew.kernel.language.plain import NoRules

__all__ = [
    "avoided", "deed", "events", "facts", "likings", "month", "moods", "pastimes", "reads_accounts", "stands_in",
    "taken_up",
]  # fmt: skip

reads_accounts = False
# Korean accounts are read sentence by sentence: nothing of them is read as a whole.
_NONE = NoRules()
deed, pastimes, taken_up = _NONE.deed, _NONE.pastimes, _NONE.taken_up


def stands_in(sentence: str) -> bool:
    """A sentence that is mostly Korean is read as Korean already."""
    return False
