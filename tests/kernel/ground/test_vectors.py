"""Golden cases any implementation can read: tests/vectors/ground.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.kernel.door import call

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "ground.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_golden_cases(case: dict[str, Any]) -> None:
    answer = call("ground", case["in"])
    assert {name: answer.get(name) for name in case["expect"]} == case["expect"]
    assert ("choice_id" in answer) == (answer["outcome"] == "execute")
