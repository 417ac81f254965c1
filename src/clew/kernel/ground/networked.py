"""What the network decides: it takes what it is sure of, keeps or vetoes what the rules took, and asks about the rest.

Rules and plain readings hold before it is asked (ruling G24); what they hold back for a reason of their own stays held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.cards import card, fit
from clew.kernel.ground.enumerated import counts_otherwise, only_counts
from clew.kernel.ground.hearing import LADDER, TAKING, Heard
from clew.kernel.ground.holding import (
    likes_all,
    only_asks,
    refuses_all,
    says_several,
    undecided,
)
from clew.kernel.ground.marks import agrees, marked
from clew.kernel.ground.network import Weighed
from clew.kernel.ground.options import Positions
from clew.kernel.ground.remarks import asked_for, asks_for_it, asks_of_it, goes_on, remarks
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.telling import speaks_of_number, tells_besides
from clew.kernel.ground.turn import Turn, after_deed, after_failure
from clew.kernel.language.packs import writer
from clew.kernel.read.follow_up import follow_up
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy, NetworkPolicy

# Held back for a reason that the network does not know better.
_HELD = frozenset(
    {
        "candidate_not_executable", "all_candidates_rejected", "ambiguous_number", "ordinal_out_of_range",
        "scope_uncertain", "scope_not_available", "unheard_consent",
    }
)  # fmt: skip
# The whole message counts, points or refuses, and nothing else is in it.
_WHOLE = frozenset({"ground.deictic", "ground.other_one", "ground.repair"})
_FORMS = frozenset({Act.QUESTION, Act.ALTERNATIVES, Act.NEGATE})
_NOTHING = "no_deterministic_match"
# "the kids will spill juice on it, so whatever's cheapest": told by no word of its own.
_COUNTED = frozenset({"measure", "place"})
# These words are about nothing that is listed: whoever shows the list goes on with them.
_ELSEWHERE = (Said.NEW, Said.CLOSE)


def by_network(
    turn: Turn, heard: Heard, weighed: Weighed, policy: GroundPolicy, alone: Callable[[str], Resolution]
) -> Resolution:
    """`alone` tells what a part of the message takes when it is all that was said."""
    found, table = heard.found, marks_of(turn, policy)
    if found.rule in _WHOLE or (found.winner is None and found.blocked in _HELD and not _named_alone(heard)):
        return found
    if only_counts(turn, heard, policy) or asked_for(turn, heard.pointed, policy):
        return _taken(turn, heard, heard.pointed.positions)
    if refuses_all(turn, policy):
        every = tuple(c.id for c in turn.options.candidates[: policy.choice_window])
        return Resolution(Act.NEGATE, "ground.list_rejection", rejected=every, verb=found.verb)
    if likes_all(turn, policy):
        return Resolution(Act.OTHER, "ground.network.unclear", None, heard.pointed.positions, "not_consent")
    meant = _meant(turn, heard, weighed, policy)
    sure = bool(meant) and weighed.chance(meant) >= _needed(turn, heard, meant, table, policy)
    held = _left_open(turn, policy) or _another(turn, heard, policy) or _out_of_turn(turn, heard, meant, policy)
    held = held or _unwanted(turn, heard, meant, policy) or counts_otherwise(turn, heard, policy)
    told = heard.offered in meant and heard.offered not in heard.pointed.positions
    held = held or (told and tells_besides(turn, read_act(turn.text, policy), policy))
    number = speaks_of_number(turn, heard.pointed, heard.offered, meant, policy)
    held = held or number
    if sure and not held:
        return _taken(turn, heard, meant)
    keep = table.keep if not _lost(heard, policy) else table.lost
    # "jigsaw, no wait, the book"
    another = heard.pointed.winner is not None and found.winner in heard.pointed.excluded
    taken_back = another or (number and found.rule == "ground.deictic_inside")
    if found.winner is not None and not taken_back and weighed.chance((found.winner,)) >= keep:
        return found
    if len(meant) == 1 and not held and (part := _in_part(turn, heard, meant, weighed, policy, alone)) is not None:
        return replace(part, rule="ground.network.part", rejected=_gone(turn, heard, meant))
    return _not_taken(turn, heard, weighed, policy)


def _in_part(
    turn: Turn, heard: Heard, meant: Positions, weighed: Weighed, policy: GroundPolicy,
    alone: Callable[[str], Resolution],
) -> Resolution | None:  # fmt: skip
    """ "not noon, we are out then. dawn.": one part takes what the whole most likely means, and no part another.

    What is pointed at is also looked for in the last clause: 차가 없어서 통근버스 있는 데로. What is only near
    by meaning gains nothing by being said apart (design/0041). A choice comes last; "a barn in november, brrr"
    remarks on what is named first, and needs as much as a rule does.
    """
    named = meant[0] in heard.pointed.positions and heard.pointed.how != "all"
    table = marks_of(turn, policy)
    least = table.part if named else table.keep
    if weighed.chance(meant) < least or _lost(heard, policy) or not (named or meant[0] == heard.offered):
        return None
    clauses = marked(turn.text, policy.marks) if named else ()
    last = (" ".join(clauses[-1].words) + "?" * turn.said.asks,) if len(clauses) > 1 else ()
    parts = [part for part in turn.said.parts if part != turn.text]
    found = [alone(part) for part in (*parts, *last)]
    ends = any(one.winner is not None for one in found[max(0, len(parts) - 1) :])
    if not ends and weighed.chance(meant) < table.keep:
        return None
    if any(one.act is Act.ALTERNATIVES for one in found):
        # "Alright, give me another option"
        return None
    taken = [one for one in found if one.winner is not None]
    same = taken and all(one.winner == meant[0] and not one.several for one in taken)
    return taken[-1] if same else None


def _meant(turn: Turn, heard: Heard, weighed: Weighed, policy: GroundPolicy) -> Positions:
    """What is taken if anything is: one, unless the rules count several.

    "컬러요" beside two in colour fits both and takes neither; "the farming one n the card one" is asked about.
    """
    pointed = heard.pointed
    if len(weighed.meant) > 1:
        if pointed.several and weighed.best in pointed.positions:
            return pointed.positions
        if says_several(turn, policy):
            return ()
    return () if weighed.best in pointed.excluded else (weighed.best,)


def marks_of(turn: Turn, policy: GroundPolicy) -> NetworkPolicy:
    """What a chance must reach, as it was measured in the language in whose letters the message is written."""
    return _marks(policy, writer(turn.text).code)


@lru_cache(maxsize=8)
def _marks(policy: GroundPolicy, code: str) -> NetworkPolicy:
    own = policy.languages.get(code)
    return policy.network if own is None else replace(policy.network, **dict[str, Any](own.network))


def _named_alone(heard: Heard) -> bool:
    """ "305" beside room 305: nothing but its name is said, so that it is no place in the list."""
    return heard.found.blocked == "ordinal_out_of_range" and heard.pointed.winner is not None


def _needed(turn: Turn, heard: Heard, meant: Positions, table: NetworkPolicy, policy: GroundPolicy) -> float:
    """What a chance must reach: by what speaks for the choice, more where the words have another form or topic."""
    found = heard.found
    need = _by_support(turn, heard, meant, table, policy)
    plainly = need <= table.rule
    asks = found.act is Act.QUESTION and not goes_on(turn, heard.offered, meant, policy)
    if asks or (found.act is Act.ALTERNATIVES and not plainly):
        need = max(need, table.against)
    return max(need, table.lost) if _lost(heard, policy) and need != table.agreed else need


def _by_support(turn: Turn, heard: Heard, meant: Positions, table: NetworkPolicy, policy: GroundPolicy) -> float:
    """The words name it, count it, agree to it or only come near to it: measured one by one (design/0041)."""
    pointed, text = heard.pointed, turn.text[: policy.reader.characters]
    if len(meant) > 1:
        return table.several
    if heard.found.winner == meant[0]:
        return table.rule
    if meant[0] in pointed.positions:
        if len(pointed.positions) > 1 or pointed.how in ("left", "other"):
            return table.among
        if not pointed.foreign:
            # Every word that tells anything tells of this one alone; a place or a measure is counted by rule.
            return table.part if pointed.how in _COUNTED or pointed.excluded else table.agree
        least = {"measure": table.measured, "place": table.placed}.get(pointed.how, table.take)
        return max(least, table.figures) if _by_figures(turn, heard) else least
    if meant[0] == heard.offered:
        taken_up = not pointed.excluded and agrees(text, turn.last_assistant_text, policy)
        if heard.found.rule == "ground.consent":
            # "yes, that's my name": a yes with words of its own (ruling G24).
            return table.offered
        return table.agreed if taken_up else table.offered
    said, framing = turn.said.words, policy.pointing.small.the | policy.pointing.small.one
    framed = heard.offered is None or not framing.isdisjoint(said)
    return table.near_brief if framed and len("".join(said)) > 1 and len(said) <= table.brief else table.near


def _by_figures(turn: Turn, heard: Heard) -> bool:
    """ "five altos have covid" beside "5 min", 차 9만 탔어요: a figure fits by chance, several words do not."""
    pointed = heard.pointed
    figures = sum(any(c.isdigit() for c in word) for word in turn.said.words)
    return pointed.how == "name" and len(pointed.foreign) > 1 and 0 < pointed.fitting <= figures


def _lost(heard: Heard, policy: GroundPolicy) -> bool:
    """ "I sit on one of my legs, always": many words name something, and nothing that is listed."""
    nothing = not heard.pointed.fitting and heard.pointed.how not in _COUNTED
    return nothing and len(heard.pointed.foreign) >= policy.network.strays


def _left_open(turn: Turn, policy: GroundPolicy) -> bool:
    """ "i think i did the books but i'm not sure", 데일리랑 겹치네: something is named, nothing is to be done."""
    remarked = remarks(turn, policy) and not asks_for_it(turn, policy)
    return remarked or undecided(turn, policy) or only_asks(turn, policy)


def _unwanted(turn: Turn, heard: Heard, meant: Positions, policy: GroundPolicy) -> bool:
    """ "no horror for me", "nothing too slow": what is named behind it is not wanted.

    Where another is on offer "no horror for me" may also be a no and then a choice; rules and network settle that.
    """
    small, empty = policy.pointing.small, policy.pointing.empty
    said = follow_up(turn.text[: policy.reader.characters]).stopped_words(small.respelled)
    cards = [card(turn.options.candidates[p], policy.pointing) for p in meant]
    for i, word in enumerate(said):
        behind = list(takewhile(str.isalnum, said[i + 1 :]))
        if word in small.nothing:
            behind = [w for w in behind if w not in empty]
        elif word not in small.each_no or (heard.offered is not None and heard.offered not in meant):
            continue
        if any(fit(w, own, policy.pointing) for w in behind[:1] for own in cards):
            return True
    return False


def _another(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "delete the sample2 backup" beside sample2: a thing of its own is named (ruling G26)."""
    if heard.found.rule != "ground.label_inside" or heard.found.winner is not None or not heard.pointed.compound:
        return False
    said, own = turn.said.words, {w for p in heard.found.matches for w in turn.options.words[p]}
    named = [i for i, w in enumerate(said) if w in own]
    before, after = said[named[0] - 1 : named[0]] if named else (), said[named[-1] + 1 :] if named else ()
    return before != () and before[0] in policy.articles and after[:1] != () and after[0] in heard.pointed.foreign


def _out_of_turn(turn: Turn, heard: Heard, meant: Positions, policy: GroundPolicy) -> bool:
    """After a failure a yes confirms the retry, and after a deed only what is pointed at is meant.

    "send my location to Steve, please" asks for something else than what is offered (ruling G24); "do it, and a return
    too" begins with a yes.
    """
    if heard.offered in meant and after_failure(turn, policy):
        return True
    if heard.found.rule == "ground.command" and heard.pointed.foreign and meant == (heard.offered,):
        begins = marked(turn.text[: policy.reader.characters], policy.marks)[:1]
        return heard.offered not in heard.pointed.positions and not any(c.is_a("agrees") for c in begins)
    return after_deed(turn, policy) and not heard.pointed.positions


def _taken(turn: Turn, heard: Heard, meant: Positions) -> Resolution:
    found = heard.found
    if found.winner is not None and found.winner == meant[0] and len(meant) == 1 and not found.several:
        return found
    ordered, gone = tuple(sorted(meant)), _gone(turn, heard, meant)
    return Resolution(
        Act.SELECT, "ground.network", ordered[0], ordered, rejected=gone, verb=found.verb, several=len(meant) > 1
    )


def _gone(turn: Turn, heard: Heard, meant: Positions) -> tuple[str, ...]:
    """What the message turns down beside what it takes."""
    return tuple(turn.options.candidates[p].id for p in heard.pointed.excluded if p not in meant)


def _not_taken(turn: Turn, heard: Heard, weighed: Weighed, policy: GroundPolicy) -> Resolution:
    """What the message does instead; where it may take something, the likely ones are asked about."""
    found, table = heard.found, policy.network
    act = max((a for a in Said if a not in TAKING), key=weighed.does)
    if act is Said.REJECT and Said.MORE in weighed.read.acts:
        act = Said.MORE  # "no, is there anything else?"
    against = found.act in _FORMS and found.act is not LADDER[act]
    if found.act is Act.QUESTION and act is Said.NEW and heard.offered is not None and asks_of_it(turn, policy):
        return found
    chance = weighed.does(act, Said.REJECT) if act is Said.MORE else weighed.does(act)
    sure = chance >= (table.act_against if against else table.act)
    if found.winner is None and not (sure and LADDER[act] is not found.act):
        asks = (found.blocked or "").startswith("ambiguous_")
        if found.act in _FORMS or (asks and act is Said.UNCLEAR) or (asks and not sure):
            return found
    # In the order of the list: "the first" then counts the same in the question and in the list.
    chances = zip(weighed.positions, weighed.chances, strict=True)
    likely = tuple(sorted(p for p, c in chances if c >= table.likely and p not in heard.pointed.excluded))
    if likely and weighed.does(*TAKING) >= weighed.does(act):
        why = "soft_match_only" if len(likely) == 1 else f"ambiguous_{len(likely)}_candidates"
        if not heard.pointed.positions and found.blocked == _NOTHING:
            # Likely by meaning alone: no word matched.
            why = _NOTHING
        return replace(found, act=Act.SELECT, winner=None, matches=likely, rule="ground.network.unsure", blocked=why)
    if not sure and found.winner is None:
        return found
    does = LADDER[act]
    gone = found.rejected if does is Act.NEGATE else ()
    best = (weighed.best,) if weighed.best in likely else ()
    matches = heard.pointed.positions or best if act is Said.UNCLEAR else ()
    return Resolution(does, f"ground.network.{act.value}", None, matches, _why(act), rejected=gone, verb=found.verb)


def _why(act: Said) -> str | None:
    """Why nothing is taken, where the act itself does not say it."""
    if act in _ELSEWHERE:
        return "nothing_offered"
    return {Said.ASK: "question_intent", Said.UNCLEAR: "not_consent"}.get(act)
