"""What the odds add to the chooser: they take what is all but sure, and ask about what they are against."""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.canonical import canonical
from clew.kernel.ground.cards import card
from clew.kernel.ground.hearing import Heard, scores_of
from clew.kernel.ground.holding import held_open, none_in_particular
from clew.kernel.ground.marks import agrees, asks, chooses, speaks_for
from clew.kernel.ground.odds import Odds, odds
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, after_deed, after_failure
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

# The form of a message that seldom takes anything.
_AGAINST = frozenset({Act.QUESTION, Act.ALTERNATIVES, Act.NEGATE})
# Held back for a reason that odds do not know better.
_HELD = frozenset(
    {"unheard_consent", "qualified", "candidate_not_executable", "all_candidates_rejected", "ambiguous_number"}
)
_NAMED = frozenset({"ground.label_inside", "ground.named_subject"})


def by_odds(turn: Turn, found: Resolution, settled: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    """`found` is what the rules say, `settled` what the chooser makes of it."""
    if settled.winner is None and settled.blocked in _HELD:
        return settled
    weighed = _weighed(turn, found, heard, policy)
    if settled.winner is not None:
        return _stands(turn, found, settled, heard, weighed, policy)
    best, pointed = weighed.best, heard.pointed
    if best is None or pointed.several or best in pointed.excluded or _out_of_turn(turn, heard, best, policy):
        return settled
    if _left_over(turn, heard, policy) or none_in_particular(turn, heard, policy):
        return settled
    if found.rule in _NAMED and (heard.pointed.compound or turn.last_assistant_text is None):
        # "delete the sample2 backup" may name something else.
        return settled
    if weighed.lead((best,)) < _needed(turn, found, heard, best, policy):
        return settled
    gone = tuple(turn.options.candidates[p].id for p in heard.pointed.excluded)
    return Resolution(Act.SELECT, "ground.odds", best, (best,), rejected=gone, verb=found.verb)


def _read(turn: Turn, policy: GroundPolicy) -> str:
    """So much of a message is read closely."""
    return turn.text[: policy.reader.characters]


def _weighed(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Odds:
    read = scores_of(turn, heard, policy)
    text, said = _read(turn, policy), turn.last_assistant_text
    return odds(text, turn.options, heard.offered, said, heard.pointed, read, found, policy)


def _stands(
    turn: Turn, found: Resolution, settled: Resolution, heard: Heard, weighed: Odds, policy: GroundPolicy
) -> Resolution:
    """What the chooser takes against the odds is asked about."""
    chosen = settled.rule.startswith(("ground.pointed.", "ground.chooser."))
    left = chosen and _left_over(turn, heard, policy)
    if not left and (not chosen or weighed.lead(settled.matches) >= _against(turn, found, settled, heard, policy)):
        return settled
    return replace(found, winner=None, matches=settled.matches[:1], blocked=found.blocked or "soft_match_only")


def _out_of_turn(turn: Turn, heard: Heard, best: int, policy: GroundPolicy) -> bool:
    """After a failure a yes confirms the retry, and after a deed only what is pointed at is meant."""
    if best == heard.offered and after_failure(turn, policy):
        return True
    return after_deed(turn, policy) and best not in heard.pointed.positions


def _against(turn: Turn, found: Resolution, settled: Resolution, heard: Heard, policy: GroundPolicy) -> int:
    """Below these odds what the chooser takes is asked about."""
    table, text = policy.odds, _read(turn, policy)
    if asks(text, policy.marks):
        return table.lift_asked
    if settled.several:
        # "the Samsung and the LG" may as well be compared or refused, unless something says what to do with them.
        plain = heard.pointed.how in ("name", "all") and canonical(turn.text, policy).verb is None
        if plain and not chooses(text, policy.marks):
            return table.lift_asked
    if not settled.several and (heard.pointed.how == "left" or found.act is Act.ALTERNATIVES):
        return table.lift_against if found.act in _AGAINST else table.lift
    # What is truly measured or meant as a whole has better odds than a name; a number in passing has not.
    return table.veto_counted if heard.pointed.how in ("measure", "all") else table.veto


def _left_over(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "no fish no eggs" refuses; that one thing is left is no choice unless something chooses."""
    return heard.pointed.how == "left" and not chooses(_read(turn, policy), policy.marks)


def _spoken_for(turn: Turn, heard: Heard, best: int, policy: GroundPolicy) -> bool:
    """Something that was said speaks for it: a word of its own, or agreement where it is on offer.

    Agreement has no content of its own (ruling G24): "yeah, my brother bought a motorcycle in spain" agrees with
    something else.
    """
    text, own = _read(turn, policy), card(turn.options.candidates[best], policy.pointing)
    # A name may stand in a clause that refuses it.
    counted = best in heard.pointed.positions and heard.pointed.how != "name"
    if counted or speaks_for(text, own, policy):
        return True
    agreed = agrees(text, policy.marks) or heard.read.acts[0] is Said.ACCEPT
    return best == heard.offered and agreed and len(heard.pointed.foreign) < policy.stray_words


def _wanted(turn: Turn, heard: Heard, best: int, policy: GroundPolicy) -> bool:
    """Some clause chooses or, where it is on offer, agrees; "i freeze in exams" names something and wants nothing."""
    text = _read(turn, policy)
    if best == heard.offered:
        # 그 노래 좋지 praises it, however short.
        return chooses(text, policy.marks) or agrees(text, policy.marks)
    return len(turn.said.words) <= policy.odds.short or chooses(text, policy.marks)


def _needed(turn: Turn, found: Resolution, heard: Heard, best: int, policy: GroundPolicy) -> int:
    table, said = policy.odds, turn.last_assistant_text
    # "ooh the brass one looks nice" praises what is not the offer.
    another = found.winner is not None and found.winner != best
    need = table.lift_against if another or found.act in _AGAINST else table.lift
    need = table.lift_asked if found.act is Act.QUESTION else need
    if heard.pointed.foreign and best not in heard.pointed.positions:
        # "a volume of 4 is ideal please" beside rooms: nothing of it names anything here.
        need = max(need, table.lift_against)
    if not _spoken_for(turn, heard, best, policy):
        need = max(need, table.lift_silent)
    if not _wanted(turn, heard, best, policy):
        need = max(need, table.lift_silent)
    if asks(_read(turn, policy), policy.marks):
        need = max(need, table.lift_asked)
    if held_open(turn, heard, policy):
        need = max(need, table.lift_held)
    # "i love my cat" after a list of what is remembered: nothing was asked, so it may be talk.
    idle = heard.offered is None and found.blocked == "soft_match_only" and not (said or "").rstrip().endswith("?")
    return need + (table.unheard if said is None or idle else 0)
