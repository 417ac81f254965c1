"""What the learned reader and chooser may change: they veto an execution, and lift a clear acceptance or choice.

Rules and plain readings hold (ruling G24): a whole label, a stop word or a scope cue is never overturned here.
"""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.canonical import polite
from clew.kernel.ground.chooser import Choice, choose
from clew.kernel.ground.hearing import LADDER, TAKING, Heard, hear
from clew.kernel.ground.holding import (
    BY_MANNERS,
    asks_which,
    echoes,
    held_open,
    laughs,
    plain_yes,
    says_yes,
    takes_up,
)
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.marks import chooses
from clew.kernel.ground.networked import by_network
from clew.kernel.ground.options import Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, after_deed, after_failure, open_question
from clew.model.continuity import PendingClarifier
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

# Named whole, or blocked by something that words cannot lift.
_EQUAL_LABELS = frozenset({"place", "measure"})
_FIRM = frozenset(
    {
        "ground.label",
        "ground.label_told_apart",
        "ground.label_not_rejected",
        "ground.stop",
        "ground.thanks",
        "ground.kept",
        "ground.hesitation",
        "ground.list_rejection",
        "ground.scope_cue",
        "ground.confirms_retry",
        "ground.too_many_candidates",
    }
)
# Whole utterances that count or point: only a name or a quantity is stronger.
_PLAIN = frozenset({"ground.ordinal", "ground.other_one", "ground.deictic"})
# What was found and held back for a reason that the chooser does not know better.
_HELD = frozenset(
    {
        "unheard_consent",
        "qualified",
        "candidate_not_executable",
        "all_candidates_rejected",
        "ambiguous_number",
    }
)
_NAMED_ONE = frozenset({"ground.label_inside", "ground.label_offered", "ground.described"})
# One was found where several may be meant: "send them both".
_ONE_OF_SEVERAL = _NAMED_ONE | {"ground.deictic_inside", "ground.acceptance"}
_CONSENTS = frozenset({"ground.acceptance", "ground.presupposed", "ground.transaction"})
# The list as a whole was spoken of.
_WHOLE = frozenset({"all", "left", "other"})


def advise(turn: Turn, heard: Heard, policy: GroundPolicy) -> Resolution:
    found = heard.found
    if found.rule in _FIRM and not _told_apart(found, heard):
        return found
    if found.winner is not None and plain_yes(turn, heard, policy):
        return found
    if several := _confirmed(turn, policy):
        return Resolution(Act.SELECT, "ground.confirmed", several[0], several, several=True)
    if heard.weighed is not None:
        return by_network(turn, heard, heard.weighed, policy, lambda part: _alone(turn, part, policy))
    text = turn.text[: policy.reader.characters]
    choice = choose(text, turn.options, heard.offered, heard.names, heard.pointed, found, policy)
    if found.winner is not None:
        return _doubted(turn, found, heard, choice, policy)
    lifted = _lifted(turn, found, heard, choice, policy)
    return _narrowed(_asked_for(lifted, heard, policy), heard)


def _alone(turn: Turn, part: str, policy: GroundPolicy) -> Resolution:
    """What a part of the message takes when it is all that was said."""
    one = replace(turn, text=part)
    return advise(one, hear(one, policy), policy)


def _asked_for(found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    """Whether something is asked of the list or another list is wanted: "what's in my other account?".

    Both begin like a question. Where the reader is sure of the other one of the two, it knows better.
    """
    wanted = {Act.QUESTION: Said.MORE, Act.ALTERNATIVES: Said.ASK}.get(found.act)
    if found.winner is not None or wanted is None or heard.pointed.excluded:
        return found
    if heard.read.lead(wanted) < policy.reader.turns_question:
        return found
    if wanted is Said.MORE:
        return Resolution(Act.ALTERNATIVES, "ground.reader.more", rejected=found.rejected, verb=found.verb)
    return Resolution(Act.QUESTION, "ground.reader.asks", blocked="question_intent", verb=found.verb)


def _told_apart(found: Resolution, heard: Heard) -> bool:
    """ "the first hallelujah": of equal labels one is counted or measured."""
    one = heard.pointed.winner
    equal = found.rule == "ground.label" and found.winner is None
    return equal and heard.pointed.how in _EQUAL_LABELS and one in found.matches


def _narrowed(found: Resolution, heard: Heard) -> Resolution:
    """What cannot be taken is asked about, and only that: "9 works" asks which of the two at nine."""
    meant, act = heard.pointed.positions, heard.read.acts[0]
    lost = found.blocked == "no_deterministic_match" or (found.blocked or "").startswith("ambiguous_")
    if found.winner is not None or not lost or not meant or heard.pointed.strength <= 2:
        return found
    if act not in TAKING and act is not Said.UNCLEAR:
        return found
    if len(meant) == 1:
        return replace(found, matches=meant, blocked="soft_match_only")
    return replace(found, matches=meant, blocked=f"ambiguous_{len(meant)}_candidates")


def _confirmed(turn: Turn, policy: GroundPolicy) -> Positions:
    """Yes to "really delete both?" means both."""
    asked = open_question(turn)
    pending = turn.continuity.pending is PendingClarifier.CONFIRMATION
    if asked is None or not pending or len(asked.shown) < 2:
        return ()
    agreed = words(policy).affirmation.whole
    if polite(turn.said.words, policy) not in agreed and turn.said.words not in agreed:
        return ()
    return tuple(turn.options.position[i] for i in asked.shown if i in turn.options.position)


def _meant(choice: Choice, pointed: Pointed) -> Positions:
    """The chooser's best, and with it all that are pointed at together."""
    if choice.best is None:
        return ()
    if pointed.several and choice.best in pointed.positions:
        return pointed.positions
    return (choice.best,)


def _doubted(turn: Turn, found: Resolution, heard: Heard, choice: Choice, policy: GroundPolicy) -> Resolution:
    """An execution by rule stands unless the chooser is against it, or for another."""
    read, pointed = heard.read, heard.pointed
    if pointed.several and found.winner in pointed.positions and found.rule in _ONE_OF_SEVERAL:
        # "open budget 2024 and 2025": one is not enough.
        if choice.lead(pointed.positions) >= policy.chooser.keep:
            return _taken(turn, found, pointed.positions, pointed)
        if found.rule in _NAMED_ONE:
            return replace(found, winner=None, matches=pointed.positions, blocked="names_several")
    if heard.offered is not None and found.winner != heard.offered and _quantity(turn, found, policy):
        # "sure, I'll take two": how many, not which.
        if read.lead(Said.ACCEPT) < 0:
            both = tuple(p for p in (heard.offered, found.winner) if p is not None)
            return replace(found, winner=None, matches=both, blocked="ambiguous_number")
        return replace(found, winner=heard.offered, matches=(heard.offered,), rule="ground.quantity")
    if found.rule in _NAMED_ONE and laughs(turn, policy):
        # "hahaha dr fang": a name that is laughed at is not taken.
        return replace(found, winner=None, blocked="soft_match_only")
    if found.rule in BY_MANNERS and asks_which(turn, policy):
        return Resolution(Act.QUESTION, "ground.act.asks", None, (), "question_intent", verb=found.verb)
    meant = _meant(choice, pointed)
    # "share it with Lee": who gets it is not what is shared.
    recipient = found.rule == "ground.deictic_inside" and pointed.winner is not None and pointed.strength < 4
    if meant and found.winner not in meant and not recipient:
        named = found.rule not in _PLAIN or pointed.how == "name"
        sure = choice.lead(meant) >= policy.chooser.lift
        sure = sure and not _contradicts(turn, heard, choice, meant, policy, False)
        if named and sure and (pointed.strength > 2 or (pointed.several and pointed.how in _WHOLE)):
            return _taken(turn, found, meant, pointed)
        if found.rule not in _PLAIN and choice.lead(meant) >= 0:
            both = tuple(p for p in (*meant, found.winner) if p is not None)
            return replace(
                found, winner=None, matches=both, rule="ground.chooser.veto", blocked="names_another"
            )
    keep = policy.chooser.keep_pointed if found.rule == "ground.deictic_inside" else policy.chooser.keep
    keep = policy.chooser.keep_named if found.rule in _NAMED_ONE else keep
    lead = choice.lead((found.winner or 0,))
    if found.rule in _CONSENTS and pointed.foreign and not takes_up(turn, found, read, policy):
        # "yes I got the email about it": consent has no content of its own (ruling G24).
        keep = max(keep, policy.chooser.keep_beside)
    weak = lead < keep or (lead + read.lead(*TAKING) < 0 and found.rule != "ground.deictic_inside")
    spared = found.rule in _PLAIN or recipient or takes_up(turn, found, read, policy) or _described(found, heard)
    if weak and not spared:
        return says_yes(turn, found, heard, policy) or _vetoed(found, heard)
    return found


def _described(found: Resolution, heard: Heard) -> bool:
    """ "the blue one pls": the whole message describes one thing, and it reads as a choice."""
    alone = found.rule == "ground.described" and heard.pointed.winner == found.winner and not heard.pointed.foreign
    return alone and heard.read.acts[0] in TAKING


def _contradicts(
    turn: Turn, heard: Heard, choice: Choice, meant: Positions, policy: GroundPolicy, plainly: bool
) -> bool:
    """Reader and chooser look at a message each in its own way: what one is against is not done."""
    chooser, taking, lead = policy.chooser, heard.taking(meant), choice.lead(meant)
    need = chooser.lift_pointed if plainly else chooser.lift_several if len(meant) > 1 else chooser.lift
    together = chooser.together_pointed if plainly else chooser.together
    if turn.last_assistant_text is None:
        need, together = need + chooser.unheard, together + chooser.unheard
    if taking > heard.read.lead(*TAKING) and lead < chooser.beside:
        return True
    if heard.pointed.foreign and heard.pointed.positions and min(taking, lead) < chooser.lift_beside:
        # "casablanca's my mum's favourite": named, and something is said of it.
        return True
    return taking < 0 or lead < need or taking + lead < together


def _taken(turn: Turn, found: Resolution, meant: Positions, pointed: Pointed) -> Resolution:
    rule = f"ground.pointed.{pointed.how}" if meant[0] in pointed.positions else "ground.chooser.accepts"
    return Resolution(
        Act.SELECT,
        rule,
        meant[0],
        meant,
        rejected=tuple(turn.options.candidates[p].id for p in pointed.excluded),
        verb=found.verb,
        several=len(meant) > 1,
    )


def _quantity(turn: Turn, found: Resolution, policy: GroundPolicy) -> bool:
    """A plain number beside an offer counts pieces; "number two", 2번 and "the second" count along the list."""
    said = turn.said.words
    ranks = {*policy.grammar["number_noun"], *policy.pointing.small.the}
    plain = any(t in policy.grammar["cardinal"] or t.isdigit() for t in said)
    return found.rule == "ground.ordinal" and plain and ranks.isdisjoint(said)


def _vetoed(found: Resolution, heard: Heard) -> Resolution:
    read, act = heard.read, heard.read.acts[0]
    if act in TAKING:
        # Not sure enough to act on: what it would be otherwise.
        act = max((a for a in Said if a not in TAKING), key=read.of)
    if found.rule in _NAMED_ONE and act in (Said.CLOSE, Said.NEW, Said.UNCLEAR):
        # It was named: ask.
        return replace(found, winner=None, rule="ground.chooser.veto", blocked="soft_match_only")
    blocked = "nothing_offered" if act in (Said.CLOSE, Said.NEW) else "not_consent"
    matches = found.matches if act is Said.UNCLEAR else ()
    if matches and heard.pointed.strength > 2 and heard.pointed.positions:
        # "ooh the brass one looks nice": that is what to ask about, not the offer.
        named = len(heard.pointed.positions) == 1
        matches, blocked = heard.pointed.positions, "soft_match_only" if named else blocked
    return Resolution(LADDER[act], "ground.chooser.veto", None, matches, blocked, verb=found.verb)


def _plain_beside(heard: Heard, choice: Choice, meant: Positions, policy: GroundPolicy) -> bool:
    """ "a case of the malbec", "the gym alarm, I pulled a muscle": what else is said belongs to no name."""
    if heard.pointed.compound or heard.pointed.strength <= 2:
        return False
    return min(choice.lead(meant), heard.taking(meant)) >= policy.chooser.lift_beside


def _lifted(turn: Turn, found: Resolution, heard: Heard, choice: Choice, policy: GroundPolicy) -> Resolution:
    """Nothing was found by rule: what the chooser is sure of is taken."""
    pointed, meant = heard.pointed, _meant(choice, heard.pointed)
    if yes := says_yes(turn, found, heard, policy) or echoes(turn, heard, policy):
        return replace(yes, verb=yes.verb or found.verb)
    if not meant or found.blocked in _HELD or held_open(turn, heard, policy):
        return found
    if pointed.how == "left" and not chooses(turn.text[: policy.reader.characters], policy.marks):
        # "no fish no eggs": that one thing is left is no choice.
        return found
    if found.blocked == "soft_match_only" and pointed.foreign and not _plain_beside(heard, choice, meant, policy):
        # "delete the sample2 backup" may name something else.
        return found
    if not frozenset(meant).isdisjoint(pointed.excluded) or (after_deed(turn, policy) and not pointed.positions):
        return found
    plainly = pointed.strength > 2 and frozenset(meant) <= frozenset(pointed.positions)
    if _contradicts(turn, heard, choice, meant, policy, plainly):
        return found
    if pointed.positions and meant[0] in pointed.positions:
        return _taken(turn, found, meant, pointed)
    if found.rule == "ground.named_subject" and not found.matches:
        # "K is fine": something was named, and it is not on the list.
        return found
    if min(choice.lead(meant), heard.read.lead(*TAKING)) < policy.chooser.lift_consent:
        return found
    if meant == (heard.offered,) and not pointed.excluded and not after_failure(turn, policy):
        return Resolution(Act.SELECT, "ground.chooser.accepts", meant[0], meant, verb=found.verb)
    return found
