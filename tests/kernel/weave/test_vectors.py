"""Golden cases of the `threads` kernel, language-neutral."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.kernel.door import call

CASES = json.loads((Path(__file__).parents[2] / "vectors" / "weave.json").read_text(encoding="utf-8"))[
    "cases"
]


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, id=c["name"], marks=[pytest.mark.rule(r) for r in c["rules"]]) for c in CASES],
)
def test_threads_answers_as_the_vector_says(case: dict[str, Any]) -> None:
    answer = call("threads", case["in"], mode=case["mode"])
    got = {
        "accepted": answer["accepted"],
        "codes": [d["code"] for d in answer["diagnostics"]],
        "added": [[a["id"], a["supersedes"], a["urgency"]] for a in answer["added"]],
        "resolved": answer["resolved"],
        "open": [t["id"] for t in answer["threads"]],
        "next_id": answer["next_id"],
    }
    assert got == case["out"]
