"""A transcript being written down: numbers lines, keeps account of what is left out."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

from clew.model.transcript import Line, LineKind, Skipped, Transcript

_SAMPLE = 60
_BREAKS = re.compile(r"<(?:br|/p|/div|/li|/tr)[^>]*>", re.IGNORECASE)
_DROPPED = re.compile(r"<(script|style)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_TAGS = re.compile(r"<[^>]*>")


class Draft:
    def __init__(self, format: str) -> None:
        self.format = format
        self.lines: list[Line] = []
        self.skipped: list[Skipped] = []

    def say(
        self,
        speaker: str,
        text: str,
        *,
        at: datetime | None = None,
        end: datetime | None = None,
        id: str | None = None,
        kind: LineKind = LineKind.SPEECH,
        channel: str | None = None,
        reply_to: int | None = None,
    ) -> int:
        """Line breaks inside a message become spaces; the number of the line is given back."""
        index = len(self.lines)
        flat = " ".join(text.split())
        self.lines.append(Line(index, speaker.strip(), flat, at, id, end, channel, kind, reply_to))
        return index

    def skip(self, where: int, reason: str, sample: str = "") -> None:
        flat = " ".join(sample.split())
        self.skipped.append(Skipped(where, reason, flat[:_SAMPLE]))

    def done(self) -> Transcript:
        return Transcript(self.format, tuple(self.lines), tuple(self.skipped))


def plain_text(markup: str) -> str:
    """HTML to text: scripts gone, block ends are spaces, entities read."""
    if "<" in markup:
        markup = _TAGS.sub("", _BREAKS.sub(" ", _DROPPED.sub(" ", markup)))
    return " ".join(html.unescape(markup).split())


def iso_time(value: object) -> datetime | None:
    """A time that can be read, or nothing; without an offset it is UTC."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def epoch_ms(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def offset(seconds: object) -> datetime | None:
    """A recording starts at the epoch: only differences mean something."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    return epoch_ms(round(seconds * 1000))
