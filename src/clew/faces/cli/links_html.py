"""One page to look at a session: transcript with arcs, what was left out, what stayed open, metrics."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from string import Template
from typing import Any

from clew.engine.links import Session
from clew.faces.cli.links_plot import bars, tiers
from clew.model.link import CausalLink, PossibleConsequence

_HUES = 12
_MOST_CANDIDATES = 12


def page(session: Session) -> str:
    template = resources.files("clew.faces.cli").joinpath("links_page.html").read_text(encoding="utf-8")
    found, metrics = session.found, session.found.metrics
    origin = found.params.provenance
    return Template(template).substitute(
        title=escape(found.sheet.session_id),
        profile=escape(origin.profile),
        stamp=escape(f"{origin.kernel_version} · parameters {origin.param_hash} · policy {session.policy[:12]}"),
        format=escape(session.transcript.format),
        lines=f"{metrics['lines']:,}",
        tiles=_tiles(metrics),
        rates=_rates(metrics),
        distances=bars(metrics["distance"]["histogram"], "lines between"),
        scores=bars(metrics["score"]["histogram"], "score from"),
        fanout=bars(metrics["fanout"], "intents on one consequence"),
        hierarchy=tiers(session),
        tree=_tree(session),
        excluded=_excluded(metrics),
        rows=_rows(session),
        loose=_loose(session),
        contested=_contested(session),
        skipped=_skipped(session),
        data=_data(session),
    )


def _tiles(metrics: dict[str, Any]) -> str:
    tiles = (
        (metrics["links"], "links"),
        (_percent(metrics["coverage"]), "claimed"),
        (_percent(metrics["strong_share"]), "strong"),
        (len(metrics["contested"]), "contested"),
        (metrics["excluded"], "lines left out"),
    )
    return "".join(f"<div class='tile'><b>{value}</b><span>{name}</span></div>" for value, name in tiles)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _rates(metrics: dict[str, Any]) -> str:
    out = []
    for group, css in (("by_strength", "strength"), ("by_type", "type")):
        for name, row in metrics[group].items():
            width = 0 if not row["links"] else 100 * row["claimed"] / row["links"]
            out.append(
                f"<tr class='{css}'><th><i class='dot {name}'></i>{name}</th><td class='n'>{row['claimed']}"
                f"<small> / {row['links']}</small></td><td class='meter'><i style='width:{width:.1f}%'></i></td></tr>"
            )
    return "".join(out)


def _excluded(metrics: dict[str, Any]) -> str:
    rows = metrics["excluded_by_reason"].items()
    return "".join(f"<li><i class='swatch {k}'></i>{k}<b>{n}</b></li>" for k, n in rows) or "<li>nothing</li>"


def _tree(session: Session) -> str:
    metrics = session.tree.metrics
    rows = "".join(f"<li>{tier}s<b>{n}</b></li>" for tier, n in metrics["by_tier"].items())
    rows += f"<li>lines drawn in<b>{metrics['absorbed']}</b></li>"
    return rows + f"<li>lines still alone<b>{metrics['unlinked_eligible']}</b></li>"


def _rows(session: Session) -> str:
    found = session.found
    hues = {name: n % _HUES for n, name in enumerate(session.transcript.speakers)}
    claimed: dict[int, list[int]] = {}
    intents: dict[int, list[CausalLink]] = {}
    for link in found.links:
        intents.setdefault(link.intent_anchor_index, []).append(link)
        if link.consequence_anchor_index is not None:
            claimed.setdefault(link.consequence_anchor_index, []).append(link.intent_anchor_index)
    masters = {name for name, lead in zip(found.sheet.names, found.sheet.master, strict=True) if lead}
    out, before = [], ""
    for line in session.transcript.lines:
        reasons = [r.value for r in found.mask.exclusion_reasons(line.index)]
        css = ["row"] + (["out", reasons[0]] if reasons else []) + (["dm"] if line.speaker in masters else [])
        name = "" if line.speaker == before and not reasons else escape(line.speaker)
        before = line.speaker
        at = line.index
        chips = _chips(intents.get(at, []), claimed.get(at, []), reasons)
        out.append(
            f"<div class='{' '.join(css)}' id='L{at}' data-i='{at}'><a class='no' href='#L{at}'>{at}</a>"
            f"<span class='who h{hues[line.speaker]}'>{name}</span><p>{escape(line.text)}{chips}</p></div>"
        )
    return "\n".join(out)


def _chips(links: list[CausalLink], bidders: list[int], reasons: list[str]) -> str:
    out = [f"<em class='chip why'>{reason}</em>" for reason in reasons]
    if links:
        link = links[0]
        state = "" if any(x.claimed for x in links) else " open"
        out.append(f"<em class='chip {link.intent_strength.value}{state}'>{link.intent_type.value}</em>")
    if len(bidders) > 1:
        out.append(f"<em class='chip contested'>contested ×{len(bidders)}</em>")
    return "".join(out)


def _anchor(index: int) -> str:
    return f"<a href='#L{index}'>{index}</a>"


def _loose(session: Session) -> str:
    offers = {o.candidate_id: o for o in session.resolved}
    rows = []
    for end in session.loose:
        offer = offers.get(end.id)
        note = f"<span class='offer'>perhaps resolved at {_anchor(offer.at_index)}</span>" if offer else ""
        rows.append(
            f"<li>{_anchor(end.since_index)}<b>{escape(end.actor)}</b><q>{escape(end.text)}</q>"
            f"<em class='chip strong open'>{end.type.value.lower()}</em>{note}</li>"
        )
    return "".join(rows) or "<li class='none'>Every strong intent was answered.</li>"


def _contested(session: Session) -> str:
    bids: dict[int, list[CausalLink]] = {}
    for link in session.found.links:
        if link.consequence_anchor_index is not None:
            bids.setdefault(link.consequence_anchor_index, []).append(link)
    rows = [
        f"<li>{_anchor(index)}<q>{escape(links[0].consequence_text or '')}</q><span>claimed by "
        + ", ".join(f"{_anchor(x.intent_anchor_index)} {escape(x.actor)}" for x in links)
        + "</span></li>"
        for index, links in sorted(bids.items())
        if len(links) > 1
    ]
    return "".join(rows) or "<li class='none'>No consequence is claimed twice.</li>"


def _skipped(session: Session) -> str:
    rows = session.transcript.skipped
    if not rows:
        return ""
    items = "".join(f"<li><b>{s.where}</b>{escape(s.reason)} <q>{escape(s.sample)}</q></li>" for s in rows[:200])
    more = f"<li class='none'>and {len(rows) - 200} more</li>" if len(rows) > 200 else ""
    head = f"<summary>{len(rows)} parts of the file were skipped</summary>"
    return f"<details>{head}<ul class='list'>{items}{more}</ul></details>"


def _candidate(c: PossibleConsequence) -> list[Any]:
    parts = (round(c.score, 3), round(c.hill, 3), round(c.lexical, 2), round(c.answer, 2))
    return [c.index, *parts, int(c.prompt), c.taken_by]


def _data(session: Session) -> str:
    """What the page draws and shows on hover: short keys, and nothing that could close the script."""
    traces = session.found.traces or (None,) * len(session.found.links)
    rows = []
    for link, trace in zip(session.found.links, traces, strict=True):
        best = () if trace is None else sorted(trace.candidates, key=lambda c: (-c.score, c.distance))
        rows.append(
            {
                "a": link.intent_anchor_index,
                "b": link.consequence_anchor_index,
                "s": link.intent_strength.value,
                "t": link.intent_type.value,
                "c": link.consequence_type.value,
                "v": None if link.score is None else round(link.score, 3),
                "w": link.actor,
                "k": int(link.continuation),
                "d": "" if trace is None else f"{trace.claim_reason.value} · {trace.detail}",
                "r": [_candidate(c) for c in best[:_MOST_CANDIDATES]],
            }
        )
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
