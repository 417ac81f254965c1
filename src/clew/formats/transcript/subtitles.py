"""Recordings: WhisperX JSON, SRT, WebVTT and TSV."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

from clew.errors import InvalidInput
from clew.formats.transcript.draft import Draft, offset, plain_text
from clew.model.transcript import Line, Transcript

UNKNOWN = "UNKNOWN"
# Two segments of one speaker with less silence between are one line.
MERGE_GAP = timedelta(seconds=1.5)
_TIME = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})")
_CUE = re.compile(rf"^\s*({_TIME.pattern})\s+-->\s+({_TIME.pattern})", re.MULTILINE)
_PREFIX = re.compile(r"^\s*\[([^\]\n]{1,60})\]:\s*")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_NAMED = re.compile(r"^\s*([A-Z][^:\n.?!]{0,39}):\s+")


def whisperx(text: str) -> Transcript:
    draft = Draft("whisperx")
    for number, item in enumerate(_segments(text), 1):
        if not isinstance(item, dict) or not isinstance(item.get("text"), str):
            draft.skip(number, "segment without text", str(item))
            continue
        speaker = item.get("speaker")
        if not isinstance(speaker, str):
            speaker = _by_words(item.get("words")) or UNKNOWN
        _put(draft, number, speaker, item["text"], item.get("start"), item.get("end"))
    return _merged(draft)


def _segments(text: str) -> list[Any]:
    data = json.loads(text)
    found = data.get("segments")
    if not isinstance(found, list):
        raise InvalidInput("segments must be a list", pointer="/segments")
    return found


def _by_words(words: object) -> str | None:
    """The speaker of most words, when the segment itself names none."""
    votes: dict[str, int] = {}
    for word in words if isinstance(words, list) else ():
        if isinstance(word, dict) and isinstance(word.get("speaker"), str):
            votes[word["speaker"]] = votes.get(word["speaker"], 0) + 1
    return max(votes, key=lambda name: (votes[name], name)) if votes else None


def srt(text: str) -> Transcript:
    return _cues(text, "srt")


def vtt(text: str) -> Transcript:
    return _cues(text, "vtt")


def _cues(text: str, format: str) -> Transcript:
    draft = Draft(format)
    number = 0
    for block in re.split(r"\n[ \t]*\n", text):
        cue = _CUE.search(block)
        if cue is None:
            if block.strip() and not re.match(r"\s*(WEBVTT|NOTE|STYLE|REGION)", block):
                draft.skip(number + 1, "no cue times", block)
            continue
        number += 1
        body = block[block.find("\n", cue.end()) + 1 :] if "\n" in block[cue.end() :] else ""
        speaker, body = _speaker(body)
        _put(draft, number, speaker, plain_text(body), _seconds(cue[1]), _seconds(cue[6]))
    return _merged(draft)


def tsv(text: str) -> Transcript:
    """Header `start end text`, integer milliseconds."""
    draft = Draft("tsv")
    for number, row in enumerate(text.split("\n")[1:], 2):
        if not row.strip():
            continue
        cells = row.split("\t", 2)
        if len(cells) < 3 or not cells[0].strip().isdigit() or not cells[1].strip().isdigit():
            draft.skip(number, "not start, end and text", row)
            continue
        speaker, said = _speaker(cells[2])
        _put(draft, number, speaker, said, int(cells[0]) / 1000, int(cells[1]) / 1000)
    return _merged(draft)


def _speaker(body: str) -> tuple[str, str]:
    for pattern in (_PREFIX, _VOICE, _NAMED):
        if found := pattern.search(body):
            return found[1].strip(), body[: found.start()] + body[found.end() :]
    return UNKNOWN, body


def _seconds(stamp: str) -> float:
    found = _TIME.match(stamp.strip())
    if found is None:
        return 0.0
    hours, minutes, seconds, part = found.groups()
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(part.ljust(3, "0")) / 1000


def _put(draft: Draft, number: int, speaker: str, text: str, start: object, end: object) -> None:
    if text.strip():
        draft.say(speaker, text, at=offset(start), end=offset(end), id=str(number - 1))
    else:
        draft.skip(number, "empty cue")


def _merged(draft: Draft) -> Transcript:
    """In order of time, and what one speaker says without a pause is one line."""
    rows = sorted(draft.lines, key=lambda line: (line.at is None, line.at or offset(0), line.index))
    out: list[Line] = []
    for line in rows:
        before = out[-1] if out else None
        if (
            before is not None
            and before.speaker == line.speaker != UNKNOWN
            and before.end is not None
            and line.at is not None
            and line.at - before.end < MERGE_GAP
        ):
            joined = f"{before.text} {line.text}"
            out[-1] = Line(before.index, before.speaker, joined, before.at, before.id, line.end or before.end)
        else:
            out.append(Line(len(out), line.speaker, line.text, line.at, line.id, line.end))
    draft.lines = out
    return draft.done()
