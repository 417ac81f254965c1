"""Which turns are decisions, and which of them to show (C and D, rulings N2–N4, N9, N13)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from clew.kernel.similar import overlap_likeness
from clew.kernel.text.layout import Layout, layout
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normalize
from clew.model.decision import Decision, Dropped, Thinned
from clew.model.verdict import Reason
from clew.policy import Policy

_BULLETS = ("-", "*", "•", "–", "·", "✅", "✓")


@lru_cache(maxsize=8)
def _lexicon(policy: Policy) -> Lexicon:
    records = policy.remember.records
    return Lexicon(
        {
            "decided": records.decision_language,
            "informs": records.info_signals,
            "report": records.report_words,
        },
        policy.text,
    )


def worth_recording(
    frame: str, tools: Sequence[str], response_text: str, policy: Policy
) -> tuple[bool, Reason]:
    """Is there a decision in the reply worth recording? Rules are asked in order; the first with a verdict decides."""
    numbers = policy.remember.records
    called = [t for t in tools if t in numbers.decision_tools]
    if called:  # ruling N3: an explicit record wins over the frame
        return True, Reason("decide.explicit", called[0])
    if frame.strip().lower() in numbers.non_decision_frames:
        return False, Reason("decide.frame", frame)
    hits = _lexicon(policy).hits(response_text[: numbers.signal_reach])
    first = {h.label: h.phrase for h in reversed(hits)}
    if "decided" in first:  # ruling N4
        return True, Reason("decide.language", first["decided"])
    if "informs" in first:
        return False, Reason("decide.informational", first["informs"])
    said = layout(response_text, numbers.signal_reach)
    if _is_status(said, policy):
        return False, Reason("decide.status", "readings, not a decision")
    if not tools and len(normalize(response_text)) < numbers.short_reply:  # ruling N9
        return False, Reason("decide.short", "no tools and little text")
    if _mostly_bullets(said, policy):
        return False, Reason("decide.list", "mostly bullets")
    if tools and _reports(response_text, policy):
        return False, Reason("decide.report", "tells what was done")
    return True, Reason("decide.frame", frame)


def decides_in_words(sentence: str, policy: Policy) -> bool:
    """ "We'll use Postgres": the words themselves say that something was decided."""
    return any(h.label == "decided" for h in _lexicon(policy).hits(sentence))


def _mostly_bullets(said: Layout, policy: Policy) -> bool:
    numbers, lines = policy.remember.records, said.lines
    marked = sum(line.startswith(_BULLETS) for line in lines)
    return len(lines) > numbers.bullet_lines and Fraction(marked, len(lines)) > numbers.bullet_share


@lru_cache(maxsize=8)
def _reading(words: tuple[str, ...]) -> re.Pattern[str]:
    """A label with its reading: a value behind a colon, a number, a state, or a time of day."""
    return re.compile(
        r"\s*(?:[-*•]\s*)?(?:[\w .()/-]{1,32}\s*[:=]\s*\S+(?:\s\S+){0,3}|[\w .-]{1,24}\s\d[\d.,]*\s?[%\w°]{0,3}"
        rf"|[\w .-]{{1,24}}\s(?:{'|'.join(map(re.escape, words))})"
        r"|\[?\d{1,2}:\d{2}(?::\d{2})?\]?)\s*$",
        re.I,
    )


def _is_status(said: Layout, policy: Policy) -> bool:
    """ "queue: 0 | cpu 12% | state=idle": labels with their readings, and little else."""
    numbers, cells = policy.remember.records, said.cells
    read = sum(_reading(numbers.status_words).match(cell) is not None for cell in cells)
    return len(cells) >= numbers.status_parts and Fraction(read, len(cells)) >= numbers.status_share


def _reports(text: str, policy: Policy) -> bool:
    numbers = policy.remember.records
    found = {h.phrase for h in _lexicon(policy).hits(text[: numbers.report_reach]) if h.label == "report"}
    return len(found) >= numbers.report_hits


def thin(decisions: Sequence[Decision], policy: Policy) -> Thinned:
    """Newest first; a later-seen near-duplicate with the same outcome is dropped (rulings N2, N13, N16)."""
    kept: list[Decision] = []
    dropped: list[Dropped] = []
    oldest_last = sorted(decisions, key=lambda d: d.id)
    for decision in sorted(oldest_last, key=lambda d: d.created_at, reverse=True):
        for held in kept:
            if _outcome(held) != _outcome(decision):
                continue
            likeness = overlap_likeness(held.text, decision.text, policy.text, rule="thin")
            if likeness.duplicate:
                dropped.append(Dropped(decision.id, held.id, likeness.similarity))
                break
        else:
            kept.append(decision)
    return Thinned(tuple(kept), tuple(dropped))


def _outcome(decision: Decision) -> str:
    return normalize(decision.outcome) or "pending"
