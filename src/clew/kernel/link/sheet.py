"""A transcript laid out for reading: one folded text per line, who speaks, what may answer.

Kernels below work by position (0, 1, 2 …); a line's own index only measures distance (ruling C15).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

from ahocorasick_rs import MATCHKIND_LEFTMOST_LONGEST, AhoCorasick

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.model.transcript import Line

T = TypeVar("T")

# One character for one, so that places in a line stay the same.
_ODD = "\u2018\u2019\u02bc\u2032\uff07\u201c\u201d\u2014\u2013\u2026\uff1f\uff0c\uff01\u3002\u00a0"
_FOLDS = tuple(zip(_ODD, "'''''\"\"--.?,!. ", strict=True))
_SPACED = bytes(c if c > 127 or chr(c).isalnum() or chr(c) in "'\n" else 32 for c in range(256))
_BATCH = 4096


@dataclass(frozen=True, slots=True)
class Sheet:
    """`voices` are small numbers for speakers; `master` marks those of the game master."""

    session_id: str
    lines: Sequence[Line]
    index: list[int]
    low: list[str]
    voices: list[int]
    names: tuple[str, ...]
    actors: tuple[str | None, ...]
    master: tuple[bool, ...]
    general: bool

    def may_intend(self, position: int) -> bool:
        return self.actors[self.voices[position]] is not None


def fold(texts: Sequence[str]) -> list[str]:
    """Lower case, straight apostrophes, one row per text."""
    if not texts:
        return []
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1:
        joined = "\n".join([t.replace("\n", " ") for t in texts])
    joined = joined.lower()
    joined = joined.replace("`", "'")
    for odd, plain in _FOLDS:
        joined = joined.replace(odd, plain)
    return joined.split("\n")


def spaced(low: str) -> str:
    """ASCII marks become spaces, apostrophes stay; bytes are the quick way."""
    return low.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass")


def lay_out(
    session_id: str, lines: Sequence[Line], dm: Iterable[str] = (), players: Iterable[str] | None = None
) -> Sheet:
    index = [line.index for line in lines]
    for place, (before, after) in enumerate(pairwise(index)):
        if after <= before:
            word = "repeated" if after == before else "out of order"
            message = f"line index {after} is {word} (after {before})"
            raise InvalidInput(message, pointer=f"/lines/{place + 1}/index")
    numbers: dict[str, int] = {}
    voices = [numbers.setdefault(line.speaker, len(numbers)) for line in lines]
    names = tuple(numbers)
    masters = {_key(name) for name in dm}
    master = tuple(_key(name) in masters for name in names)
    wanted = None if players is None else tuple(players)
    actors = tuple(
        None if boss else _actor(name, wanted) for name, boss in zip(names, master, strict=True)
    )
    if lines and wanted is not None and not any(master) and not any(actors):
        here = ", ".join(names[:12])
        raise InvalidInput(f"no line is spoken by a known speaker; speakers here: {here}", pointer="/players")
    low = fold([line.text for line in lines])
    return Sheet(session_id, lines, index, low, voices, names, actors, master, general=not masters)


def _key(name: str) -> str:
    """Game masters are compared by trimmed lower-case full name."""
    return name.strip().casefold()


def _actor(name: str, players: tuple[str, ...] | None) -> str | None:
    """Everyone, or whom the name equals or contains as a word; the longest such name wins."""
    if players is None:
        return name
    spoken = f" {_plain(name)} "
    fits = [p for p in players if _key(p) == _key(name) or (_plain(p) and f" {_plain(p)} " in spoken)]
    return max(fits, key=lambda p: (len(p), p)) if fits else None


def _plain(name: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in _key(name)).split())


class Scanner(Generic[T]):
    """Many phrases, one pass over many lines; a phrase is a run of whole words."""

    def __init__(self, phrases: Mapping[str, T]) -> None:
        self._values = tuple(phrases.values())
        self._search = AhoCorasick(
            [" " + spaced(phrase).strip() for phrase in phrases], matchkind=MATCHKIND_LEFTMOST_LONGEST
        )

    def scan(self, low: Sequence[str], positions: Sequence[int]) -> Iterator[tuple[int, int, int, T]]:
        """(position, start, end, value) in order of place, longest phrase first at one place."""
        values = self._values
        for first in range(0, len(positions), _BATCH):
            batch = positions[first : first + _BATCH]
            rows = [low[p] for p in batch]
            text = spaced(" " + "\n ".join(rows) + "\n")
            row = 0
            begin = 1
            stop = begin + len(rows[0])
            for number, start, end in self._search.find_matches_as_indexes(text):
                after = text[end]
                if after == "'" or after.isalnum():
                    continue
                while start > stop:
                    row += 1
                    begin = stop + 2
                    stop = begin + len(rows[row])
                yield batch[row], start + 1 - begin, end - begin, values[number]
