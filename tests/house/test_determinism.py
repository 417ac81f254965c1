"""Same input + same policy = same bytes, whatever the hash seed, locale or time zone."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from clew.kernel.door import DOORS
from tests.house.tree import ROOT

LINES = [
    json.loads(line)
    for line in (ROOT / "tests" / "vectors" / "door.jsonl").read_text(encoding="utf-8").splitlines()
]
VECTORS = [vector for vector in LINES if vector["kernel"] in DOORS]
WORLDS = {
    "plain": {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    "seoul": {"PYTHONHASHSEED": "random", "LC_ALL": "C.UTF-8", "TZ": "Asia/Seoul"},
    "newfoundland": {"PYTHONHASHSEED": "random", "LC_ALL": "C", "TZ": "America/St_Johns"},
    "turkish": {
        "PYTHONHASHSEED": "4242",
        "LC_ALL": "tr_TR.UTF-8",
        "LANG": "tr_TR.UTF-8",
        "TZ": "Asia/Kathmandu",
    },
}
# All vectors in one process: what `clew kernel` does per line, without starting an interpreter per kernel.
ANSWER_ALL = """
import json, sys
from clew.errors import ClewError
from clew.kernel.door import call
for line in sys.stdin.buffer:
    vector = json.loads(line)
    try:
        answer = call(vector["kernel"], vector["input"])
    except ClewError as why:
        answer = why.as_dict()
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\\n")
"""


def answer(world: dict[str, str], command: list[str], lines: list[dict[str, object]]) -> tuple[int, bytes]:
    given = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    environment = {"PATH": os.environ["PATH"], **world}
    done = subprocess.run(
        command, input=given, env=environment, capture_output=True, timeout=120, check=False
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def answers() -> dict[str, bytes]:
    command = [sys.executable, "-c", ANSWER_ALL]
    return {name: answer(world, command, VECTORS)[1] for name, world in WORLDS.items()}


@pytest.mark.parametrize("world", [w for w in WORLDS if w != "plain"])
def test_every_kernel_answers_with_the_same_bytes_in_every_world(
    answers: dict[str, bytes], world: str
) -> None:
    plain, other = answers["plain"].splitlines(), answers[world].splitlines()
    assert len(plain) == len(VECTORS)
    for vector, here, there in zip(VECTORS, plain, other, strict=True):
        assert here == there, vector["kernel"]


def test_every_kernel_has_a_vector() -> None:
    assert {v["kernel"] for v in VECTORS} == set(DOORS)


def test_most_vectors_are_answered_and_not_refused(answers: dict[str, bytes]) -> None:
    refused = [
        vector["kernel"]
        for vector, line in zip(VECTORS, answers["plain"].splitlines(), strict=True)
        if "code" in json.loads(line)
    ]
    assert refused == ["similar"]


@pytest.mark.parametrize("kernel", ["read", "similar"])
def test_the_command_answers_with_the_same_bytes_in_every_world(kernel: str) -> None:
    lines = [v["input"] for v in VECTORS if v["kernel"] == kernel]
    command = [sys.executable, "-m", "clew", "kernel", kernel, "--no-embed"]
    outcomes = {answer(world, command, lines) for world in WORLDS.values()}
    assert len(outcomes) == 1
    status, printed = outcomes.pop()
    assert status == (1 if kernel == "similar" else 0)
    assert len(printed.splitlines()) == len(lines)
