"""Safe texts by pipeline and language (ruling P59)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.care.support import pain_of
from clew.kernel.compose.choosing import levelled
from clew.kernel.gate.repetition import repeats_opener, too_similar
from clew.kernel.gate.verdict import check
from clew.kernel.language.pack import words_in
from clew.kernel.language.packs import language_of, pack
from clew.kernel.text.passage import passage
from clew.model.canonical import sha256
from clew.model.plan import Frame
from clew.model.turn import Pipeline
from clew.policy import Policy
from clew.policy.gate import SafeLines


def fallback(frame: Frame, policy: Policy) -> str:
    """Rotated by the message id; one that repeats or trips a gate gives way to the next."""
    spoken = frame.language or language_of(frame.user_text, policy)
    lines = _lines(frame, spoken, policy)
    total = len(lines.heads) * len(lines.tails)
    start = int(sha256(frame.message_id or frame.user_text)[:8], 16)
    # Stepping by one more than a row changes head and tail at once.
    step = len(lines.tails) + 1
    order = dict.fromkeys((start + i * step) % total for i in range(total))
    order |= dict.fromkeys((start + i) % total for i in range(total))
    texts = [f"{lines.heads[n // len(lines.tails)]} {lines.tails[n % len(lines.tails)]}" for n in order]
    quiet = replace(frame, kind="fallback", surfaced_memory_ids=())
    for text in texts:
        if not check(text, quiet, policy).hard:
            return text
    fresh = (t for t in texts if not _repeats(t, frame, policy))
    return next(fresh, texts[0])


def _lines(frame: Frame, spoken: str, policy: Policy) -> SafeLines:
    """Whoever is hurting is not greeted or put off, whatever pipeline the turn takes; a named pain is taken up."""
    if frame.crisis or frame.pipeline is Pipeline.REFUSAL or not frame.caring:
        key = "CRISIS" if frame.crisis else frame.pipeline.value
    else:
        if pain := pain_of(passage(frame.user_text, policy), spoken, policy):
            return _levelled(pain.heard, pain.asks, frame, spoken)
        key = Pipeline.EMOTIONAL_SUPPORT.value
    safe = words_in(spoken, policy.gate.fallback[key])
    return _levelled(safe.heads, safe.tails, frame, spoken)


def _levelled(heads: Sequence[str], tails: Sequence[str], frame: Frame, spoken: str) -> SafeLines:
    """In the speech level of the message, else of what we said before."""
    told = pack(spoken)
    said = (frame.user_text, *reversed(frame.recent_replies)) if told else ()
    levels = (told.polite(text) for text in said) if told else iter(())
    polite = bool(next((level for level in levels if level is not None), False))
    return SafeLines(*(tuple(levelled(s, polite=polite) for s in part) for part in (heads, tails)))


def _repeats(text: str, frame: Frame, policy: Policy) -> bool:
    replies = frame.recent_replies
    return repeats_opener(text, replies, policy) or too_similar(text, replies, policy) is not None
