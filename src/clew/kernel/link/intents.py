"""Phase 1: who tries what (ruling C13).

The listed openings are a floor; on top of them the same frames are found at the start of any clause,
with more verbs, gerunds and "gonna". Every frame is one phrase of one scanner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from clew.kernel.link.sheet import Scanner, Sheet
from clew.kernel.read.remark import Remark
from clew.model.link import Intent, IntentType, Strength
from clew.policy.link import IntentWords, LinkPolicy, LinkWords

_QUESTION, _DECLARE = IntentType.QUESTION, IntentType.DECLARE
_PROPOSE, _REQUEST = IntentType.PROPOSE, IntentType.REQUEST
_VOWELS = re.compile(r"[aeiou]+")
_CLOSED = re.compile(r"[^aeiou][aeiou][^aeiouwxy]$")


class Frame(NamedTuple):
    kind: str
    type: IntentType | None = None


class Hit(NamedTuple):
    start: int
    end: int
    frame: Frame


def gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    if len(_VOWELS.findall(verb)) == 1 and _CLOSED.search(verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"


class Reader:
    """The words of one policy, ready to scan."""

    def __init__(self, words: IntentWords, languages: Iterable[LinkWords]) -> None:
        self.words = words
        self.openers = frozenset(words.openers)
        self.actions = frozenset(words.action_verbs)
        self.verbs = frozenset((*words.action_verbs, *words.more_verbs))
        self.gerunds = frozenset(gerund(v) for v in self.verbs)
        self.skills = frozenset(words.skills)
        self.not_before = frozenset(words.request_not_before)
        self.endings = tuple((kind, ends) for own in languages for kind, ends in own.endings.items())
        self.scanner = Scanner(self._frames())

    def _frames(self) -> dict[str, Frame]:
        words = self.words
        out: dict[str, Frame] = {}
        for phrase in words.open_questions:
            out[phrase] = Frame("open_question", _QUESTION)
        for phrase in words.courtesy:
            out[phrase] = Frame("courtesy", _REQUEST)
        for skill in words.skills:
            out[skill] = Frame("plain_skill" if skill in words.plain_skills else "skill", _REQUEST)
            out[f"{skill} check"] = Frame("skill_call", _REQUEST)
        for kind, frames in ((_DECLARE, words.declare_frames), (_REQUEST, words.request_frames)):
            for frame in frames:
                for verb in sorted(self.verbs):
                    out[frame.format(v=verb, g=gerund(verb))] = Frame(kind.value, kind)
        for frame in words.declare_frames:
            stem = frame.split(" {")[0]
            for adverb in words.adverbs:
                out.setdefault(f"{stem} {adverb}", Frame("adverb", _DECLARE))
        for phrase in words.request_starts:
            out[phrase] = Frame("open_request", _REQUEST)
        for phrase in words.propose_starts:
            out[phrase] = Frame("propose", _PROPOSE)
        for phrase in words.question_starts:
            out[phrase] = Frame("question_start", _QUESTION)
        return out


@lru_cache(maxsize=4)
def reader(policy: LinkPolicy) -> Reader:
    return Reader(policy.intents, policy.languages.values())


def strength(kind: IntentType) -> Strength:
    """Declare, propose and request are strong; a question is weak."""
    return Strength.WEAK if kind is _QUESTION else Strength.STRONG


def detect_all(sheet: Sheet, positions: list[int], policy: LinkPolicy) -> list[Intent]:
    """The intents among the lines at these positions, in order."""
    read = reader(policy)
    found: dict[int, list[Hit]] = {}
    for position, start, end, frame in read.scanner.scan(sheet.low, positions):
        found.setdefault(position, []).append(Hit(start, end, frame))
    out = []
    low = sheet.low
    for position in positions:
        text = low[position]
        hits = found.get(position)
        if hits is None and "?" not in text and not _ending(Remark(text), read):
            continue
        verdict = _detect(Remark(text), hits or (), read)
        if verdict is not None:
            kind, rule = verdict
            line = sheet.lines[position]
            actor = sheet.actors[sheet.voices[position]]
            assert actor is not None
            out.append(
                Intent(position, line.index, actor, line.text, kind, strength(kind), f"link.intent.{rule}")
            )
    return out


def detect(line: Remark, policy: LinkPolicy) -> tuple[IntentType, str] | None:
    """The type of one folded line, and the rule that found it."""
    read = reader(policy)
    hits = [Hit(s, e, f) for _, s, e, f in read.scanner.scan([line.text], [0])]
    return _detect(line, hits, read)


def _detect(line: Remark, hits: list[Hit] | tuple[Hit, ...], read: Reader) -> tuple[IntentType, str] | None:
    words = read.words
    for hit in hits:
        kind = hit.frame.kind
        if kind == "skill_call":
            return _REQUEST, "skill_call"
        if kind in ("skill", "plain_skill") and line.bare in read.skills:
            return _REQUEST, "skill_name"
    if line.core_length < words.min_chars:
        return None
    long_enough = line.text.count(" ") >= words.min_words - 1
    held: dict[str, IntentType] = {}
    for hit in hits:
        kind = hit.frame.kind
        if kind in ("skill", "plain_skill", "courtesy"):
            held.setdefault(kind, _REQUEST)
            continue
        if not line.opens_clause(hit.start, read.openers.__contains__, words.denials):
            continue
        if kind == "question_start":
            if long_enough or line.ends_asking or _acts(line, hit.start, read):
                return _QUESTION, "question_start"
        elif kind == "open_question":
            if long_enough:
                held.setdefault(kind, _QUESTION)
        elif kind == "propose":
            if not line.asked_from(hit.end):
                held.setdefault(kind, _PROPOSE)
        elif _attempts(line, hit, read, long_enough):
            assert hit.frame.type is not None
            return hit.frame.type, kind
    if "propose" in held and hits[0].frame.kind == "propose":
        return _PROPOSE, "propose"
    if "?" in line.text:
        return _QUESTION, "question_mark"
    for kind in ("courtesy", "propose", "open_question", "plain_skill"):
        if kind in held:
            return held[kind], kind
    return _ending(line, read)


def _attempts(line: Remark, hit: Hit, read: Reader, long_enough: bool) -> bool:
    kind = hit.frame.kind
    if kind == "adverb":
        after = line.next_word(hit.end)
        return long_enough and (after in read.verbs or after in read.gerunds)
    if kind == "open_request":
        after = line.next_word(hit.end)
        return after != "" and after not in read.not_before
    return kind == "request" or long_enough


def _acts(line: Remark, start: int, read: Reader) -> bool:
    return not read.actions.isdisjoint(line.words_from(start)[: read.words.verb_reach])


def _ending(line: Remark, read: Reader) -> tuple[IntentType, str] | None:
    for kind, endings in read.endings:
        if line.ends_in(endings):
            return kind, f"ending_{kind.value}"
    return None
