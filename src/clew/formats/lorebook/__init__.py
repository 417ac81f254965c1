"""LOREBOOK. Enters: a lorebook of a card, a stand-alone one, or SillyTavern's World Info; untrusted.
Leaves: entries in one shape, which of them a talk calls up, and the same files with unknown fields kept.
Does not know: where a talk comes from, or what a model makes of an entry.
"""

from __future__ import annotations

from clew.formats.lorebook.book import Entry, Lorebook, of_memories, read_lorebook, write_lorebook
from clew.formats.lorebook.match import Called, match

__all__ = ["Called", "Entry", "Lorebook", "match", "of_memories", "read_lorebook", "write_lorebook"]
