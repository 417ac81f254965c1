"""Weights of small learned scores: signed bytes in a file of the package, numbers beside them in a table."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources

from clew.errors import InvalidPolicy
from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Scorer:
    """bias + words_scale × Σ words / √n + vector_scale × vector · v + units; written by bench/train.

    `file` holds, one after another: words, alone (each `buckets` long), vector, units (a row for each unit weight).
    `alone` is what the words say where there is no vector.
    """

    file: str
    sha256: str
    buckets: int
    bias: float
    words_scale: float
    vector_scale: float
    alone_bias: float
    alone_scale: float
    vector_size: int = 512
    unit_scale: float = 0.0
    unit_bias_out: float = 0.0
    unit_bias: tuple[float, ...] = ()
    unit_weights: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    words: memoryview
    alone: memoryview
    vector: memoryview
    units: memoryview


@lru_cache(maxsize=16)
def table(scorer: Scorer) -> Rows:
    """The signed bytes of one score, checked against their fingerprint."""
    data = resources.files("clew.policy").joinpath("weights", scorer.file).read_bytes()
    if hashlib.sha256(data).hexdigest() != scorer.sha256:
        raise InvalidPolicy(f"weights {scorer.file} are not the ones this policy names", pointer="/weights")
    all_of = memoryview(data).cast("b")
    size, width = scorer.buckets, scorer.vector_size
    if len(all_of) != 2 * size + width * (1 + len(scorer.unit_weights)):
        raise InvalidPolicy(f"weights {scorer.file} have another size than their table", pointer="/weights")
    cut = 2 * size + width
    return Rows(all_of[:size], all_of[size : 2 * size], all_of[2 * size : cut], all_of[cut:])
