"""Train the reader of need (kernel/read/need.py): none, care or crisis.

    OMP_NUM_THREADS=1 python bench/train/need.py --data DIR [--cache FILE]

Reads need.jsonl beside this file, the sentences in bench/train/data/reader (need_*, and ordinary talk), everyday messages
(occasions_*, everyday_* in bench/train/data), self_harm.jsonl, what is told and asked in our other files (facts_*, talks_*,
later_*, changes_*, lines, choices from a list), and from DIR, as ordinary talk: clinc_dev (clinc/oos-eval, CC BY 3.0), korean_chatbot (songys/Chatbot_data, MIT) and
goemotions_dev (GoEmotions, Apache-2.0). A tenth, chosen by hash, is held back from every file.

Written: policy/data/listen.need_scores.toml and policy/weights/need_*.bin. Printed: what the held-back tenth gets at
the marks of policy/data/listen.need.toml; bench/detectors.py measures the whole reader.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lines import bare
from lines import held_back as never_learned
from scores import WEIGHTS, fit, gists, hashed, held_back, vectors, write_tables

from clew.kernel.language.scripts import syllables
from clew.kernel.read.hashed import words_of
from clew.kernel.read.together import together

HERE = Path(__file__).parent
OUT = WEIGHTS.parent / "data" / "listen.need_scores.toml"
# Messages that tell of these may well need care: they teach nothing about care, only that they are no crisis.
GRAVE = frozenset("death condition feeling_pattern fear relationship medication event sleep money note limit".split())
# Kinds of everyday messages (bench/train/data/occasions_*, everyday_*) in which something heavy may be told: they teach
# nothing about care. The others are ordinary talk of the speaker's own day, which is what care is most easily heard in.
HEAVY = frozenset(
    "worry low others_bad setback self_doubt lonely heartache comfort_me sleepless missing regret dread letdown reassure"
    " someone torn memory sick money grateful change resolve warm_to_you dislike tired musing fragment more"
    " pet_died funeral death_day broke_up breakup bullied cried_today feeling_down sad stressed guilty left_out laid_off"
    " rejected hospital_visit family_hospital parents_old aging_parents health_worry worried_child worried_friend"
    " worry_about_kid overthinking nightmare no_motivation miss_someone homesick hate_job birthday_forgotten"
    " friend_distance checkup_bad operation_soon surgery_soon pet_ill kid_ill lost_pet crop_damage business_slow broke"
    " police angry goodbye_person child_leaves saw_ex vent can_i_tell envious comparing jealous hard_shift sad_at_work"
    " future_worry memory_worry recovery_slow surprise_bill snapped_at argument waiting_result cant_sleep misunderstood"
    " regret_said kid_grown dont_know_say customer_rude rude_stranger eat_alone nervous pregnancy_hard visiting_sick"
    " no_reply friend_cancelled phone_call_dread got_scolded parents_strict cried_at_film".split()
)
# Nor are these a sign that nothing is the matter.
UNTOLD = frozenset({"risky", "low", "comfort_me"})
HURT = frozenset({9, 12, 14, 16, 19, 24, 25})
HARSH = frozenset({2, 3, 10, 11})
HEAVY_KO = re.compile(
    "슬프|슬퍼|힘들|우울|외로|눈물|울었|울고|무서|불안|헤어|아프|아파|지쳤|지친|"
    "싫|괴로|망했|떨어|실패|후회|짝사랑|이별|차였|한숨|무거워|못났|"
    "왕따|따돌|그만하고|도망치|때려 ?치|힘이 하나도|사람이 한 명도|아는 게 없|못 살|서운|서럽|미치겠|포기|버티|상처"
)
SORROW_KO = re.compile("힘들|우울|외로|눈물|슬프|슬퍼|괴로|불안|지쳤|죽을 것")
DEATH_KO = re.compile("죽|자살|살기|살고|사라지|끝내")
DEATH_EN = re.compile("suicid|kill|die|dead")
# Of these, short ones make ordinary talks of three turns; so many in each language.
SHORT = frozenset(("talk", "asks", "chatbot", "clinc", "need_c1"))
WINDOWS = 2_000
JOINED = frozenset(("windows", "seekers"))
UNITS = 64
FIRST_EN = re.compile(r"\b(i|i'm|im|my|me)\b", re.I)


@dataclass(frozen=True)
class Row:
    """care, crisis: 1, 0, or None where the text teaches nothing about it."""

    text: str
    care: int | None
    crisis: int | None
    weight: float
    source: str


def _lines(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def rows(data: Path) -> list[Row]:
    """A text counts once, by its first source."""
    found: dict[str, Row] = {}
    for row in _rows(data):
        if row.text.strip():
            found.setdefault(row.text, row)
    never = never_learned()
    for row in _told():
        if row.text.strip() and bare(row.text) not in never:
            found.setdefault(row.text, row)
    for row in _windows(list(found.values())):
        found.setdefault(row.text, row)
    return list(found.values())


def _windows(singles: list[Row]) -> Iterator[Row]:
    """Short ordinary messages, three at a time by hash: what an ordinary talk reads like."""
    rows = sorted((r for r in singles if r.care == 0 and r.source in SHORT), key=lambda r: _hash(r.text))
    for spoken in (True, False):
        few = [r.text for r in rows if (syllables(r.text) > 0) == spoken and len(r.text) <= (24 if spoken else 48)]
        for i in range(0, min(len(few), 3 * WINDOWS) - 2, 3):
            yield Row(together(few[i : i + 3]), 0, 0, 0.3, "windows")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _rows(data: Path) -> Iterator[Row]:
    ours = HERE / "data" / "reader"
    for path in (HERE / "need.jsonl", *sorted(ours.glob("need_*.jsonl"))):
        own = path.parent == HERE
        for d in _lines(path):
            yield Row(d["text"], int(d["need"] != "none"), int(d["need"] == "crisis"), 2.0 if own else 1.5, path.stem)
    for d in _lines(HERE / "self_harm.jsonl"):
        danger = d["label"] == "danger"
        yield Row(d["text"], 1 if danger else None, int(danger), 0.6, "self_harm")
    for path in (p for code in ("en", "ko") for p in sorted(ours.glob(f"{code}_*.jsonl"))):
        for d in _lines(path):
            grave = not GRAVE.isdisjoint(m["attribute"] for m in d["memories"])
            yield Row(d["text"], None if grave else 0, 0, 0.7, "talk")
    yield from _everyday()
    for d in (d for path in sorted(ours.glob("asks*.jsonl")) for d in _lines(path)):
        yield Row(d["text"], 0, 0, 0.5, "asks")
    # Turns read together: talks of people who seek support in few words, and ordinary ones beside them.
    for d in (d for path in sorted(ours.glob("seekers*.jsonl")) for d in _lines(path)):
        yield Row(together(d["turns"]), int(d["seeking"]), 0, 1.5, "seekers")
    # Whoever comforts is not hurting: replies are ordinary talk too.
    for d in (d for path in sorted(ours.glob("drafts*.jsonl")) for d in _lines(path)):
        if d["verdict"] == "ok":
            yield Row(d["draft"], 0, 0, 0.5, "replies")
    requests = json.loads((data / "clinc_dev" / "val_and_oos_val.json").read_text(encoding="utf-8"))
    for part in requests.values():
        yield from (Row(text, 0, 0, 0.5, "clinc") for text, _ in part)
    yield from _chatbot(data / "korean_chatbot" / "ChatbotData.csv")
    yield from _comments(data / "goemotions_dev" / "dev.tsv")


def _told() -> Iterator[Row]:
    """Lives as they are told and asked about, and choices from a list: nobody is in danger in them.

    Who asks for what was told, or chooses, is in no pain. What was told may well hurt: but for plain facts it teaches
    nothing about care.
    """
    data, ours = HERE / "data", HERE / "data" / "reader"
    for d in _of(ours, "facts_*"):
        yield Row(d["told"], None, 0, 0.3, "told")
        yield from _asked([*d["ask"], *d.get("near", ())])
    for d in _of(ours, "talks_*"):
        yield from (_fact(turn) for turn in d["tell"] if isinstance(turn, dict))
        yield from _asked(d["ask"])
    yield from (_fact(d) for d in _of(ours, "later_*"))
    for d in _of(ours, "changes_*"):
        for said in (d.get("held"), d.get("message")):
            texts = said if isinstance(said, list) else [said]
            yield from (Row(text, None, 0, 0.3, "told") for text in texts if isinstance(text, str))
    for path in sorted((data / "lines").glob("*.txt")):
        yield from (Row(line.strip(), None, 0, 0.3, "told") for line in path.read_text(encoding="utf-8").splitlines())
    yield from (Row(d["user"], 0, 0, 0.3, "choices") for d in _of(data, "acts*"))


def _of(folder: Path, pattern: str) -> Iterator[dict]:
    return (d for path in sorted(folder.glob(f"{pattern}.jsonl")) for d in _lines(path))


def _fact(d: dict) -> Row:
    named = {m["attribute"] for m in d["memories"]}
    return Row(d["text"], 0 if named and GRAVE.isdisjoint(named) else None, 0, 0.3, "told")


def _asked(asked: Iterable[str | dict]) -> Iterator[Row]:
    texts = (one if isinstance(one, str) else one["text"] for one in asked)
    yield from (Row(text, 0, 0, 0.3, "questions") for text in texts)


def _everyday() -> Iterator[Row]:
    for path in sorted(p for kind in ("occasions", "everyday") for p in (HERE / "data").glob(f"{kind}_*.txt")):
        kind = ""
        for line in filter(None, map(str.strip, path.read_text(encoding="utf-8").splitlines())):
            if line.startswith("#"):
                kind = line[1:].strip()
            elif kind not in UNTOLD:
                yield Row(line, None if kind in HEAVY else 0, 0, 0.3, "everyday")


def _chatbot(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        for d in csv.DictReader(file):
            text, parted = d["Q"], d["label"] == "1"
            if DEATH_KO.search(text):
                continue
            if SORROW_KO.search(text) and not text.rstrip().endswith("?"):
                yield Row(text, 1, 0, 0.2, "chatbot_sorrow")
            elif parted or HEAVY_KO.search(text):
                yield Row(text, None, 0, 0.3, "chatbot_heavy")
            else:
                yield Row(text, 0, 0, 0.5, "chatbot")
            yield Row(d["A"], 0, 0, 0.3, "replies")


def _comments(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        text, labels, _ = line.split("\t")
        marks = set(map(int, labels.split(",")))
        if DEATH_EN.search(text.lower()):
            continue
        if marks & {14, 16, 25} and FIRST_EN.search(text) and "?" not in text:
            yield Row(text, 1, 0, 0.1, "comments_sorrow")
        elif not marks & (HURT | HARSH):
            yield Row(text, 0, 0, 0.5, "comments")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--cache", type=Path)
    given = ask.parse_args()
    all_rows = rows(given.data)
    texts = [r.text for r in all_rows]
    # Turns that are joined have no tokens.
    single = np.array([r.source not in JOINED for r in all_rows])[:, None]
    vector = np.hstack([vectors(texts, given.cache), gists(texts) * single])
    words = hashed([words_of(t) for t in texts])
    held = np.array([held_back(t) for t in texts])
    weight = np.array([r.weight for r in all_rows])
    names = ("care", "crisis")
    label = np.array([[-1 if (v := getattr(r, name)) is None else v for name in names] for r in all_rows])
    use = np.where(~held)[0]
    made = fit([f"need_{n}" for n in names], words[use], vector[use], label[use], weight[use], units=UNITS)
    tables = dict(zip(names, made, strict=True))
    write_tables(OUT, "Written by bench/train/need.py; do not edit.", tables)
    print(f"{int((~held).sum())} texts read, {int(held.sum())} held back; written to {OUT.name}")


if __name__ == "__main__":
    main()
