"""A message, read once: the noun that every room of a turn takes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from clew.frozen import dataclass
from clew.model.signals import Need, Signals

__all__ = ["Act", "Ask", "Clause", "Need", "Sentence", "Statement", "Status", "TokenVectors", "Utterance", "Wording"]


# How surely something is asked for that looks like a statement.
_ASKED = 0.8


class Act(StrEnum):
    """What a sentence does."""

    STATEMENT = "statement"
    QUESTION = "question"
    REQUEST = "request"
    WISH = "wish"
    SUPPOSITION = "supposition"
    QUOTATION = "quotation"


class Status(StrEnum):
    """How a stated thing stands: it is so, is denied, is over, is to come, or has happened."""

    IS = "is"
    NOT = "not"
    ENDED = "ended"
    FUTURE = "future"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence by its place in the text; `negated` when its main claim is denied."""

    start: int
    end: int
    text: str
    act: Act = Act.STATEMENT
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """How sure the learned tagger was, each from 0 to 1.

    told: that the part of the message tells anything.   inside: that the words are a value.
    named: of its attribute; beside: of the next likeliest one.   kind: of whose it is.
    """

    told: float
    inside: float
    named: float
    beside: float
    kind: float


@dataclass(frozen=True, slots=True)
class Statement:
    """Something durable that the message tells of the user, their people, pets or things.

    subject: "self", "person:<relation>" or "pet:<kind>"; `name` is what that person or pet is called, if told;
    of the user's own it is the label that tells one of many: which code, whose status.
    attribute: a row of the attribute table; "note" when none fits.
    value: the words of the text that carry it, from `start` to `end`; sentence: the user's own words around it.
    certainty: from 0 to 1; a plain shape read by rule is 1.
    evidence: what the learned tagger saw; none where a rule read it.
    before: the user's sentences before it, from the one that says of whom it is told; empty where it says so itself.
    """

    subject: str
    attribute: str
    value: str
    sentence: str
    start: int
    end: int
    stance: str | None = None
    status: Status = Status.IS
    name: str | None = None
    certainty: float = 1.0
    evidence: Evidence | None = None
    before: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What of the user's own life a message asks for, or needs to be answered well (ruling M10).

    attribute: a row of the attribute table, or any, history, when, who.
    name: the person or thing named in the question, if one is.
    """

    subject: str
    attribute: str
    name: str | None = None
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands between two pauses, in one spelling; `asks`: its sentence ends in a question mark."""

    text: str
    asks: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text: `text` as written, `norm` in one spelling, `own` and `clauses` without what is quoted."""

    text: str
    norm: str = ""
    own: str = ""
    asks: bool = False
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The encoder's own tokens of a text: where each stands, and its vector (a row of the matrix).

    Known by itself, not by its numbers: arrays do not say of two whether they are one.
    """

    spans: tuple[tuple[int, int], ...]
    matrix: Any

    def written(self, text: str) -> list[str]:
        """Each token as it stands in the text, in small letters."""
        return [text[start:end].strip().lower() for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Everything that one reading found. `vector` and `tokens` are None where no embedder is at hand.

    asked_for: the chance of each attribute to be asked for, under "" that anything is.
    """

    text: str
    language: str
    signals: Signals
    sentences: tuple[Sentence, ...] = ()
    statements: tuple[Statement, ...] = ()
    asks: tuple[Ask, ...] = ()
    asked_for: tuple[tuple[str, float], ...] = ()
    need: Need = Need.NONE
    vector: Sequence[float] | None = None
    tokens: TokenVectors | None = None
    wording: Wording = Wording("")
    # It opens with one of the user's people by name, and no word in it is for the user.
    of_others: bool = False
    # The whole question that it stands for, where only a part of it was said.
    asked_as: str = ""

    @property
    def asked(self) -> float:
        """The chance that anything of the user's own life is asked for."""
        return dict(self.asked_for).get("", 0.0)

    @property
    def asks_surely(self) -> bool:
        """Something is asked for, however it is put, and nothing told."""
        return not self.statements and self.asked >= _ASKED
