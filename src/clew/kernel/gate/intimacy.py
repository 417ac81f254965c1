"""How near a reply may come (item 3)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.text.match import Hit, Lexicon
from clew.kernel.text.normalize import Normal
from clew.kernel.text.passage import Passage, passage
from clew.model.plan import Frame, Violation
from clew.model.relationship import Stage
from clew.policy import Policy

BOUNDED = (Stage.STRANGER, Stage.ACQUAINTANCE)


@lru_cache(maxsize=8)
def _lexicons(policy: Policy) -> tuple[Lexicon, Lexicon, Lexicon]:
    gate = policy.gate
    return (
        Lexicon({"intimacy": gate.intimacy}, policy.text),
        Lexicon({"dependency": gate.dependency}, policy.text),
        Lexicon({"harmless": gate.intimacy_harmless}, policy.text),
    )


def intimacy(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    read = draft.read
    out: list[Violation] = []
    if frame.stage in BOUNDED and (near := too_near(read, policy)):
        detail = f"too intimate for {frame.stage.value}: {', '.join(dict.fromkeys(h.phrase for h in near))}"
        out.append(Violation("INTIMACY_CAP", detail))
    if clings := clinging(read, policy):
        phrases = ", ".join(dict.fromkeys(h.phrase for h in clings))
        out.append(Violation("DEPENDENCY", f"dependency or exclusivity: {phrases}"))
    return out


def too_near(read: Normal, policy: Policy) -> tuple[Hit, ...]:
    lexicon, _, harmless = _lexicons(policy)
    excused = harmless.hits(read)
    return tuple(
        h
        for h in lexicon.hits(read)
        if not any(e.variant == h.variant and e.start <= h.start and h.end <= e.end for e in excused)
    )


def clinging(read: Normal, policy: Policy) -> tuple[Hit, ...]:
    return _lexicons(policy)[1].hits(read)


@lru_cache(maxsize=32)
def _softeners(stage: Stage, policy: Policy) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = policy.gate.softer.get(stage, {})
    return tuple((_pattern(phrase), softer) for phrase, softer in sorted(rows.items()))


def _pattern(phrase: str) -> re.Pattern[str]:
    body = re.escape(phrase).replace("'", "['’]?").replace(r"\ ", r"\s+")
    return re.compile(rf"(?<![a-z0-9]){body}(?![a-z0-9])", re.I)


def soften(draft: Passage, stage: Stage, policy: Policy) -> Passage:
    """Known phrases give way to a warmth that fits the stage."""
    said = draft.text
    for pattern, softer in _softeners(stage, policy):
        said = pattern.sub(lambda m, s=softer: _cased(m, s), said)  # type: ignore[misc]
    return passage(said, policy)


def _cased(match: re.Match[str], softer: str) -> str:
    before = match.string[: match.start()].rstrip()
    starts = not before or before[-1] in ".!?…"
    return softer[0].upper() + softer[1:] if starts else softer
