"""How much was claimed, by whom, how far and how surely (Phase 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from clew.kernel.link.mask import Mask
from clew.model.link import CausalLink, IntentType, Strength

_BINS = 10


def measure(links: Sequence[CausalLink], mask: Mask) -> dict[str, Any]:
    claimed = [link for link in links if link.claimed]
    fans = Counter(link.consequence_anchor_index for link in claimed)
    scores = [link.score for link in claimed if link.score is not None]
    excluded = len(mask.bits) - mask.bits.count(0)
    return {
        "lines": len(mask.bits),
        "eligible": len(mask.bits) - excluded,
        "excluded": excluded,
        "excluded_by_reason": mask.counts(),
        "links": len(links),
        "intents": len({link.intent_anchor_index for link in links}),
        "claimed": len(claimed),
        "coverage": _share(len(claimed), len(links)),
        "strong_share": _share(sum(link.intent_strength is Strength.STRONG for link in links), len(links)),
        "by_strength": {s.value: _rate(x for x in links if x.intent_strength is s) for s in Strength},
        "by_type": {t.value: _rate(link for link in links if link.intent_type is t) for t in IntentType},
        "by_consequence": dict(sorted(Counter(link.consequence_type.value for link in links).items())),
        "distance": {
            "histogram": {str(d): n for d, n in sorted(Counter(link.distance for link in claimed).items())},
            **spread([float(link.distance or 0) for link in claimed]),
        },
        "score": {"histogram": histogram(scores), **spread(scores)},
        "fanout": {str(n): count for n, count in sorted(Counter(fans.values()).items())},
        "consequences": len(fans),
        "contested": sorted(i for i, n in fans.items() if n > 1 and i is not None),
    }


def _rate(links: Iterable[CausalLink]) -> dict[str, Any]:
    found = list(links)
    won = sum(link.claimed for link in found)
    return {"links": len(found), "claimed": won, "rate": _share(won, len(found))}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def spread(values: Sequence[float]) -> dict[str, float | None]:
    """The percentile's place is floor(p / 100 * n)."""
    if not values:
        return {"min": None, "p50": None, "p90": None, "max": None}
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "min": ordered[0],
        "p50": ordered[min(last, 50 * len(ordered) // 100)],
        "p90": ordered[min(last, 90 * len(ordered) // 100)],
        "max": ordered[-1],
    }


def histogram(scores: Sequence[float]) -> dict[str, int]:
    """Tenths: "0.3" counts scores from 0.3 up to, not including, 0.4."""
    bins = Counter(int(score * _BINS) for score in scores)
    return {f"{b / _BINS:.1f}": bins[b] for b in sorted(bins)}
