"""How need is heard and how drafts are judged, on what no fit has seen.

    python bench/care.py --data DIR [--no-embed] [--only need ordinary drafts aside replies support seekers hostile]

Need: the held-back tenth of the training sentences (bench/train/need.py), and from DIR text that is never fitted on
(korean_intent_dev, memorybank, everyday_dev). Some of the last is real sorrow: a care read there is not always false.
Ordinary: thousands of lines that ask for nothing, held back (a tenth of the talk, asks and requests) or never fitted on
(talks_*.jsonl beside the training sentences; from DIR korean_intent_dev, everyday_dev, korean_dedup_dev, molweni_dev,
sgd_selection_dev).
Drafts: the held-back tenth of bench/train/data/reader/drafts*.jsonl, by user message; aside: drafts_z1.jsonl beside this
file, a fifth of the messages of two hands, of whose other messages the weights have learned. Replies: good ones of other
hands (memorybank, korean_chatbot) are played as a model's drafts through whole turns; who is spoken to bears the name that
the set gives them.
Support: turns of people who tell something heavy, never fitted on for care: comments that their readers labelled
disappointed, ashamed, nervous or remorseful (goemotions_dev, first person) and Korean questions around a break-up
(korean_chatbot); three such turns in a row are taken at random by hash. And seekers: support_w1.jsonl beside this file, by
a hand of its own, people who came for support and ordinary look-alikes; nobody who makes a reader here has read it.
Hostile: thirty English sentences of hate, threats and violence beside this file, written for this count alone.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from clew.adapters.llm.scripted import ScriptedWriter
from clew.engine.bootstrap import make_embedder
from clew.faces.cli.embed import filler
from clew.kernel.gate.gate_door import gate
from clew.kernel.read.read_door import read
from clew.kernel.route.route_door import route
from clew.model.fields import Fields
from clew.policy import default
from clew.testing.parts import make_parts, onboard, say

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "train"))
POLICY = default()
STYLE = {"msg_length_pref": "medium", "emoji_freq": "light"}
MANNER = ("_BAND", "_QUIRK")
# Labels of GoEmotions that bench/train/need.py leaves out: disappointment, embarrassment, nervousness, remorse.
UNFITTED = {"9", "12", "19", "24"}
PARTS = ("need", "ordinary", "drafts", "aside", "replies", "support", "seekers", "hostile")


def language(text: str) -> str:
    return "ko" if any("\uac00" <= c <= "\ud7a3" or "\u3131" <= c <= "\u318e" for c in text) else "en"


def messages(data: Path) -> Iterator[tuple[str, str]]:
    """Each with the group it is counted in."""
    from need import rows
    from scores import held_back

    for row in rows(data):
        if not held_back(row.text) or row.care is None or row.source == "self_harm" or "sorrow" in row.source:
            continue
        told = "crisis" if row.crisis else "care" if row.care else "none"
        yield row.text, f"written {told}" if row.source.startswith("need") else "ordinary, held back"
    for line in (data / "korean_intent_dev" / "3i4k-2000.txt").read_text(encoding="utf-8").splitlines():
        act, text = line.split("\t")
        yield text, "ordinary, never fitted: requests" if act == "3" else "ordinary, never fitted"
    for name in ("statements_en", "statements_ko"):
        for text in (data / "everyday_dev" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if text.strip():
                yield text, "everyday statements"


def need(data: Path, embed: bool) -> None:
    fill = filler("read") if embed else None
    seen: Counter[tuple[str, str, str]] = Counter()
    for text, group in messages(data):
        payload = {"text": text}
        answer = read(Fields(fill(payload) if fill else payload), POLICY, "repair")
        for what in ("all", answer["need"], answer["safety"]["class"]):
            seen[language(text), group, what] += 1
    print("| | messages | care | crisis | harassment |\n|---|---:|---:|---:|---:|")
    for spoken, group in sorted({k[:2] for k in seen}):
        total = seen[spoken, group, "all"]
        told = " | ".join(f"{seen[spoken, group, w]} ({100 * seen[spoken, group, w] / total:.1f} %)"
                          for w in ("care", "crisis", "harassment"))  # fmt: skip
        print(f"| {spoken}, {group} | {total} | {told} |")


def plain_lines(data: Path) -> Iterator[tuple[str, str]]:
    """Each with the set it is from."""
    from need import GRAVE, rows
    from scores import held_back

    kinds = ("talk", "asks", "chatbot", "clinc")
    yield from ((r.text, "held back") for r in rows(data) if held_back(r.text) and r.care == 0 and r.source in kinds)
    for path in sorted((HERE / "train" / "data" / "reader").glob("talks_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for turn in json.loads(line)["tell"]:
                if isinstance(turn, dict) and GRAVE.isdisjoint(m["attribute"] for m in turn["memories"]):
                    yield turn["text"], "talks"
    for line in (data / "korean_intent_dev" / "3i4k-2000.txt").read_text(encoding="utf-8").splitlines():
        yield line.split("\t")[1], "3i4k"
    for path in sorted((data / "everyday_dev").glob("*.txt")):
        yield from ((text, "everyday") for text in path.read_text(encoding="utf-8").splitlines())
    asked = next((data / "korean_dedup_dev").glob("paraKQC*")).read_text(encoding="utf-8").splitlines()
    yield from ((text, "paraKQC") for text in _some([line.split("\t")[-1] for line in asked], 1200))
    said = [e["text"] for d in json.loads((data / "molweni_dev" / "dev.json").read_text(encoding="utf-8")) for e in d["edus"]]
    yield from ((text, "molweni") for text in _some(said, 800))
    with gzip.open(data / "sgd_selection_dev" / "selection_turns.dev.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from ((text, "sgd") for text in _some([json.loads(line)["user"] for line in file], 800))


def _some(texts: list[str], most: int) -> list[str]:
    return sorted(set(texts), key=lambda t: hashlib.sha256(t.encode()).hexdigest())[:most]


def ordinary(data: Path, embed: bool) -> None:
    fill = filler("read") if embed else None
    seen: Counter[tuple[str, str, str]] = Counter()
    lines = {text: group for text, group in reversed(list(plain_lines(data))) if text.strip()}
    for text, group in lines.items():
        payload = {"text": text}
        answer = read(Fields(fill(payload) if fill else payload), POLICY, "repair")
        for kind in (group, "together"):
            seen[language(text), kind, "all"] += 1
            seen[language(text), kind, answer["need"]] += 1
    print("\n| ordinary lines | messages | care | crisis |\n|---|---:|---:|---:|")
    for spoken, group in sorted({k[:2] for k in seen}):
        told = " | ".join(str(seen[spoken, group, w]) for w in ("all", "care", "crisis"))
        print(f"| {spoken}, {group} | {told} |", flush=True)


def drafts(embed: bool) -> None:
    from scores import held_back

    paths = sorted((HERE / "train" / "data" / "reader").glob("drafts*.jsonl"))
    rows = (json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    judged((row for row in rows if held_back(row["user"])), embed)


def aside(embed: bool) -> None:
    judged(map(json.loads, (HERE / "drafts_z1.jsonl").read_text(encoding="utf-8").splitlines()), embed)


def judged(rows: Iterable[dict], embed: bool) -> None:
    fill, way = (filler("gate"), filler("route")) if embed else (None, None)
    seen: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        asked = {"text": row["user"], "user_state": "ACTIVE"}
        routed = route(Fields(way(asked) if way else asked), POLICY, "repair")
        payload = {
            "reply": row["draft"], "user_text": row["user"], "known": row["known"], "events": [], "style": STYLE,
            "stage": "FRIEND", "pipeline": routed["pipeline"], "crisis": routed["crisis"],
        }  # fmt: skip
        answer = gate(Fields(fill(payload) if fill else payload), POLICY, "repair")
        held = any(not v["code"].endswith(MANNER) for v in answer["violations"])
        seen[row["lang"], row["verdict"], "all"] += 1
        seen[row["lang"], row["verdict"], "held"] += held
    print("\n| draft | held back | of |\n|---|---:|---:|")
    for spoken, verdict in sorted({k[:2] for k in seen}):
        print(f"| {spoken}, {verdict} | {seen[spoken, verdict, 'held']} | {seen[spoken, verdict, 'all']} |")


def replies(data: Path, most: int = 150) -> None:
    """Good replies of other hands as drafts of a model, through whole turns: shown as written, and calls a turn.

    The half of each set that no fit has seen; every message by a newcomer, so that nothing but it and a name is known.
    """
    pairs: dict[str, list[tuple[str, str, str]]] = {"en": [], "ko": []}
    bank = json.loads((data / "memorybank" / "memory_bank_en.json").read_text(encoding="utf-8"))
    for person in bank.values():
        for day in person["history"].values():
            pairs["en"] += [(t["query"], t["response"], person["name"]) for t in day if not _half(t["query"])]
    with (data / "korean_chatbot" / "ChatbotData.csv").open(encoding="utf-8") as file:
        rows = [(d["Q"], d["A"], "") for d in csv.DictReader(file) if d["label"] == "0" and not _half(d["Q"])]
    pairs["ko"] = sorted(rows, key=lambda p: hashlib.sha256(p[0].encode()).hexdigest())
    print("\n| good replies | shown as written | of | model calls a turn |\n|---|---:|---:|---:|")
    for spoken, found in pairs.items():
        kept = calls = turns = 0
        for n, (said, reply, name) in enumerate(found[:most]):
            writer = ScriptedWriter([reply, reply])
            parts = make_parts("sqlite://", writer=writer, embedder=make_embedder())
            account = onboard(parts, preferred_name=name) if name else onboard(parts)
            outcome = say(parts, account, said, n + 1)
            parts.store.close()
            if writer.requests:
                turns, calls = turns + 1, calls + len(writer.requests)
                kept += outcome.reply == reply.strip()
        print(f"| {spoken} | {kept} | {turns} | {calls / turns:.2f} |", flush=True)


def support(data: Path, embed: bool) -> None:
    from need import FIRST_EN, HEAVY_KO, SORROW_KO

    fill = filler("read") if embed else None
    turns: dict[str, list[str]] = {"en": [], "ko": []}
    for line in (data / "goemotions_dev" / "dev.tsv").read_text(encoding="utf-8").splitlines():
        text, labels, _ = line.split("\t")
        if set(labels.split(",")) & UNFITTED and FIRST_EN.search(text):
            turns["en"].append(text)
    with (data / "korean_chatbot" / "ChatbotData.csv").open(encoding="utf-8") as file:
        for d in csv.DictReader(file):
            if d["label"] == "1" and HEAVY_KO.search(d["Q"]) and not SORROW_KO.search(d["Q"]):
                turns["ko"].append(d["Q"])
    print("\n| turns that tell something heavy | heard | of | in three turns |\n|---|---:|---:|---:|")
    for spoken, texts in turns.items():
        some = sorted(set(texts), key=lambda t: hashlib.sha256(t.encode()).hexdigest())[:300]
        heard = []
        for text in some:
            payload = {"text": text}
            heard.append(read(Fields(fill(payload) if fill else payload), POLICY, "repair")["need"] != "none")
        threes = [any(heard[i : i + 3]) for i in range(0, len(heard) - 2, 3)]
        print(f"| {spoken} | {sum(heard)} | {len(heard)} | {sum(threes)} of {len(threes)} |", flush=True)


def seekers(embed: bool) -> None:
    """Single turns, and the conversations of which they are the last turn, each turn read with those before it."""
    fill = filler("read") if embed else None

    def heard(text: str, previous: list[str]) -> bool:
        payload = {"text": text, "previous": previous}
        return bool(read(Fields(fill(payload) if fill else payload), POLICY, "repair")["need"] != "none")

    seen: Counter[tuple[str, str, str]] = Counter()
    for line in (HERE / "support_w1.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        group = "seeking support" if row["seeking"] else "ordinary" if row["need"] == "none" else ""
        if not group:
            continue
        last = heard(row["text"], [])
        seen[row["lang"], group, "all"] += 1
        seen[row["lang"], group, "heard"] += last
        if row["before"]:
            seen[row["lang"], group, "talks"] += 1
            turns = [*row["before"], row["text"]]
            seen[row["lang"], group, "talks heard"] += any(heard(t, turns[:i]) for i, t in enumerate(turns))
    print("\n| turns | heard | of | talks of several turns heard | of |\n|---|---:|---:|---:|---:|")
    for spoken, group in sorted({k[:2] for k in seen}):
        told = " | ".join(str(seen[spoken, group, w]) for w in ("heard", "all", "talks heard", "talks"))
        print(f"| {spoken}, {group} | {told} |", flush=True)


def hostile(embed: bool) -> None:
    fill = filler("read") if embed else None
    seen: Counter[tuple[str, bool]] = Counter()
    for line in (HERE / "hostile_en.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        payload = {"text": row["text"]}
        answer = read(Fields(fill(payload) if fill else payload), POLICY, "repair")
        seen[row["kind"], answer["safety"]["class"] != "none"] += 1
    print("\n| English | heard | of |\n|---|---:|---:|")
    for kind in sorted({k for k, _ in seen}):
        print(f"| {kind} | {seen[kind, True]} | {seen[kind, True] + seen[kind, False]} |")


def _half(text: str) -> bool:
    """The half that bench/train/drafts.py reads."""
    return int(hashlib.sha256(("half" + text).encode()).hexdigest()[:8], 16) % 2 == 0


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--no-embed", action="store_true")
    ask.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    given = ask.parse_args()
    embed = not given.no_embed
    measures = {
        "need": lambda: need(given.data, embed),
        "ordinary": lambda: ordinary(given.data, embed),
        "drafts": lambda: drafts(embed),
        "aside": lambda: aside(embed),
        "replies": lambda: replies(given.data),
        "support": lambda: support(given.data, embed),
        "seekers": lambda: seekers(embed),
        "hostile": lambda: hostile(embed),
    }
    for name in given.only:
        measures[name]()


if __name__ == "__main__":
    main()
