"""Where the answers to a question lie.

A question and what answers it are about one matter, but a sentence encoder finds what is alike: to "where does she
work?" another question after work. How far and in what directions the answers lie from their questions was learned
from questions in two languages (bench/train/recall_answering.py), in the main directions of the encoder's space.
"""

from __future__ import annotations

from base64 import b85decode
from functools import lru_cache

import numpy as np

from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.vocabulary import basis
from clew.policy import Policy

# The product of matrices differs in its last bits between machines; on this grid it is the same almost always.
_GRID = np.float32(2.0**12)


def answers_at(question: Floats, space: str, policy: Policy) -> Floats | None:
    """A vector near the answers to this one; None where it was not learned for this space."""
    learned = _learned(policy, space, len(question))
    if learned is None:
        return None
    directions, asked, told = learned
    moved = question + directions @ (told @ (asked.T @ (directions.T @ question)))
    out: Floats = (np.round(moved * _GRID) / _GRID).astype(np.float32)
    return out


@lru_cache(maxsize=4)
def _learned(policy: Policy, space: str, dimensions: int) -> tuple[Floats, Floats, Floats] | None:
    """(main directions of the space, what is asked in them, where what is told to it lies)."""
    directions, table = basis(policy, space, dimensions), policy.recall.answering
    if directions is None or not table:
        return None
    strength = np.array(table["strength"].split(), np.float32)
    asked, told = (_matrix(table[name], len(strength)) for name in ("asked_matrix", "told_matrix"))
    if len(asked) != directions.shape[1]:
        return None
    return directions, asked * strength, told


def _matrix(text: str, columns: int) -> Floats:
    """Columns of length 1."""
    rows = np.frombuffer(b85decode(text.replace("\n", "")), np.int8).astype(np.float32).reshape(-1, columns)
    unit: Floats = rows / np.linalg.norm(rows, axis=0)
    return unit
