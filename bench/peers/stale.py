"""Twelve facts, each told and then changed: is the old value still given out?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# (told, told later, question, old value)
PROBES = [
    ("I live in Oslo.", "I moved to Bergen, so I live in Bergen now.", "Where do I live?", "Oslo"),
    ("I'm a nurse.", "I'm a teacher now.", "What is my job?", "nurse"),
    ("I like coffee.", "I don't like coffee anymore.", "Do I like coffee?", "like|coffee"),
    ("I love jazz.", "I hate jazz now.", "Do I like jazz?", "like|jazz"),
    ("I study at Kyoto University.", "I study at Osaka University now.", "Which university do I go to?", "Kyoto"),
    ("I'm from Canada.", "Actually I'm from Ireland.", "Which country am I from?", "Canada"),
    ("My major is physics.", "My major is history now.", "What is my major?", "physics"),
    ("I like sushi.", "I don't like sushi.", "Do I like sushi?", "like|sushi"),
    ("나는 서울에 살아.", "나는 이제 부산에 살아.", "내가 어디에 살지?", "서울"),
    ("I love horror movies.", "I can't stand horror movies anymore.", "Do I like horror movies?", "like|horror"),
    ("I enjoy tennis.", "I hate tennis.", "Do I enjoy tennis?", "like|tennis"),
    ("I work as a chef.", "I work as a driver now.", "What do I work as?", "chef"),
]
FILLER = ["It rained all morning.", "The bus was late again.", "Good night, see you."]


def report(names: list[str], ask: Callable[..., Any], say: Callable[[str], None]) -> None:
    """Peers are asked for turns; Clew's memory is asked for what is current."""
    say("\n## A value after its update: is the old one still returned? (k = 5)\n")
    say("| system | old value returned | new value returned |\n|---|---|---|")
    kept, fresh = memory()
    say(f"| clew memory | {kept} of {len(PROBES)} | {fresh} of {len(PROBES)} |")
    for name in names:
        if name == "clew":
            continue
        old = new = 0
        for told, later, question, _ in PROBES:
            texts = [told, *FILLER, later]
            turns = [{"index": i, "id": str(i), "speaker": "user", "text": t} for i, t in enumerate(texts)]
            answer = ask(name, {"turns": turns, "questions": [{"query": question}]}, 5)
            ids = answer["found"][0] if answer else []
            old += "0" in ids
            new += str(len(texts) - 1) in ids
        say(f"| {name} | {old} of {len(PROBES)} | {new} of {len(PROBES)} |")


def memory() -> tuple[int, int]:
    """Extraction, reconciliation and recall of memories, as a turn does them."""
    from clew.kernel.door import call
    from clew.kernel.keep.memory_fields import read_memory
    from clew.kernel.recall.memories.ranking import rank_memories
    from clew.model.fields import Fields
    from clew.policy import default

    old = new = 0
    for told, later, question, value in PROBES:
        records: list[dict[str, Any]] = []
        for day, text in ((1, told), (20, later)):
            at = f"2026-03-{day:02d}T10:00:00Z"
            found = call("extract", {"text": text, "at": at, "timezone": "UTC"})["candidates"]
            records = call(
                "remember",
                {
                    "memories": records,
                    "candidates": found,
                    "controls": {"suppressed_memory_keys": [], "suppressed_topics": []},
                    "message_id": f"m{day}",
                    "at": at,
                },
            )["memories"]
        hits = rank_memories(question, [read_memory(Fields(r)) for r in records], default(), limit=5)
        values = [h.memory.memory_value for h in hits]
        old += any(v.startswith(value) if "|" in value else value in v for v in values)
        new += any(not (v.startswith(value) if "|" in value else value in v) for v in values)
    return old, new
