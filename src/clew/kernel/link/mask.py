"""Which lines may take part, and why the others may not (causal-links §1, rulings C8, C9, C15)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from clew.kernel.link.cues import mark
from clew.kernel.link.regimes import combat, scaffold, table_talk
from clew.kernel.link.sheet import Sheet
from clew.model.link import Chunk, ExcludedRange, Exclusion
from clew.policy.link import LinkPolicy, MaskTable

_ALNUM = re.compile(r"[^\W_]")
_BRACKETED = re.compile(r"^[\[(<*_\s]+([^\])>*]*)[\])>*_.!\s]+$")
_BIT = {reason: 1 << i for i, reason in enumerate(Exclusion)}
_NOISE = _BIT[Exclusion.NOISE]


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
        return {
            reason.value: total
            for reason, bit in _BIT.items()
            if (total := sum(1 for b in self.bits if b & bit))
        }

    def as_dict(self) -> dict[str, Any]:
        return {
            "session_id": self.session_id,
            "eligible_mask": [not b for b in self.bits],
            "line_indices": list(self.index),
            "excluded_ranges": [r.as_dict() for r in self.excluded_ranges],
            "chunks": [{"id": c.id, "start_index": c.start_index, "end_index": c.end_index} for c in self.chunks],
            "compiled_at_ms": self.compiled_at_ms,
        }


Why = dict[int, tuple[str, str]]


def build(
    sheet: Sheet, policy: LinkPolicy, excluded: Sequence[ExcludedRange] = (), compiled_at_ms: int = 0
) -> Mask:
    table = policy.mask
    bits = bytearray(len(sheet.low))
    why: dict[Exclusion, Why] = {reason: {} for reason in Exclusion}
    marks = mark(sheet, policy)

    def put(position: int, reason: Exclusion, rule: str, detail: str) -> None:
        bits[position] |= _BIT[reason]
        why[reason].setdefault(position, (rule, detail))

    for position, text in enumerate(sheet.low):
        if text and text[0].isalnum():
            continue
        noise = _noise(text, table)
        if noise:
            put(position, Exclusion.NOISE, "link.mask.noise", noise)
        elif text.lstrip()[0] == "(" and (not sheet.general or text.lstrip().startswith("((")):
            put(position, Exclusion.OOC_HARD, "link.mask.ooc_aside", "opens with a parenthesis")
    for position, phrase in marks.ooc.items():
        put(position, Exclusion.OOC_HARD, "link.mask.ooc_phrase", phrase)
    for position, phrase in marks.transition.items():
        put(position, Exclusion.TRANSITION, "link.mask.transition", phrase)
    spans = scaffold(sheet, marks, table)
    if not sheet.general:
        fights, densities = combat(sheet, spans, marks, table, policy.intents)
        talk = table_talk(sheet, spans, densities, table)
        for reason, found in ((Exclusion.COMBAT, fights), (Exclusion.OOC_SOFT, talk)):
            for regime in found:
                for position in range(regime.first, regime.last + 1):
                    put(position, reason, f"link.mask.{reason.value}", regime.detail)
    for given in excluded:
        first = bisect_left(sheet.index, given.start_index)
        for position in range(first, bisect_right(sheet.index, given.end_index)):
            put(position, given.reason, "link.mask.given", "excluded by the caller")
    return Mask(
        sheet.session_id,
        sheet.index,
        bits,
        list(accumulate((1 if b & ~_NOISE else 0 for b in bits), initial=0)),
        _ranges(sheet, why),
        tuple(
            Chunk(f"{sheet.session_id}:{n}", sheet.index[a], sheet.index[b - 1]) for n, (a, b) in enumerate(spans)
        ),
        compiled_at_ms,
    )


def _noise(text: str, table: MaskTable) -> str:
    """Empty, only marks, or a bracketed sound (facts §5.5)."""
    if not text.strip():
        return "empty"
    if not _ALNUM.search(text):
        return "only punctuation"
    inner = _BRACKETED.match(text)
    if inner and not _words(table).isdisjoint(re.findall(r"[\w']+", inner[1])):
        return inner[1].strip()
    return ""


@lru_cache(maxsize=4)
def _words(table: MaskTable) -> frozenset[str]:
    return frozenset(word for phrase in table.noise_words for word in phrase.split())


def _ranges(sheet: Sheet, why: dict[Exclusion, Why]) -> tuple[ExcludedRange, ...]:
    """Runs of lines that one rule took out, in order of place, then of reason."""
    out: list[tuple[int, int, Exclusion, str, str]] = []
    for reason, found in why.items():
        run: tuple[int, int, Exclusion, str, str] | None = None
        for position in sorted(found):
            rule, detail = found[position]
            if run and run[1] + 1 == position and run[3] == rule:
                run = (run[0], position, *run[2:])
                out[-1] = run
            else:
                run = (position, position, reason, rule, detail)
                out.append(run)
    order = {reason: i for i, reason in enumerate(Exclusion)}
    out.sort(key=lambda r: (r[0], order[r[2]], r[1]))
    index = sheet.index
    return tuple(ExcludedRange(index[a], index[b], reason, rule, detail) for a, b, reason, rule, detail in out)
