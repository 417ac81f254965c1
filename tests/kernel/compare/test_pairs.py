"""Our own pairs, English and Korean: contradictions of every kind stay two memories, paraphrases become one.

`dev` was looked at while the rules grew, `held` once at their end, `late` and `last` were written afterwards.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from clew.kernel.compare.likeness import memory_likeness
from clew.policy import default

FOLDER = Path(__file__).parents[2] / "vectors"
FILES: dict[str, list[dict[str, Any]]] = {
    name: json.loads((FOLDER / f"memory_pairs{name}.json").read_text(encoding="utf-8"))
    for name in ("", "_en", "_ko", "_late")
}
PAIRS = [pair for rows in FILES.values() for pair in rows]
POLICY = default()
KINDS = {"polarity", "number", "name", "date", "antonym", "roles"}


def merged(rows: list[dict[str, Any]], split: str, *, same: bool) -> Fraction:
    rows = [p for p in rows if p["split"] == split and p["same"] is same and p["kind"] != "caption"]
    found = sum(memory_likeness(p["a"], p["b"], POLICY).duplicate for p in rows)
    return Fraction(found, len(rows))


@pytest.mark.rule("general 3")
@pytest.mark.parametrize("name", ["", "_en", "_ko"])
@pytest.mark.parametrize("split", ["dev", "held"])
def test_contradictions_are_hardly_ever_merged(name: str, split: str) -> None:
    assert merged(FILES[name], split, same=False) <= Fraction(2, 100)


@pytest.mark.rule("general 3")
@pytest.mark.parametrize("split", ["late", "last"])
def test_few_contradictions_of_later_days_are_merged(split: str) -> None:
    assert merged(FILES["_late"], split, same=False) <= Fraction(8, 100)


@pytest.mark.parametrize(
    ("name", "split", "least"),
    [
        (name, split, least)
        for name, least in (("", 80), ("_en", 55), ("_ko", 50))
        for split in ("dev", "held")
    ],
)
def test_most_paraphrases_are_merged_by_their_words_alone(name: str, split: str, least: int) -> None:
    assert merged(FILES[name], split, same=True) >= Fraction(least, 100)


@pytest.mark.parametrize("name", ["", "_en", "_ko"])
def test_every_kind_of_contradiction_is_in_both_halves(name: str) -> None:
    for split in ("dev", "held"):
        found = {p["kind"] for p in FILES[name] if p["split"] == split and not p["same"]}
        assert found >= KINDS


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p["a"])
def test_the_order_of_a_pair_does_not_matter(pair: dict[str, Any]) -> None:
    a, b = pair["a"], pair["b"]
    assert memory_likeness(a, b, POLICY).duplicate is memory_likeness(b, a, POLICY).duplicate
