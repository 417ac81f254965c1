"""Which way a question about the user's life is answered: a ladder of ways, the surest that has something to tell."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from clew.engine import ways
from clew.engine.asking import Asking
from clew.engine.parts import Parts
from clew.engine.settling import settled
from clew.engine.turn_state import Turn
from clew.frozen import dataclass
from clew.model.notes import AnswerNote, AskNote, FindingNote
from clew.model.plan import Finding
from clew.model.turn import Pipeline
from clew.model.verdict import Reason


class Certainty(IntEnum):
    """How surely a way gives what was asked for."""

    NEEDED = 8  # it must be said first, whatever else answers
    COUNTED = 7  # all that is held was looked through
    HELD = 6  # it stands under the very name that was asked for
    LIKELY = 5  # weighed, and surely enough to be told as the answer
    NAMED = 4  # held of the very person, where weighing only guesses
    GUESSED = 3  # likely, and told as a guess
    NEAR = 2  # the nearest that is held
    OVER = 1  # what is asked for is no more
    UNKNOWN = 0  # it was looked for, and is not known


@dataclass(frozen=True, slots=True)
class Way:
    """A way to answer. final: what it gives is told as it is, also where that is nothing; else it is settled first."""

    rule: str
    certainty: Certainty
    propose: Callable[[Asking], tuple[Finding, ...] | None]
    final: bool = False


# The surest first. One that does not apply, or of which nothing is left when it is settled, leaves it to the next.
LADDER = (
    Way("recall.way.minded", Certainty.NEEDED, ways.minded, final=True),
    Way("recall.way.nothing_of_theirs", Certainty.COUNTED, ways.nothing_of_theirs, final=True),
    Way("recall.way.in_company", Certainty.COUNTED, ways.in_company),
    Way("recall.way.counted", Certainty.COUNTED, ways.counted, final=True),
    Way("recall.way.only_told", Certainty.COUNTED, ways.only_told, final=True),
    Way("recall.way.unread", Certainty.COUNTED, ways.unread, final=True),
    Way("recall.way.whole", Certainty.HELD, ways.whole),
    Way("recall.way.before_that", Certainty.HELD, ways.before_that, final=True),
    Way("recall.way.who_i_am", Certainty.HELD, ways.who_i_am),
    Way("recall.way.the_very_thing", Certainty.HELD, ways.the_very_thing),
    Way("recall.way.likely", Certainty.LIKELY, ways.likely),
    Way("recall.way.under_its_name", Certainty.NAMED, ways.under_its_name),
    Way("recall.way.guessed", Certainty.GUESSED, ways.guessed),
    Way("recall.way.held_near", Certainty.NEAR, ways.held_near),
    Way("recall.way.over_by_name", Certainty.OVER, ways.over_by_name),
    Way("recall.way.passed_away", Certainty.OVER, ways.passed_away),
    Way("recall.way.unknown", Certainty.UNKNOWN, ways.unknown, final=True),
)


def answering(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """Findings, the most needed first; one of source "none" when something was asked and nothing is known."""
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis or turn.conversation is None:
        return ()
    asking = Asking(parts, turn)
    way, found = _surest(asking)
    if found or way is None:
        asks = turn.read.asks if way is not None and way.final else asking.asks
        turn.notes.add(
            AnswerNote(
                asks=tuple(AskNote(a.subject, a.attribute, a.name) for a in asks),
                findings=tuple(FindingNote(f.source, f.id, f.told, f.named) for f in found),
                reasons=(Reason(way.rule, way.certainty.name.lower()),) if way is not None else (),
            )
        )
    return found


def _surest(asking: Asking) -> tuple[Way | None, tuple[Finding, ...]]:
    """The first way down the ladder that speaks, with what it tells."""
    for way in LADDER:
        proposed = way.propose(asking)
        if proposed is None:
            continue
        found = proposed if way.final else settled(asking, proposed)
        if found or way.final:
            return way, found
    return None, ()
