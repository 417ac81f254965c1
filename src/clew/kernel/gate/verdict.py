"""Every gate over one draft: all violations in one list, worst first (ruling P51)."""

from __future__ import annotations

from clew.kernel.gate.drafts import wrongs
from clew.kernel.gate.forms import forms
from clew.kernel.gate.intimacy import intimacy
from clew.kernel.gate.repetition import repetition
from clew.kernel.gate.safety import safety
from clew.kernel.gate.style import style
from clew.kernel.gate.surfacing import creepiness
from clew.kernel.gate.topics import blocked
from clew.kernel.text.passage import passage
from clew.model.plan import Frame, Gated, Violation
from clew.model.verdict import Reason
from clew.policy import Policy

# safety > intimacy > creepiness > repetition > bands
PRIORITY = (
    "SAFETY_EMPTY",
    "SAFETY_TOO_LONG",
    "SAFETY_SYSTEM_LEAK",
    "SAFETY_EXPLICIT",
    "SAFETY_SELF_HARM",
    "SAFETY_HATE",
    "SAFETY_HOSTILE",
    "SAFETY_HELPLINE",
    "SAFETY_HIDDEN",
    "SAFETY_LANGUAGE",
    "FALSE_IDENTITY",
    "FALSE_MEMORY",
    "EMPTY_PROMISE",
    "INTIMACY_CAP",
    "DEPENDENCY",
    "SENSITIVE_MEMORY",
    "PERSONAL_FACT_COUNT",
    "BLOCKED_TOPIC",
    "OPENER_REPETITION",
    "MESSAGE_SIMILARITY",
    "EMOJI_BAND",
    "LENGTH_BAND",
    "LEXICON_BAND",
    "PUNCTUATION_QUIRK",
)


def check(reply: str, frame: Frame, policy: Policy) -> Gated:
    """The draft is read once; every gate decides from that."""
    draft = passage(reply, policy)
    found = safety(draft, frame, policy)
    if any(v.code == "SAFETY_EMPTY" for v in found):
        return _gated(found, ())
    if any(v.code == "SAFETY_TOO_LONG" for v in found):
        # Nothing of it is shown: reading fifty thousand letters for more would only take time.
        return _gated(found, ())
    found += forms(draft, frame, policy)
    known = {v.code for v in found}
    found += [v for v in wrongs(draft, frame, policy) if v.code not in known]
    creepy, used = creepiness(draft, frame, policy)
    found += intimacy(draft, frame, policy)
    found += creepy
    found += blocked(draft, frame, policy)
    found += repetition(reply, frame.recent_replies, policy)
    found += style(draft, frame, policy)
    return _gated(found, used)


def _gated(found: list[Violation], used: tuple[str, ...]) -> Gated:
    ordered = tuple(sorted(found, key=lambda v: PRIORITY.index(v.code)))
    reasons = tuple(Reason(f"gate.{v.code.lower()}", v.told) for v in ordered) or (Reason("gate.ok"),)
    return Gated(ordered, used, reasons)
