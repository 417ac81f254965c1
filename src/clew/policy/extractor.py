"""How often a model is asked what a message tells, in which words, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class AskModel(StrEnum):
    """At every turn that states something, at turns where the reading may have missed something, or never."""

    EVERY = "every"
    CHOSEN = "chosen"
    NEVER = "never"


@dataclass(frozen=True, slots=True, eq=False)
class ExtractorPolicy:
    """Words in data/remember.extractor.toml.

    means: what an attribute is, where its name does not say it; a user's row may have one too.
    own: how a model writes that something is the user's own.
    """

    instruction: str
    means: Mapping[str, str] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    ask: AskModel = AskModel.CHOSEN
    # A chosen turn: a statement read with less certainty than this, or a telling message of which nothing was read.
    unsure_below: float = 0.7
    telling_words: int = 4
    # Languages in which one speaks of oneself without saying so.
    unspoken_self: tuple[str, ...] = ("ko",)
    # A model that is slower is not waited for: the turn goes on without it.
    seconds: int = 20
    tokens: int = 500
    candidates: int = 12
    value_characters: int = 200
