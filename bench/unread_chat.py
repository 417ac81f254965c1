"""The unread conversations through a real chat: a store in a temporary file, the built-in writer, a held clock."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from clew.engine.bootstrap import make_embedder
from clew.faces.python.memory import Memory
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard, say
from unread_marks import Result, Row, found_in, judged, rows_of

WHERE = {"en": ("GB", "Europe/London"), "ko": ("KR", "Asia/Seoul")}
# A name that no conversation tells or asks for.
NAME = {"en": "Wilhelmina", "ko": "빌헬미나"}
Say = Callable[[str], str]
embedder = cache(make_embedder)


@contextmanager
def chat(language: str) -> Iterator[tuple[Say, HeldClock]]:
    """A fresh user who has just been onboarded; each message comes a minute after the last."""
    country, zone = WHERE[language]
    clock = HeldClock()
    with tempfile.TemporaryDirectory() as folder:
        parts = make_parts(f"sqlite:///{Path(folder)}/clew.db", clock=clock, embedder=embedder())
        try:
            about = {"preferred_name": NAME[language], "country_or_region": country, "client_timezone": zone}
            conversation = onboard(parts, **about)
            count = 0

            def tell(text: str) -> str:
                nonlocal count
                count += 1
                clock.pass_(minutes=1)
                return say(parts, conversation, text, count).reply or ""

            yield tell, clock
        finally:
            parts.store.close()


def talks(language: str) -> Result:
    seen: Counter[str] = Counter()
    misses = []
    for row in rows_of("talks", language):
        with chat(language) as (tell, clock):
            for text in row["tell"]:
                tell(text)
            clock.pass_(days=1)
            for ask in row["ask"]:
                reply = tell(ask["text"])
                if ask.get("forgotten"):
                    leaked = any(found_in(value, reply) for value in ask["not"])
                    mark = "leaked" if leaked else "kept from saying"
                else:
                    mark = judged(ask, reply, row["tell"])
                seen[mark] += 1
                if mark not in ("right", "kept from saying"):
                    misses.append(f"[{mark}] {ask['text']} {ask['answer']} → {reply}")
    asked = seen["right"] + seen["wrong"] + seen["silent"]
    return Result(
        [
            Row("questions answered right", seen["right"], asked),
            Row("questions answered wrong", seen["wrong"], asked),
            Row("questions not answered", seen["silent"], asked),
            Row("forgotten values leaked", seen["leaked"], seen["leaked"] + seen["kept from saying"]),
        ],
        misses,
    )


def search(language: str) -> Result:
    """The same talks through the Python door: what is told is added, what is asked is searched for."""
    firsts, misses = {1: 0, 3: 0, 5: 0}, []
    asked = stale = 0
    for row in rows_of("talks", language):
        clock = HeldClock()
        with tempfile.TemporaryDirectory() as folder, Memory(f"{folder}/m.db", clock=clock, embedder=embedder()) as memory:
            for text in row["tell"]:
                clock.pass_(minutes=1)
                memory.add(text, user="u")
            clock.pass_(days=1)
            for ask in (a for a in row["ask"] if not a.get("forgotten")):
                told = [hit.text for hit in memory.search(ask["text"], user="u", k=5)]
                asked += 1
                stale += any(found_in(value, text) for text in told[:1] for value in ask["not"])
                for k in firsts:
                    firsts[k] += any(found_in(value, text) for text in told[:k] for value in ask["answer"])
                if not any(found_in(value, text) for text in told[:1] for value in ask["answer"]):
                    misses.append(f"{ask['text']} {ask['answer']} → {told}")
    table = [Row(f"an answer among the first {k}" if k > 1 else "the first one answers", firsts[k], asked) for k in firsts]
    return Result([*table, Row("the first one is stale", stale, asked)], misses)


def changes(language: str) -> Result:
    seen: Counter[tuple[str, str]] = Counter()
    misses = []
    for row in rows_of("changes", language):
        mark, reply = changed(row, language)
        seen[row["kind"], mark] += 1
        if mark != "right":
            misses.append(
                f"[{row['kind']} {mark}] {row['first']} / {row['second']} / {row['question']} → {reply}"
            )
    table = []
    for kind in ("replaces", "coexists", "ends"):
        many = sum(n for (k, _), n in seen.items() if k == kind)
        table += [Row(f"{kind}: {mark}", seen[kind, mark], many) for mark in ("right", "wrong", "silent")]
    return Result(table, misses)


def changed(row: dict[str, Any], language: str) -> tuple[str, str]:
    with chat(language) as (tell, clock):
        tell(row["first"])
        clock.pass_(days=1)
        tell(row["second"])
        clock.pass_(days=1)
        reply = tell(row["question"])
    return judged(row, reply, (row["first"], row["second"]), ended=row["kind"] == "ends"), reply
