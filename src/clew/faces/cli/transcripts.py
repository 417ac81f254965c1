"""Reading a transcript file for storage.

Canonical lines are read here, because what is stored must be the text as it was sent, line breaks
included, and one bad line refuses the file; every other dialect goes through the format readers.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from clew.errors import InvalidInput
from clew.faces.cli.recall import moment
from clew.model.fields import Fields
from clew.model.transcript import Line, Transcript

CANONICAL = "canonical"
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


def taken_in(path: Path, most: int) -> bytes:
    """The file, or standard input for -, chunk by chunk: never more than the limit is held."""
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as source:
            held = bytearray()
            while chunk := source.read(_CHUNK):
                if not held and b"\0" in chunk and chunk[:2] not in (_GZIP, b"\xff\xfe", b"\xfe\xff"):
                    at = chunk.index(b"\0")
                    raise InvalidInput(f"{path} is binary, not a transcript (a zero byte at {at})", pointer="FILE")
                held += chunk
                if len(held) > most:
                    raise InvalidInput(
                        f"{path} has more than the {most:,} bytes that are taken at once: split it by session",
                        pointer="FILE",
                    )
            return bytes(held)
    except OSError as why:
        raise InvalidInput(f"cannot read {path}: {why.strerror or why}", pointer="FILE") from None


def read_for_storage(path: Path, format_: str = "auto", *, most: int) -> Transcript:
    from clew.formats.transcript import parse, read_transcript
    from clew.formats.transcript.read import sniff

    content = taken_in(path, most)
    if content.startswith(_GZIP) and str(path) != "-":
        return read_transcript(path, format_, most_bytes=most)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        if content[:2] in (b"\xff\xfe", b"\xfe\xff") and str(path) != "-":
            return read_transcript(path, format_)
        raise InvalidInput(f"{path}: not UTF-8 at byte {why.start}", pointer="FILE") from None
    if format_ == "auto":
        format_ = sniff(text, str(path))
    return canonical(text) if format_ == CANONICAL else parse(text, format_, name=str(path))


def canonical(text: str) -> Transcript:
    """One {"index", "speaker", "text", "at"?, "id"?} per line."""
    lines: list[Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        try:
            lines.append(_line(json.loads(raw)))
        except InvalidInput as why:
            raise InvalidInput(f"line {number}: {why.message}", pointer=f"/{number}{why.pointer}") from None
        except (ValueError, RecursionError) as why:
            raise InvalidInput(f"line {number}: not JSON: {why}", pointer=f"/{number}") from None
    if not lines:
        raise InvalidInput("the transcript has no lines", pointer="FILE")
    return Transcript(CANONICAL, tuple(lines))


def _line(payload: Any) -> Line:
    found = Fields(payload)
    speaker = found.text("speaker")
    if not speaker.strip():
        raise InvalidInput("speaker must not be empty", pointer="/speaker")
    raw_id = found.raw("id", None)
    return Line(
        index=found.row_number("index"),
        speaker=speaker,
        text=found.text("text"),
        at=moment(found.text("at", None), found.at("at")),
        id=str(raw_id) if isinstance(raw_id, int) and not isinstance(raw_id, bool) else found.id("id", None),
    )
