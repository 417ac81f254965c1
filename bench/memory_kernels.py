"""How well the memory kernels read, update and merge, on public development data.

    python bench/memory_kernels.py [--data DIR] [--only extract|update|dedup|speed]

PersonaMem (MIT): personas 0-1 were looked at while writing the rules, 2-3 were not; every `Side_Note:` line is
removed. An utterance counts as found when a PREFERENCE candidate has the right stance ("stance"), and strictly
when it also shares a content word with the labelled item ("item"). About one utterance in three is nearer to
another label of its conversation than to its own (labels run late there), which bounds everything measured on it.
Korean sets: see the data folder's README; the even rows of question_pair
fitted the weights, the odd rows are reported.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from clew.kernel.remember.detect import extract
from clew.kernel.remember.likeness import memory_likeness, memory_words
from clew.kernel.remember.updates import updates as find_update
from clew.kernel.text.tokens import content_words
from clew.model.update import Statement
from clew.policy import default

POLICY = default()
AT, ZONE = datetime(2026, 11, 15, tzinfo=UTC), ZoneInfo("UTC")
LISTED = {
    "like": "i like,i love,i enjoy,i adore,i'm into,my favorite,i'm a fan of,i prefer,i appreciate".split(
        ","
    ),
    "dislike": "i hate,i dislike,i can't stand,i don't like,i'm not a fan of,i avoid,i detest".split(","),
}
Row = dict[str, Any]
Pair = tuple[str, str, int]


def personamem(data: Path) -> list[Row]:
    with gzip.open(data / "personamem_dev" / "events.jsonl.gz", "rt", encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    rows = []
    for event in events:
        said = [
            line[5:].strip()
            for line in (event.get("Conversation") or "").split("\n")
            if line.startswith("User:")
        ]
        key = next((k for k in event if k.startswith("[Updated Fact]")), None)
        key = key or next((k for k in event if k.startswith("[Fact]")), None)
        if said and key:
            stance = "dislike" if "Dislikes" in key else "like"
            rows.append({**event, "said": said[0], "stance": stance, "item": event[key]})
    return rows


def halves(rows: list[Row]) -> Iterable[tuple[str, list[Row]]]:
    yield "personas 0-1 (seen)", [r for r in rows if r["persona"] < 2]
    yield "personas 2-3 (unseen)", [r for r in rows if r["persona"] >= 2]


def by_kernel(text: str) -> list[tuple[str, str]]:
    found = extract(text, AT, ZONE, POLICY)
    return [(c.value.split("|")[0], c.value.split("|")[1]) for c in found if c.type == "PREFERENCE"]


def by_list(text: str) -> list[tuple[str, str]]:
    low = text.lower().replace("’", "'")
    return [
        (stance, " ".join(low[m.end() :].split()[:5]))
        for stance, phrases in LISTED.items()
        for phrase in phrases
        for m in re.finditer(rf"\b{re.escape(phrase)}\b", low)
    ]


def preferences(rows: list[Row]) -> None:
    print("\nPreferences found (PersonaMem)")
    print(f"{'':24}{'':18}{'recall':>8}{'prec.':>8}{'recall':>8}{'prec.':>8}{'per':>6}")
    print(f"{'half':24}{'reader':18}{'stance':>8}{'stance':>8}{'item':>8}{'item':>8}{'text':>6}")
    for name, half in halves(rows):
        for reader, read in (("listed phrases", by_list), ("extract", by_kernel)):
            hit = strict = total = right = exact = 0
            for row in half:
                found = read(row["said"])
                good = [f for f in found if f[0] == row["stance"]]
                same = [f for f in good if memory_words(f[1], POLICY) & memory_words(row["item"], POLICY)]
                hit, strict = hit + bool(good), strict + bool(same)
                total, right, exact = total + len(found), right + len(good), exact + len(same)
            n, t = len(half), max(1, total)
            shares = f"{hit / n:8.3f}{right / t:8.3f}{strict / n:8.3f}{exact / t:8.3f}{total / n:6.2f}"
            print(f"{name:24}{reader:18}{shares}")


def bare(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def in_step(rows: list[Row], embed: Callable[[list[str]], np.ndarray]) -> list[bool]:
    """Whether an utterance is nearer to its own label than to the other labels of its conversation.

    Whole conversations of the set have their labels one utterance late; no reader can be right there.
    """
    said, first = embed([r["said"] for r in rows]), embed([r["said"].split(". ")[0] for r in rows])
    label = embed([r["Event"] for r in rows])
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, r in enumerate(rows):
        groups.setdefault((r["persona"], r["topic"], r["block"]), []).append(i)
    out = []
    for i, r in enumerate(rows):
        group = groups[r["persona"], r["topic"], r["block"]]
        near = [max(float(said[i] @ label[j]), float(first[i] @ label[j])) for j in group]
        out.append(group[int(np.argmax(near))] == i)
    return out


def updates(rows: list[Row], embed: Callable[[list[str]], np.ndarray] | None) -> None:
    """Each statement against all earlier ones of the same person and topic, in the order of the file."""
    print("\nUpdates (PersonaMem): is it one (F1), and of which earlier statement (top-1)")
    print(f"{'half':24}{'reader':20}{'F1':>7}{'prec.':>7}{'recall':>8}{'yes to all':>12}", end="")
    print(f"{'top-1':>8}{'of':>5}{'in step':>9}{'of':>5}")
    start = datetime(2020, 1, 1, tzinfo=UTC)
    plain = [Statement(str(i), r["said"], start + timedelta(minutes=i)) for i, r in enumerate(rows)]
    readers = {"updates, words": plain}
    step = [True] * len(rows)
    if embed:
        vectors = embed([r["said"] for r in rows]).tolist()
        readers["updates, vectors"] = [
            replace(s, vector=tuple(v)) for s, v in zip(plain, vectors, strict=True)
        ]
        step = in_step(rows, embed)
    for name, low in (("personas 0-1 (seen)", 0), ("personas 2-3 (unseen)", 2)):
        for reader, said in readers.items():
            hits = yes = truth = both = total = linked = sound = sound_hits = 0
            for i, row in enumerate(rows):
                if not low <= row["persona"] < low + 2:
                    continue
                earlier = [
                    j
                    for j in range(i)
                    if (rows[j]["persona"], rows[j]["topic"]) == (row["persona"], row["topic"])
                ]
                found = find_update(said[i], [said[j] for j in earlier], POLICY)
                is_one = "[Old Event]" in row
                total, yes, truth = total + 1, yes + found.is_update, truth + is_one
                both += found.is_update and is_one
                old = bare(row.get("[Old Event]") or "")
                gold = [j for j in earlier if is_one and bare(rows[j]["Event"]) == old]
                if gold:
                    right = found.of is not None and int(found.of) in gold
                    linked, hits = linked + 1, hits + right
                    if step[i] and all(step[j] for j in gold):
                        sound, sound_hits = sound + 1, sound_hits + right
            f1, always = 2 * both / max(1, yes + truth), 2 * truth / max(1, total + truth)
            print(f"{name:24}{reader:20}{f1:7.3f}{both / max(1, yes):7.3f}{both / truth:8.3f}", end="")
            print(f"{always:12.3f}{hits / linked:8.3f}{linked:5}", end="")
            print(f"{sound_hits / max(1, sound):9.3f}{sound:5}" if embed else "")


def korean(data: Path) -> dict[str, list[Pair]]:
    folder = data / "korean_dedup_dev"
    lines = (
        (folder / "question_pair-validation.0same_1different.txt")
        .read_text(encoding="utf-8")
        .splitlines()[1:]
    )
    questions = [(a, b, int(y == "0")) for a, b, y in (line.split("\t")[:3] for line in lines)]
    lines = (folder / "korsts-dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    scored = [(r[5], r[6], float(r[4])) for r in (line.split("\t") for line in lines) if len(r) >= 7]
    lines = (folder / "paraKQC-200clusters-of-10.txt").read_text(encoding="utf-8").splitlines()
    texts = [line.split("\t")[-1] for line in lines if line.strip()]
    clusters = [texts[i : i + 10] for i in range(0, len(texts), 10)]
    same = [(c[i], c[j], 1) for c in clusters for i in range(4) for j in range(i + 1, 4)]
    following = clusters[1:] + clusters[:1]
    other = [(a[i], b[i + 1], 0) for a, b in zip(clusters, following, strict=True) for i in range(5)]
    return {
        "question_pair odd rows": questions[1::2],
        "KorSTS >=4 against <3": [(a, b, int(s >= 4)) for a, b, s in scored if s >= 4 or s < 3],
        "paraKQC, next cluster": [p for p in (*same, *other) if p[0] != p[1]],
    }


def near_misses() -> list[Pair]:
    from train.memory_pairs import pairs

    return [p for p in pairs() if p[2] == 0]


def english(data: Path) -> dict[str, list[Pair]]:
    """Our own contradictions and paraphrases; the guards were widened while looking at the dev half."""
    rows = json.loads((data / "memory_pairs.json").read_text(encoding="utf-8"))
    return {
        f"English pairs, {split}": [(r["a"], r["b"], int(r["same"])) for r in rows if r["split"] == split]
        for split in ("dev", "held")
    }


def contradictions(sets: dict[str, list[Pair]], embed: Callable[[list[str]], np.ndarray] | None) -> None:
    print("\nContradictions merged")
    for name, rows in sets.items():
        apart = [(a, b) for a, b, y in rows if not y]
        texts = sorted({t for pair in apart for t in pair})
        vectors = dict(zip(texts, embed(texts).tolist(), strict=True)) if embed else {}
        words = sum(memory_likeness(a, b, POLICY).duplicate for a, b in apart)
        near = sum(
            memory_likeness(a, b, POLICY, vectors[a], vectors[b]).duplicate for a, b in apart if vectors
        )
        print(f"{name:26}{words:4} by words{near:4} with vectors, of {len(apart)}")


def dedup(sets: dict[str, list[Pair]], embed: Callable[[list[str]], np.ndarray] | None) -> None:
    print("\nOne memory or two (similar as memory)")
    print(f"{'set':26}{'pairs':>7}{'same':>7}   {'words':>15}{'with vectors':>18}{'containment >.8':>18}")
    print(f"{'':40}   {'recall   prec.':>15}{'recall   prec.':>18}{'recall   prec.':>18}")
    for name, rows in sets.items():
        texts = sorted({t for a, b, _ in rows for t in (a, b)})
        vectors = dict(zip(texts, embed(texts).tolist(), strict=True)) if embed else {}
        gold = np.array([y for _, _, y in rows], dtype=bool)
        lexical = np.array([memory_likeness(a, b, POLICY).duplicate for a, b, _ in rows])
        columns = [lexical]
        if vectors:
            columns.append(
                np.array(
                    [memory_likeness(a, b, POLICY, vectors[a], vectors[b]).duplicate for a, b, _ in rows]
                )
            )
        plain = []
        for a, b, _ in rows:
            left, right = content_words(a), content_words(b)
            plain.append(len(left & right) > 0.8 * max(1, min(len(left), len(right))))
        columns.append(np.array(plain))
        cells = []
        for said in columns:
            recall = f"{said[gold].mean():8.3f}" if gold.any() else f"{'-':>8}"
            precision = f"{gold[said].mean():8.3f}" if said.any() and gold.any() else f"{'-':>8}"
            merged = f"   merged {said.mean():.3f}" if not gold.any() else f"{recall}{precision}"
            cells.append(f"{merged:>17}")
        print(f"{name:26}{len(rows):7}{int(gold.sum()):7}   {' '.join(cells)}")


def speed(rows: list[Row]) -> None:
    print("\nSpeed of extract")
    texts = [r["said"] for r in rows][:300]
    short = ["I love sushi", "hello there", "나는 커피를 좋아해"] * 100
    for name, part in (("long messages", texts), ("short messages", short)):
        start = time.perf_counter()
        for text in part:
            extract(text, AT, ZONE, POLICY)
        spent = (time.perf_counter() - start) / len(part) * 1000
        size = sum(map(len, part)) / len(part)
        print(f"{name:20}{size:8.0f} characters{spent:8.2f} ms each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--only", choices=("extract", "update", "dedup", "speed"))
    args = parser.parse_args()
    wanted = (args.only,) if args.only else ("extract", "update", "dedup", "speed")
    try:
        from clew.adapters.embeddings import use

        embed = (lambda texts: np.asarray(use.default().matrix(texts))) if use.installed() else None
    except RuntimeError:
        embed = None
    if embed is None:
        print("no embedder installed: rows with vectors are left out")
    if (args.data / "personamem_dev").is_dir():
        rows = personamem(args.data)
        if "extract" in wanted:
            preferences(rows)
        if "update" in wanted:
            updates(rows, embed)
        if "speed" in wanted:
            speed(rows)
    else:
        print(f"skipped PersonaMem: {args.data / 'personamem_dev'} is not there")
    if "dedup" in wanted:
        if (args.data / "korean_dedup_dev").is_dir():
            dedup(korean(args.data), embed)
        else:
            print(f"skipped Korean pairs: {args.data / 'korean_dedup_dev'} is not there")
        ours = english(Path(__file__).resolve().parents[1] / "tests" / "vectors")
        dedup({"our near misses": near_misses(), **ours}, embed)
        contradictions(ours, embed)


if __name__ == "__main__":
    main()
