"""Which lines may take part, and why the others may not (rulings C8, C9, C15)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from clew.frozen import dataclass
from clew.kernel.link.cues import Marks, mark
from clew.kernel.link.regimes import combat, scaffold, table_talk
from clew.kernel.link.sheet import Sheet
from clew.kernel.read.remark import Remark
from clew.model.canonical import plain
from clew.model.link import Chunk, ExcludedRange, Exclusion
from clew.policy.link import LinkPolicy, MaskTable

_BIT = {reason: 1 << i for i, reason in enumerate(Exclusion)}
_IS_WALL = bytes(1 if bits & ~_BIT[Exclusion.NOISE] else 0 for bits in range(256))
_LINE_RULES = {
    "link.mask.noise": Exclusion.NOISE,
    "link.mask.ooc_aside": Exclusion.OOC_HARD,
    "link.mask.ooc_phrase": Exclusion.OOC_HARD,
    "link.mask.transition": Exclusion.TRANSITION,
}


@dataclass(frozen=True, slots=True)
class Mask:
    """`bits` says by position which reasons hold; `walls` counts the excluded lines before a position
    that no link may span: all reasons except noise (ruling C8)."""

    session_id: str
    index: list[int]
    bits: bytearray
    walls: list[int]
    excluded_ranges: tuple[ExcludedRange, ...]
    chunks: tuple[Chunk, ...]
    compiled_at_ms: int

    def eligible(self, position: int) -> bool:
        return not self.bits[position]

    def is_line_eligible(self, line_index: int) -> bool:
        at = bisect_left(self.index, line_index)
        return at < len(self.index) and self.index[at] == line_index and not self.bits[at]

    def exclusion_reasons(self, line_index: int) -> tuple[Exclusion, ...]:
        at = bisect_left(self.index, line_index)
        if at == len(self.index) or self.index[at] != line_index:
            return ()
        return tuple(reason for reason, bit in _BIT.items() if self.bits[at] & bit)

    def counts(self) -> dict[str, int]:
        seen = Counter(self.bits)
        return {
            reason.value: total
            for reason, bit in _BIT.items()
            if (total := sum(n for bits, n in seen.items() if bits & bit))
        }

    def as_dict(self) -> dict[str, Any]:
        return {
            "session_id": self.session_id,
            "eligible_mask": [not b for b in self.bits],
            "line_indices": list(self.index),
            "excluded_ranges": [r.as_dict() for r in self.excluded_ranges],
            "chunks": [plain(chunk) for chunk in self.chunks],
            "compiled_at_ms": self.compiled_at_ms,
        }


Run = tuple[int, int, Exclusion, str, str]


def build(
    sheet: Sheet, policy: LinkPolicy, excluded: Sequence[ExcludedRange] = (), compiled_at_ms: int = 0
) -> Mask:
    table = policy.mask
    marks = mark(sheet, policy)
    spans = scaffold(sheet, marks, table)
    runs = _line_runs(sheet, marks, table)
    if not sheet.general:
        fights, densities = combat(sheet, spans, marks, table, policy.intents)
        talk = table_talk(sheet, spans, densities, table)
        runs += [(r.first, r.last, Exclusion.COMBAT, "link.mask.combat", r.detail) for r in fights]
        runs += [(r.first, r.last, Exclusion.OOC_SOFT, "link.mask.ooc_soft", r.detail) for r in talk]
    for given in excluded:
        first = bisect_left(sheet.index, given.start_index)
        last = bisect_right(sheet.index, given.end_index) - 1
        if first <= last:
            runs.append((first, last, given.reason, "link.mask.given", "excluded by the caller"))
    runs.sort(key=lambda run: (run[0], _BIT[run[2]], run[1], run[3]))
    bits = bytearray(len(sheet.low))
    for first, last, reason, _, _ in runs:
        bit = _BIT[reason]
        for position in range(first, last + 1):
            bits[position] |= bit
    index = sheet.index
    return Mask(
        sheet.session_id,
        index,
        bits,
        list(accumulate(bits.translate(_IS_WALL), initial=0)),
        tuple(ExcludedRange(index[a], index[b], reason, rule, why) for a, b, reason, rule, why in runs),
        tuple(Chunk(f"{sheet.session_id}:{n}", index[a], index[b - 1]) for n, (a, b) in enumerate(spans)),
        compiled_at_ms,
    )


def _line_runs(sheet: Sheet, marks: Marks, table: MaskTable) -> list[Run]:
    """Reasons that hold for single lines; neighbours with the same rule make one run."""
    aside = "((" if sheet.general else "("
    found: dict[str, dict[int, str]] = {rule: {} for rule in _LINE_RULES}
    for position, text in enumerate(sheet.low):
        if text and text[0].isalnum():
            continue
        line = Remark(text)
        if noise := _noise(line, table):
            found["link.mask.noise"][position] = noise
        elif line.opens_with(aside) and not _stage_direction(line, table):
            found["link.mask.ooc_aside"][position] = "opens with a parenthesis"
    found["link.mask.ooc_phrase"] = marks.ooc
    found["link.mask.transition"] = marks.transition
    out: list[Run] = []
    for rule, lines in found.items():
        reason = _LINE_RULES[rule]
        last = -2
        for position in sorted(lines):
            if position == last + 1:
                out[-1] = (out[-1][0], position, reason, rule, out[-1][4])
            else:
                out.append((position, position, reason, rule, lines[position]))
            last = position
    return out


def _noise(line: Remark, table: MaskTable) -> str:
    """Empty, only marks, or a bracketed sound."""
    if line.empty:
        return "empty"
    if line.only_marks:
        return "only punctuation"
    inner = line.bracketed
    if inner and not _words(table).isdisjoint(Remark(inner).words):
        return inner.strip()
    return ""


def _stage_direction(line: Remark, table: MaskTable) -> bool:
    """ "(sighs) You may enter." tells how a line is said; what follows is in character."""
    said = line.aside
    return said is not None and len(said.split()) <= table.direction_words


@lru_cache(maxsize=4)
def _words(table: MaskTable) -> frozenset[str]:
    return frozenset(word for phrase in table.noise_words for word in phrase.split())
