"""Pages by cursor, and lists as JSON Lines for who asks for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query, Request
from starlette.responses import Response

from clew.faces.http.paging_marks import page, read_cursor, write_cursor

__all__ = ["JSONL", "LINES", "Part", "Wanted", "listed", "read_cursor", "write_cursor"]
T = TypeVar("T")
JSONL = "application/jsonl"
LINES: dict[int | str, dict[str, Any]] = {200: {"content": {JSONL: {"schema": {"type": "string"}}}}}


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a list is asked for."""

    cursor: str | None
    limit: int

    def of(
        self, rows: Sequence[T], mark: Callable[[T], str], *, falling: bool = False
    ) -> tuple[list[T], str | None]:
        return page(rows, mark, self.cursor, self.limit, falling=falling)


def _part(cursor: str | None = Query(None, max_length=400), limit: int = Query(50, ge=1, le=200)) -> Part:
    return Part(cursor, limit)


Wanted = Annotated[Part, Depends(_part)]


def listed(request: Request, items: list[dict[str, Any]], cursor: str | None) -> Any:
    """A page as an object, or as lines with the cursor in a header."""
    if JSONL not in request.headers.get("accept", ""):
        return {"items": items, "next_cursor": cursor}
    lines = "".join(json.dumps(i, ensure_ascii=False) + "\n" for i in items)
    return Response(lines, media_type=JSONL, headers={"X-Next-Cursor": cursor} if cursor else None)
