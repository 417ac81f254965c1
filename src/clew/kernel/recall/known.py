"""A question, and what is known that might answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from clew.frozen import dataclass
from clew.kernel.recall.narrowing import Wanted
from clew.model.memory import SELF
from clew.model.utterance import Ask

MEMORY, TURN = "memory", "turn"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    chances: of each attribute to be asked for; `asked`: that anything is.   marked: it is put as a question.
    """

    text: str
    language: str
    asks: tuple[Ask, ...]
    asked: float
    chances: Mapping[str, float]
    wanted: Wanted
    vector: Sequence[float]
    marked: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """Something that might answer. kind: `memory`, or `turn` for the user's own earlier words.

    words: the sentence it was told in; value: what is held of it.   named: how surely the rules found it, 0 if not.
    newest: nothing newer is held under the same place.   past: it is over.   sources: messages that told it.
    before: what the user said just before it.   search: the parts of the score with which the search found it.
    """

    id: str
    kind: str
    words: str
    value: str = ""
    subject: str = SELF
    attribute: str = ""
    name: str = ""
    named: float = 0.0
    newest: bool = True
    past: bool = False
    sources: tuple[str, ...] = ()
    vector: Sequence[float] | None = None
    before: str = ""
    vector_before: Sequence[float] | None = None
    search: Mapping[str, float] = field(default_factory=dict)
