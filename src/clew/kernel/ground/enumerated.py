"""A message that only counts along the list: "1, 3 and 4", 2번이랑 4번이요, "the first three please", 밑에 두 개."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.ground.counts import asked_how_many, counts
from clew.kernel.ground.hearing import Heard
from clew.kernel.ground.said import said
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.whole import counting
from clew.policy.ground import GroundPolicy


def only_counts(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """Nothing but places is said, beside words that ask for them: no reader has to guess what that takes.

    To "how many?" a number is no place.
    """
    pointed = heard.pointed
    plain = pointed.how == "place" and not (pointed.foreign or pointed.fitting or pointed.excluded)
    if not plain or turn.said.asks or not (pointed.several or len(pointed.positions) == 1):
        return False
    if asked_how_many(turn.heard.words, policy):
        return False
    words = said(turn.text[: policy.reader.characters], policy).words
    placed = {i for _, i in counts(words, policy)}
    beside = [w for i, w in enumerate(words) if i not in placed]
    return all(_says_only_which(w, policy) for w in beside)


def counts_otherwise(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "do 1 and the 2nd": a figure that nothing explains may be a place too; one of two is not enough.

    And to "how many?" it is none.
    """
    if heard.pointed.how != "place":
        return False
    if asked_how_many(turn.heard.words, policy):
        return True
    count, many = len(turn.options.candidates), len(heard.pointed.positions)
    return any(w.isdecimal() and 0 < int(w) <= count and int(w) != many for w in heard.pointed.foreign)


def _says_only_which(word: str, policy: GroundPolicy) -> bool:
    figure = word.isdecimal() or word in policy.pointing.number_words
    return figure or word in _around(policy) or word.endswith(_requests(policy)) or counting(word, policy.pointing)


@lru_cache(maxsize=8)
def _around(policy: GroundPolicy) -> frozenset[str]:
    pointing = policy.pointing
    small, cut = pointing.small, pointing.cut
    lists = (
        pointing.around_number, pointing.joiners, policy.articles, policy.item_nouns, policy.grammar["thing"],
        policy.verbs, small.the, small.one, small.ones, small.rank_from, small.rank_end, cut.from_end, cut.from_start,
        cut.pieces,
    )  # fmt: skip
    tails = (w for phrase in policy.polite_tails for w in phrase.split())
    return frozenset(w for some in lists for w in some).union(tails) - small.no - frozenset(pointing.hedges)


@lru_cache(maxsize=8)
def _requests(policy: GroundPolicy) -> tuple[str, ...]:
    return tuple(end for own in policy.languages.values() if own.endings is not None for end in own.endings.request)
