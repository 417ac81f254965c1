"""A broken or odd embedder costs the vectors, never the turn; the trace says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.engine.parts import Parts
from clew.engine.vectors import vectors_of
from clew.testing.parts import make_parts, onboard, say


class Odd:
    def __init__(self, space: str, answer: Any, dimensions: Any = 512) -> None:
        self.space, self.dimensions, self._answer = space, dimensions, answer

    def embed(self, texts: Sequence[str]) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer(texts)


ODD = {
    "raises": (Odd("odd-1", RuntimeError("no weights today")), "RuntimeError: no weights today"),
    "not a number": (Odd("odd-2", lambda texts: [[float("nan")] * 512 for _ in texts]), "finite"),
    "endless": (Odd("odd-3", lambda texts: [[float("inf")] * 512 for _ in texts]), "finite"),
    "another size than it says": (Odd("odd-4", lambda texts: [[0.1] * 7 for _ in texts]), "another size"),
    "too few": (Odd("odd-5", lambda texts: []), "ValueError"),
    "words": (Odd("odd-6", lambda texts: ["abc" for _ in texts]), "ValueError"),
    "nothing": (Odd("odd-7", lambda texts: None), "TypeError"),
    "no size": (Odd("odd-8", lambda texts: [[0.1]], dimensions=None), "TypeError"),
    "a small space of its own": (
        Odd("odd-9", lambda texts: [[float(len(t)), 1.0, 0.5] for t in texts], dimensions=3),
        "fitted to 512 dimensions, the embedder gives 3",
    ),
}


@pytest.fixture
def parts(tmp_path: Path) -> Any:
    made = make_parts(f"sqlite:///{tmp_path}/clew.db")
    yield made
    made.store.close()


@pytest.mark.parametrize("name", ODD)
def test_an_odd_embedder_costs_the_vectors_not_the_turn(name: str, parts: Parts) -> None:
    embedder, word = ODD[name]
    conversation = onboard(parts)
    odd = replace(parts, embedder=embedder)
    for number, text in enumerate(("I live in Oslo", "나는 라면을 좋아해", "what do you remember about me?"), 1):
        outcome = say(odd, conversation, text, number)
        assert outcome.persisted and outcome.reply
        assert outcome.trace["heard"]["heads"].startswith("off: ") and word in outcome.trace["heard"]["heads"]


def test_a_small_space_of_its_own_still_serves_recall(parts: Parts) -> None:
    found = vectors_of(replace(parts, embedder=ODD["a small space of its own"][0]), ["tea", "coffee"])
    assert {len(v) for v in found.values()} == {3}


def test_without_an_embedder_the_trace_says_so(parts: Parts) -> None:
    assert say(parts, onboard(parts), "hello", 1).trace["heard"]["heads"] == "none: no embedder"
