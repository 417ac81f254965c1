"""PersonaMem as rows: an event, the line that states it, what it tells.

The set names an event by a `Side_Note` line. In about half of the conversations the note stands before the user's line
that tells of it, in the others after it, so that "the line after the note" is often about the next event. `said` is
the line after the note, as the set's own `Conversation` field has it; `stated` is, of the lines right before and right
after the note, the one nearer in meaning to the event. Both are measured.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

Row = dict[str, Any]
Embed = Callable[[list[str]], np.ndarray]


def remembering(embed: Embed) -> Embed:
    """The same vectors without embedding a text twice."""
    known: dict[str, np.ndarray] = {}

    def embedded(texts: list[str]) -> np.ndarray:
        missing = sorted({t for t in texts if t not in known})
        if missing:
            known.update(zip(missing, embed(missing), strict=True))
        return np.array([known[t] for t in texts])

    return embedded


def bare(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def openings(text: str) -> tuple[str, str]:
    parts = re.split(r"(?<=[.!?])\s", text)
    return parts[0], " ".join(parts[:2])


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def personamem(data: Path) -> list[Row]:
    """Every labelled event, in the order of the file; the words of the notes are never part of a line."""
    rows = []
    for event in _lines(data / "personamem_dev" / "events.jsonl.gz"):
        said = [
            line[5:].strip()
            for line in (event.get("Conversation") or "").split("\n")
            if line.startswith("User:")
        ]
        key = next((k for k in event if k.startswith("[Updated Fact]")), None)
        key = key or next((k for k in event if k.startswith("[Fact]")), None)
        if said and key:
            stance = "dislike" if "Dislikes" in key else "like"
            rows.append({**event, "said": said[0], "stated": said[0], "stance": stance, "item": event[key]})
    return rows


def align(rows: list[Row], data: Path, embed: Embed) -> None:
    """Set `stated` in place."""
    talks = {
        (c["persona"], c["topic"], c["stage"].replace("Conversation", "Contextual Personal History")): c[
            "lines"
        ]
        for c in _lines(data / "personamem_dev" / "conversations.jsonl.gz")
    }
    choices = [[row["said"]] for row in rows]
    for row, choice in zip(rows, choices, strict=True):
        lines = talks.get((row["persona"], row["topic"], row["block"]), [])
        users = [(n, line[5:].strip()) for n, line in enumerate(lines) if line.lower().startswith("user:")]
        here = next((n for n, line in users if line == row["said"]), None)
        if here is not None:
            note = max((n for n in range(here) if lines[n].startswith("Side_Note")), default=0)
            choice += [line for n, line in users if n < note][-1:]
    texts = sorted({part for choice in choices for line in choice for part in (line, *openings(line))})
    vectors = dict(zip(texts, embed(texts), strict=True))
    for row, choice, event in zip(rows, choices, embed([r["Event"] for r in rows]), strict=True):
        near = [max(float(vectors[part] @ event) for part in (line, *openings(line))) for line in choice]
        row["stated"] = choice[int(np.argmax(near))]


def halves(rows: Iterable[Row]) -> Iterable[tuple[str, list[Row]]]:
    rows = list(rows)
    yield "personas 0-1", [r for r in rows if r["persona"] < 2]
    yield "personas 2-3", [r for r in rows if r["persona"] >= 2]


def earlier_of(rows: list[Row], number: int, scope: str = "topic") -> list[int]:
    row = rows[number]
    same = ("persona", "topic") if scope == "topic" else ("persona",)
    return [j for j in range(number) if all(rows[j][name] == row[name] for name in same)]


def superseded(rows: list[Row], number: int, earlier: list[int]) -> list[int]:
    """The earlier rows the label says this one replaces."""
    old = rows[number].get("[Old Event]")
    return [j for j in earlier if old and bare(rows[j]["Event"]) == bare(old)]
