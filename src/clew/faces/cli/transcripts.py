"""Reading a transcript file at a command: canonical JSON Lines, or whatever the format readers know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clew.errors import InvalidInput
from clew.faces.cli.recall import moment
from clew.model.fields import Fields
from clew.model.transcript import Line, Transcript

CANONICAL = "canonical"


def read_transcript(path: Path, format_: str = "auto", content: bytes | None = None) -> Transcript:
    if content is None:
        try:
            content = path.read_bytes()
        except OSError as why:
            raise InvalidInput(f"cannot read {path}: {why.strerror or why}", pointer="FILE") from None
    if format_ not in ("auto", CANONICAL):
        raise InvalidInput(f"unknown format {format_!r}; known: auto, {CANONICAL}", pointer="--format")
    return canonical(content)


def canonical(content: bytes) -> Transcript:
    """One {"index", "speaker", "text", "at"?, "id"?} per line; one bad line refuses the whole file."""
    lines: list[Line] = []
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            lines.append(_line(json.loads(raw.decode("utf-8")), len(lines)))
        except UnicodeDecodeError as why:
            raise InvalidInput(f"line {number}: not UTF-8 at byte {why.start}", pointer="") from None
        except InvalidInput as why:
            raise InvalidInput(f"line {number}: {why.message}", pointer=why.pointer) from None
        except (ValueError, RecursionError) as why:
            raise InvalidInput(f"line {number}: not JSON: {why}", pointer="") from None
    if not lines:
        raise InvalidInput("the transcript has no lines", pointer="FILE")
    return Transcript(CANONICAL, tuple(lines))


def _line(payload: Any, position: int) -> Line:
    found = Fields(payload)
    speaker = found.text("speaker")
    if not speaker.strip():
        raise InvalidInput("speaker must not be empty", pointer="/speaker")
    raw_id = found.raw("id", None)
    return Line(
        index=found.integer("index", position),
        speaker=speaker,
        text=found.text("text"),
        at=moment(found.text("at", None), found.at("at")),
        id=str(raw_id) if isinstance(raw_id, int) and not isinstance(raw_id, bool) else found.id("id", None),
    )
