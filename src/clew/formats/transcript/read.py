"""Which dialect a file speaks, decided by its structure and never by its name."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clew.errors import InvalidInput, UnknownName
from clew.formats.transcript import plain as plain_rows
from clew.formats.transcript.discord import discord
from clew.formats.transcript.json_lines import canonical, conversation, sillytavern
from clew.formats.transcript.plain import plain
from clew.formats.transcript.subtitles import srt, tsv, vtt, whisperx
from clew.formats.transcript.tabletop import LOG_HEAD, foundry, foundry_log, roll20
from clew.model.transcript import Transcript

MOST_BYTES = 1 << 29
_GZIP = b"\x1f\x8b"
_SRT = re.compile(r"^\s*\d+\s*\n\s*\d{1,2}:\d\d:\d\d,\d{1,3}\s+-->", re.MULTILINE)
_ROLL20 = re.compile(r"<div[^>]+class=[\"'][^\"']*\bmessage\b", re.IGNORECASE)
_HEAD = 65536
_PLAIN_SHARE = 0.3

FORMATS: dict[str, Callable[[str], Transcript]] = {
    "canonical": canonical,
    "discord": discord,
    "whisperx": whisperx,
    "sillytavern": sillytavern,
    "foundry": foundry,
    "clew": conversation,
    "vtt": vtt,
    "srt": srt,
    "tsv": tsv,
    "roll20": roll20,
    "foundry_log": foundry_log,
    "plain": plain,
}


def read_transcript(path: Path, format: str = "auto", *, most_bytes: int = MOST_BYTES) -> Transcript:
    return parse(_load(path, most_bytes), format, name=str(path))


def parse(text: str, format: str = "auto", *, name: str = "the text") -> Transcript:
    if format == "auto":
        format = sniff(text, name)
    if format not in FORMATS:
        raise UnknownName(f"no transcript format {format!r}; known: {', '.join(FORMATS)}", pointer="/format")
    try:
        found = FORMATS[format](text)
    except (json.JSONDecodeError, RecursionError, AttributeError) as why:
        raise InvalidInput(f"{name} is not {format}: {why}", pointer="/") from None
    if not found.lines:
        left = f" (skipped {len(found.skipped)}: {found.skipped[0].reason})" if found.skipped else ""
        raise InvalidInput(f"{name}: no line with a speaker, read as {format}{left}", pointer="/")
    return found


def sniff(text: str, name: str = "the text") -> str:
    head = text[:_HEAD].lstrip()
    if not head:
        raise InvalidInput(f"{name} is empty", pointer="/")
    found = None
    if head[0] in "{[":
        found = _sniff_json(text, head)
    if found is None:
        found = _sniff_text(head)
    if found is None:
        raise InvalidInput(
            f"{name}: unknown format; known: {', '.join(FORMATS)} (say which with --format)", pointer="/format"
        )
    return found


def _sniff_json(text: str, head: str) -> str | None:
    first = _object(head.split("\n", 1)[0])
    if first is not None:
        return _by_keys(first) or _by_keys(_object(head.split("\n", 2)[1]) if "\n" in head else None)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, list):
        return _by_keys(data[0]) if data and isinstance(data[0], dict) else None
    return _by_keys(data)


def _object(row: str) -> dict[str, Any] | None:
    try:
        item = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return item if isinstance(item, dict) else None


def _by_keys(item: dict[str, Any] | None) -> str | None:
    if item is None:
        return None
    keys = set(item)
    if "segments" in keys:
        return "whisperx"
    if "messages" in keys and keys & {"channel", "guild", "exportedAt"}:
        return "discord"
    if {"index", "speaker", "text"} <= keys:
        return "canonical"
    if "chat_metadata" in keys or {"name", "mes"} <= keys or {"user_name", "character_name"} <= keys:
        return "sillytavern"
    if {"role", "text"} <= keys:
        return "clew"
    if "_id" in keys and keys & {"content", "speaker", "rolls", "roll"}:
        return "foundry"
    return None


def _sniff_text(head: str) -> str | None:
    if head.startswith("WEBVTT"):
        return "vtt"
    if _SRT.match(head):
        return "srt"
    if head.split("\n", 1)[0].split("\t") == ["start", "end", "text"]:
        return "tsv"
    if head[0] == "<" and _ROLL20.search(head):
        return "roll20"
    if LOG_HEAD.match(head.split("\n", 1)[0]) and plain_rows.split(head.split("\n", 1)[0]) is None:
        return "foundry_log"
    return "plain" if head[0] not in "{" and plain_rows.share(head) >= _PLAIN_SHARE else None


def _load(path: Path, most: int) -> str:
    try:
        size = path.stat().st_size
        if size > most:
            raise InvalidInput(_too_big(path, size, most), pointer="/")
        data = path.read_bytes()
    except OSError as why:
        raise InvalidInput(f"cannot read {path}: {why.strerror}", pointer="/") from None
    if data.startswith(_GZIP):
        data = _unpacked(path, data, most)
    return _decoded(path, data)


def _too_big(path: Path, size: int, most: int) -> str:
    return f"{path} has {size:,} bytes, more than the {most:,} that fit in memory: split it by session"


def _unpacked(path: Path, data: bytes, most: int) -> bytes:
    import io

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            out = packed.read(most + 1)
    except (OSError, EOFError) as why:
        raise InvalidInput(f"{path}: damaged gzip: {why}", pointer="/") from None
    if len(out) > most:
        raise InvalidInput(_too_big(path, len(out), most), pointer="/")
    return out


def _decoded(path: Path, data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16").replace("\r\n", "\n")
        except UnicodeDecodeError as why:
            raise InvalidInput(f"{path}: not UTF-16 at byte {why.start}", pointer="/") from None
    zero = data.find(b"\0")
    if zero >= 0:
        raise InvalidInput(f"{path} is binary, not a transcript (a zero byte at {zero})", pointer="/")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as why:
        raise InvalidInput(f"{path}: not UTF-8 at byte {why.start}", pointer="/") from None
