"""Log lines: one JSON object each, without names and texts.

A record of another package is told by its own words without the values in them, and an unexpected error by its type and
the places it came through: what it says of itself may hold what somebody said.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"time": at, "level": record.levelname.lower()}
        told = getattr(record, "told", None)
        line |= told if isinstance(told, dict) else {"from": record.name, "message": str(record.msg).strip()}
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trail = record.exc_info
            line["error"] = kind.__name__
            line["through"] = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in traceback.extract_tb(trail)]
        return json.dumps(line, ensure_ascii=False)


def configure(stream: TextIO | None = None) -> None:
    """For a process that is the server; a program that mounts the application keeps its own logging."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("clew").setLevel(logging.INFO)
