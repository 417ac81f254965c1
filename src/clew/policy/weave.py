"""Numbers and words for open-loop threads (thread-contract, rulings T1–T15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clew.model.thread import ThreadType


@dataclass(frozen=True, slots=True, eq=False)
class WeavePolicy:
    """Phrases come from data/weave.toml."""

    thresholds: Mapping[ThreadType, Fraction]
    stop_phrases: tuple[str, ...]
    scaffold_prefixes: Mapping[ThreadType, tuple[str, ...]]
    scaffold_connectors: Mapping[ThreadType, tuple[str, ...]]
