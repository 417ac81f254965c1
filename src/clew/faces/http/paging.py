"""Pages by cursor, and lists as JSON Lines for who asks for them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi import Request
from starlette.responses import Response

from clew.errors import InvalidInput

T = TypeVar("T")
JSONL = "application/jsonl"
LINES: dict[int | str, dict[str, Any]] = {200: {"content": {JSONL: {"schema": {"type": "string"}}}}}


def page(rows: Sequence[T], mark: Callable[[T], str], cursor: str | None, limit: int) -> tuple[list[T], str | None]:
    """Rows stand in the order of their marks; a row that went away in between is not missed."""
    after = read_cursor(cursor)
    left = [r for r in rows if after is None or mark(r) > after]
    shown = left[:limit]
    return shown, write_cursor(mark(shown[-1])) if len(left) > limit else None


def write_cursor(mark: str) -> str:
    return base64.urlsafe_b64encode(mark.encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> str | None:
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error):
        raise InvalidInput("this cursor was not made here", pointer="/cursor") from None


def listed(request: Request, items: list[dict[str, Any]], cursor: str | None) -> Any:
    """A page as an object, or as lines with the cursor in a header."""
    if JSONL not in request.headers.get("accept", ""):
        return {"items": items, "next_cursor": cursor}
    lines = "".join(json.dumps(i, ensure_ascii=False) + "\n" for i in items)
    return Response(lines, media_type=JSONL, headers={"X-Next-Cursor": cursor} if cursor else None)
