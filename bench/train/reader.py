"""Train the reader of statements (kernel/statements/tagger.py) from the sentences in bench/train/data/reader.

    python bench/train/reader.py [--out FILE] [--epochs N] [--part N]

A message whose hash falls on 0 of ten is never read here: bench/readers.py measures on those. `--part N` holds back
another tenth and prints figures on it while choosing. Same sentences, same machine: same weights.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

sys.path.insert(0, str(Path(__file__).resolve().parent))

import asks
import network

from clew.adapters.embeddings.use import default as embedder
from clew.adapters.embeddings.use import pieces_of
from clew.kernel.statements.features import BUCKETS, SIGNS, bags, mentions, signs, words_of
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
DATA = HERE / "data" / "reader"
WEIGHTS = HERE.parents[1] / "src/clew/policy/weights"
KINDS = ("self", "person", "pet")
STATUS = ("is", "not", "ended", "future", "past")
STANCE = (None, "like", "dislike")
SEED, BATCH, RATE, DECAY, DROP, MIX = 7, 48, 2e-3, 1e-3, 0.35, 0.35
SIZES = {"width": 128, "gram": 64, "buckets": BUCKETS, "signs": SIGNS, "kind": 3, "status": 5, "stance": 3}


def tenth(text: str) -> int:
    return int(hashlib.sha256(("split" + text).encode()).hexdigest()[:8], 16) % 10


def rows(pattern: str = "??_*.jsonl") -> list[dict]:
    return [
        {**json.loads(line), "file": file.stem}
        for file in sorted(DATA.glob(pattern))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line
    ]


@dataclass
class Example:
    """One message in one spelling: what the network sees, and what it should say."""

    ids: list[int]
    words: list[tuple[int, ...]]
    signs: list[tuple[int, ...]]
    vector: np.ndarray
    spans: list[tuple[int, ...]]
    language: str


def example(row: dict, text: str, vector: np.ndarray, names: list[str]) -> Example | None:
    spans, ids = pieces_of(text, embedder()._load()._model.sp)
    if not ids:
        return None
    words = words_of(text)
    grams, marks = bags(words), signs(text, words, mentions(text, policy().reader), policy().reader)
    at, k = [], 0
    for start, _ in spans:
        while k < len(words) - 1 and words[k].end <= start:
            k += 1
        at.append(k)
    gold, used = [], set()
    for memory in row["memories"]:
        places = [m.start() for m in re.finditer(re.escape(memory["value"]), row["text"])]
        place = next((p for p in places if (p, memory["attribute"]) not in used), places[0])
        used.add((place, memory["attribute"]))
        end = place + len(memory["value"])
        tokens = [i for i, (s, e) in enumerate(spans) if s < end and e > place]
        if tokens:
            gold.append((
                tokens[0], tokens[-1] + 1, names.index(memory["attribute"]),
                KINDS.index(memory["subject"].split(":")[0]), STATUS.index(memory["status"]),
                STANCE.index(memory["stance"]),
            ))  # fmt: skip
    if not words:
        grams, marks = [(0,)], [(0,) * SIGNS]
    return Example(ids, [grams[k] for k in at], [marks[k] for k in at], vector, gold, row["lang"])


def examples(data: list[dict], names: list[str]) -> list[list[Example]]:
    vectors = embedder().matrix([row["text"] for row in data])
    out = []
    for row, vector in zip(data, vectors, strict=True):
        spellings = [row["text"]]
        lower = row["text"].lower()
        if row["lang"] == "en" and lower != row["text"] and len(lower) == len(row["text"]):
            spellings.append(lower)
        made = [example(row, text, vector, names) for text in spellings]
        out.append([e for e in made if e])
    return [e for e in out if e]


def joined(a: Example, b: Example) -> Example:
    n = len(a.ids)
    share = n / (n + len(b.ids))
    vector = a.vector * share + b.vector * (1 - share)
    vector = vector / max(1e-9, float(np.linalg.norm(vector)))
    moved = [(s + n, e + n, *rest) for s, e, *rest in b.spans]
    return Example(a.ids + b.ids, a.words + b.words, a.signs + b.signs, vector, a.spans + moved, a.language)


def batch(chosen: list[Example]) -> network.Batch:
    lens = np.array([len(e.ids) for e in chosen])
    starts = np.concatenate([[0], np.cumsum(lens)[:-1]])
    bio = np.zeros(int(lens.sum()), np.int64)
    spans = []
    for m, (start, e) in enumerate(zip(starts, chosen, strict=True)):
        for s, t, *rest in sorted(e.spans, key=lambda x: x[0] - x[1]):
            bio[start + s] = 1
            bio[start + s + 1 : start + t] = 2
            spans.append((m, start + s, start + t, *rest))
    pieces = [w for e in chosen for w in e.words]
    counts = np.array([len(w) for w in pieces])
    bag = csr_matrix(
        (np.repeat((1 / np.sqrt(counts)).astype(np.float32), counts), np.concatenate([np.array(w) for w in pieces]),
         np.concatenate([[0], np.cumsum(counts)])), shape=(len(pieces), BUCKETS),
    )  # fmt: skip
    return network.Batch(
        np.concatenate([np.array(e.ids) for e in chosen]), starts, lens,
        np.array([s for e in chosen for s in e.signs], np.float32), bag,
        np.stack([e.vector for e in chosen]).astype(np.float32), np.array([float(bool(e.spans)) for e in chosen]),
        bio, np.array(spans, np.int64).reshape(-1, 7),
    )  # fmt: skip


def table_of(ids: np.ndarray) -> np.ndarray:
    model = embedder()._load()._model
    chunk = ids % model.scale.shape[0]
    return model.table[ids].astype(np.float32) * model.scale[chunk, None] + model.lo[chunk, None]


class Table:
    """The encoder's rows by id, dequantised when asked for."""

    def __getitem__(self, ids: np.ndarray) -> np.ndarray:
        return table_of(ids)


def fit(data: list[list[Example]], names: list[str], epochs: int, seed: int = SEED) -> network.Arrays:
    rng = np.random.default_rng(seed)
    p = network.begin(rng, {**SIZES, "attribute": len(names)})
    step = network.Adam(p, RATE, DECAY)
    ordinary = {lang: [e for e in data if not e[0].spans and e[0].language == lang] for lang in ("en", "ko")}
    table = Table()
    steps, k, began = epochs * (len(data) // BATCH), 0, time.monotonic()
    for epoch in range(epochs):
        order = rng.permutation(len(data))
        total = 0.0
        for i in range(0, len(order) - BATCH + 1, BATCH):
            chosen = []
            for j in order[i : i + BATCH]:
                e = data[j][rng.integers(len(data[j]))]
                if rng.random() < MIX:
                    pool = ordinary[e.language] if rng.random() < 0.7 else data
                    other = pool[rng.integers(len(pool))][0]
                    if other.language == e.language:
                        e = joined(e, other) if rng.random() < 0.5 else joined(other, e)
                chosen.append(e)
            b = batch(chosen)
            c = network.forward(p, table, b, rng, DROP)
            g, bag, loss = network.backward(p, b, c)
            k += 1
            step(g, bag, min(1.0, k / 100) * max(0.02, 1 - k / steps))
            total += loss
        spent = time.monotonic() - began
        print(f"epoch {epoch + 1}: loss {total / (len(order) // BATCH):.3f}, {spent:.0f} s", flush=True)
    return p


def packed(p: network.Arrays, names: list[str]) -> bytes:
    """Eight bits a weight with one scale for each column, or for each row of the bag's table."""
    arrays: dict[str, np.ndarray] = {"names": np.array(names)}
    for key, value in p.items():
        if value.ndim == 1:
            arrays[key] = value.astype(np.float32)
            continue
        scale = np.maximum(np.abs(value).max(axis=0), 1e-6) / 127
        arrays[key] = np.clip(np.rint(value / scale), -127, 127).astype(np.int8)
        arrays[key + "_s"] = scale.astype(np.float32)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def write(data: bytes, name: str, out: Path) -> None:
    """Weights, and their fingerprint beside the words of the policy."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.npz").write_bytes(data)
    words = HERE.parents[1] / "src/clew/policy/data/reader.toml"
    if out == WEIGHTS:
        text = words.read_text(encoding="utf-8")
        line = f'{name} = "{name}.npz"\n{name}_sha256 = "{hashlib.sha256(data).hexdigest()}"\n'
        kept = re.sub(rf'^{name}(_sha256)? = ".*"\n', "", text, flags=re.M)
        head, rest = kept.split("\n", 1)
        words.write_text(f"{head}\n{line}{rest}", encoding="utf-8")
    print(f"{name}: {len(data) / 1e6:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--part", type=int, default=None)
    parser.add_argument("--only", choices=("statements", "linear"), default=None)
    args = parser.parse_args()
    data = [row for row in rows() if tenth(row["text"]) not in (0, args.part)]
    if args.only != "statements":
        asked = [row for row in rows("asks*.jsonl") if tenth(row["text"]) not in (0, args.part)]
        vectors = embedder().matrix([row["text"] for row in asked + data])
        write(asks.fit_asks(asked, data, vectors), "asks", args.out)
        write(asks.fit_told(data, vectors[len(asked) :]), "told", args.out)
        write(asks.fit_named(data, vectors[len(asked) :]), "named", args.out)
    if args.only == "linear":
        return
    names = sorted({m["attribute"] for row in data for m in row["memories"]})
    made = examples(data, names)
    print(len(made), "messages,", sum(len(e[0].ids) for e in made), "tokens")
    write(packed(fit(made, names, args.epochs), names), "statements", args.out)


if __name__ == "__main__":
    main()
