"""Stretches of play that are not story: combat and table talk (ruling C9).

A scaffold of chunks carries the regimes; it gates and never scores (Overview).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from clew.frozen import dataclass
from clew.kernel.link.cues import Cue, Marks
from clew.kernel.link.sheet import Sheet
from clew.policy.link import IntentWords, MaskTable

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Regime:
    """Positions first..last, both in."""

    first: int
    last: int
    detail: str


def scaffold(sheet: Sheet, marks: Marks, table: MaskTable) -> list[Span]:
    """Spans [start, stop) between framing lines, neither too short nor too long."""
    total = len(sheet.low)
    if not total:
        return []
    bounds = [0]
    for position in sorted(marks.framing):
        span = position - bounds[-1]
        strong = marks.framing[position] >= table.strong_signal
        if span >= table.span_min or (strong and span >= table.strong_span_min):
            bounds.append(position)
    if total - bounds[-1] < table.strong_span_min and len(bounds) > 1:
        bounds.pop()
    bounds.append(total)
    out: list[Span] = []
    waiting = list(pairwise(bounds))[::-1]
    while waiting:
        start, stop = waiting.pop()
        if _splits(sheet, start, stop, table):
            middle = (start + stop) // 2
            waiting += [(middle, stop), (start, middle)]
        else:
            out.append((start, stop))
    return out


def _splits(sheet: Sheet, start: int, stop: int, table: MaskTable) -> bool:
    size = stop - start
    if size > table.span_max:
        return True
    if size <= table.dm_heavy_lines:
        return False
    led = sum(sheet.master[v] for v in sheet.voices[start:stop])
    return led > table.dm_heavy * size


def density(
    found: list[tuple[int, Cue]], size: int, sheet: Sheet, table: MaskTable, skills: tuple[str, ...]
) -> Fraction:
    """Weighted combat words a line, more when the hard ones differ."""
    hard = sum(len(cue.hard) for _, cue in found)
    medium = sum(cue.medium for _, cue in found)
    kinds = {word for _, cue in found for word in cue.hard}
    paired = {position for position, cue in found if cue.hard or cue.medium}
    # A roll counts beside a combat word and not beside a skill.
    generic = sum(
        cue.generic
        for position, cue in found
        if cue.generic and position in paired and not any(skill in sheet.low[position] for skill in skills)
    )
    score = table.weight_hard * hard + table.weight_medium * medium + table.weight_generic * generic
    return score / size * min(1 + table.density_step * len(kinds), table.density_cap)


def combat(
    sheet: Sheet, spans: list[Span], marks: Marks, table: MaskTable, words: IntentWords
) -> tuple[list[Regime], list[Fraction]]:
    """Pass A seeds, pass B walks IN and OUT at anchors, pass C fills single gaps."""
    by_span: list[list[tuple[int, Cue]]] = [[] for _ in spans]
    place = 0
    for position in sorted(marks.combat):
        while position >= spans[place][1]:
            place += 1
        by_span[place] += [(position, cue) for cue in marks.combat[position]]
    inside: list[Span | None] = []
    densities: list[Fraction] = []
    fighting, quiet = False, 0
    for (start, stop), found in zip(spans, by_span, strict=True):
        dense = density(found, stop - start, sheet, table, words.skills) if found else Fraction(0)
        densities.append(dense)
        begins = [p for p, cue in found if cue.start]
        ends = [p for p, cue in found if cue.end]
        kinds = {word for _, cue in found for word in cue.hard}
        seeded = len(kinds) >= table.seed_distinct or dense >= table.seed_density
        quiet = quiet + 1 if dense < table.quiet_density else 0
        if fighting and quiet >= table.quiet_chunks:
            fighting = False
            inside = inside[: len(inside) - quiet + 1] + [None] * (quiet - 1)
        if not (fighting or begins or seeded):
            inside.append(None)
            continue
        # A chunk that only words betray is a fight from its first to its last such word.
        first = start if fighting else (found[0][0] if seeded else begins[0])
        if begins or ends:
            fighting = bool(begins) and (not ends or begins[-1] > ends[-1])
        last = stop - 1 if fighting else (ends[-1] if ends else found[-1][0])
        inside.append((first, last))
    return _joined(_filled(inside, spans), table, "combat words and anchors"), densities


def _filled(inside: list[Span | None], spans: list[Span]) -> list[Span]:
    """Pass C: a single chunk between two fights belongs to them, and fights of neighbouring chunks are one."""
    out = list(inside)
    for i in range(1, len(out) - 1):
        if inside[i] is None and inside[i - 1] and inside[i + 1]:
            out[i] = (spans[i][0], spans[i][1] - 1)
    for i in range(1, len(out)):
        before, here = out[i - 1], out[i]
        if before and here:
            out[i - 1], out[i] = (before[0], spans[i - 1][1] - 1), (spans[i][0], here[1])
    return [span for span in out if span]


def table_talk(sheet: Sheet, spans: list[Span], densities: list[Fraction], table: MaskTable) -> list[Regime]:
    """Players who only answer one another, and no fight (ooc_soft)."""
    voices = [-1 if sheet.master[v] else v for v in sheet.voices]
    turns = [a != b and a >= 0 and b >= 0 for a, b in pairwise(voices)]
    out = []
    for (start, stop), dense in zip(spans, densities, strict=True):
        pairs = stop - 1 - start
        if stop - start < table.regime_min or pairs < 1 or dense > table.soft_combat_density:
            continue
        rate = Fraction(sum(turns[start : stop - 1]), pairs)
        if rate <= table.soft_alternation:
            continue
        first, last = _densest(turns[start : stop - 1], table.soft_alternation)
        if last - first + 1 >= table.regime_min:
            said = f"players answer players in {float(rate):.2f} of turns"
            out.append(Regime(start + first, start + last, said))
    return out


def _densest(turns: list[bool], rate: Fraction) -> Span:
    """The stretch that rises most above the rate: a mixed chunk is not excluded whole."""
    top, best = 0, (0, 0)
    total, first = 0, 0
    up, down = rate.denominator - rate.numerator, rate.numerator
    for n, turn in enumerate(turns):
        total += up if turn else -down
        if total <= 0:
            total, first = 0, n + 1
        elif total > top:
            top, best = total, (first, n + 1)
    return best


def _joined(found: list[Span], table: MaskTable, detail: str) -> list[Regime]:
    out: list[Regime] = []
    for first, last in found:
        if out and out[-1].last + 1 >= first:
            out[-1] = Regime(out[-1].first, max(out[-1].last, last), detail)
        else:
            out.append(Regime(first, last, detail))
    return [r for r in out if r.last - r.first + 1 >= table.regime_min]
