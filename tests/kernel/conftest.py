from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.kernel.door import call

AT = "2026-11-15T10:00:00+09:00"


@pytest.fixture
def memory() -> Callable[..., dict[str, Any]]:
    """A MemoryRecord as callers send it."""

    def make(memory_id: str, key: str, value: str, **more: Any) -> dict[str, Any]:
        kinds = {
            "fact": "FACT",
            "pref": "PREFERENCE",
            "event": "RELATIONSHIP_EVENT",
            "emotion": "EMOTIONAL_PATTERN",
        }
        return {
            "memory_id": memory_id,
            "type": kinds[key.split(":")[0]],
            "memory_key": key,
            "memory_value": value,
            "confidence": 0.6,
            "status": "ACTIVE",
            "superseded_by": None,
            "invalid_reason": None,
            "created_at": "2026-10-01T00:00:00Z",
            "last_confirmed_at": "2026-10-01T00:00:00Z",
            "source_message_ids": ["m0"],
            **more,
        }

    return make


@pytest.fixture
def found() -> Callable[[str], dict[str, str]]:
    """What `extract` finds in a text: key -> value."""

    def read(text: str, at: str = AT, timezone: str = "Asia/Seoul") -> dict[str, str]:
        answer = call("extract", {"text": text, "at": at, "timezone": timezone})
        return {c["key"]: c["value"] for c in answer["candidates"]}

    return read
