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


# What happened to a memory, as a person says it; an event of another kind changed nothing they would miss.
_HAPPENED = {
    "created": ("remembered", "기억함"),
    "superseded": ("replaced", "바뀜"),
    "contradicted": ("no longer so", "이제 아님"),
    "invalidated": ("forgotten", "잊음"),
    "restored": ("remembered again", "다시 기억함"),
    "suppressed": ("will not bring up", "꺼내지 않음"),
}
_NEW, _OLD = "created", ("superseded", "contradicted")


def kept_line(trace: Mapping[str, Any]) -> str:
    """The quiet line under a reply: what is known now that was not before; "" when nothing changed."""
    korean = _room(trace, "heard").get("language") == "ko"
    events = [e for e in _room(trace, "remember").get("events", ()) if e["kind"] in _HAPPENED]
    new = any(e["kind"] == _NEW for e in events)
    told: dict[str, list[str]] = {}
    for event in events:
        if new and event["kind"] in _OLD:
            continue  # the new one says it
        words = event.get("words") or unnamed(event["reason"])
        told.setdefault(event["kind"], []).append(f"{words[:1].lower()}{words[1:]}")
    for thread in _room(trace, "weave").get("opened", ()):
        told.setdefault("opened", []).append(thread)
    for thread in _room(trace, "weave").get("closed", ()):
        told.setdefault("closed", []).append(thread)
    names = {**_HAPPENED, "opened": ("keeping an eye on", "지켜봄"), "closed": ("closed", "마무리됨")}
    return " · ".join(f"{names[k][korean]}: {'; '.join(dict.fromkeys(v))}" for k, v in told.items())


_READ_AS = {
    "FRIEND_CHAT": "ordinary talk",
    "EMOTIONAL_SUPPORT": "something that weighs on you",
    "INFO_QA": "a question about the world",
    "ONBOARDING_CHAT": "a first hello",
    "REFUSAL": "something I do not go into",
}
_MENDED = {"rewrite": "written a second time", "repair": "mended", "fallback": "replaced by a safe one"}


def short_story(trace: Mapping[str, Any], said: str = "", reply: str = "") -> list[str]:
    """Why the reply is what it is, in a few plain sentences; `story` has every rule."""
    out = [f"You wrote: {said}"] if said else []
    heard, route = _room(trace, "heard"), _room(trace, "route")
    feeling = float(heard.get("emotion", {}).get("valence", 0))
    mood = "; it sounded low" if feeling < -0.2 else "; it sounded glad" if feeling > 0.2 else ""
    out.append(f"I read it as {_READ_AS.get(route.get('pipeline', ''), 'a message')}{mood}.")
    if correction := _room(trace, "correction").get("command"):
        out.append(f"You corrected me ({correction.replace('_', ' ').lower()}).")
    asked = _room(trace, "answer")
    if asked:
        wanted = ", ".join(dict.fromkeys(a["attribute"].replace("_", " ") for a in asked.get("asks", ())))
        found = [f["told"] for f in asked.get("findings", ()) if f["source"] != "none"]
        told = "; ".join(found[:4]) if found else "nothing that answers it"
        out.append(f"You asked for something I might know ({wanted}); I found: {told}.")
    elif hits := len(_room(trace, "recall").get("hits", ())):
        out.append(f"It brought {hits} memor{'y' if hits == 1 else 'ies'} to mind.")
    if kept := kept_line(trace):
        out.append(f"{kept[:1].upper()}{kept[1:]}.")
    else:
        out.append("Nothing in it was kept as a memory.")
    gate = _room(trace, "gate")
    hard = [v["code"].lower().replace("_", " ") for v in gate.get("violations", ()) if "BAND" not in v["code"]]
    if hard and (path := _MENDED.get(gate.get("path", ""))):
        out.append(f"The first draft did not pass ({', '.join(dict.fromkeys(hard))}), so it was {path}.")
    writer = _room(trace, "draft").get("writer")
    if writer:
        by = "the built-in writer, which only knows this talk" if writer == "composer" else f"the model {writer}"
        out.append(f"The words came from {by}.")
    if reply:
        out.append(f"I answered: {reply}")
    out.append("/why all shows every rule.")
    return out


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
