"""What the deterministic resolver found: a winner, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from clew.kernel.ground.options import Positions
from clew.kernel.ground.turn import Focus, Turn, open_question, stale
from clew.model.evidence import Act

# A bound on work, not a rule: that many are certainly not one.
_MANY = 50


@dataclass(frozen=True, slots=True)
class Resolution:
    act: Act
    rule: str
    winner: int | None = None
    matches: Positions = ()
    # Why there is no winner although something was named or pointed at.
    blocked: str | None = None
    # Candidates the user turned down with these words (ruling G19).
    rejected: tuple[str, ...] = ()
    verb: str | None = None
    exact: int = 0
    # All of `matches` are meant, the winner first.
    several: bool = False


def named(hits: Positions, rule: str) -> Resolution:
    """The choice of the one that was named; none where several labels differ only in spacing and marks (ruling G14)."""
    if len(hits) == 1:
        return Resolution(Act.SELECT, rule, hits[0], hits, exact=1)
    return Resolution(Act.SELECT, rule, None, hits, f"ambiguous_{len(hits)}_candidates", exact=len(hits))


def counted(turn: Turn, number: int, *, guessed: bool = False) -> Resolution:
    """An ordinal counts the list on the table, or the shorter one of an open question about it."""
    question = open_question(turn)
    place = turn.options.position
    shown = [place[i] for i in question.shown if i in place] if question is not None else []
    count = len(shown) or len(turn.options.candidates)
    index = count + number if number < 0 else number - 1
    if not 0 <= index < count:
        return Resolution(Act.SELECT, "ground.ordinal", blocked="ordinal_out_of_range")
    position = shown[index] if shown else index
    if guessed:
        return Resolution(Act.SELECT, "ground.ordinal", None, (position,), "typo_ambiguous")
    return Resolution(Act.SELECT, "ground.ordinal", position, (position,))


def turned_down(turn: Turn) -> set[int]:
    """Rejections bind only to the set they were made in (ruling G18)."""
    if stale(turn) is not None or turn.continuity.option_set_id is None:
        return set()
    place = turn.options.position
    return {place[i] for i in turn.continuity.rejected if i in place}


def remaining(turn: Turn, gone: set[int]) -> Positions:
    """What remains; one over the list is enough to know that it is not unique."""
    if len(turn.options.candidates) - len(gone) > _MANY:
        return tuple(range(len(turn.options.candidates)))[: _MANY + 1]
    return tuple(p for p in range(len(turn.options.candidates)) if p not in gone)


def pointed(turn: Turn, here: Focus, rule: str, *, offered_only: bool) -> Resolution:
    if here.position is not None and (here.offered or not offered_only):
        return Resolution(Act.SELECT, rule, here.position, (here.position,))
    left = remaining(turn, turned_down(turn))
    if len(left) == 1 and here.source != "offered_several":
        return Resolution(Act.SELECT, rule, left[0], left)
    why = "all_candidates_rejected" if not left else f"ambiguous_{len(left)}_candidates"
    return Resolution(Act.SELECT, rule, None, left, why)
