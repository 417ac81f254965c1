"""What the odds add to the chooser: they take what is all but sure, and ask about what they are against."""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.canonical import canonical
from clew.kernel.ground.hearing import Heard, scores_of
from clew.kernel.ground.holding import held_open
from clew.kernel.ground.odds import odds
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, after_deed, after_failure
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

# The form of a message that seldom takes anything.
_AGAINST = frozenset({Act.QUESTION, Act.ALTERNATIVES, Act.NEGATE})
# Held back for a reason that odds do not know better.
_HELD = frozenset(
    {"unheard_consent", "qualified", "candidate_not_executable", "all_candidates_rejected", "ambiguous_number"}
)
# Meant only because the others are not.
_BY_THE_REST = frozenset({"left", "other"})
_NAMED = frozenset({"ground.label_inside", "ground.named_subject"})


def by_odds(turn: Turn, found: Resolution, lifted: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    """`found` is what the rules say, `lifted` what the chooser makes of it."""
    taken = lifted.winner is not None
    if not taken and (found.blocked in _HELD or held_open(turn, heard, policy)):
        return lifted
    text = turn.text[: policy.reader.characters]
    read = scores_of(turn, heard, policy)
    weighed = odds(text, turn.options, heard.offered, turn.last_assistant_text, heard.pointed, read, found, policy)
    if taken:
        chosen = lifted.rule.startswith(("ground.pointed.", "ground.chooser."))
        if not chosen or weighed.lead(lifted.matches) >= _against(turn, found, lifted, heard, policy):
            return lifted
        return replace(found, matches=lifted.matches[:1], blocked=found.blocked or "soft_match_only")
    best = weighed.best
    if found.rule in _NAMED and (heard.pointed.compound or turn.last_assistant_text is None):
        # "delete the sample2 backup" may name something else.
        return lifted
    if best is None or heard.pointed.several or best in heard.pointed.excluded:
        return lifted
    if best == heard.offered and after_failure(turn, policy):
        return lifted
    if after_deed(turn, policy) and best not in heard.pointed.positions:
        return lifted
    need = _needed(turn, found, heard, policy)
    if heard.pointed.foreign and best not in heard.pointed.positions:
        # "a volume of 4 is ideal please" beside rooms: nothing of it names anything here.
        need = max(need, policy.odds.lift_against)
    if weighed.lead((best,)) < need:
        return lifted
    gone = tuple(turn.options.candidates[p].id for p in heard.pointed.excluded)
    return Resolution(Act.SELECT, "ground.odds", best, (best,), rejected=gone, verb=found.verb)


def _against(turn: Turn, found: Resolution, lifted: Resolution, heard: Heard, policy: GroundPolicy) -> int:
    """Below these odds what the chooser takes is asked about."""
    table = policy.odds
    if lifted.several:
        # "the Samsung and the LG" may as well be compared or refused, unless a verb says what to do with them.
        plain = heard.pointed.how in ("name", "all") and canonical(turn.text, policy).verb is None
        return table.lift_asked if plain else table.veto
    if heard.pointed.how in _BY_THE_REST or found.act is Act.ALTERNATIVES:
        return table.lift_against if found.act in _AGAINST else table.lift
    return table.veto


def _needed(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> int:
    table, said = policy.odds, turn.last_assistant_text
    need = table.lift_against if found.act in _AGAINST else table.lift
    need = table.lift_asked if found.act is Act.QUESTION else need
    # "i love my cat" after a list of what is remembered: nothing was asked, so it may be talk.
    idle = heard.offered is None and found.blocked == "soft_match_only" and not (said or "").rstrip().endswith("?")
    return need + (table.unheard if said is None or idle else 0)
