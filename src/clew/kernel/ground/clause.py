"""What one clause of a follow-up does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clew.kernel.ground.phrases import Tokens


class Kind(StrEnum):
    ACCEPT = "accept"
    CLOSE = "close"
    REFUSE = "refuse"
    ALTERNATIVES = "alternatives"
    ABOUT = "about"
    QUESTION = "question"
    INQUIRY = "inquiry"
    SEARCH = "search"
    CONSTRAINT = "constraint"
    TAKE = "take"
    ERRAND = "errand"
    REFERENCE = "reference"
    FRAGMENT = "fragment"


@dataclass(frozen=True, slots=True)
class Clause:
    tokens: Tokens
    kind: Kind
    but: bool = False
    moving_on: bool = False
    # The clause without its question mark and its "okay".
    body: Tokens = ()
    # Manners only: "okay", "thanks".
    weak: bool = False
    # A full stop ends it: what follows is another sentence.
    full: bool = False
