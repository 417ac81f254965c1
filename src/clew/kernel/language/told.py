"""What is known of one person, before a language gathers it into a sentence or two."""

from __future__ import annotations

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """One memory of somebody, in a sentence of its own without a full stop, as it is told alone.

    group: the part of a life that it belongs to.   over: it was so, and is not any more.
    """

    sentence: str
    attribute: str
    group: str = ""
    over: bool = False
