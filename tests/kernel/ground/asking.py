"""A follow-up in its usual surroundings, changed field by field."""

from __future__ import annotations

from typing import Any

from clew.kernel.door import call

CHAT = {"kind": "chat", "instance_id": "room-1"}
WIDGET = {"kind": "widget", "instance_id": "w-1"}
AT = "2026-03-01T10:00:00Z"
FRESH = {"activeOptionSetId": "set-1", "activeScope": CHAT}
MORE = {"decision": "need_more_info", "confidence": 0.5}
TWINS = [
    {"id": "c1", "label": "Sample 2"},
    {"id": "c2", "label": "sample2"},
    {"id": "c3", "label": "notes"},
]
PATHS = {"chat_active_options": {"c1": {"path": "reports/2024"}}}


def listed(*labels: str) -> list[dict[str, Any]]:
    return [{"id": f"c{i}", "label": label} for i, label in enumerate(labels, 1)]


def opened(target: str = "c2", **changes: Any) -> dict[str, Any]:
    return {
        "type": "open",
        "targetRef": target,
        "sourceScope": CHAT,
        "optionSetId": "set-1",
        "timestamp": AT,
        "outcome": "executed",
        **changes,
    }


def after_opening(target: str = "c2", **changes: Any) -> dict[str, Any]:
    action = opened(target, **changes)
    return {
        **FRESH,
        "lastResolvedAction": action,
        "recentActionTrace": [action],
        "lastAcceptedChoiceId": target,
    }


def ask(text: str, /, *, mode: str = "repair", policy: Any = None, **changes: Any) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "text": text,
        "candidates": listed("sample1", "sample2", "sample3"),
        "continuity": FRESH,
        "scope": CHAT,
        "option_set_id": "set-1",
        "at": AT,
        **changes,
    }
    return call("ground", payload, mode=mode, policy=policy)  # type: ignore[arg-type]


def names(answer: dict[str, Any]) -> list[str]:
    return [event["name"] for event in answer["telemetry"]]


def event(answer: dict[str, Any], name: str) -> dict[str, Any]:
    return next(e for e in answer["telemetry"] if e["name"] == name)


def shown(answer: dict[str, Any]) -> list[str]:
    return [c["id"] for c in answer["clarifier"]["candidates"]]


def rules(answer: dict[str, Any]) -> list[str]:
    return [r["rule"] for r in answer["reasons"]]
