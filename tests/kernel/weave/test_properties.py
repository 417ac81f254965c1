"""What holds for every proposal: no two equivalent open loops, no lost lineage, same input same output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.door import call
from clew.kernel.weave.duplicate import loop_tokens, thread_similarity
from clew.model.thread import ThreadType
from clew.policy import default

POLICY = default()
WORDS = st.sampled_from(
    ["Alicia", "Bobby", "ledger", "harbour", "trust", "not", "fire", "장부", "3", "who", "gate", "谁藏账本"]
)
TEXT = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
KIND = st.sampled_from(["MYSTERY", "INFORMATION", "QUEST", "RELATIONSHIP"])
URGENCY = st.sampled_from(["LOW", "MEDIUM", "HIGH"])
ADD = st.fixed_dictionaries({"type": KIND, "text": TEXT}, optional={"urgency": URGENCY})
PAGE = st.tuples(st.lists(ADD, max_size=6), st.lists(st.integers(1, 12).map(lambda n: f"td-{n}"), max_size=4))
MODES = st.sampled_from(["strict", "repair"])


def equivalent(a: dict[str, Any], b: dict[str, Any]) -> bool:
    if a["type"] != b["type"]:
        return False
    return thread_similarity(a["text"], b["text"], ThreadType(a["type"]), POLICY).duplicate


def walk(pages: list[Any], mode: str) -> list[dict[str, Any]]:
    """A story of several pages, each answer the next one's state."""
    state: list[dict[str, Any]] = []
    number, answers = 1, []
    for add, resolve in pages:
        answer = call(
            "threads", {"threads": state, "add": add, "resolve": resolve, "next_id": number}, mode=mode
        )  # type: ignore[arg-type]
        answers.append(answer)
        state, number = answer["threads"], answer["next_id"]
    return answers


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGE, min_size=1, max_size=5), MODES)
def test_accepting_never_leaves_two_equivalent_open_loops(pages: list[Any], mode: str) -> None:
    for answer in walk(pages, mode):
        assert not any(equivalent(a, b) for a, b in combinations(answer["threads"], 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGE, min_size=1, max_size=5), MODES)
def test_resolve_and_add_never_loses_lineage(pages: list[Any], mode: str) -> None:
    """Every loop that left because of a successor is named by exactly one; others left by request."""
    state: list[dict[str, Any]] = []
    for (_, resolve), answer in zip(pages, walk(pages, mode), strict=True):
        before = {t["id"]: t for t in state}
        superseded = [old for a in answer["added"] for old in a["supersedes"]]
        assert len(superseded) == len(set(superseded)) and set(superseded) <= set(answer["resolved"])
        for old in answer["resolved"]:
            followed = any(equivalent(before[old], a) for a in answer["added"])
            assert followed == (old in superseded)
            assert followed or old in resolve
        kept = {t["id"] for t in answer["threads"]}
        assert kept == (set(before) - set(answer["resolved"])) | {a["id"] for a in answer["added"]}
        state = answer["threads"]


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGE, min_size=1, max_size=6), MODES)
def test_ids_are_given_once_and_only_grow(pages: list[Any], mode: str) -> None:
    numbers = [int(a["id"].split("-")[1]) for answer in walk(pages, mode) for a in answer["added"]]
    assert numbers == sorted(set(numbers))


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGE, min_size=1, max_size=3))
def test_a_rejected_strict_proposal_changes_nothing(pages: list[Any]) -> None:
    state: list[dict[str, Any]] = []
    for answer in walk(pages, "strict"):
        if not answer["accepted"]:
            assert answer["threads"] == state and not answer["added"] and not answer["resolved"]
        state = answer["threads"]


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, KIND)
def test_similarity_is_symmetric_bounded_and_one_on_itself(a: str, b: str, kind: str) -> None:
    there, back = (thread_similarity(x, y, ThreadType(kind), POLICY) for x, y in ((a, b), (b, a)))
    assert there == back and 0 <= there.similarity <= 1
    comparable = bool(loop_tokens(a, ThreadType(kind), POLICY.weave))
    assert thread_similarity(a, a, ThreadType(kind), POLICY).duplicate is comparable


PROGRAM = """
import json, sys
from clew.kernel.door import call
lines = json.load(sys.stdin)
print(json.dumps([call("threads", one, mode=m) for one in lines for m in ("strict", "repair")], ensure_ascii=False))
"""


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_same_input_gives_the_same_bytes_under_any_hash_seed(seed: str) -> None:
    words = "ash bay cay dew elm fen gum hop ivy jam kelp log".split()
    adds = [{"type": "MYSTERY", "text": " ".join(words[i : i + 7])} for i in range(6)]
    adds += [{"type": "INFORMATION", "text": " ".join(words[i : i + 7])} for i in range(6)]
    state = [
        {"id": f"td-{i}", "type": "MYSTERY", "text": " ".join(reversed(words[i : i + 6]))}
        for i in range(1, 7)
    ]
    payload = json.dumps([{"threads": state, "add": adds, "resolve": ["td-2", "td-5"]}])
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=payload,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": s, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for s in ("0", seed)
    ]
    assert runs[0] == runs[1] and "supersedes" in runs[0]
