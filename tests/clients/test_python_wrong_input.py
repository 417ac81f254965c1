"""What is wrong with a call from Python is told with the field that it stands in, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.errors import InvalidInput


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[clew.Memory]:
    with clew.Memory(tmp_path / "talk.db", embedder=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("call", "pointer"),
    [
        (lambda m: m.add(5), "/what"),
        (lambda m: m.add(None), "/what"),
        (lambda m: m.add([{"role": "user"}]), "/0/content"),
        (lambda m: m.add("I love ramen", user=None), "/user"),
        (lambda m: m.add("I love ramen", user=7), "/user"),
        (lambda m: m.add("I love ramen", conversation=None), "/conversation"),
        (lambda m: m.add("I love ramen", at="yesterday"), "/at"),
        (lambda m: m.add("I love ramen", at=datetime(2026, 3, 1)), "/at"),
        (lambda m: m.search(5), "/query"),
        (lambda m: m.search("food", k="three"), "/k"),
        (lambda m: m.search("food", k=0), "/k"),
        (lambda m: m.search("food", as_of="last week"), "/as_of"),
        (lambda m: m.search("food", since=datetime(2026, 3, 1)), "/since"),
        (lambda m: m.context("food", tokens="many"), "/tokens"),
        (lambda m: m.context("food", tokens=-1), "/tokens"),
        (lambda m: m.all(status=3), "/status"),
        (lambda m: m.forget(""), "/what"),
        (lambda m: m.forget("  "), "/what"),
        (lambda m: m.forget(None), "/what"),
    ],
)
def test_a_wrong_call_names_its_field(memory: clew.Memory, call: Callable[[Any], Any], pointer: str) -> None:
    memory.add("I live in Lisbon")
    with pytest.raises(InvalidInput) as told:
        call(memory)
    assert told.value.pointer == pointer
    assert [m.value for m in memory.all()] == ["Lisbon"]


def test_a_moment_may_be_written_out(memory: clew.Memory) -> None:
    memory.add("I live in Lisbon", at="2026-03-01T12:00:00Z")
    memory.add("I moved to Porto", at=datetime(2026, 4, 1, tzinfo=UTC))
    assert [m.value for m in memory.all(as_of="2026-03-02T00:00:00+00:00")] == ["Lisbon"]


@pytest.mark.parametrize("words", ["e", "it", "in", "car", "아"])
def test_a_piece_of_other_words_forgets_nothing(memory: clew.Memory, words: str) -> None:
    memory.add("I live in Lisbon. I love the rain, and my scarf is red")
    memory.add("동생 이름은 아라야")
    held = [m.id for m in memory.all()]
    assert memory.forget(words) == ()
    assert [m.id for m in memory.all()] == held


def test_the_beginning_of_a_word_is_enough_to_forget_it(memory: clew.Memory) -> None:
    memory.add("I love postcards")
    assert [c.kind for c in memory.forget("postcard")] == ["invalidated"]
