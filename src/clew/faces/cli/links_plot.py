"""Small drawings for the page: histograms and the tiers over the transcript, as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from clew.engine.links import Session
from clew.model.link import Tier

_WIDE, _HIGH = 300, 96
_PLOT, _LANE = 1000, 18


def bars(histogram: Mapping[str, int], label: str) -> str:
    """One bar a bucket, the count above it."""
    if not histogram:
        return "<p class='none'>nothing to count</p>"
    most = max(histogram.values())
    step = _WIDE / len(histogram)
    width = min(step * 0.72, 34)
    out = [f"<svg class='bars' viewBox='0 0 {_WIDE} {_HIGH + 30}' role='img' aria-label='{escape(label)}'>"]
    dense = len(histogram) > 14
    for n, (key, count) in enumerate(histogram.items()):
        height = max(1.5, (_HIGH - 16) * count / most)
        x, y = step * n + (step - width) / 2, _HIGH - height
        mid = step * (n + 0.5)
        out.append(f"<g><title>{escape(key)}: {count}</title>")
        out.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' rx='2'/>")
        if not dense:
            out.append(f"<text class='v' x='{mid:.1f}' y='{y - 4:.1f}'>{count}</text>")
        if not dense or n % 5 == 0:
            out.append(f"<text x='{mid:.1f}' y='{_HIGH + 12}'>{escape(key)}</text>")
        out.append("</g>")
    out.append(f"<text class='axis' x='{_WIDE / 2}' y='{_HIGH + 27}'>{escape(label)}</text></svg>")
    return "".join(out)


def tiers(session: Session) -> str:
    """Every node as a span over the lines, one lane a tier; excluded stretches are shaded."""
    lines = session.transcript.lines
    if not lines:
        return ""
    first, last = lines[0].index, lines[-1].index
    scale = _PLOT / max(1, last - first + 1)
    lanes = list(Tier)[::-1]
    high = _LANE * len(lanes) + 20
    box = f"viewBox='-58 0 {_PLOT + 62} {high}'"
    out = [f"<svg class='tiers' {box} role='img' aria-label='links, beats, events, scenes'>"]
    for run in session.found.mask.excluded_ranges:
        x, width = (run.start_index - first) * scale, (run.end_index - run.start_index + 1) * scale
        out.append(
            f"<rect class='shade' x='{x:.1f}' y='0' width='{max(width, 0.6):.1f}' height='{high - 20}'>"
            f"<title>{run.reason.value} {run.start_index}–{run.end_index}</title></rect>"
        )
    for n, tier in enumerate(lanes):
        y = n * _LANE + 4
        out.append(f"<text class='lane' x='-8' y='{y + 9}'>{tier.value}</text>")
        for node in session.tree.nodes:
            if node.tier is tier:
                x, width = (node.span_start - first) * scale, (node.span_end - node.span_start + 1) * scale
                out.append(
                    f"<a href='#L{node.span_start}'><rect class='{tier.value}' x='{x:.1f}' y='{y}' rx='1.5' "
                    f"width='{max(width, 1.6):.1f}' height='{_LANE - 7}'><title>{tier.value} {node.span_start}–"
                    f"{node.span_end}, mass {node.mass}, bridge {node.strength_bridge:.2f}</title></rect></a>"
                )
    for part in range(5):
        index = first + round((last - first) * part / 4)
        anchor = ("start", "middle", "middle", "middle", "end")[part]
        out.append(f"<text x='{_PLOT * part / 4:.0f}' y='{high - 5}' style='text-anchor:{anchor}'>{index}</text>")
    return "".join(out) + "</svg>"
