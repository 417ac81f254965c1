"""Train the reader of change (kernel/keep/change_reader.py): what a message does to something that is held.

    python bench/train/memory_changes.py [--folds | --out FILE [--without PART]]

Rows: data/reader/changes_*.jsonl (a held statement, a later message, a verdict) and data/reader/pairs.jsonl
(two statements: same, opposite, update, other; each stands for the verdicts it may mean). Beside them, ordinary talk
near a held statement and messages that belong to another one: they change nothing. Everything is read as the engine
reads it. `--folds` prints what five parts, split by the held statement, give on rows not fitted on, and writes nothing.
Same rows, same machine: same weights, written to policy/weights/changes.npz with policy/data/changes.toml beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.keep.change_reader import BUCKETS, UNDOES, VERDICTS, WORDS, inputs
from clew.kernel.keep.change_signs import Held, News, Part, measured
from clew.kernel.read.linear import pieces
from clew.kernel.read.utterance import read
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
DATA = HERE / "data" / "reader"
PACKAGE = HERE.parents[1] / "src/clew/policy"
# What a label of pairs.jsonl may mean here.
MEANS = {"update": ("replaces", "ends"), "opposite": UNDOES, "same": ("same",), "other": ("coexists", "other")}
NOTHING = ("other",)
HIDDEN, EPOCHS, BATCH, RATE, SHRINK, DROP, NETS = 48, 14, 64, 2e-3, 1e-3, 0.3, 2
WEIGHT = {"own": 1.5, "pairs": 1.0, "beside": 0.4}
# In a life most messages have nothing to do with what is held: so many of other rows beside each.
OTHERS = 3
Row = dict[str, Any]


def lines(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line]


@cache
def vector(text: str) -> Any:
    return np.asarray(embedder().matrix([text])[0], dtype=np.float64) if text.strip() else None


@cache
def reading(text: str) -> Any:
    return read(text, policy(), vector=vector(text).tolist(), tokens=embedder().tokens(text))


def held(text: str, about: str) -> Held:
    """As the engine would hold it: the statement that the labelled words stand in, else the whole as a note."""
    stated = reading(text).statements
    one = next((s for s in stated if about and (about in s.value or s.value in about)), next(iter(stated), None))
    if one is None:
        return Held(text, "self", "note", text, vector(text), vector(text), embedder().tokens(text))
    return Held(text, one.subject, one.attribute, one.value, vector(text), vector(one.value), embedder().tokens(one.value))


def news(text: str) -> News:
    said = reading(text)
    parts = tuple(Part(s.text, s.act, s.negated, vector(s.text)) for s in said.sentences[: policy().changes.parts])
    values = tuple(vector(s.value) for s in said.statements)
    return News(text, said.language, parts, said.statements, vector(text), values, said.tokens)


def fold(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 5


@dataclass
class Set:
    rows: list[Row]
    dense: Any
    bag: Any
    may: Any
    weight: Any


def gathered() -> Set:
    rows = [
        {"from": "own", "lang": r["lang"], "held": r["held"], "about": r["about"], "message": r["message"],
         "may": NOTHING if r["label"] == "none" else (r["label"],), "label": r["label"]}
        for hand in ("own", "w1", "w2", "w3", "w4", "w5")
        for r in lines(f"changes_{hand}.jsonl")
    ]  # fmt: skip
    rows += [
        {"from": "pairs", "lang": r["lang"], "held": r["a"], "about": "", "message": r["b"], "may": MEANS[r["label"]],
         "label": r["label"]}
        for r in lines("pairs.jsonl")
    ]  # fmt: skip
    rows += list(beside(rows))
    may = np.array([[v in r["may"] for v in VERDICTS] for r in rows], dtype=np.float32)
    weight = np.array([WEIGHT[r["from"]] for r in rows], dtype=np.float32)
    dense, bag = [], np.zeros((len(rows), BUCKETS), np.float32)
    for n, row in enumerate(rows):
        dense.append(inputs([held(row["held"], row["about"])], measured(news(row["message"]), policy()), policy())[0])
        said = sorted({p % BUCKETS for p in pieces(row["message"])})
        bag[n, said] = WORDS / max(1, len(said)) ** 0.5
    return Set(rows, np.array(dense, np.float32), bag, may, weight)


def beside(rows: list[Row]) -> Any:
    """Held statements with a message of another, and with ordinary talk that is near and holds nothing."""
    rng = np.random.default_rng(5)
    for language in ("en", "ko"):
        mine = [r for r in rows if r["lang"] == language and r["from"] == "own"]
        talk = [
            r["text"]
            for file in sorted(DATA.glob(f"{language}_*.jsonl"))
            for r in map(json.loads, file.read_text(encoding="utf-8").splitlines())
            if not r["memories"] and 8 < len(r["text"]) < 160
        ]
        talk = [talk[i] for i in rng.permutation(len(talk))[:1500]]
        near = np.array([vector(t) for t in talk])
        for row in mine:
            others = [mine[int(n)] for n in rng.integers(len(mine), size=OTHERS)]
            closest = np.argsort(-(near @ vector(row["held"])))[:6]
            texts = [o["message"] for o in others if o["held"] != row["held"]]
            for text in (*texts, talk[int(closest[int(rng.integers(6))])]):
                yield {**row, "from": "beside", "message": text, "may": NOTHING, "label": "beside"}


@dataclass
class Net:
    into: Any
    bias: Any
    out: Any
    out_bias: Any
    past: Any

    def hidden(self, x: Any) -> Any:
        return np.maximum(x @ self.into + self.bias, 0)

    def chances(self, x: Any) -> Any:
        return softmax(self.hidden(x) @ self.out + x @ self.past + self.out_bias)


def softmax(z: Any) -> Any:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def fit(x: Any, may: Any, weight: Any, seed: int) -> Net:
    """One hidden layer beside a plain one; a row counts as right for any of the verdicts it may mean."""
    rng = np.random.default_rng(seed)
    wide, many = x.shape[1], len(VERDICTS)
    p = {
        "into": rng.standard_normal((wide, HIDDEN)).astype(np.float32) / np.float32(wide**0.5),
        "bias": np.zeros(HIDDEN, np.float32),
        "out": rng.standard_normal((HIDDEN, many)).astype(np.float32) / np.float32(HIDDEN**0.5),
        "out_bias": np.zeros(many, np.float32),
        "past": np.zeros((wide, many), np.float32),
    }
    first, second = ({k: np.zeros_like(v) for k, v in p.items()} for _ in range(2))
    step = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(x))
        rate = RATE * (1 - epoch / EPOCHS) + 1e-5
        for start in range(0, len(x), BATCH):
            at = order[start : start + BATCH]
            seen = x[at] * kept(rng, (len(at), wide))
            mask = kept(rng, (len(at), HIDDEN))
            h = np.maximum(seen @ p["into"] + p["bias"], 0) * mask
            q = softmax(h @ p["out"] + seen @ p["past"] + p["out_bias"])
            right = q * may[at]
            error = (q - right / (right.sum(1, keepdims=True) + 1e-9)) * weight[at, None] / len(at)
            back = (error @ p["out"].T) * (h > 0) * mask
            gradients = {
                "out": h.T @ error + SHRINK / 10 * p["out"],
                "out_bias": error.sum(0),
                "past": seen.T @ error + SHRINK * p["past"],
                "into": seen.T @ back + SHRINK / 10 * p["into"],
                "bias": back.sum(0),
            }
            step += 1
            for name, g in gradients.items():
                first[name] += 0.1 * (g - first[name])
                second[name] += 0.01 * (g * g - second[name])
                up, size = first[name] / (1 - 0.9**step), second[name] / (1 - 0.99**step)
                p[name] -= np.float32(rate) * up / (np.sqrt(size) + np.float32(1e-6))
    return Net(p["into"], p["bias"], p["out"], p["out_bias"], p["past"])


def kept(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    return (rng.random(shape, dtype=np.float32) >= DROP).astype(np.float32) / np.float32(1 - DROP)


def scaled(data: Set, among: Any) -> tuple[Any, Any]:
    """Only the signs are brought to one scale; the vectors have theirs."""
    plain = data.dense.shape[1] - 3 * len(vector("a"))
    mean, spread = np.zeros(data.dense.shape[1]), np.ones(data.dense.shape[1])
    mean[:plain] = data.dense[among, :plain].mean(0)
    spread[:plain] = data.dense[among, :plain].std(0) + 0.1
    return mean, spread


def folds(data: Set) -> None:
    part = np.array([fold(r["held"]) for r in data.rows])
    chances = np.zeros((len(data.rows), len(VERDICTS)))
    mean, spread = scaled(data, slice(None))
    x = np.hstack([(data.dense - mean) / spread, data.bag]).astype(np.float32)
    for number in range(5):
        use, test = part != number, part == number
        chances[test] = fit(x[use], data.may[use], data.weight[use], 0).chances(x[test])
    undone = chances[:, : len(UNDOES)].sum(1)
    for source in WEIGHT:
        for language in ("en", "ko"):
            print(f"# {source} {language}")
            for label in dict.fromkeys(r["label"] for r in data.rows if r["from"] == source):
                mine = np.array(
                    [r["from"] == source and r["lang"] == language and r["label"] == label for r in data.rows]
                )
                told = np.bincount(chances[mine].argmax(1), minlength=len(VERDICTS))
                shares = ", ".join(f"{v} {n}" for v, n in zip(VERDICTS, told, strict=True) if n)
                print(f"  {label}: of {mine.sum()} undone {(undone[mine] >= 0.5).mean():.3f}; {shares}")
    own = np.array([r["from"] == "own" for r in data.rows])
    gone = np.array([r["may"][0] in UNDOES for r in data.rows])
    for share in (0.02, 0.05, 0.1, 0.15):
        least = np.quantile(undone[own & ~gone], 1 - share)
        print(f"# undone though it stands {share}: found {(undone[own & gone] > least).mean():.3f}, from {least:.2f} on")


def whole(part: Any) -> tuple[Any, Any]:
    """Sixteen bits a weight, one scale a column."""
    scale = np.maximum(np.abs(part).max(axis=0), 1e-9) / 32767
    return np.rint(part / scale).astype(np.int16), scale.astype(np.float64)


def learned(data: Set, without: int | None = None) -> bytes:
    """The weights as a file; `without`: a part of the rows that is not read."""
    use = np.array([fold(r["held"]) != without for r in data.rows])
    mean, spread = scaled(data, use)
    x = np.hstack([(data.dense - mean) / spread, data.bag]).astype(np.float32)[use]
    arrays = {"mean": mean, "spread": spread, "nets": np.array(NETS), "size": np.array(len(vector("a")))}
    cut = data.dense.shape[1]
    for seed in range(NETS):
        net = fit(x, data.may[use], data.weight[use], seed)
        both = np.hstack([net.into, net.past])
        arrays[f"in{seed}"], arrays[f"in{seed}_s"] = whole(both[:cut])
        arrays[f"words{seed}"], arrays[f"words{seed}_s"] = whole(both[cut:])
        arrays[f"out{seed}"], arrays[f"out{seed}_s"] = whole(net.out)
        arrays[f"bias{seed}"], arrays[f"out_bias{seed}"] = net.bias, net.out_bias
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def ship(weights: bytes) -> None:
    (PACKAGE / "weights" / "changes.npz").write_bytes(weights)
    table = PACKAGE / "data" / "changes.toml"
    lines = table.read_text(encoding="utf-8").splitlines()
    fingerprint = f'sha256 = "{hashlib.sha256(weights).hexdigest()}"'
    table.write_text("\n".join(fingerprint if x.startswith("sha256") else x for x in lines) + "\n", encoding="utf-8")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--folds", action="store_true")
    ask.add_argument("--without", type=int, metavar="PART", help="leave out one of five parts; needs --out")
    ask.add_argument("--out", type=Path, help="write the weights there and not into the package")
    given = ask.parse_args()
    data = gathered()
    if given.folds:
        folds(data)
    elif given.out:
        given.out.write_bytes(learned(data, given.without))
    else:
        ship(learned(data))


if __name__ == "__main__":
    main()
