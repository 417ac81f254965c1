"""`Name: text` and its relatives: chat logs with a time, `<nick> text`, WhisperX's `[SPEAKER_00]: text`."""

from __future__ import annotations

import re

from clew.formats.transcript.draft import Draft
from clew.model.transcript import LineKind, Transcript

_STAMP = r"(?:\[[^\]\n]{0,40}\d[^\]\n]{0,20}\]\s*|\(?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AP]M)?\)?\s*[-–]?\s*)?"
_NICK = re.compile(rf"^\s*{_STAMP}<[@+%&~ ]?([^<>\n]{{1,60}})>\s?(.*)$")
_ACTION = re.compile(rf"^\s*{_STAMP}\*\s+(\S{{1,60}})\s+(.*)$")
_BRACKET = re.compile(r"^\s*\[([^\]\n]{1,60})\]:\s?(.*)$")
_BOLD = r"(?:\*\*|__)?"
_NAME = re.compile(
    rf"^\s*{_STAMP}{_BOLD}([^\s:*_<>\[\]#|][^:\n*<>|]{{0,59}}?){_BOLD}:{_BOLD}(?:\s+(.*)|$)"
)
_SYSTEM = re.compile(r"^\s*(?:===|---|-!-|\*\*\*)\s")
_URL = re.compile(r"^(?:https?|ftp|file)$", re.IGNORECASE)
_NAME_WORDS = 6


def split(row: str) -> tuple[str, str, LineKind] | None:
    """Speaker, text and kind of one row, or nothing."""
    if found := _NICK.match(row):
        return found[1].strip(), found[2], LineKind.SPEECH
    if found := _BRACKET.match(row):
        return found[1].strip(), found[2], LineKind.SPEECH
    if found := _ACTION.match(row):
        return found[1].strip(), found[2], LineKind.EMOTE
    found = _NAME.match(row)
    if found and not _URL.match(found[1]) and len(found[1].split()) <= _NAME_WORDS:
        return found[1].strip(), found[2] or "", LineKind.SPEECH
    return None


def plain(text: str) -> Transcript:
    """A row without a name goes on with the line before it."""
    draft = Draft("plain")
    rows: list[tuple[str, str, LineKind]] = []
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        said = split(row)
        if said is not None:
            rows.append(said)
        elif _SYSTEM.match(row):
            draft.skip(number, "system line", row)
        elif rows:
            speaker, before, kind = rows[-1]
            rows[-1] = (speaker, f"{before} {row.strip()}".strip(), kind)
        else:
            draft.skip(number, "no speaker before the first name", row)
    for speaker, said_text, kind in rows:
        draft.say(speaker, said_text, kind=kind)
    return draft.done()


def share(text: str, rows: int = 200) -> float:
    """Which part of the first rows has a speaker."""
    head = [row for row in text.split("\n", rows)[:rows] if row.strip()]
    return sum(split(row) is not None for row in head) / len(head) if head else 0.0
