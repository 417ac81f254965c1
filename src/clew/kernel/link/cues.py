"""The words that decide the mask: out of character, combat, framing."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.link.sheet import Scanner, Sheet
from clew.policy.link import LinkPolicy, MaskTable

_CUTS = ("hard_cut", "time_skip")
_SENTENCE_MARKS = ".!?;:\"'(-\u2014\u2026"


@dataclass(frozen=True, slots=True)
class Cue:
    """All that one phrase says, with what the phrases inside it say."""

    phrase: str
    ooc: bool = False
    ooc_plain: bool = False
    start: bool = False
    end: bool = False
    hard: tuple[str, ...] = ()
    medium: int = 0
    generic: int = 0
    framing: tuple[tuple[str, Fraction], ...] = ()


@dataclass(slots=True)
class Marks:
    """What was found, by position; only lines with something have an entry."""

    ooc: dict[int, str] = field(default_factory=dict)
    combat: dict[int, list[Cue]] = field(default_factory=dict)
    framing: dict[int, Fraction] = field(default_factory=dict)
    transition: dict[int, str] = field(default_factory=dict)


@lru_cache(maxsize=4)
def _scanner(policy: LinkPolicy) -> Scanner[Cue]:
    table = policy.mask
    phrases = {
        *table.ooc_phrases, *table.ooc_plain, *table.combat_start, *table.combat_end, *table.combat_hard,
        *table.combat_medium, *table.combat_generic,
    }
    for group in table.framing.values():
        phrases |= set(group)
    return Scanner({phrase: _cue(phrase, table) for phrase in sorted(phrases)})


def _cue(phrase: str, table: MaskTable) -> Cue:
    def inside(listed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(w for w in listed if f" {w} " in f" {phrase} ")

    framing = tuple(
        (group, confidence)
        for group, listed in table.framing.items()
        for words, confidence in listed.items()
        if f" {words} " in f" {phrase} "
    )
    end = bool(inside(table.combat_end))
    return Cue(
        phrase,
        ooc=bool(inside(table.ooc_phrases)),
        ooc_plain=bool(inside(table.ooc_plain)),
        # "out of initiative" ends what "initiative" would start.
        start=bool(inside(table.combat_start)) and not end,
        end=end,
        hard=inside(table.combat_hard),
        medium=len(inside(table.combat_medium)),
        generic=len(inside(table.combat_generic)),
        framing=framing,
    )


def mark(sheet: Sheet, policy: LinkPolicy) -> Marks:
    table = policy.mask
    marks = Marks()
    signals: dict[int, list[tuple[str, Fraction, str]]] = {}
    low, voices, master = sheet.low, sheet.voices, sheet.master
    for position, start, _, cue in _scanner(policy).scan(low, range(len(low))):
        if cue.ooc if not sheet.general else cue.ooc_plain:
            marks.ooc.setdefault(position, cue.phrase)
        if sheet.general:
            continue
        if cue.hard or cue.medium or cue.generic or cue.start or cue.end:
            marks.combat.setdefault(position, []).append(cue)
        if cue.framing and master[voices[position]]:
            for group, confidence in cue.framing:
                if " " in cue.phrase or _opens_sentence(low[position], start):
                    signals.setdefault(position, []).append((group, confidence, cue.phrase))
    for position, found in signals.items():
        marks.framing[position] = _confidence([c for _, c, _ in found], table)
        cuts = [(c, phrase) for group, c, phrase in found if group in _CUTS]
        # A question about skipping ahead does not skip ahead.
        if cuts and not low[position].rstrip().endswith("?"):
            confidence = _confidence([c for c, _ in cuts], table)
            if confidence >= table.transition_min:
                marks.transition[position] = max(cuts)[1]
    return marks


def _confidence(found: list[Fraction], table: MaskTable) -> Fraction:
    """The strongest signal and a little for each further one."""
    return max(found) + min(table.framing_extra_cap, table.framing_extra * (len(found) - 1))


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in _SENTENCE_MARKS
