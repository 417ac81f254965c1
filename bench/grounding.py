"""How well follow-ups over a bounded list are read, with no model, through the kernel door.

    python bench/grounding.py [--data DIR] [--errors N] [--speed]

Reads the development sets (default: ../shared/data) and skips, with a word, what is not there.
The service dialogues are split into two halves by dialogue; half A is learned from and rules were written while
looking at its errors, so half B is the fairer number. "Held back" is unseen only by weights fitted with --held
(bench/train/ground_acts.py, ground_choices.py); the shipped ones are fitted on all of acts.jsonl. `--errors` shows errors of half A and never of B.
"""

from __future__ import annotations

import argparse
import collections
import csv
import gzip
import hashlib
import json
import time
from pathlib import Path
from typing import Any

from unread_doors import door

HERE = Path(__file__).parent
SCOPE = {"kind": "chat", "instance_id": "bench"}
AT = "2026-01-01T00:00:00Z"
# What a list would show as the name of an item, best first.
NAMES = (
    "restaurant_name", "hotel_name", "place_name", "attraction_name", "movie_name", "title", "song_name", "track",
    "event_name", "therapist_name", "stylist_name", "dentist_name", "doctor_name", "property_name", "car_name",
    "alarm_name", "name", "outbound_departure_time", "leaving_time", "airlines", "balance", "temperature",
)  # fmt: skip


def candidate(index: int, item: dict[str, str]) -> dict[str, str]:
    name = next((n for n in NAMES if n in item), sorted(item)[0])
    rest = " ".join(v for k, v in sorted(item.items()) if k != name)
    return {"id": f"c{index}", "label": item[name], "sublabel": rest}


def payload(row: dict[str, Any], heard: bool) -> dict[str, Any]:
    out = {
        "text": row["user"],
        "candidates": [candidate(i, item) for i, item in enumerate(row["candidates"])],
        "continuity": {"activeOptionSetId": "set", "activeScope": SCOPE},
        "scope": SCOPE,
        "option_set_id": "set",
        "at": AT,
    }
    if row["last_offer_index"] is not None:
        out["last_offered_id"] = f"c{row['last_offer_index']}"
    if heard:
        out["last_assistant_text"] = row["system"]
    return out


def crude(row: dict[str, Any]) -> tuple[str, int | None]:
    """Keyword rule to beat: others, question mark, no, and otherwise the last offer."""
    text = row["user"].lower()
    if any(w in text.split() for w in ("other", "others", "another", "else", "else?", "different", "more")):
        return "alternatives", None
    if "?" in text:
        return "question", None
    if text.startswith("no"):
        return "negate", None
    return "select", row["last_offer_index"]


def read(row: dict[str, Any], heard: bool) -> tuple[str, int | None]:
    answer = door("ground")(payload(row, heard))
    if answer["outcome"] == "execute":
        return "select", int(answer["choice_id"][1:])
    if answer["outcome"] == "clarify" and answer["act"] in ("select", "other"):
        return "clarify", None
    return answer["act"], None


def measure(name: str, rows: list[dict[str, Any]], reader: Any, errors: int = 0) -> None:
    right = wrong = needless = 0
    for row in rows:
        act, index = reader(row)
        same = act == row["gold_act"] and (act != "select" or row["gold_index"] in (None, index))
        right += same
        wrong += act == "select" and not same
        needless += act == "clarify" and row["gold_act"] == "select"
        if not same and errors > 0:
            errors -= 1
            print(f"    {row['gold_act']:12} read as {act:12} {row['user']!r}")
    n = len(rows)
    print(f"{name:34} {n:5} {right / n:8.3f} {100 * wrong / n:8.2f} % {100 * needless / n:8.2f} %")


def service_dialogues(data: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Turns of service dialogues, split by dialogue: half A is learned from and its errors are read, half B is not."""
    path = data / "sgd_selection_dev" / "selection_turns.dev.jsonl.gz"
    halves: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    if not path.exists():
        print(f"service dialogues: skipped, {path.name} is not there")
        return halves
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            halves[_hash(row["dialogue"]) % 2].append(row)
    return halves


def follow_ups(data: Path, errors: int) -> None:
    halves = service_dialogues(data)
    rows = [*halves[0], *halves[1]]
    if not rows:
        return
    print(f"{'':34} {'n':>5} {'act':>8} {'wrong':>10} {'needless':>10}")
    measure("keyword rule", rows, crude)
    measure("clew, half A", halves[0], lambda r: read(r, True), errors)
    measure("clew, half B", halves[1], lambda r: read(r, True))
    measure("clew, all", rows, lambda r: read(r, True))
    measure("clew, all, assistant not heard", rows, lambda r: read(r, False))


def out_of_scope(data: Path) -> None:
    path = data / "clinc_dev" / "val_and_oos_val.json"
    if not path.exists():
        print(f"out of scope: skipped, {path.name} is not there")
        return
    sets = json.loads(path.read_text(encoding="utf-8"))
    intents = sorted({intent for _, intent in sets["val"]})
    pool = [{"id": i, "label": i.replace("_", " ")} for i in intents]
    base = {"candidates": pool, "continuity": {}, "scope": SCOPE, "option_set_id": "set", "at": AT}
    for name, extra in (("", {}), (", one offered", {"last_offered_id": intents[0]})):
        found: collections.Counter[str] = collections.Counter()
        for text, _ in sets["oos_val"]:
            found[door("ground")({**base, "text": text, **extra})["outcome"]] += 1
        print(f"out-of-scope requests{name}: {dict(found)}")
    wrong = done = 0
    for text, intent in sets["val"]:
        answer = door("ground")({**base, "text": text})
        done += answer["outcome"] == "execute"
        wrong += answer["outcome"] == "execute" and answer["choice_id"] != intent
    print(f"in-scope requests: {done} executed, {wrong} of them wrong, of {len(sets['val'])}")


def topic_changes(data: Path) -> None:
    """Requests about anything at all while a restaurant is on offer: whatever executes is wrong."""
    path = data / "clinc_dev" / "val_and_oos_val.json"
    if not path.exists():
        return
    pool = [{"id": "a", "label": "Blue Lotus"}, {"id": "b", "label": "Casa Verde"}]
    base = {"candidates": pool, "scope": SCOPE, "option_set_id": "set", "at": AT, "last_offered_id": "a"}
    asked = [text for text, intent in json.loads(path.read_text(encoding="utf-8"))["val"] if intent != "yes"]
    done = sum(door("ground")({**base, "text": text})["outcome"] == "execute" for text in asked)
    print(f"changes of topic while something is offered: {done} of {len(asked)} executed")


def unrelated(data: Path, learned: bool) -> list[tuple[str, str]]:
    """Messages about anything at all, with their language: one half is learned from, the other measured with."""
    found: list[tuple[str, str]] = []
    clinc = data / "clinc_dev" / "val_and_oos_val.json"
    if clinc.exists():
        sets = json.loads(clinc.read_text(encoding="utf-8"))
        answers = ("yes", "no", "maybe", "cancel", "repeat", "next_song")
        found += [(t, "en") for t, intent in (*sets["val"], *sets["oos_val"]) if intent not in answers]
    emotions = data / "goemotions_dev" / "dev.tsv"
    if emotions.exists():
        rows = [line.split("\t")[0] for line in emotions.read_text(encoding="utf-8").splitlines()]
        found += [(t, "en") for t in rows if len(t.split()) >= WORDS]
    korean = data / "korean_chatbot" / "ChatbotData.csv"
    if korean.exists():
        with korean.open(encoding="utf-8", newline="") as lines:
            found += [(r["Q"], "ko") for r in csv.DictReader(lines) if len(r["Q"].split()) >= WORDS]
    part = [f for f in found if _hash(f[0]) % 2 == (0 if learned else 1)]
    return sorted(part, key=lambda f: _hash(f[0]))


# Shorter remarks may well answer an offer.
WORDS = 4


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def beside_lists(data: Path, errors: int) -> None:
    """Messages about anything at all beside lists of acts.jsonl, half of them with an offer: nothing may execute."""
    path = HERE / "train" / "data" / "acts.jsonl"
    scenes = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for lang in ("en", "ko"):
        told = [t for t, language in unrelated(data, learned=False) if language == lang][:500]
        fitting = [s for s in scenes if s["lang"] == lang]
        done = 0
        for text in told:
            scene = fitting[_hash(text) // 11 % len(fitting)]
            answer = acts_of({**scene, "user": text})
            done += answer["outcome"] == "execute"
            if answer["outcome"] == "execute" and errors > 0:
                errors -= 1
                print(
                    f"    executed {answer['choice_id']} at {text!r}: {[c['label'] for c in scene['candidates']]}"
                )
        print(f"unrelated messages beside a list, {lang}: {done} of {len(told)} executed")


TAKING = ("accept", "choose", "correct")


def held_back(row: dict[str, Any]) -> bool:
    """Three of ten of the assistant's messages, with all that was answered to them; nobody reads these."""
    return int(hashlib.sha256(row["assistant"].encode()).hexdigest(), 16) % 10 < 3


def acts_of(row: dict[str, Any]) -> dict[str, Any]:
    """One line of the follow-ups with their acts, asked at the door."""
    asked = {
        "text": row["user"],
        "candidates": row["candidates"],
        "continuity": {"activeOptionSetId": "set", "activeScope": SCOPE},
        "scope": SCOPE,
        "option_set_id": "set",
        "at": AT,
        "last_assistant_text": row["assistant"],
    }
    return door("ground")({**asked, "offer": row["offered"]})


def acts(data: Path, errors: int) -> None:
    """reader_dev/acts.jsonl: wrong actions of all, choices taken and questions of those with a single choice."""
    path = data / "reader_dev" / "acts.jsonl"
    if not path.exists():
        print(f"acts: skipped, {path.name} is not there")
        return
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    print(f"{'':26} {'n':>5} {'acts':>6} {'first':>6} {'wrong':>8} {'taken':>8} {'needless':>9}")
    for name, held in (("seen", False), ("held back", True)):
        for lang in ("en", "ko"):
            score: collections.Counter[str] = collections.Counter()
            for row in rows:
                if held_back(row) == held and row["lang"] == lang:
                    score.update(judge(row, acts_of(row), 0 if held else errors))
            n, single = score["n"], max(1, score["single"])
            print(
                f"{'follow-ups, ' + name + ', ' + lang:26} {n:5} {score['acts'] / n:6.3f} "
                f"{score['first'] / n:6.3f} {100 * score['wrong'] / n:6.2f} % "
                f"{100 * score['taken'] / single:6.1f} % {100 * score['needless'] / single:7.1f} %"
            )


def judge(row: dict[str, Any], answer: dict[str, Any], errors: int) -> dict[str, int]:
    gold = [a["act"] for a in row["acts"]]
    mine = [a["act"] for a in answer.get("acts", ())]
    allowed = {i for a in row["acts"] if a["act"] in TAKING for i in a["ids"]}
    done = set(answer.get("choice_ids") or ([answer["choice_id"]] if "choice_id" in answer else []))
    executed = answer["outcome"] == "execute"
    wrong = executed and not done <= allowed
    single = len(allowed) == 1 and len(gold) == 1
    taken = single and executed and done == allowed
    needless = single and answer["outcome"] == "clarify"
    if errors and (wrong or (single and not taken) or mine != gold):
        told = " ".join(f"{a['act']}:{','.join(a['ids'])}" for a in row["acts"])
        flag = "WRONG" if wrong else "missed" if single and not taken else "act"
        shown = "; ".join(f"{c['id']}:{c['label']} ({c.get('sublabel')})" for c in row["candidates"])
        print(f"{flag:7}{row['user']!r} gold {told} got {answer['outcome']} {sorted(done)} {mine}")
        print(f"        {[r['rule'] + ' ' + str(r.get('detail', '')) for r in answer['reasons']][:4]}")
        print(f"        offer {row['offered']} | {shown} | {row['assistant']!r}")
    return {
        "n": 1,
        "acts": mine == gold,
        "first": mine[:1] == gold[:1],
        "wrong": wrong,
        "single": single,
        "taken": taken,
        "needless": needless,
    }


def own_follow_ups() -> None:
    """tests/vectors/ground_follow_ups.json: errors were read in the dev half only."""
    path = HERE.parent / "tests" / "vectors" / "ground_follow_ups.json"
    vectors = json.loads(path.read_text(encoding="utf-8"))
    found: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for case in vectors["cases"]:
        asked = {
            "text": case["text"],
            "candidates": vectors["lists"][case["list"]],
            "continuity": {"activeOptionSetId": "set", "activeScope": SCOPE},
            "scope": SCOPE,
            "option_set_id": "set",
            "at": AT,
            **({"last_offered_id": case["offered"]} if case["offered"] else {}),
        }
        answer = door("ground")(asked)
        asks = answer["outcome"] == "clarify" and answer["act"] in ("select", "other")
        got = answer.get("choice_id") or ("clarify" if asks else answer["act"])
        score = found[case["half"]]
        score["n"] += 1
        score["right"] += got in case["expect"]
        score["wrong actions"] += answer["outcome"] == "execute" and got not in case["expect"]
        score["needless clarifications"] += got == "clarify" and got not in case["expect"]
    for half, score in sorted(found.items()):
        print(f"own follow-ups, {half}: {dict(score)}")


def speed() -> None:
    """CPU time of this thread, so that what else the machine does is not counted."""
    from clew.kernel.ground.door import read_turn
    from clew.kernel.ground.drive import drive
    from clew.model.fields import Fields
    from clew.policy import default

    policy = default().ground
    texts = [f"open the sample{i} report pls" for i in range(300)]
    texts += [f"okay number {i} sounds good" for i in range(300)]
    print(f"{'candidates':>10} {'door p50':>10} {'door p99':>10} {'ladder p50':>11} {'ladder p99':>11}   ms")
    for n in (10, 100, 1_000, 10_000):
        pool = [{"id": f"c{i}", "label": f"sample{i} report"} for i in range(n)]
        at_door, ladder = [], []
        for text in texts:
            asked = {"text": text, "candidates": pool, "scope": SCOPE, "option_set_id": "set", "at": AT}
            started = time.thread_time()
            door("ground")(asked)
            at_door.append(time.thread_time() - started)
            turn, _ = read_turn(Fields(asked), policy, "repair")
            started = time.thread_time()
            drive(turn, policy, lambda ask: None)
            ladder.append(time.thread_time() - started)
        numbers = [1000 * sorted(s[10:])[int(q * (len(s) - 11))] for s in (at_door, ladder) for q in (0.5, 0.99)]
        print(f"{n:10} {numbers[0]:10.3f} {numbers[1]:10.3f} {numbers[2]:11.3f} {numbers[3]:11.3f}")


def first_sight() -> None:
    """A list that nobody has seen before, read at the door: CPU time, the slowest of a few."""
    door("ground")({"text": "open a", "candidates": [{"id": "a", "label": "a"}], "scope": SCOPE, "option_set_id": "s", "at": AT})
    for n in (10_000, 50_000):
        took = []
        for turn in range(7):
            pool = [
                {"id": f"{turn}c{i}", "label": f"item {turn} {i} report", "sublabel": f"{i % 97} MB"} for i in range(n)
            ]
            asked = {"text": f"open item {turn} 77 report", "candidates": pool, "scope": SCOPE}
            started = time.thread_time()
            answer = door("ground")({**asked, "option_set_id": f"set{turn}", "at": AT})
            took.append(1000 * (time.thread_time() - started))
        print(f"first sight of {n}: {min(took):.1f} to {max(took):.1f} ms, {answer['outcome']}")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    reader.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    reader.add_argument("--errors", type=int, default=0, help="show this many errors of half A")
    reader.add_argument("--speed", action="store_true")
    asked = reader.parse_args()
    acts(asked.data, 0)
    follow_ups(asked.data, asked.errors)
    out_of_scope(asked.data)
    topic_changes(asked.data)
    beside_lists(asked.data, asked.errors)
    own_follow_ups()
    if asked.speed:
        speed()
        first_sight()


if __name__ == "__main__":
    main()
