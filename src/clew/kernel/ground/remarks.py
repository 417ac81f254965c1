"""What only remarks on the list, and what chooses or asks for something behind a remark or a question."""

from __future__ import annotations

import re

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.canonical import polite
from clew.kernel.ground.cards import card, fit
from clew.kernel.ground.endings import asks_nicely, endings_of, was
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.marks import marked
from clew.kernel.ground.options import Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import split
from clew.policy.ground import GroundPolicy

_PAIR = 2
_CLAUSE = re.compile(r"[.!?…\n,]+\s*")


def remarks(turn: Turn, policy: GroundPolicy) -> bool:
    """주황색이 예쁘네, "ugh, middle seats": said of it, and nothing is taken."""
    said = turn.said.words
    if not said or turn.said.asks:
        return False
    pointing = policy.pointing
    if said[-1] in pointing.groans or (said[0] in pointing.groans and not _chooses_later(turn, policy)):
        return True
    if _finds_fault(said, policy) or _tells_of_it(said, policy):
        return True
    if said[-1].endswith(pointing.remarks) and _wishes(said, policy):
        return False
    remark = any(said[-1].endswith(end) and len(said[-1]) > len(end) for end in pointing.remarks)
    # 그거밖에 없네: what is left is chosen.
    only = len(said) > 1 and said[-2].endswith(pointing.only_left)
    intends = said[-1].endswith(pointing.intends) or said[-1].startswith(pointing.prefers)
    return remark and not only and not intends


def _chooses_later(turn: Turn, policy: GroundPolicy) -> bool:
    """ "ugh, not at four. the evening one then": what follows a groan may choose all the same."""
    clauses = marked(turn.text[: policy.reader.characters], policy.marks)
    return len(clauses) > 1 and clauses[-1].is_a("chooses")


def _wishes(said: tuple[str, ...], policy: GroundPolicy) -> bool:
    """힐링되는 걸로 보고 싶네: told as a remark, and wished for."""
    wished = tuple(stem for own in words(policy).endings.values() for stem in own.wishing)
    toward = (*policy.pointing.choosing_ends, *policy.pointing.cut.noun_ends)
    return said[-1].startswith(wished) and any(w.endswith(toward) for w in said)


def _finds_fault(said: tuple[str, ...], policy: GroundPolicy) -> bool:
    """여섯 시는 좀 빠른데: of what is named, somewhat, and nothing is asked for."""
    for own in words(policy).endings.values():
        at = next((i for i, w in enumerate(said) if i and w in own.somewhat), None)
        if at is None or not said[at - 1].endswith(own.topics) or at + 1 == len(said):
            continue
        for_it = (*policy.pointing.prefers, *own.wishing, *own.praise)
        if said[-1].endswith(policy.pointing.limits.remark_ends) and not said[-1].startswith(for_it):
            return True
    return False


def _tells_of_it(said: tuple[str, ...], policy: GroundPolicy) -> bool:
    """꼬마 로마는 어제 들었어: what was done with what is named; 창가로 정했어 settles."""
    for own in words(policy).endings.values():
        settled = any(w.startswith((*own.wishing, *policy.pointing.prefers)) for w in said)
        topic = any(w.endswith(own.topics) and len(w) > 1 for w in said[:-1])
        before = any(w in own.before or policy.pointing.days.get(w, 0) < 0 for w in said)
        if topic and before and not settled and was(said[-1], own):
            return True
    return False


def asks_for_it(turn: Turn, policy: GroundPolicy) -> bool:
    """보내주세요 움직일 수가 없네요: somewhere in the message something is to be done."""
    requests = tuple(end for own in words(policy).endings.values() for end in own.request)
    return agrees_first(turn, policy) or any(w.endswith(requests) for w in turn.said.words)


def agrees_first(turn: Turn, policy: GroundPolicy) -> bool:
    """The first clause is nothing but a yes."""
    agreed = words(policy).affirmation.whole | words(policy).acceptance.whole
    first = next((t for t in map(split, _CLAUSE.split(turn.text)) if t), ())
    return first in agreed or polite(first, policy) in agreed


def asked_for(turn: Turn, pointed: Pointed, policy: GroundPolicy) -> bool:
    """One is pointed at and nothing else is named: as a request, or it is asked after and then taken."""
    return _requested(turn, pointed, policy) or _points_back(turn, pointed, policy)


def _points_back(turn: Turn, pointed: Pointed, policy: GroundPolicy) -> bool:
    """ "what's the dearest? that one", 제일 비싼 게 뭐야? 그거: the answer to the question is what is taken."""
    lists, clauses = words(policy), marked(turn.text[: policy.reader.characters], policy.marks)
    if turn.said.asks or len(clauses) != _PAIR or pointed.winner is None or pointed.excluded:
        return False
    asking = tuple(stem for own in lists.endings.values() for stem in own.asking)
    nothing = all(w in lists.wh_words or w.startswith(asking) for w in pointed.foreign)
    return nothing and clauses[0].is_a("asks") and clauses[1].words in lists.deictics


def _requested(turn: Turn, pointed: Pointed, policy: GroundPolicy) -> bool:
    """ "could we do the drama please", 야영장으로 해주실 수 있나요: a request, as politely as a question.

    Nothing else is named: "can i do the squash in the air fryer" asks.
    """
    said = turn.said.words
    if not said or pointed.winner is None or pointed.excluded or len(read_act(turn.text, policy).clauses) != 1:
        return False
    lists = words(policy)
    if own := endings_of(said[-1], lists):
        toward = any(w.endswith(own.toward) for w in said[:-1])
        asked = (asks_nicely(said, own) and toward) or said[-1].endswith(own.deferring)
        return asked and not pointed.foreign
    text = f"{' '.join(said)} "
    asking = max((p for p in lists.grammar["nicely"] if text.startswith(f"{p} ")), key=len, default="")
    deed = text.removeprefix(asking).split(maxsplit=1)[:1]
    if not asking or frozenset(deed).isdisjoint(lists.grammar["asked_deeds"]):
        return False
    others = lists.alternative_words - lists.request_adverbs
    return frozenset(pointed.foreign) <= frozenset((*asking.split(), *deed)) and others.isdisjoint(said)


def asks_of_it(turn: Turn, policy: GroundPolicy) -> bool:
    """ "What's the address and the phone number?" asks about what is on offer; "my number" is another thing."""
    lists, said = words(policy), turn.said.words
    return not lists.attribute_nouns.isdisjoint(said) and lists.grammar["mine"].isdisjoint(said)


def _asks_which(said: tuple[str, ...], policy: GroundPolicy) -> bool:
    lists = words(policy)
    asking = tuple(stem for own in lists.endings.values() for stem in own.asking)
    return any(w in lists.wh_words or w.startswith(asking) for w in said)


def goes_on(turn: Turn, offered: int | None, meant: Positions, policy: GroundPolicy) -> bool:
    """ "on sale? have it", "is it vegan? the second": after the question this is agreed to, or chosen by name."""
    clauses = marked(turn.text[: policy.reader.characters], policy.marks)
    if turn.said.asks or len(clauses) < 2:
        return False
    last, cards = clauses[-1], [card(turn.options.candidates[p], policy.pointing) for p in meant]
    if last.words in words(policy).deictics and _asks_which(clauses[0].words, policy):
        # "which is the shortest? that one" means no offer.
        return False
    if offered not in meant and not any(fit(w, own, policy.pointing) for w in last.words for own in cards):
        return False
    return last.is_a("chooses", "agrees") and not last.is_a("asks", "refuses", "others", "leaves", "wavers")
