"""Cursors: where a page ended, in a form that only we read."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar

from clew.errors import InvalidInput

T = TypeVar("T")


def page(
    rows: Sequence[T], mark: Callable[[T], str], cursor: str | None, limit: int, *, falling: bool = False
) -> tuple[list[T], str | None]:
    """Rows stand in the rising or falling order of their marks; a row that went away in between is not missed."""
    after = read_cursor(cursor)
    left = [r for r in rows if after is None or (mark(r) < after if falling else mark(r) > after)]
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
