"""The whole ladder from a draft to what is shown (rulings P50, P51)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from clew.kernel.gate.fallback import fallback
from clew.kernel.gate.repair import repair
from clew.kernel.gate.verdict import check
from clew.model.plan import Frame, Gated, Settled
from clew.model.verdict import Reason
from clew.policy import Policy

__all__ = ["check", "settle"]


def settle(
    draft: str,
    frame: Frame,
    policy: Policy,
    rewrite: Callable[[Gated], str | None] | None = None,
    embed: Callable[[str], Mapping[str, Sequence[float]]] | None = None,
) -> Settled:
    """Draft → at most one rewrite → repairs → fallback. `rewrite` is the engine's single model call.

    Only a hard violation is worth that call: bands are mended by leaving out (ruling S10).
    embed: vectors of a text and its sentences, from whoever may make them.
    """
    frame = replace(frame, vectors=embed(draft)) if embed else frame
    first = check(draft, frame, policy)
    if first.ok:
        return Settled(draft, "draft", first, first, first.reasons)
    tried = draft
    again = first
    if rewrite is not None and first.hard and (text := rewrite(first)) is not None:
        frame = replace(frame, vectors={**frame.vectors, **embed(text)}) if embed else frame
        again = check(text, frame, policy)
        tried = text
        if again.ok:
            return Settled(text, "rewrite", first, again, (*first.reasons, Reason("gate.rewritten")))
    for text in dict.fromkeys((tried, draft)):
        mended = repair(text, frame, policy)
        if mended is not None:
            # What is left of a draft is read like a draft: its worst sentence may not have been its only one.
            frame = replace(frame, vectors={**frame.vectors, **embed(mended)}) if embed else frame
            if embed and check(mended, replace(frame, surfaced_memory_ids=(), doubted=True), policy).hard:
                continue
            final = check(mended, replace(frame, surfaced_memory_ids=()), policy)
            return Settled(mended, "repair", first, final, (*first.reasons, Reason("gate.repaired")))
    safe = fallback(frame, policy)
    final = check(safe, replace(frame, kind="fallback", surfaced_memory_ids=()), policy)
    return Settled(safe, "fallback", first, final, (*first.reasons, Reason("gate.fallback")))
