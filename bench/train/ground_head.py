"""Fit the upper layers of the network of follow-ups on plain cores, from the weights that are shipped.

    python bench/train/ground_head.py read FOLDER [--only HAND …]
    python bench/train/ground_head.py fit FOLDER [--without HAND …] [--passes N] [--ship]

What reads words beside candidates (bench/train/ground_network.py) stays as it is; what weighs the candidates against each other
and tells the acts is fitted anew on what those layers make of every message. Hands that the lower layers never learned from count
for more: on others they know by heart what is meant. `read` writes a file for each hand, `fit` takes minutes on one core and
needs numpy alone. Hands that are left out, and data/follow/*_test.jsonl, are measured: how many choices are taken where so many of a
hundred messages are acted on wrongly, before and after. The shipped weights were fitted with eight passes and
`--without en_13 ko_13 en_14 ko_14`: marks are chosen on hands that are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))


Arrays = dict[str, np.ndarray]
TAKING = ("accept", "choose", "correct")
ACTS = ("accept", "choose", "reject", "ask", "more", "new", "close", "correct", "unclear")
# Steps of so many messages; how fast they go, how near the weights stay to those that were shipped.
SIZE, RATE, PULL, MEAN = 256, 1e-3, 1e-3, 0.995
DROP, SMOOTH, HIDE, NOISE = 0.35, 0.04, 0.15, 0.03
# Signs that tell the same in other words, as columns behind the words: one kind is hidden at a time.
OWN = 384
BLOCKS = [range(1, 12), range(12, 15), range(15, 21), range(21, 26), range(59, 71), range(83, 93)]
# What a message weighs: of a hand that the lower layers learned from, of others, and of remarks that are about nothing shown.
KNOWN, FRESH, STRAY, GENERAL = 0.15, 1.0, 0.15, 0.3
FRESH_HANDS = ("13", "14", "15", "15a")
Row = dict[str, Any]


def hand_rows(name: str) -> list[Row]:
    """The messages of one hand, each with its list; data/follow/en_15a is the first half of en_15, en_15b the second."""
    import json

    half = name[-1] if name[-1] in "ab" and name[-2].isdigit() else ""
    lines = (HERE / "data" / "follow" / f"{name.removesuffix(half) if half else name}.jsonl").read_text(encoding="utf-8").splitlines()
    middle = len(lines) // 2
    some = {"a": lines[:middle], "b": lines[middle:], "": lines}[half]
    scenes = [json.loads(line) for line in some]
    return [{k: v for k, v in s.items() if k != "followups"} | one | {"lang": name[:2]} for s in scenes for one in s["followups"]]


class Reader:
    """What the lower layers make of a message, as the kernel runs them."""

    def __init__(self) -> None:
        from clew.faces.cli.embed import filler
        from clew.kernel.ground import network
        from clew.policy import default

        self.policy, self.fill, self.made = default(), filler("ground"), []
        self.network, below = network, network.read

        def read(w: Any, net: str, given: Any) -> Any:
            rows = below(w, net, given)
            self.made.append(rows)
            return rows

        network.read = read

    def __call__(self, row: Row, told: bool) -> tuple[tuple[int, ...], list[np.ndarray]] | None:
        from clew.kernel.ground.door import read_turn
        from clew.kernel.ground.hearing import hear
        from clew.model.fields import Fields

        scope = {"kind": "chat", "instance_id": "bench"}
        payload = {
            "text": row["user"], "candidates": row["candidates"], "scope": scope, "option_set_id": "set",
            "continuity": {"activeOptionSetId": "set", "activeScope": scope}, "at": "2026-03-02T10:00:00Z",
        }  # fmt: skip
        if told:
            payload["last_assistant_text"] = row["assistant"]
        if row["offered"]:
            payload["offer"] = payload["last_offered_id"] = row["offered"]
        assert self.fill
        turn, _ = read_turn(Fields(self.fill(payload)), self.policy.ground, "repair", self.policy.text)
        self.made.clear()
        heard = hear(turn, self.policy.ground)
        return (heard.weighed.positions, list(self.made)) if heard.weighed is not None and self.made else None


def read(out: Path, only: list[str]) -> None:
    from ground_acts import learned_rows, lines, number, strays
    from ground_choices import beside

    from grounding import unrelated

    reader = Reader()
    names = sorted(f.stem for f in (HERE / "data" / "follow").glob("*.jsonl"))
    names = [n for name in names for n in ((name + "a", name + "b") if name.endswith("_15") else (name,))]
    rows = learned_rows()
    hands: dict[str, list[Row]] = {}
    for r in rows:
        hands.setdefault(f"acts_{r['hand']}", []).append(r)
    hands["acts_own"] = beside(lines("acts_own.jsonl"), rows, 2)
    hands["acts_stray"] = list(strays(unrelated(HERE.parents[2] / "shared" / "data", learned=True)[:3000], rows, 1.0))
    for name in [*hands, *names]:
        if only and name not in only:
            continue
        wanted = hands[name] if name in hands else hand_rows(name)
        kept: dict[str, list[Any]] = {k: [] for k in ("count", "meant", "first", "second", "lang", "weight", "0", "1")}
        for row in wanted:
            fresh = name.split("_")[-1] in (*FRESH_HANDS, "15b", "test")
            found = reader(row, fresh or number(f"{row['user']}{row['assistant']}") % 5 > 0)
            if found is None:
                continue
            looked_at, nets = found
            takes = {i for a in row["acts"] if a["act"] in TAKING for i in a["ids"]}
            ids = [row["candidates"][p]["id"] for p in looked_at]
            if takes - set(ids):
                continue
            acts = [ACTS.index(a["act"]) for a in row["acts"]]
            kept["count"].append(len(ids))
            kept["meant"].extend(i in takes for i in ids)
            kept["first"].append(acts[0])
            kept["second"].append(acts[1] + 1 if len(acts) > 1 else 0)
            kept["lang"].append(row["lang"] == "ko")
            kept["weight"].append(row.get("weight", 1.0))
            for net, made in zip("01", nets, strict=True):
                kept[net].append(made.astype(np.float16))
        out.mkdir(parents=True, exist_ok=True)
        np.savez(out / f"{name}.npz", **{k: np.concatenate(v) if k in "01" else np.array(v) for k, v in kept.items()})
        print(name, len(kept["count"]), flush=True)


class Head:
    """The upper layers of one network, with what a step needs to go back through them."""

    KEYS = ("one", "two", "score", "member", "acts")

    def __init__(self, held: Arrays, net: str) -> None:
        self.w = {}
        for key in self.KEYS:
            self.w[key] = held[f"{net}_{key}"].astype(np.float32) * held[f"{net}_{key}_s"]
            self.w[key + "_b"] = held[f"{net}_{key}_b"].astype(np.float32)
        self.shipped = {k: v.copy() for k, v in self.w.items()}
        self.mean = {k: v.copy() for k, v in self.w.items()}

    def forward(self, x: np.ndarray, drop: tuple[np.ndarray, np.ndarray] | None = None, mean: bool = False) -> dict[str, np.ndarray]:
        """x: by message, candidate and column."""
        w = self.mean if mean else self.w
        a = np.maximum(x @ w["one"] + w["one_b"], 0)
        if drop is not None:
            a = a * drop[0]
        among = np.concatenate([a, np.broadcast_to(a.mean(1, keepdims=True), a.shape), np.broadcast_to(a.max(1, keepdims=True), a.shape)], 2)
        z = np.maximum(among @ w["two"] + w["two_b"], 0)
        if drop is not None:
            z = z * drop[1]
        both = np.concatenate([z.max(1), z.mean(1)], 1)
        return {
            "x": x, "a": a, "among": among, "z": z, "both": both, "scores": (z @ w["score"])[..., 0] + w["score_b"],
            "member": (z @ w["member"])[..., 0] + w["member_b"], "acts": both @ w["acts"] + w["acts_b"],
        }  # fmt: skip

    def back(self, f: dict[str, np.ndarray], drop: tuple[np.ndarray, np.ndarray], scores: np.ndarray, member: np.ndarray, acts: np.ndarray) -> Arrays:
        """The slopes of all weights, from those of what comes out."""
        w, n, c = self.w, *f["scores"].shape
        z, a, out = f["z"], f["a"], {}
        out["score"], out["score_b"] = np.einsum("ncd,nc->d", z, scores)[:, None], scores.sum().reshape(1)
        out["member"], out["member_b"] = np.einsum("ncd,nc->d", z, member)[:, None], member.sum().reshape(1)
        out["acts"], out["acts_b"] = f["both"].T @ acts, acts.sum(0)
        dz = scores[..., None] * w["score"][:, 0] + member[..., None] * w["member"][:, 0]
        d = acts @ w["acts"].T
        wide = z.shape[2]
        dz = dz + (z == z.max(1, keepdims=True)) * (z > 0) * d[:, None, :wide] + d[:, None, wide:] / c
        dz = dz * (z > 0) * drop[1]
        flat = dz.reshape(n * c, -1)
        out["two"], out["two_b"] = f["among"].reshape(n * c, -1).T @ flat, flat.sum(0)
        d = (flat @ w["two"].T).reshape(n, c, -1)
        wide = a.shape[2]
        da = d[..., :wide] + d[..., wide : 2 * wide].sum(1, keepdims=True) / c
        da = da + (a == a.max(1, keepdims=True)) * (a > 0) * d[..., 2 * wide :].sum(1, keepdims=True)
        da = da * (a > 0) * drop[0]
        flat = da.reshape(n * c, -1)
        out["one"], out["one_b"] = f["x"].reshape(n * c, -1).T @ flat, flat.sum(0)
        return out


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def slopes(f: dict[str, np.ndarray], b: Arrays) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the loss: which is taken if any, which are taken together, the first act and the second."""
    weight = (b["weight"] / b["weight"].sum()).astype(np.float32)[:, None]
    every = softmax(np.concatenate([np.zeros_like(f["scores"][:, :1]), f["scores"]], 1))
    gold = np.concatenate([b["meant"].sum(1, keepdims=True) == 0, b["meant"]], 1).astype(np.float32)
    share = every * gold
    share /= np.maximum(share.sum(1, keepdims=True), 1e-9)
    target = (1 - SMOOTH) * share + SMOOTH / gold.shape[1]
    scores = ((every - target) * weight)[:, 1:]
    member = 0.5 * (1 / (1 + np.exp(-f["member"])) - b["meant"]) * weight
    k = len(ACTS)
    first, second = softmax(f["acts"][:, :k]), softmax(f["acts"][:, k:])
    rows = np.arange(len(first))
    first[rows, b["first"]] -= 1
    second[rows, b["second"]] -= 1
    return scores, member, np.concatenate([0.5 * first * weight, 0.3 * second * weight], 1)


def batches(data: dict[int, Arrays], by: np.random.Generator) -> list[tuple[int, np.ndarray]]:
    out = []
    for count, held in data.items():
        order = by.permutation(len(held["first"]))
        out += [(count, order[i : i + SIZE]) for i in range(0, len(order), SIZE)]
    return [out[i] for i in by.permutation(len(out))]


def fit(head: Head, net: str, data: dict[int, Arrays], passes: int, seed: int) -> None:
    by = np.random.default_rng(seed)
    moved = {k: (np.zeros_like(v), np.zeros_like(v)) for k, v in head.w.items()}
    total, step = passes * len(batches(data, by)), 0
    for _ in range(passes):
        for count, rows in batches(data, by):
            b = {k: v[rows] for k, v in data[count].items() if k not in "01"}
            x = data[count][net][rows].astype(np.float32)
            for part in BLOCKS:
                gone = by.random((len(rows), 1, 1)) < HIDE
                x[..., OWN + part.start : OWN + part.stop] *= ~gone
            x[..., :OWN] *= 1 + NOISE * by.standard_normal((len(rows), 1, OWN)).astype(np.float32)
            wide = [head.w[k].shape[1] for k in ("one", "two")]
            drop = tuple((by.random((len(rows), 1 if i else count, d)) > DROP).astype(np.float32) / (1 - DROP) for i, d in enumerate(wide))
            f = head.forward(x, drop)
            made = head.back(f, drop, *slopes(f, b))
            step += 1
            pace = RATE * min(1.0, step / 50) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * step / total)))
            share = len(rows) / SIZE
            for k, g in made.items():
                g = share * g + share * PULL * (head.w[k] - head.shipped[k])
                m, v = moved[k]
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                head.w[k] -= pace * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
                head.mean[k] += (1 - min(MEAN, step / (step + 10))) * (head.w[k] - head.mean[k])


def loaded(folder: Path, names: list[str]) -> dict[int, Arrays]:
    """All messages of these hands, by how many candidates they stand beside."""
    parts: dict[int, list[Arrays]] = {}
    for name in names:
        z = np.load(folder / f"{name}.npz")
        held = {k: z[k] for k in z.files}
        last = name.split("_")[-1]
        kind = FRESH if last in FRESH_HANDS else {"stray": STRAY, "own": GENERAL}.get(last, KNOWN)
        starts = np.concatenate([[0], np.cumsum(held["count"])])
        for count in np.unique(held["count"]):
            rows = np.flatnonzero(held["count"] == count)
            at = starts[rows][:, None] + np.arange(count)
            one = {k: held[k][rows] for k in ("first", "second", "lang")} | {"meant": held["meant"][at], "0": held["0"][at], "1": held["1"][at]}
            one["weight"] = kind * held["weight"][rows]
            parts.setdefault(int(count), []).append(one)
    return {c: {k: np.concatenate([p[k] for p in some]) for k in some[0]} for c, some in parts.items()}


def judged(heads: list[Head], data: dict[int, Arrays], mean: bool) -> list[tuple[float, bool, bool, bool]]:
    """The chance of what is taken, whether it is meant, whether any is, and whether the first act is right."""
    out = []
    for held in data.values():
        made = [h.forward(held[n].astype(np.float32), mean=mean) for n, h in zip("01", heads, strict=True)]
        chances = sum(softmax(np.concatenate([np.zeros_like(f["scores"][:, :1]), f["scores"]], 1))[:, 1:] for f in made) / len(made)
        acts = sum(softmax(f["acts"][:, : len(ACTS)]) for f in made) / len(made)
        for p, meant, a, first in zip(chances, held["meant"], acts, held["first"], strict=True):
            best = int(p.argmax())
            out.append((float(p[best]), bool(meant[best]), bool(meant.any()), int(a.argmax()) == int(first)))
    return out


def told(name: str, found: list[tuple[float, bool, bool, bool]]) -> None:
    takes = max(1, sum(f[2] for f in found))
    at = []
    for least in (0.5, 1.0, 2.0, 4.0):
        wrong = taken = best = 0
        for _, right, _, _ in sorted(found, key=lambda f: -f[0]):
            wrong, taken = wrong + (not right), taken + right
            if 100 * wrong / len(found) > least:
                break
            best = taken
        at.append(f"{100 * best / takes:.1f} at {least}")
    first = 100 * sum(f[1] for f in found if f[2]) / takes
    acts = 100 * sum(f[3] for f in found) / max(1, len(found))
    print(f"  {name} ({len(found)}): first {first:.1f}, acts {acts:.1f}; taken {', '.join(at)}", flush=True)


def fitted(folder: Path, without: list[str], passes: int) -> list[Head]:
    import time

    from clew.policy import default

    table = default().ground.network
    held = dict(np.load(HERE.parents[1] / "src/clew/policy/weights" / table.file))
    names = sorted(f.stem for f in folder.glob("*.npz"))
    tests = [n for n in names if n.endswith(("_test", "15b")) or n in without]
    heads = [Head(held, net) for net in "01"]
    left = {n: loaded(folder, [n]) for n in tests}
    for n in tests:
        told(f"{n} before", judged(heads, left[n], False))
    data = loaded(folder, [n for n in names if n not in tests])
    print(sum(len(h["first"]) for h in data.values()), "messages", flush=True)
    began = time.process_time()
    for net, head in zip("01", heads, strict=True):
        fit(head, net, data, passes, 5 + int(net))
    print(f"{time.process_time() - began:.0f} s", flush=True)
    for n in tests:
        told(f"{n} after", judged(heads, left[n], True))
    return heads


def packed(heads: list[Head]) -> Arrays:
    """A byte for each weight with a scale for each column; the lower layers stay."""
    from clew.policy import default

    held = dict(np.load(HERE.parents[1] / "src/clew/policy/weights" / default().ground.network.file))
    for net, head in zip("01", heads, strict=True):
        for key in Head.KEYS:
            rows = head.mean[key]
            scale = np.maximum(np.abs(rows).max(axis=0), 1e-6) / 127
            held[f"{net}_{key}"] = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
            held[f"{net}_{key}_s"], held[f"{net}_{key}_b"] = scale.astype(np.float32), head.mean[key + "_b"].astype(np.float32)
    return held


def ship(heads: list[Head]) -> None:
    import shipped

    what = "The network of follow-ups; written by bench/train/ground_network.py and ground_head.py."
    shipped.ship(packed(heads), "follow.npz", "ground.network.toml", what)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("read", "fit"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--ship", action="store_true")
    args = parser.parse_args()
    if args.what == "read":
        read(args.folder, args.only)
        return
    heads = fitted(args.folder, args.without, args.passes)
    if args.ship:
        ship(heads)


if __name__ == "__main__":
    main()
