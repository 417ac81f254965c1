"""TRANSCRIPTS. Enters: chat logs and subtitles.
Leaves: lines with index, speaker, text.
Does not know: links and masks.
"""

from __future__ import annotations

from clew.formats.transcript.read import FORMATS, parse, read_transcript
from clew.formats.transcript.speakers import SpeakerMap, read_map, starter

__all__ = ["FORMATS", "SpeakerMap", "parse", "read_map", "read_transcript", "starter"]
