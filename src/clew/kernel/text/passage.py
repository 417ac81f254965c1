"""A text read once for every gate: its normal forms and its sentences."""

from __future__ import annotations

from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.sentences import sentences
from clew.policy import Policy
from clew.policy.text import TextPolicy


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` as written, `read` in its normal forms, and its sentences, each with its closing mark."""

    text: str
    read: Normal
    sentences: tuple[str, ...]


def passage(text: str | Passage, policy: Policy) -> Passage:
    """Of a text; what is read already is given back."""
    return text if isinstance(text, Passage) else _passage(text, policy.text)


@lru_cache(maxsize=64)
def _passage(text: str, policy: TextPolicy) -> Passage:
    return Passage(text, normal(text), sentences(text, policy))
