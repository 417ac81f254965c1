"""A message cut for pointing: its words in clauses and parts, which of them are denied, and what is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.kernel.ground.counts import figures
from clew.kernel.ground.phrases import Phrases
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.follow_up import follow_up
from clew.policy.ground import GroundPolicy, PointingPolicy
from clew.programs import program

_STOPS = frozenset(",;.!?…")


@dataclass(frozen=True, slots=True)
class Part:
    """Words that describe one thing; "the pdf and the logo" has two parts."""

    words: tuple[str, ...]
    denied: bool = False
    after_or: bool = False
    # Only a comma or a stop stands before it.
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    words: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@lru_cache(maxsize=1024)
def said(text: str, policy: GroundPolicy, prunes: bool = False) -> Phrase:
    lists, small = _lists(policy.pointing), policy.pointing.small
    words = follow_up(text).stopped_words(small.respelled)
    words = [small.pruned.get(word, word) for word in words] if prunes else words
    raw = [t for word in words for t in _unhung(word, lists)]
    raw = [_a_one(raw, i, policy) for i in range(len(raw))]
    parts: list[Part] = []
    now: list[str] = []
    denied = either = whole = apart = False
    skip = 0
    for i, token in enumerate(raw):
        if i < skip:
            continue
        if token[0] in _STOPS:
            _close(parts, now, denied, either, apart)
            now, denied, apart = [], False, bool(parts)
            continue
        rest = raw[i:]
        if token in lists.not_before and not _limits(raw, i, policy):
            # 30만원 이하인데 JBL 말고, 쉬운 걸로 무릎이 안 좋아서: what is denied begins after reason or choice.
            ends = (*policy.pointing.reasons, *policy.pointing.choosing_ends)
            back = next((j + 1 for j in range(len(now) - 2, -1, -1) if now[j].endswith(ends)), 0)
            _close(parts, now[:back], denied, either, apart)
            _close(parts, now[back:], True, either, apart)
            now, denied = [], False
        elif against := lists.against_phrases.head(rest):
            # "tuesday's no good": said of what stands before it.
            denied, skip = True, i + against
            now.extend(raw[i:skip])
        elif token in small.mends and now and not _ends(raw, i) and raw[i - 1][0] not in _STOPS:
            # 퍼즐 아니 도감
            _close(parts, now, True, either, apart)
            now, denied, apart = [], False, False
        elif token in small.no and _stands_alone(raw, i, policy, first=not now and not parts, opens=not now):
            if not now:
                # "downtown? no, uptown" takes back what was said before.
                parts = [replace(p, denied=True) for p in parts]
            _close(parts, now, bool(now), either, apart)
            now, denied = [], False
        elif (lists.not_after.head(rest) and not _measures(raw, i, policy)) or (token in small.but and whole):
            _close(parts, now, denied, either, apart)
            now, denied = [], True
        elif token in small.but or token in lists.alternatives or token in lists.joiners:
            _close(parts, now, denied, either, apart)
            either = either or token in lists.alternatives
            apart = False
            now, denied = [], denied and (token in small.or_also or token in lists.joiners)
        elif denied and token in small.the and now[:1] and now[0] in small.the and _names(now[-1], policy):
            # "not the draft the 2023 thing"
            _close(parts, now, denied, either, apart)
            now, denied, apart = [token], False, True
        else:
            whole = whole or token in lists.everything
            forbids = _forbids(raw, i, policy)
            denied = denied or forbids or _denies(token, lists, last=_ends(raw, i))
            now.append(token)
            over = forbids or token.endswith(policy.pointing.remark_ends)
            over = over or (has_syllables(token) and _denies(token, lists, last=False))
            if denied and over and not _ends(raw, i):
                # 너무 비싸요 제일 싼 걸로, 싫대 화분으로: the remark is over.
                _close(parts, now, denied, either, apart)
                now, denied, apart = [], False, True
    _close(parts, now, denied, either, apart)
    spoken = tuple(t for t in raw if t[0] not in _STOPS)
    if len(parts) > 1 and not any(p.denied or p.after_or for p in parts) and len(figures(spoken, policy)) > 1:
        parts = [Part(tuple(w for w in spoken if w not in lists.joiners))]
    return Phrase(spoken, tuple(parts))


def to_go(assistant: str | None, policy: GroundPolicy) -> bool:
    """ "drop the one about dad", 아빠꺼 빼 are no refusals, where the assistant asks what is to go."""
    heard = follow_up(assistant).words if assistant else ()
    return any(w.startswith(policy.pointing.small.pruning) for w in heard)


def _names(word: str, policy: GroundPolicy) -> bool:
    return word not in policy.pointing.empty or word in policy.pointing.small.one


def _denies(token: str, lists: _Lists, *, last: bool) -> bool:
    """A word against what stands in its part; a Korean one by its stem, whatever it ends in: 싫대, 안되겠네."""
    if token in lists.against:
        return not (token in lists.too and last)
    return token.startswith(lists.against_stems) and not token.startswith(lists.not_against)


def _forbids(raw: list[str], i: int, policy: GroundPolicy) -> bool:
    """예약하지 마, 보내지마세요: whatever the verb is, what stands before it is not to be taken."""
    cut = policy.pointing.cut
    if raw[i] in cut.forbidding and i:
        return raw[i - 1].endswith(cut.forbidden)
    return raw[i].endswith(tuple(cut.forbidden + word for word in cut.forbidding))


def _limits(raw: list[str], i: int, policy: GroundPolicy) -> bool:
    """5만원 안 되는, 안 넘는: a limit, nothing denied; 화요일은 안 되고 denies."""
    verbs = policy.pointing.cut.limiting.get(raw[i])
    return verbs is not None and i + 1 < len(raw) and raw[i + 1].startswith(verbs)


def _measures(raw: list[str], i: int, policy: GroundPolicy) -> bool:
    """ "less than 50": a limit; "other than 50" denies."""
    limits = policy.pointing.limits
    bounds = limits.below | limits.above | {phrase.split()[0] for phrase in limits.at_least if phrase.endswith(raw[i])}
    return 0 < i < len(raw) - 1 and raw[i - 1] in bounds and raw[i + 1][0] not in _STOPS


def _a_one(raw: list[str], i: int, policy: GroundPolicy) -> str:
    """The word at this place; of "the long 1" the word that the figure stands for."""
    small = policy.pointing.small
    framed = raw[i] == "1" and i > 1 and raw[i - 2] in small.the and raw[i - 1].isalpha()
    return min(small.one, default="1") if framed and raw[i - 1] not in policy.grammar["number_noun"] else raw[i]


def _goes_back(raw: list[str], i: int, lists: _Lists) -> bool:
    """ "v2. no hang on, v1": what was said before is taken back."""
    return i + 1 < len(raw) and raw[i + 1] in lists.taking_back


def _stands_alone(raw: list[str], i: int, policy: GroundPolicy, *, first: bool, opens: bool) -> bool:
    """A refusal, not the first word of "no fish no eggs" or of "no changes"."""
    lists = _lists(policy.pointing)
    if _lists_no(raw, i, lists) or (first and _without(raw, i, policy)):
        return False
    return first or _ends(raw, i) or (opens and _goes_back(raw, i, lists))


def _without(raw: list[str], i: int, policy: GroundPolicy) -> bool:
    """ "no changes, under 70": what is not wanted stands right behind it; "no the other", "no i meant" begin anew."""
    lists = _lists(policy.pointing)
    if raw[i] not in lists.each_no or _ends(raw, i) or not _ends(raw, i + 1):
        return False
    anew = (policy.pointing.small.no, policy.pointing.empty, policy.ordinals)
    return not any(raw[i + 1] in words for words in anew)


def _lists_no(raw: list[str], i: int, lists: _Lists) -> bool:
    """ "no fish no eggs": said twice, each before a word of its own."""
    before = [j for j, token in enumerate(raw) if token in lists.each_no and not _ends(raw, j)]
    return i in before and len(before) > 1 and before[0] + 1 not in before


def _ends(raw: list[str], i: int) -> bool:
    return i + 1 == len(raw) or raw[i + 1][0] in _STOPS


def _close(parts: list[Part], words: list[str], denied: bool, either: bool, apart: bool) -> None:
    if words:
        parts.append(Part(tuple(words), denied, either, apart))


def _unhung(word: str, lists: _Lists) -> tuple[str, ...]:
    """아이유랑, 그거말고: joiner and denial hang on the word."""
    if found := lists.back.match(word):
        return found.group(1), lists.denial
    for joiner in lists.hanging:
        if word.endswith(joiner) and (len(word) > len(joiner) + 1 or word[: -len(joiner)].isdigit()):
            return word[: -len(joiner)], joiner
    return (word,)


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    not_after: Phrases
    not_before: frozenset[str]
    everything: frozenset[str]
    against: frozenset[str]
    against_stems: tuple[str, ...]
    not_against: tuple[str, ...]
    against_phrases: Phrases
    taking_back: frozenset[str]
    too: frozenset[str]
    each_no: frozenset[str]
    joiners: frozenset[str]
    hanging: tuple[str, ...]
    alternatives: frozenset[str]
    back: re.Pattern[str]
    denial: str


@lru_cache(maxsize=8)
def _lists(policy: PointingPolicy) -> _Lists:
    hanging = (*(j for j in policy.joiners if j in policy.joined_by and len(j) > 1), *policy.cut.hanging)
    return _Lists(
        Phrases(policy.not_after),
        frozenset(policy.not_before),
        frozenset(policy.everything),
        frozenset(policy.against),
        policy.against_stems,
        policy.not_against,
        Phrases(a for a in policy.against if " " in a),
        frozenset(policy.taking_back),
        policy.small.too,
        policy.small.each_no,
        frozenset(policy.joiners),
        hanging,
        frozenset(policy.alternatives),
        program(policy.cut.back),
        policy.cut.denial,
    )
