"""What every peer script shares: the same turns, the same questions, the same embedder, one report.

A peer runs in an environment of its own, with this folder and the package's source on its path:
    PEER/bin/python bench/peers/PEER.py TURNS.jsonl QUESTIONS.jsonl -k 10
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Recall = Callable[[str, int], list[str]]


def embedder() -> Any:
    """The default one, or where only size is measured its stand-in, which costs next to nothing."""
    if os.environ.get("CLEW_BENCH_STAND"):
        from scale import Stand

        return Stand()
    from clew.adapters.embeddings import use

    return use.default()


def embed(texts: Sequence[str]) -> list[list[float]]:
    made: list[list[float]] = embedder().embed(list(texts))
    return made


def run(open_peer: Callable[[Path, str], tuple[Callable[[list[dict[str, str]]], None], Recall]]) -> None:
    """`open_peer(folder, conversation)` gives how turns go in and how ids come out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("turns", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("-k", type=int, default=10)
    options = parser.parse_args()
    turns = [json.loads(row) for row in options.turns.read_text(encoding="utf-8").splitlines()]
    for turn in turns:
        turn.setdefault("id", str(turn["index"]))
    questions = [json.loads(row)["query"] for row in options.questions.read_text(encoding="utf-8").splitlines()]
    embed(["warm"])
    with tempfile.TemporaryDirectory() as folder:
        put, recall = open_peer(Path(folder), "bench")
        start, cpu = time.perf_counter(), time.process_time()
        put(turns)
        ingest, ingest_cpu = time.perf_counter() - start, time.process_time() - cpu
        recall(questions[0], options.k)
        found: list[list[str]] = []
        took: list[float] = []
        busy: list[float] = []
        for question in questions:
            spent, worked = [], []
            for _ in range(3):  # a busy machine is busy for everybody: the fastest of three counts
                start, cpu = time.perf_counter(), time.process_time()
                answer = recall(question, options.k)
                spent.append((time.perf_counter() - start) * 1000)
                worked.append((time.process_time() - cpu) * 1000)
            found.append(answer)
            took.append(min(spent))
            busy.append(min(worked))
    report = {"ingest_s": ingest, "ingest_cpu_s": ingest_cpu, "recall_ms": took, "recall_cpu_ms": busy, "found": found}
    json.dump(report, sys.stdout)


def said(turn: dict[str, str]) -> str:
    return f"{turn['speaker']}: {turn['text']}"
