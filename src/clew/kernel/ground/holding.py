"""What holds a choice open although something is named, and the plain yes that stands whatever follows it."""

from __future__ import annotations

import re
from itertools import pairwise

from clew.kernel.ground.canonical import polite
from clew.kernel.ground.hearing import TAKING, Heard
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.phrases import split
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, after_failure
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

_SENTENCE = re.compile(r"[.!?…\n]+\s*")


def held_open(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """Nothing is taken yet, or several could be, or all of it is refused."""
    pointed = heard.pointed
    among = len(pointed.positions) > 1 and not pointed.several
    return among or _hedges(turn, policy) or _indefinite(turn, heard, policy) or _refuses_all(turn, heard, policy)


def _hedges(turn: Turn, policy: GroundPolicy) -> bool:
    """ "I may go thursday, not sure": nothing is taken yet."""
    text = f" {' '.join(split(turn.text))} "
    return any(f" {h} " in text if h.isascii() else h in text for h in policy.pointing.hedges)


def _indefinite(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "a document by Lee" asks for any such thing; "the document by Lee" for that one."""
    said = split(turn.text)
    lists = words(policy).grammar
    if ("one", "that") in pairwise(said) and lists["definite"].isdisjoint(said[: said.index("one")]):
        # "find me one that lands before ten"
        return True
    if heard.pointed.how != "name" or Said.CORRECT in heard.read.acts:
        return False
    return not lists["indefinite_article"].isdisjoint(said[:-1]) and lists["definite"].isdisjoint(said)


def _refuses_all(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "decline both", 둘 다 패스."""
    if heard.pointed.how != "all":
        return False
    return any(w.startswith(policy.pointing.refusing) for w in split(turn.text))


def _proposes(turn: Turn, policy: GroundPolicy) -> bool:
    """ "Shall I book it?", 예약할까요?: a yes to this is no small talk."""
    text = (turn.last_assistant_text or "").rstrip()
    said = f" {' '.join(split(text))} "
    asks = any(f" {phrase} " in said for phrase in policy.grammar["proposing"] if "?" not in phrase)
    return text.endswith("?") and (asks or text.endswith(policy.grammar["proposing_ends"]))


def says_yes(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution | None:
    """ "Yes. How long does it take?": a plain yes to what was asked stands, whatever follows it (ruling G25)."""
    if heard.offered is None or not _proposes(turn, policy) or heard.pointed.excluded or heard.read.lead(*TAKING) < 0:
        return None
    if heard.pointed.positions not in ((), (heard.offered,)) or found.act is not Act.QUESTION:
        return None
    if after_failure(turn, policy) or _hedges(turn, policy):
        return None
    agreed = words(policy).affirmation.whole
    first = next((t for t in map(split, _SENTENCE.split(turn.text)) if t), ())
    if first not in agreed and polite(first, policy) not in agreed:
        return None
    return Resolution(Act.SELECT, "ground.yes_first", heard.offered, (heard.offered,), verb=found.verb)
