"""How an agent came to its answers, read from its messages: which tools it called, and what it recorded on purpose."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.model.decision import IN_CONVERSATION, Worked

# What callers name the words of a decision, and what came of it.
_TEXTS = ("decision", "description", "text", "summary")
_OUTCOMES = ("outcome", "status", "result")


def worked(rows: Sequence[Any], starts: Sequence[int], frame: str | None, recording: Sequence[str]) -> list[Worked]:
    """One for each exchange; `starts` are the rows that begin one, `recording` the tools that record."""
    out = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(rows)
        calls = [call for row in rows[start:end] if isinstance(row, Mapping) for call in _calls(row)]
        tools = tuple(name for name, _ in calls)
        recorded = tuple(told for name, given in calls if name in recording and (told := _recorded(given)))
        out.append(Worked(frame or IN_CONVERSATION, tools, recorded))
    return out


def _calls(row: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Tool calls as chat completions write them: {"function": {"name", "arguments": JSON}}."""
    calls = row.get("tool_calls")
    out: list[tuple[str, Mapping[str, Any]]] = []
    for call in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else ():
        called = call.get("function", call) if isinstance(call, Mapping) else None
        if isinstance(called, Mapping) and isinstance(called.get("name"), str):
            out.append((called["name"], _arguments(called.get("arguments"))))
    return out


def _arguments(given: Any) -> Mapping[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, Mapping) else {}


def _recorded(given: Mapping[str, Any]) -> tuple[str, str] | None:
    text = next((given[n] for n in _TEXTS if isinstance(given.get(n), str) and given[n].strip()), None)
    outcome = next((given[n] for n in _OUTCOMES if isinstance(given.get(n), str)), "")
    return (text, outcome) if text else None
