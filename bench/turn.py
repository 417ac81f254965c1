"""What a turn costs besides the model: p50/p95 on SQLite with durable commits, at 100 and at 100,000 messages.

python bench/turn.py [--turns 200] [--sizes 100 100000] [--memories 1000 100000]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from clew import policy as policies
from clew.adapters.llm.scripted import ScriptedWriter
from clew.adapters.store.sql import SqlStore
from clew.adapters.system import SystemClock, SystemProcess
from clew.engine.bootstrap import MemoryTerms, make_embedder
from clew.engine.parts import Parts
from clew.model.account import Message
from clew.model.event import Event
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.model.rows import put_memory, put_message
from clew.testing.parts import onboard, say

LINES = (
    "I had a long day at work and my boss kept talking",
    "what do you think about rainy weekends",
    "I love ramen with extra garlic",
    "remember when we talked about the trip to Busan",
    "ok",
    "my exam is next week and I am nervous about it",
)


WORDS = (
    "amber basil cedar dune ember fern grove heath iris juniper kelp lilac moss nettle oak pine quill reed sage thyme"
).split()


def _reply(number: int) -> str:
    """A reply that passes the gate: the turn is measured, not the rewriting of a bad model."""
    a, b, c, d = (WORDS[(number * k + k) % len(WORDS)] for k in (1, 3, 7, 11))
    return f"{a.capitalize()} {b} {c} {number} makes me think of a {d} garden in the rain, somehow."


def fill(parts: Parts, conversation: object, messages: int, memories: int) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    batch = 2000
    for first in range(0, messages, batch):
        with parts.store.write("fill") as session:
            puts = [
                put_message(
                    Message(
                        message_id=f"old-{n}",
                        conversation_id=conversation.conversation_id,
                        user_id="u1",
                        role="user" if n % 2 == 0 else "assistant",
                        text=f"{LINES[n % len(LINES)]} number {n}",
                        at=start + timedelta(seconds=n),
                        position=n + 1,
                    )
                )
                for n in range(first, min(first + batch, messages))
            ]
            session.append([Event("filled", start, "u1", "bench", changes=tuple(puts))])
    for first in range(0, memories, batch):
        with parts.store.write("fill") as session:
            puts = [
                put_memory(
                    "u1",
                    conversation.friend_id,
                    MemoryRecord(
                        memory_id=f"mem-{n}",
                        type=MemoryType.PREFERENCE,
                        memory_key=f"pref:hobby:thing_{n}",
                        memory_value=f"like|thing {n} with word{n % 5000}",
                        confidence=Decimal("0.60"),
                        status=MemoryStatus.ACTIVE,
                        created_at=start + timedelta(seconds=n),
                        last_confirmed_at=start + timedelta(seconds=n),
                    ),
                )
                for n in range(first, min(first + batch, memories))
            ]
            session.append([Event("filled", start, "u1", "bench", changes=tuple(puts))])


def measure(messages: int, memories: int, turns: int, embed: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        policy = policies.default()
        parts = Parts(
            store=SqlStore(f"sqlite:///{Path(folder)}/clew.db", durable=True, terms=MemoryTerms(policy)),
            writer=ScriptedWriter([_reply(n) for n in range(2 * turns + 20)]),
            clock=SystemClock(),
            process=SystemProcess(),
            policy=policy,
            embedder=make_embedder() if embed else None,
        )
        conversation = onboard(parts)
        fill(parts, conversation, messages, memories)
        for n in range(5):
            say(parts, conversation, LINES[n % len(LINES)], 10_000_000 + n)
        took = []
        for n in range(turns):
            began = time.perf_counter()
            say(parts, conversation, f"{LINES[n % len(LINES)]}, day {n}", 1 + n)
            took.append((time.perf_counter() - began) * 1000)
        parts.store.close()
    return statistics.median(took), sorted(took)[int(len(took) * 0.95)]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--turns", type=int, default=200)
    ask.add_argument("--sizes", type=int, nargs="*", default=[100, 100_000])
    ask.add_argument("--memories", type=int, nargs="*", default=[1000, 100_000])
    given = ask.parse_args()
    print("| stored messages | active memories | embedder | p50 ms | p95 ms |")
    print("|---:|---:|---|---:|---:|")
    for size in given.sizes:
        for embed in (False, True):
            p50, p95 = measure(size, 0, given.turns, embed)
            print(f"| {size:,} | 0 | {'local' if embed else 'none'} | {p50:.2f} | {p95:.2f} |", flush=True)
    for memories in given.memories:
        p50, p95 = measure(100, memories, given.turns, False)
        print(f"| 100 | {memories:,} | none | {p50:.2f} | {p95:.2f} |", flush=True)


if __name__ == "__main__":
    main()
