"""Train the network of pairs: whether two statements tell the same (kernel/compare/pairs.py runs it in whole numbers).

    python bench/train/pairs_network.py pack PACK
    python bench/train/pairs_network.py fit PACK FITTED [--without HAND …]
    python bench/train/pairs_network.py ship FITTED

Pairs: pairs*.jsonl in bench/train/data/reader (same, opposite, update, other) and changes_*.jsonl there: what is held, and a
later message that replaces, ends, repeats or only resembles it. A tenth of the first, chosen by the first statement, is never
read (memory_same.py); of hands that are left out `fit` tells what is merged.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import shipped
from crossing import PLANS, Held, Row, Tokens, fit, odds, read_pack, write_pack

DATA = Path(__file__).resolve().parent / "data" / "reader"
# The first stands for none of the others.
LABELS = ("other", "same", "opposite", "update")
BECOMES = {
    "replaces": "update", "ends": "update", "coexists": "other", "other": "other", "none": "other",
    "same": "same", "denies": "opposite",
}  # fmt: skip


def pairs() -> list[Row]:
    from memory_same import part

    out = []
    for file in sorted(DATA.glob("pairs*.jsonl")):
        found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        out += [{**r, "hand": f"{file.stem}_held" if part(r) == 0 else file.stem} for r in found]
    for file in sorted(DATA.glob("changes_*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            r = json.loads(line)
            out.append({"a": r["held"], "b": r["message"], "lang": r["lang"], "label": BECOMES[r["label"]], "hand": file.stem})
    return out


def pack(out: Path) -> None:
    from scores import vectors

    made, tokens = pairs(), Tokens()
    texts = sorted({r[side] for r in made for side in "ab"})
    vector = dict(zip(texts, vectors(texts, None), strict=True))
    write_pack(out, [{
        "lang": r["lang"], "hand": r["hand"], "weight": 1.0, "label": LABELS.index(r["label"]),
        "said": tokens(r["a"]), "about": [tokens(r["b"])], "user": [], "own": np.zeros(0, np.float32),
        "gists": np.array([vector[r["a"]], vector[r["b"]]], np.float16),
    } for r in made], tokens, LABELS[1:])  # fmt: skip


def turned(row: Row) -> Row:
    return {**row, "said": row["about"][0], "about": [row["said"]], "gists": row["gists"][::-1]}


def changed(held: Held, row: Row, by: np.random.Generator) -> Row:
    """Either way round; now and then beside itself or beside somebody's else."""
    chance = by.random()
    if chance < 0.05:
        return {**row, "about": [row["said"]], "gists": np.stack([row["gists"][0]] * 2), "label": LABELS.index("same")}
    if chance < 0.1:
        other = held.rows[int(by.integers(len(held.rows)))]
        return {**row, "about": other["about"], "gists": np.stack([row["gists"][0], other["gists"][1]]), "label": 0}
    return turned(row) if by.random() < 0.5 else row


def told(name: str, same: np.ndarray, rows: list[Row]) -> None:
    for lang in ("en", "ko"):
        mine = np.array([r["lang"] == lang for r in rows])
        label = np.array([LABELS[r["label"]] for r in rows])
        if not (mine & (label == "opposite")).any():
            continue
        for share in (0.02, 0.03, 0.05):
            against = np.sort(same[mine & (label == "opposite")])[::-1]
            mark = against[min(len(against) - 1, int(share * len(against)))]
            each = ", ".join(f"{n} {np.mean(same[mine & (label == n)] > mark):.2f} of {(mine & (label == n)).sum()}" for n in LABELS)
            print(f"{name} {lang}: above {mark:.2f}: {each}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--without", nargs="*", default=[])
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file)
        return
    import torch

    if args.what == "ship":
        states = torch.load(args.file, map_location="cpu", weights_only=False)
        arrays: dict[str, np.ndarray] = {"nets": np.array(float(len(states)))}
        for n, state in enumerate(states):
            arrays |= shipped.arrays(state, f"{n}_", ("mark",))
        shipped.ship(arrays, "pairs.npz", "remember.pairs.toml", "The network of pairs; written by bench/train/pairs_network.py.")
        return
    read = read_pack(args.file)
    held, names = Held(read, changed), tuple(read["names"])
    out = [i for i, r in enumerate(held.rows) if r["hand"] in args.without or r["hand"].endswith("_held")]
    left = set(out)
    nets = [fit(held, [i for i in range(len(held.rows)) if i not in left], plan, len(names)) for plan in PLANS]
    back = Held({**read, "rows": [turned(r) for r in held.rows]})
    for hand in sorted({held.rows[i]["hand"] for i in out}):
        some = [i for i in out if held.rows[i]["hand"] == hand]
        z = (odds(nets, held, some) + odds(nets, back, some)) / 2
        full = np.hstack([np.zeros((len(z), 1)), z])
        same = np.exp(z[:, 0] - full.max(1)) / np.exp(full - full.max(1, keepdims=True)).sum(1)
        told(hand, same, [held.rows[i] for i in some])
    if args.out:
        torch.save([n.state_dict() for n in nets], args.out)


if __name__ == "__main__":
    main()
