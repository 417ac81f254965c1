"""Safe texts, and the whole ladder from a draft to what is shown (rulings P50, P51, P59)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.kernel.gate.check import check
from clew.kernel.gate.repair import repair
from clew.kernel.gate.repetition import repeats_opener, too_similar
from clew.kernel.text.tokens import language
from clew.model.canonical import sha256
from clew.model.plan import Frame, Gated, Settled
from clew.model.verdict import Reason
from clew.policy import Policy


def fallback(frame: Frame, policy: Policy) -> str:
    """Rotated by the message id; one that repeats or trips a gate gives way to the next."""
    key = "CRISIS" if frame.crisis else frame.pipeline.value
    tongues = policy.gate.fallback[key]
    spoken = frame.language or language(frame.user_text, policy.text)
    lines = tongues.get(spoken) or tongues["en"]
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


def _repeats(text: str, frame: Frame, policy: Policy) -> bool:
    replies = frame.recent_replies
    return repeats_opener(text, replies, policy) or too_similar(text, replies, policy) is not None


def settle(
    draft: str, frame: Frame, policy: Policy, rewrite: Callable[[Gated], str | None] | None = None
) -> Settled:
    """Draft → at most one rewrite → repairs → fallback. `rewrite` is the engine's single model call."""
    first = check(draft, frame, policy)
    if first.ok:
        return Settled(draft, "draft", first, first, first.reasons)
    tried = draft
    again = first
    if rewrite is not None and (text := rewrite(first)) is not None:
        again = check(text, frame, policy)
        tried = text
        if again.ok:
            return Settled(text, "rewrite", first, again, (*first.reasons, Reason("gate.rewritten")))
    for text in dict.fromkeys((tried, draft)):
        mended = repair(text, frame, policy)
        if mended is not None:
            final = check(mended, replace(frame, surfaced_memory_ids=()), policy)
            return Settled(mended, "repair", first, final, (*first.reasons, Reason("gate.repaired")))
    safe = fallback(frame, policy)
    final = check(safe, replace(frame, kind="fallback", surfaced_memory_ids=()), policy)
    return Settled(safe, "fallback", first, final, (*first.reasons, Reason("gate.fallback")))
