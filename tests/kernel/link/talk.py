"""Small transcripts for the tests of this room."""

from __future__ import annotations

from typing import Any

from clew.kernel.door import call
from clew.kernel.link.extract import Extraction, extract
from clew.model.transcript import Line
from clew.policy import default


def lines(*said: str, start: int = 0) -> list[Line]:
    """Each "Name: text" is one line."""
    out = []
    for n, row in enumerate(said):
        speaker, _, text = row.partition(": ")
        out.append(Line(start + n, speaker, text))
    return out


def run(*said: str, dm: tuple[str, ...] = ("DM",), **more: Any) -> Extraction:
    return extract("s", lines(*said), default().link, dm=dm, **more)


def ask(*said: str, **more: Any) -> dict[str, Any]:
    rows = [{"index": line.index, "speaker": line.speaker, "text": line.text} for line in lines(*said)]
    return call("links", {"session_id": "s", "lines": rows, **more})


def pairs(found: Extraction) -> list[tuple[int, int | None]]:
    return [(link.intent_anchor_index, link.consequence_anchor_index) for link in found.links]
