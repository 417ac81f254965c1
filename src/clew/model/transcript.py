"""A transcript: numbered lines, each said by someone."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from enum import StrEnum

from clew.frozen import dataclass


class LineKind(StrEnum):
    SPEECH = "SPEECH"
    ROLL = "ROLL"
    EMOTE = "EMOTE"
    WHISPER = "WHISPER"
    SYSTEM = "SYSTEM"
    OOC = "OOC"


@dataclass(frozen=True, slots=True)
class Line:
    index: int
    speaker: str
    text: str
    at: datetime | None = None
    id: str | None = None
    end: datetime | None = None
    channel: str | None = None
    kind: LineKind = LineKind.SPEECH
    reply_to: int | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something a reader left out, and why: `where` is a line or item number, from 1."""

    where: int
    reason: str
    sample: str = ""

    def as_dict(self) -> dict[str, object]:
        return {"where": self.where, "reason": self.reason, "sample": self.sample}


@dataclass(frozen=True, slots=True)
class Transcript:
    format: str
    lines: tuple[Line, ...]
    skipped: tuple[Skipped, ...] = field(default=())

    @property
    def speakers(self) -> dict[str, int]:
        """Who speaks, and how many lines, most talkative first."""
        counts: dict[str, int] = {}
        for line in self.lines:
            counts[line.speaker] = counts.get(line.speaker, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
