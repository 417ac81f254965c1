"""The lines that a large reader marked for the statement network: whole, small, and none of them held back."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.house.tree import PACKAGE

BENCH = Path(__file__).resolve().parents[2] / "bench"
MARKED = sorted((BENCH / "train/data/marked").glob("*.jsonl.xz"))
NEW = sorted((BENCH / "train/data/lines").glob("*.txt"))
LARGEST = 4_500_000


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def strings(held: Any) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict | list):
        for part in held.values() if isinstance(held, dict) else held:
            yield from strings(part)


@pytest.fixture(scope="module")
def held_back() -> set[str]:
    files = [file for name in ("seen", "second", "unread") for file in (BENCH / name).glob("*.jsonl")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line]
    found = {bare(text) for line in lines for text in strings(json.loads(line))}
    assert len(found) > 10_000
    return found


@pytest.mark.parametrize("file", MARKED, ids=lambda file: file.name)
def test_marked_lines_are_whole_and_none_is_held_back(file: Path, held_back: set[str]) -> None:
    rows = [json.loads(line) for line in lzma.decompress(file.read_bytes()).decode().splitlines()]
    assert file.stat().st_size < LARGEST
    assert len({row[0] for row in rows}) == len(rows) > 100_000
    assert sum(bare(text) in held_back for text, _, _ in rows) == 0, "held back lines are not told here: look for them by a script"
    with np.load(PACKAGE / "policy/weights/statements.npz", allow_pickle=False) as weights:
        attributes = set(weights["names"].tolist())
    for text, told, values in rows[::17]:
        assert 0 <= told <= 100
        for start, end, attribute, subject, status, stance in values:
            assert text[start:end].strip() == text[start:end] != ""
            assert subject.split(":")[0] in ("self", "person", "pet")
            assert status in ("is", "not", "ended", "future", "past") and stance in ("", "like", "dislike")
            assert (set(attribute) if isinstance(attribute, dict) else {attribute}) <= attributes


@pytest.mark.parametrize("file", NEW, ids=lambda file: file.name)
def test_new_lines_stand_once_and_none_is_held_back(file: Path, held_back: set[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(set(lines)) == len(lines) > 3000 and all(line == line.strip() != "" for line in lines)
    assert sum(bare(line) in held_back for line in lines) == 0
