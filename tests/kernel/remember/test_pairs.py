"""Our own English pairs: contradictions of every kind stay two memories, paraphrases become one."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from clew.kernel.remember.likeness import memory_likeness
from clew.policy import default

PAIRS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "memory_pairs.json").read_text(encoding="utf-8")
)
POLICY = default()


def merged(split: str, *, same: bool) -> Fraction:
    rows = [p for p in PAIRS if p["split"] == split and p["same"] is same]
    found = sum(memory_likeness(p["a"], p["b"], POLICY).duplicate for p in rows)
    return Fraction(found, len(rows))


@pytest.mark.parametrize("split", ["dev", "held"])
def test_contradictions_are_hardly_ever_merged(split: str) -> None:
    assert merged(split, same=False) <= Fraction(2, 100)


@pytest.mark.parametrize("split", ["dev", "held"])
def test_most_paraphrases_are_merged_by_their_words_alone(split: str) -> None:
    assert merged(split, same=True) >= Fraction(80, 100)


def test_every_kind_of_contradiction_is_in_both_halves() -> None:
    kinds = {"polarity", "number", "name", "date", "antonym", "roles", "quantifier"}
    for split in ("dev", "held"):
        assert {p["kind"] for p in PAIRS if p["split"] == split and not p["same"]} == kinds


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p["a"])
def test_the_order_of_a_pair_does_not_matter(pair: dict[str, Any]) -> None:
    a, b = pair["a"], pair["b"]
    assert memory_likeness(a, b, POLICY).duplicate is memory_likeness(b, a, POLICY).duplicate
