"""Pages by cursor, and lists as JSON Lines for who asks for them."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from starlette.responses import Response

from clew.faces.http.paging_marks import page, read_cursor, write_cursor

__all__ = ["JSONL", "LINES", "listed", "page", "read_cursor", "write_cursor"]
JSONL = "application/jsonl"
LINES: dict[int | str, dict[str, Any]] = {200: {"content": {JSONL: {"schema": {"type": "string"}}}}}


def listed(request: Request, items: list[dict[str, Any]], cursor: str | None) -> Any:
    """A page as an object, or as lines with the cursor in a header."""
    if JSONL not in request.headers.get("accept", ""):
        return {"items": items, "next_cursor": cursor}
    lines = "".join(json.dumps(i, ensure_ascii=False) + "\n" for i in items)
    return Response(lines, media_type=JSONL, headers={"X-Next-Cursor": cursor} if cursor else None)
