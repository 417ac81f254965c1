"""A clause that says why, beside one that chooses: its words are about the speaker, not about the list."""

from __future__ import annotations

from collections.abc import Callable

from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.said import Part
from clew.policy.ground import GroundPolicy


def without_reasons(
    parts: tuple[Part, ...], look: Callable[[Part], Pointed], policy: GroundPolicy
) -> tuple[Part, ...]:
    """ "tram, I get sick on buses": once another part points at one thing, the reason is no part of the choice."""
    if len(parts) < 2:
        return parts
    chosen = [p for i, p in enumerate(parts) if not _says_why(parts, i, policy)]
    if len(chosen) == len(parts) or not any(not p.denied and _points(look(p)) for p in chosen):
        return parts
    return tuple(chosen)


def _points(found: Pointed) -> bool:
    return found.winner is not None and found.strength > 2


def _says_why(parts: tuple[Part, ...], i: int, policy: GroundPolicy) -> bool:
    words, pointing = parts[i].words, policy.pointing
    if words[-1].endswith(pointing.reason_ends):
        return True
    # Only a comma or a stop stands before it or after it.
    alone = parts[i].apart or (i + 1 < len(parts) and parts[i + 1].apart)
    return alone and words[0] in pointing.reason_openers and frozenset(words).isdisjoint(pointing.wishes)
