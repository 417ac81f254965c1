"""Choosing among ways to say a thing: by the message, and past what was said lately."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.kernel.language.packs import pack
from clew.model.canonical import sha256

_GAP = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_SPACE = re.compile(r"\s+([,.!?])")


@dataclass(frozen=True, slots=True)
class Choice:
    """`seed` comes from the message, so the same turn says the same; `recent` are the newest replies."""

    seed: int
    language: str
    recent: tuple[str, ...]

    def pick(self, ways: Sequence[str], salt: str, values: Mapping[str, str] | None = None) -> str:
        """The first way, in an order of this message's own, whose words were not used lately; "" for none."""
        ready = [way for way in ways if _fillable(way, values or {})]
        if not ready:
            return ""
        start = int(sha256(f"{self.seed}:{salt}")[:8], 16) % len(ready)
        ordered = [ready[(start + i) % len(ready)] for i in range(len(ready))]
        chosen = min(ordered, key=lambda way: (self._used(way), ordered.index(way)))
        return fill(chosen, values or {}, self.language)

    def _used(self, way: str) -> int:
        """How lately this way was used: 0 for not at all, more the nearer it is."""
        stem = _longest(way)
        if not stem:
            return 0
        for back, said in enumerate(reversed(self.recent)):
            if stem in said.lower():
                return len(self.recent) - back
        return 0

    def roll(self, sides: int, salt: str) -> int:
        return int(sha256(f"{self.seed}:{salt}")[:8], 16) % sides


def _longest(way: str) -> str:
    """The longest stretch of a template between its gaps, by which it is known again."""
    parts = [p.strip(" ,.!?…") for p in _GAP.split(way)[::3]]
    return max(parts, key=len, default="").lower()


def _fillable(way: str, values: Mapping[str, str]) -> bool:
    return all(values.get(name) for name, _ in _GAP.findall(way))


def fill(way: str, values: Mapping[str, str], language: str) -> str:
    """{value} as it is, {value:을} with the particle that fits it, {value:a} with its article."""
    spoken = pack(language)

    def put(match: re.Match[str]) -> str:
        value = values[match.group(1)]
        return spoken.join(value, match.group(2)) if match.group(2) and spoken else value

    text = _SPACE.sub(r"\1", _GAP.sub(put, way)).strip()
    return text[:1].upper() + text[1:] if text[:1].isascii() else text
