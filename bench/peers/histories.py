"""Conversation histories with questions whose turns are known: our own, and public data read where it lies.

Each history has a name, its turns as canonical lines, and questions with query, gold ids and kind;
questions about an updated value also name the fresh and the stale turns.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

History = dict[str, Any]
_MARKER = re.compile(r"\s*->->\s*[\d,\s]*$")
_SPACED = re.compile(r" (?=[.,!?;:]|n't|'\w)")
_NOTE = re.compile(r"Side_Note: \[(.*)\] (\d\d/\d\d/\d{4})")


def beam(folder: Path) -> Iterator[History]:
    """BEAM 100k dev: long assistant chats, ten abilities, sources by message id (CC BY-SA: measuring only)."""
    for path in sorted(folder.glob("*.chat.json.gz")):
        number = path.name.split(".")[0]
        batches = json.loads(gzip.decompress(path.read_bytes()))
        asked = json.loads((folder / f"{number}.questions.json").read_text(encoding="utf-8"))
        turns: list[dict[str, Any]] = []
        at = None
        for message in (m for batch in batches for group in batch["turns"] for m in group):
            if message.get("time_anchor"):
                at = datetime.strptime(message["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC).isoformat()
            text = _MARKER.sub("", message["content"])
            turn = {"index": len(turns), "id": str(message["id"]), "speaker": message["role"], "text": text}
            turns.append({**turn, "at": at})
        questions = []
        for ability, items in asked.items():
            for item in items:
                sources = item.get("source_chat_ids")
                if not sources:
                    continue
                question = {"query": item["question"], "gold": sorted(set(_flat(sources))), "kind": ability}
                if ability == "knowledge_update" and isinstance(sources, dict):
                    question["stale"] = _flat(sources.get("original_info", []))
                    question["fresh"] = _flat(sources.get("updated_info", []))
                questions.append(question)
        yield {"name": f"beam-{number}", "turns": turns, "questions": questions}


def personamem(folder: Path) -> Iterator[History]:
    """PersonaMem dev: all talks of a persona as one history; each noted event asks for the turn that tells it."""
    packed = (folder / "conversations.jsonl.gz").read_bytes()
    talks = [json.loads(row) for row in gzip.decompress(packed).decode("utf-8").splitlines()]
    for persona in sorted({t["persona"] for t in talks}):
        turns: list[dict[str, Any]] = []
        questions = []
        day = datetime(2024, 1, 1, tzinfo=UTC)
        for talk in (t for t in talks if t["persona"] == persona):
            day += timedelta(days=7)
            event = None
            for row in talk["lines"]:
                note = _NOTE.match(row)
                if row.startswith("Side_Note"):
                    event = note.group(1) if note else None
                    continue
                speaker, _, text = row.partition(": ")
                number = len(turns)
                turn = {"index": number, "id": str(number), "speaker": speaker.lower(), "text": text}
                turns.append({**turn, "at": day.isoformat()})
                if event and speaker == "User":
                    query = f"When did I tell you this: {event}"
                    questions.append({"query": query, "gold": [str(number)], "kind": "event"})
                    event = None
        yield {"name": f"personamem-{persona}", "turns": turns, "questions": questions}


def friends(file: Path, scenes: int = 32, most: int = 3) -> Iterator[History]:
    """FriendsQA (emorynlp, Apache-2.0): scenes as dated sessions of named people, about 650 turns a history."""
    data = json.loads(file.read_text(encoding="utf-8"))["data"]
    for start in range(0, min(len(data), scenes * most), scenes):
        turns: list[dict[str, Any]] = []
        questions = []
        for number, scene in enumerate(data[start : start + scenes]):
            talk = scene["paragraphs"][0]
            at = (datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=3 * number)).isoformat()
            for said in talk["utterances:"]:
                turns.append(
                    {
                        "index": len(turns),
                        "id": f"D{number}:{said['uid']}",
                        "speaker": " ".join(name.split()[0] for name in said["speakers"]),
                        "text": _SPACED.sub("", said["utterance"]),
                        "at": at,
                    }
                )
            for item in talk["qas"]:
                gold = sorted({f"D{number}:{a['utterance_id']}" for a in item["answers"]})
                questions.append({"query": item["question"], "gold": gold, "kind": "friends"})
        yield {"name": f"friends-{start}", "turns": turns, "questions": questions}


def memorybank(file: Path, asked: Path) -> Iterator[History]:
    """MemoryBank (MIT) as talks between two named people; questions and gold places are ours.

    One of the two tells what a user of the set told, the other answers; three user-days make one dated session.
    """
    bank = {name.strip(): user for name, user in json.loads(file.read_text(encoding="utf-8")).items()}
    for plan in json.loads(asked.read_text(encoding="utf-8"))["histories"]:
        told_by: dict[str, str] = plan["told_by"]
        turns: list[dict[str, Any]] = []
        ids: dict[str, str] = {}
        days = [(day, user) for day in range(1, 11) for user in told_by]
        for place, (day, user) in enumerate(days):
            session = place // 3
            at = (datetime(2023, 1, 8, 18, tzinfo=UTC) + timedelta(days=6 * session)).isoformat()
            teller = told_by[user]
            other = next(s for s in plan["speakers"] if s != teller)
            called = re.compile(rf"\b(?:{'|'.join([user, *plan['also_called']])})\b")
            talk = list(bank[user]["history"].values())[day - 1]
            for exchange, said in enumerate(talk):
                for side, speaker, text in (("u", teller, said["query"]), ("r", other, said["response"])):
                    number = len(turns)
                    turn_id = f"D{session + 1}:{number}"
                    ids[f"{user} {day} {exchange}{side}"] = turn_id
                    text = called.sub(teller, text)
                    turns.append({"index": number, "id": turn_id, "speaker": speaker, "text": text, "at": at})
        questions = [{**q, "gold": [ids[g] for g in q["gold"]]} for q in plan["questions"]]
        yield {"name": plan["name"], "turns": turns, "questions": questions}


def ours(folder: Path, name: str) -> History:
    """A history written for this bench: bench/data/histories/NAME.jsonl and its questions."""
    turns = [json.loads(row) for row in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    questions = []
    for row in (folder / f"{name}.questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(row)
        question = {"query": item["question"], "gold": item["evidence"], "kind": item["kind"]}
        if item.get("stale"):
            question.update(stale=item["stale"], fresh=item["evidence"])
        questions.append(question)
    return {"name": name, "turns": turns, "questions": questions}


def mistaken(history: History) -> History:
    """The questions that name one of two speakers, asked about the other one."""
    one, other = sorted({turn["speaker"] for turn in history["turns"]})
    questions = [
        {**q, "query": q["query"].replace(one, "\0").replace(other, one).replace("\0", other)}
        for q in history["questions"]
        if (one in q["query"]) != (other in q["query"])
    ]
    return {**history, "questions": questions}


def _flat(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [x for v in value.values() for x in _flat(v)]
    if isinstance(value, list):
        return [x for v in value for x in _flat(v)]
    return [str(value)]
