"""What Korean reads by rule in a sentence where somebody tells of himself: the promise `Rules` of a pack."""

from __future__ import annotations

from clew.kernel.language.ko.avoidances import avoided
from clew.kernel.language.ko.events import events, month
from clew.kernel.language.ko.moods import moods
from clew.kernel.language.ko.statements import facts, likings

__all__ = ["avoided", "events", "facts", "likings", "month", "moods", "reads_accounts", "stands_in"]

reads_accounts = False


def stands_in(sentence: str) -> bool:
    """A sentence that is mostly Korean is read as Korean already."""
    return False
