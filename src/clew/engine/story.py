"""A turn's trace as a story a person can read: what was heard, decided, used, said and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.engine.rights import unnamed


def one_line(trace: Mapping[str, Any]) -> str:
    """The dim line under a reply."""
    if not trace:
        return "nothing was kept"
    bits = [_room(trace, "route").get("pipeline", "?").lower().replace("_", " ")]
    if topics := [t["topic"].lower() for t in _room(trace, "heard").get("topics", ())]:
        bits.append("about " + ", ".join(topics))
    if command := _room(trace, "correction").get("command"):
        bits.append(f"correction: {command}")
    for event in _room(trace, "remember").get("events", ()):
        if event["kind"] not in ("skipped",):
            bits.append(f"{event['kind']} {event.get('label') or unnamed(event['reason'])}")
    if surfaced := _room(trace, "gate").get("surfaced"):
        bits.append(f"used {len(surfaced)} memor{'y' if len(surfaced) == 1 else 'ies'}")
    relate = _room(trace, "relate")
    if relate.get("delta"):
        bits.append(f"rapport {relate['delta']:+d} = {relate['score']}")
    if (path := _room(trace, "gate").get("path")) not in (None, "draft"):
        bits.append(f"reply by {path}")
    return " · ".join(bits)


def story(trace: Mapping[str, Any], said: str = "", reply: str = "") -> list[str]:
    """Paragraph lines; every rule id in brackets can be looked up."""
    lines: list[str] = []
    if said:
        lines.append(f"You said: {said}")
    heard, route = _room(trace, "heard"), _room(trace, "route")
    emotion, safety = heard.get("emotion", {}), heard.get("safety", {})
    lines.append(
        f"Heard: language {heard.get('language', '?')}; "
        f"signals {', '.join(heard.get('flags', ())) or 'none'}; "
        f"valence {emotion.get('valence', 0):+.2f}{' (strong)' if emotion.get('strong') else ''}; "
        f"safety {safety.get('class', 'none')}{_rules(heard)}"
    )
    for topic in heard.get("topics", ()):
        lines.append(f"  topic {topic['topic']} at {topic['confidence']:.2f} from {', '.join(topic['hits'])}")
    lines.append(
        f"Route: {route.get('pipeline')} ({route.get('safety_policy')}); memory read "
        f"{route.get('memory_read_policy')}, write {route.get('memory_write_policy')}, vectors "
        f"{route.get('vector_search_policy')}{_rules(route)}"
    )
    if correction := _room(trace, "correction"):
        asked = " (asked which)" if correction.get("clarify") else ""
        lines.append(f"Correction: {correction['command']}{asked}{_rules(correction)}")
    recall = _room(trace, "recall")
    hits = recall.get("hits", ())
    lines.append(f"Recall: {len(hits)} of {recall.get('considered', 0)} memories{_rules(recall)}")
    for hit in hits:
        parts = ", ".join(f"{k} {v:.2f}" for k, v in hit["parts"].items())
        lines.append(f"  {hit['key']} scored {hit['score']:.2f} ({parts})")
    if recall.get("hidden"):
        lines.append(f"  {len(recall['hidden'])} kept back as sensitive")
    lines.extend(_plan_lines(_room(trace, "plan")))
    gate = _room(trace, "gate")
    if gate:
        lines.append(f"Gate: reply by {gate.get('path')}{_rules(gate)}")
        lines.extend(f"  {v['code']}: {v['detail']}" for v in gate.get("violations", ()))
        if gate.get("surfaced"):
            lines.append(f"  the reply used {', '.join(gate['surfaced'])}")
    relate = _room(trace, "relate")
    if relate:
        lines.append(
            f"Bond: {relate.get('delta', 0):+d} to {relate.get('score')} ({relate.get('stage')}){_rules(relate)}"
        )
    lines.extend(_memory_lines(trace))
    if reply:
        lines.append(f"Reply: {reply}")
    timings = trace.get("timings_ms", {})
    total = sum(timings.values())
    lines.append(f"Took {total:.1f} ms: " + ", ".join(f"{k} {v:.1f}" for k, v in timings.items()))
    lines.append(f"Policy {trace.get('policy', '')[:12]}")
    return lines


def _plan_lines(room: Mapping[str, Any]) -> list[str]:
    if not room:
        return []
    plan = room.get("plan", {})
    limits = plan.get("constraints", {})
    lines = [
        f"Plan: {plan.get('tone')} tone; sentences {limits.get('sentences')}, emoji {limits.get('emoji')}; "
        f"follow-up {plan.get('followup') or 'none'}"
    ]
    sections = ", ".join(f"{s['section']} {s['tokens']}" for s in room.get("prompt", ()))
    lines.append(f"  prompt of {room.get('tokens')} tokens: {sections}")
    lines.extend(f"  left out {x.get('what', x)}: {x.get('reason', '')}" for x in room.get("left_out", ()))
    return lines


def _memory_lines(trace: Mapping[str, Any]) -> list[str]:
    events = _room(trace, "remember").get("events", ())
    if not events:
        return ["Memory: nothing changed"]
    return ["Memory:"] + [
        f"  {e['kind']} {e.get('label') or unnamed(e['reason'])} [{e['reason'].split()[0]}]" for e in events
    ]


def _room(trace: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return trace.get(name) or {}


def _rules(room: Mapping[str, Any]) -> str:
    rules = [r["rule"] for r in room.get("reasons", ())]
    return f" [{', '.join(dict.fromkeys(rules))}]" if rules else ""
