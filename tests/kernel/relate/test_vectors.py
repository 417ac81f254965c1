"""The golden answers of casting, the bond, the gate and reaching out, in any language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from clew.kernel.door import call

VECTORS = Path(__file__).parents[2] / "vectors"
NAMES = ("cast", "relate", "decay", "gate", "reach")
CASES = [
    pytest.param(name, case, id=f"{name}-{i}")
    for name in NAMES
    for i, case in enumerate(json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8")))
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_the_door_gives_the_golden_answer(name: str, case: dict[str, object]) -> None:
    answer = call(name, case["in"])  # type: ignore[arg-type]
    answer.pop("policy")
    assert answer == case["out"]


def test_the_answers_do_not_depend_on_hash_seed_or_time_zone() -> None:
    script = (
        "import json,sys\n"
        "from clew.kernel.door import call\n"
        "for name, case in json.load(sys.stdin): print(json.dumps(call(name, case), sort_keys=True))\n"
    )
    asked = json.dumps([[c.values[0], c.values[1]["in"]] for c in CASES])  # type: ignore[index,call-overload]
    outs = {
        subprocess.run(
            [sys.executable, "-c", script], input=asked, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONUTF8": "1"},
        ).stdout
        for seed, zone in (("1", "UTC"), ("77", "Asia/Seoul"))
    }  # fmt: skip
    assert len(outs) == 1
