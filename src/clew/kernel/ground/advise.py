"""What the learned reader may change: it vetoes an execution, and lifts a clear acceptance or choice (ruling G24).

Rules and plain readings hold: a whole label, a stop word or a scope cue is never overturned here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.canonical import polite
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import Positions
from clew.kernel.ground.phrases import split
from clew.kernel.ground.point import Pointed, point
from clew.kernel.ground.reader import ActsRead, read_acts
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Focus, Turn, after_failure, focus, open_question
from clew.model.continuity import PendingClarifier
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

TAKING = (Said.ACCEPT, Said.CHOOSE, Said.CORRECT)
# Named whole, or blocked by something that words cannot lift.
_FIRM = frozenset(
    {
        "ground.label",
        "ground.label_told_apart",
        "ground.label_not_rejected",
        "ground.stop",
        "ground.hesitation",
        "ground.list_rejection",
        "ground.scope_cue",
        "ground.noise",
        "ground.confirms_retry",
        "ground.too_many_candidates",
    }
)
# Whole utterances that count or point: only a name or a quantity is stronger.
_PLAIN = frozenset({"ground.ordinal", "ground.other_one", "ground.deictic"})
# What was found and held back for a reason that the reader does not know better.
_HELD = frozenset(
    {
        "unheard_consent",
        "qualified",
        "stray_words",
        "ordinal_out_of_range",
        "candidate_not_executable",
        "all_candidates_rejected",
        "ambiguous_number",
    }
)
_NAMED_ONE = frozenset({"ground.label_inside", "ground.label_offered", "ground.described"})
_BY_MANNERS = frozenset(
    {
        "ground.acceptance",
        "ground.presupposed",
        "ground.transaction",
        "ground.deictic_inside",
        "ground.label_inside",
        "ground.label_offered",
    }
)
_LEGACY = {
    Said.ASK: Act.QUESTION,
    Said.MORE: Act.ALTERNATIVES,
    Said.REJECT: Act.NEGATE,
    Said.NEW: Act.OTHER,
    Said.CLOSE: Act.OTHER,
    Said.UNCLEAR: Act.OTHER,
}


@dataclass(frozen=True, slots=True)
class Heard:
    """One message understood: what it does, and what it points at."""

    read: ActsRead
    pointed: Pointed
    focus: Focus

    @property
    def offered(self) -> int | None:
        return self.focus.position if self.focus.offered else None


def hear(turn: Turn, policy: GroundPolicy) -> Heard:
    """Read once per turn: several steps of the ladder ask."""
    here = focus(turn, policy)
    asked = (turn.text, turn.last_assistant_text, here, id(policy))
    known = turn.options.heard
    if known.get("asked") != asked:
        known.update(asked=asked, heard=_hear(turn, here, policy))
    found: Heard = known["heard"]
    return found


def _hear(turn: Turn, here: Focus, policy: GroundPolicy) -> Heard:
    offered = here.position if here.offered else None
    # A follow-up is short: of a wall of text the beginning is read closely.
    text, asked = turn.text[: policy.reader.characters], turn.last_assistant_text or None
    pointed = point(text, turn.options, here.position, policy)
    reading = read_act(text, policy)
    asked = asked and asked[-policy.reader.characters :]
    read = read_acts(text, turn.options, offered, asked, pointed, reading, policy)
    return Heard(read, pointed, here)


def advise(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    if found.rule in _FIRM:
        return found
    if several := _confirmed(turn, policy):
        return Resolution(Act.SELECT, "ground.confirmed", several[0], several, several=True)
    if found.winner is not None:
        return _doubted(turn, found, heard, policy)
    return _lifted(turn, found, heard, policy)


def _confirmed(turn: Turn, policy: GroundPolicy) -> Positions:
    """Yes to "really delete both?" means both."""
    asked = open_question(turn)
    pending = turn.continuity.pending is PendingClarifier.CONFIRMATION
    if asked is None or not pending or len(asked.shown) < 2:
        return ()
    agreed = words(policy).affirmation.whole
    if polite(split(turn.text), policy) not in agreed and split(turn.text) not in agreed:
        return ()
    return tuple(turn.options.position[i] for i in asked.shown if i in turn.options.position)


def _doubted(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    """An execution by rule stands unless the reader is sure that nothing was taken, or that another was."""
    read, pointed = heard.read, heard.pointed
    if pointed.several and found.winner in pointed.positions and found.rule in _NAMED_ONE:
        # "open budget 2024 and 2025": one is not enough.
        if read.lead(*TAKING) >= policy.reader.keep:
            rule = f"ground.pointed.{pointed.how}"
            return replace(
                found, winner=pointed.positions[0], matches=pointed.positions, rule=rule, several=True
            )
        return replace(found, winner=None, matches=pointed.positions, blocked="names_several")
    if heard.offered is not None and found.winner != heard.offered and _quantity(turn, found, policy):
        # "sure, I'll take two": how many, not which.
        if read.lead(Said.ACCEPT) < 0:
            both = tuple(p for p in (heard.offered, found.winner) if p is not None)
            return replace(found, winner=None, matches=both, blocked="ambiguous_number")
        return replace(found, winner=heard.offered, matches=(heard.offered,), rule="ground.quantity")
    if pointed.winner is not None and pointed.winner != found.winner and pointed.strength >= 3:
        if found.rule == "ground.ordinal" and pointed.how == "name":
            # "export first" names one; first is when.
            return replace(
                found, winner=pointed.winner, matches=pointed.positions, rule="ground.pointed.name"
            )
        recipient = found.rule == "ground.deictic_inside" and pointed.strength < 4
        if not recipient and found.rule in (
            "ground.acceptance",
            "ground.deictic_inside",
            "ground.transaction",
            "ground.presupposed",
        ):
            if _chosen(read, pointed, turn, policy) and read.of(Said.CHOOSE, Said.CORRECT) > read.of(
                Said.ACCEPT
            ):
                rule = f"ground.pointed.{pointed.how}"
                return replace(found, winner=pointed.winner, matches=pointed.positions, rule=rule)
            both = tuple(p for p in (pointed.winner, found.winner) if p is not None)
            return replace(
                found, winner=None, matches=both, rule="ground.reader.veto", blocked="names_another"
            )
    if (
        found.rule not in _PLAIN
        and read.lead(*TAKING) < policy.reader.keep
        and not _takes_up(turn, found, read, policy)
    ):
        return _vetoed(found, read)
    return found


_UNSAID = (*TAKING, Said.CLOSE, Said.NEW, Said.UNCLEAR)


def _takes_up(turn: Turn, found: Resolution, read: ActsRead, policy: GroundPolicy) -> bool:
    """Thanks for a find, or moving on from it, take it up; thanks for a proposal to act do not (ruling G24)."""
    if found.rule not in _BY_MANNERS or read.acts[0] not in _UNSAID or not turn.last_assistant_text:
        return False
    lists, heard = words(policy).grammar, split(turn.last_assistant_text)
    if not lists["parting_talk"].isdisjoint(split(turn.text)):
        return False
    text = f" {' '.join(heard)} "
    numbered = any(word[0].isdigit() for word in heard)
    told = numbered and any(f" {phrase} " in text for phrase in policy.grammar["finding"])
    return told and not any(f" {phrase} " in text for phrase in policy.grammar["proposing"])


def _quantity(turn: Turn, found: Resolution, policy: GroundPolicy) -> bool:
    """A plain number beside an offer counts pieces; "number two", 2번 and "the second" count along the list."""
    said = split(turn.text)
    ranks = {*policy.grammar["number_noun"], "the"}
    plain = any(t in policy.grammar["cardinal"] or t.isdigit() for t in said)
    return found.rule == "ground.ordinal" and plain and ranks.isdisjoint(said)


def _vetoed(found: Resolution, read: ActsRead) -> Resolution:
    act = read.acts[0]
    if act in TAKING:
        # Not sure enough to act on: what it would be otherwise.
        act = max((a for a in Said if a not in TAKING), key=read.of)
    blocked = "nothing_offered" if act in (Said.CLOSE, Said.NEW) else "not_consent"
    matches = found.matches if act is Said.UNCLEAR else ()
    return Resolution(_LEGACY[act], "ground.reader.veto", None, matches, blocked, verb=found.verb)


def _lifted(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    read, pointed = heard.read, heard.pointed
    if _hedges(turn, policy) or found.blocked in _HELD or _indefinite(turn, policy):
        return found
    if found.rule == "ground.label_inside" and found.blocked == "soft_match_only":
        return found
    if pointed.positions and _chosen(read, pointed, turn, policy):
        if pointed.winner is not None:
            gone = _gone(turn, pointed.excluded)
            return Resolution(
                Act.SELECT, f"ground.pointed.{pointed.how}", pointed.winner, pointed.positions,
                rejected=gone, verb=found.verb,
            )  # fmt: skip
        if pointed.several:
            return Resolution(
                Act.SELECT, f"ground.pointed.{pointed.how}", pointed.positions[0], pointed.positions,
                rejected=_gone(turn, pointed.excluded), verb=found.verb, several=True,
            )  # fmt: skip
    if _accepted(turn, heard, policy):
        return Resolution(
            Act.SELECT, "ground.reader.accepts", heard.offered, (heard.offered or 0,), verb=found.verb
        )
    return found


def _hedges(turn: Turn, policy: GroundPolicy) -> bool:
    """ "I may go thursday, not sure": nothing is taken yet."""
    text = f" {' '.join(split(turn.text))} "
    return any(f" {h} " in text if h.isascii() else h in text for h in policy.pointing.hedges)


def _indefinite(turn: Turn, policy: GroundPolicy) -> bool:
    """ "a document by Lee" asks for any such thing; "the document by Lee" for that one."""
    said = split(turn.text)
    lists = words(policy).grammar
    return not lists["indefinite_article"].isdisjoint(said[:-1]) and lists["definite"].isdisjoint(said)


def _gone(turn: Turn, excluded: Positions) -> tuple[str, ...]:
    return tuple(turn.options.candidates[p].id for p in excluded)


def _chosen(read: ActsRead, pointed: Pointed, turn: Turn, policy: GroundPolicy) -> bool:
    """The more words fit nothing on the list, the surer the reader must be."""
    need = policy.reader.lift_choice + policy.reader.per_foreign * len(pointed.foreign)
    if pointed.strength < 3:
        need += policy.reader.per_foreign
    if turn.last_assistant_text is None:
        need += policy.reader.unheard
    if "?" in turn.text:
        need += policy.reader.asked
    if pointed.several:
        need += policy.reader.several
    return read.lead(*TAKING) >= need


def _accepted(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    read, pointed = heard.read, heard.pointed
    if heard.offered is None or read.acts[0] is not Said.ACCEPT or after_failure(turn, policy):
        return False
    if heard.offered in pointed.excluded or (pointed.positions and heard.offered not in pointed.positions):
        return False
    unheard = policy.reader.unheard if turn.last_assistant_text is None else 0
    return read.lead(Said.ACCEPT) >= unheard + policy.reader.lift + policy.reader.per_foreign * len(
        pointed.foreign
    )
