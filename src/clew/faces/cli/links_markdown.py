"""The transcript as annotated text: what each intent bid for, and what became of it (Phase 4)."""

from __future__ import annotations

from clew.engine.links import Session
from clew.faces.cli.out import safe
from clew.model.link import Allocation, CausalLink, Strength

_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>#|"})


def annotate(session: Session) -> str:
    found = session.found
    out = [f"# Links of {_safe(found.sheet.session_id)}", ""]
    out += _metrics(session)
    out += ["", "## Transcript", ""]
    intents: dict[int, list[tuple[CausalLink, Allocation]]] = {}
    claimants: dict[int, list[int]] = {}
    for link, trace in zip(found.links, found.traces or (), strict=True):
        intents.setdefault(link.intent_anchor_index, []).append((link, trace))
        if link.consequence_anchor_index is not None:
            claimants.setdefault(link.consequence_anchor_index, []).append(link.intent_anchor_index)
    for line in session.transcript.lines:
        reasons = found.mask.exclusion_reasons(line.index)
        flag = f" `excluded: {', '.join(r.value for r in reasons)}`" if reasons else ""
        out.append(f"**{line.index} {_safe(line.speaker)}:** {_safe(line.text)}{flag}  ")
        for link, trace in intents.get(line.index, ()):
            out += _intent(link, trace)
        if line.index in claimants:
            bidders = claimants[line.index]
            word = "contested" if len(bidders) > 1 else "answers"
            out.append(f"> ← {word}: {', '.join(map(str, bidders))}  ")
    out += ["", "## Unclaimed strong intents", ""]
    out += [f"- {c.since_index} {_safe(c.actor)}: {_safe(c.text)}" for c in session.loose] or ["None."]
    return "\n".join(out) + "\n"


def _intent(link: CausalLink, trace: Allocation) -> list[str]:
    what = f"{link.intent_strength.value} {link.intent_type.value}"
    if link.claimed:
        score = 0.0 if link.score is None else link.score
        head = f"> → {what} claims **{link.consequence_anchor_index}** ({link.consequence_type.value}, {score:.3f})"
    else:
        head = f"> → {what} **unclaimed**"
    out = [f"{head}: {trace.claim_reason.value}, {trace.detail}  "]
    for row in sorted(trace.candidates, key=lambda c: (-c.score, c.distance))[:8]:
        marks = ["prompt"] * row.prompt + ([f"taken by {row.taken_by}"] if row.taken_by is not None else [])
        note = f" ({', '.join(marks)})" if marks else ""
        out.append(
            f">   {row.index}: {row.score:.3f} = near {row.hill:.3f}, words {row.lexical:.2f}, "
            f"answer {row.answer:.2f}{note}  "
        )
    return out


def _metrics(session: Session) -> list[str]:
    metrics = session.found.metrics
    rows = ["| | links | claimed | rate |", "|---|---|---|---|"]
    for group in ("by_strength", "by_type"):
        for name, row in metrics[group].items():
            rate = "" if row["rate"] is None else f"{row['rate']:.2f}"
            rows.append(f"| {name} | {row['links']} | {row['claimed']} | {rate} |")
    excluded = ", ".join(f"{name} {n}" for name, n in metrics["excluded_by_reason"].items()) or "none"
    distances = ", ".join(f"{d}: {n}" for d, n in metrics["distance"]["histogram"].items()) or "none"
    return [
        f"{metrics['lines']} lines, {metrics['links']} links, {metrics['claimed']} claimed. "
        f"Excluded: {excluded}. Distances: {distances}. Strong: "
        f"{sum(x.intent_strength is Strength.STRONG for x in session.found.links)}.",
        "",
        *rows,
    ]


def _safe(text: str) -> str:
    """One line of text: no mark-up, no control character, no change of direction."""
    return " ".join(safe(text).split()).translate(_SPECIAL)
