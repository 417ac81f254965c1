"""A turn read once: what scoring needs of it, as plain arrays that can be stored side by side.

A run is a stretch of consecutive turns. Each of its columns is a flat array, so that two runs are joined by
laying their columns end to end, and nothing of a text is kept but the numbers of its terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.read.spoken import Part, Spoken, spoken
from clew.model.canonical import sha256
from clew.model.transcript import Line
from clew.policy import Policy

Floats = npt.NDArray[np.float32]

# Raised when a stored run would be read wrongly; what was stored before is then made again.
LAYOUT = 1
HEAD = np.dtype(
    [
        ("position", "<i4"),
        ("passages", "<u2"),
        ("speaker", "<u2"),
        ("breaks", "u1"),  # this turn starts a session
        ("tells", "u1"),  # a bit for each of TELLS
        ("asks", "<f2"),
        ("addresses", "<f2"),
        ("length", "<f2"),
        ("day", "<i4"),  # 0: unknown
        ("at", "<f8"),  # seconds since 1970; nan: unknown
        ("scale", "<f4"),  # makes the sum of the turn's passages one vector of length 1
    ]
)
TELLS = ("time", "amount", "name", "place", "reason", "rule", "taste")
COLUMNS: dict[str, np.dtype[Any]] = {
    "heads": HEAD,
    "sizes": np.dtype("<u2"),  # distinct terms of each passage
    "hashes": np.dtype("<u4"),
    "counts": np.dtype("u1"),
    "scales": np.dtype("<f4"),  # two for each passage: of its vector, and of its outline
    "coarse": np.dtype("i1"),  # its outline: the vector in few directions
    "vectors": np.dtype("i1"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    heads: npt.NDArray[Any]
    sizes: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint8]
    scales: Floats
    coarse: npt.NDArray[np.int8]
    vectors: npt.NDArray[np.int8]

    def columns(self) -> dict[str, bytes]:
        return {name: getattr(self, name).tobytes() for name in COLUMNS}

    @classmethod
    def of(cls, columns: Mapping[str, bytes | None]) -> Run:
        """A column that was not read is empty."""
        return cls(**{n: np.frombuffer(columns.get(n) or b"", kind) for n, kind in COLUMNS.items()})


@dataclass(frozen=True, slots=True)
class UnembeddedRun:
    """A run without vectors, the passages to embed, and a word for each term."""

    run: Run
    passages: tuple[tuple[Part, ...], ...]
    words: Mapping[int, tuple[str, str]]  # number of a term -> (term, a word it stands for)


def read(
    turns: Sequence[tuple[int, Line]], before: Line | None, speakers: Mapping[str, int], policy: Policy
) -> UnembeddedRun:
    """`turns` are (position, line) in order; `before` is the line just before the first."""
    heads = np.zeros(len(turns), HEAD)
    sizes: list[int] = []
    hashes: list[int] = []
    counts: list[int] = []
    groups: list[tuple[Part, ...]] = []
    words: dict[int, tuple[str, str]] = {}
    for head, (position, line) in zip(heads, turns, strict=True):
        said = spoken(line.text, policy)
        groups.append(said.parts)
        for part in said.parts:
            held: dict[int, int] = {}
            for term, source in part.terms:
                number = term_number(term)
                held[number] = held.get(number, 0) + 1
                kept = words.get(number)
                if kept is None or (len(source), source) < (len(kept[1]), kept[1]):
                    words[number] = (term, source)
            sizes.append(len(held))
            hashes.extend(held)
            counts.extend(min(n, 255) for n in held.values())
        _fill(head, position, line, said, speakers[line.speaker], policy)
        head["breaks"] = before is not None and breaks(before, line, policy)
        before = line
    run = Run(
        heads,
        np.array(sizes, np.uint16),
        np.array(hashes, np.uint32),
        np.array(counts, np.uint8),
        np.zeros(0, np.float32),
        np.zeros(0, np.int8),
        np.zeros(0, np.int8),
    )
    return UnembeddedRun(run, tuple(groups), words)


def with_vectors(run: Run, rows: Floats, basis: Floats | None) -> Run:
    """`rows` has one vector per passage; `basis` the directions of the outline, if the space has any."""
    starts = np.cumsum(run.heads["passages"], dtype=np.int64) - run.heads["passages"]
    whole = np.add.reduceat(rows, starts, axis=0) if len(starts) else rows
    norms = np.linalg.norm(whole, axis=1)
    heads = run.heads.copy()
    heads["scale"] = np.where(norms > 0, 1 / np.maximum(norms, 1e-6), 0)
    vectors, scale = eighths(rows)
    coarse, outline = (
        eighths(rows @ basis) if basis is not None else (np.zeros((len(rows), 0), np.int8), 0 * scale)
    )
    return replace(
        run, heads=heads, scales=np.stack([scale, outline], axis=1), coarse=coarse, vectors=vectors
    )


def spliced(run: Run, place: int, new: Run) -> Run:
    """The run with its turn at this place read anew; `new` holds that one turn."""
    first = int(run.heads["passages"][:place].sum())
    last = first + int(run.heads["passages"][place])
    term, end = int(run.sizes[:first].sum()), int(run.sizes[:last].sum())
    spans = {"heads": (place, place + 1, 1), "hashes": (term, end, 1), "counts": (term, end, 1)}
    many = max(len(run.sizes), 1)
    out = {}
    for name in COLUMNS:
        old, fresh = getattr(run, name).ravel(), getattr(new, name).ravel()
        a, b, width = spans.get(name, (first, last, old.size // many))
        out[name] = np.concatenate([old[: a * width], fresh, old[b * width :]])
    return Run(**out)


def after(run: Run, position: int) -> Run:
    """What of the run follows this position: runs may have been joined since some of it was read."""
    place = int(np.searchsorted(run.heads["position"], position, side="right"))
    if not place:
        return run
    first = int(run.heads["passages"][:place].sum())
    term = int(run.sizes[:first].sum())
    starts = {"heads": place, "hashes": term, "counts": term}
    many = max(len(run.sizes), 1)
    columns = {name: getattr(run, name).ravel() for name in COLUMNS}
    return Run(**{n: c[starts[n] if n in starts else first * (c.size // many) :] for n, c in columns.items()})


def eighths(rows: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Vectors as eight bits a number with one scale a row. A cosine then differs from the third digit on."""
    scale = (np.abs(rows).max(axis=1, initial=0) / 127).astype(np.float32)
    grid = np.round(rows / np.where(scale > 0, scale, 1)[:, None])
    return grid.astype(np.int8), scale


@lru_cache(maxsize=65536)
def term_number(term: str) -> int:
    return crc32(term.encode("utf-8", "replace"))


# Words of a language by which a turn is read.
_READ = (
    "stop_words", "suffixes", "irregular", "place_words", "articles", "reason_words", "address_words", "time_words",
    "clock", "verb_months", "not_numbers", "rules", "tastes",
)  # fmt: skip


@lru_cache(maxsize=4)
def stamp(policy: Policy) -> str:
    """Names how turns are read: what was read in another way is read again."""
    r, t = policy.recall, policy.text
    how = [
        LAYOUT, r.stem_min, r.passage, r.passages_max, r.session_gap_hours, r.length_words, r.words, r.space, r.outline,
        r.word_min_length, t.particles, t.months, t.weekdays, t.number_words,
        *([getattr(own, name) for name in _READ] for own in r.languages.values()),
    ]  # fmt: skip
    return sha256(how)[:16]


def _fill(head: Any, position: int, line: Line, said: Spoken, speaker: int, policy: Policy) -> None:
    head["position"], head["passages"], head["speaker"] = position, len(said.parts), speaker
    head["tells"] = sum(1 << bit for bit, what in enumerate(TELLS) if getattr(said.signs, what))
    head["asks"], head["addresses"] = said.signs.asks, said.signs.addresses
    head["length"] = min(np.log1p(said.length) / np.log1p(policy.recall.length_words), 1.0)
    head["day"] = line.at.toordinal() if line.at else 0
    head["at"] = line.at.timestamp() if line.at else np.nan


def breaks(before: Line, now: Line, policy: Policy) -> bool:
    """A pause, a jump back in time, or another prefix of the ids (D1:3, D2:1) starts a session."""
    if before.at is not None and now.at is not None:
        gap = timedelta(hours=policy.recall.session_gap_hours)
        if now.at - before.at >= gap or now.at < before.at:
            return True
    return _prefix(before.id) != _prefix(now.id)


def _prefix(turn_id: str | None) -> str:
    """D1:3 -> D1; an id without a number after a separator groups nothing."""
    if not turn_id:
        return ""
    head, separator, tail = turn_id.rpartition(":") if ":" in turn_id else turn_id.rpartition("_")
    return head if separator and tail.isdigit() else ""
