"""Train the network of drafts (kernel/gate/network.py runs it in whole numbers).

    python bench/train/drafts_network.py pack PACK [--data DIR]
    python bench/train/drafts_network.py fit PACK FITTED [--without HAND …]
    python bench/train/drafts_network.py ship FITTED

`pack` reads the drafts that bench/train/drafts.py names, with everything that does not depend on weights; `fit` needs torch
and numpy alone, so that it can be done on another machine, and tells what it makes of hands that are left out; `ship` writes
the weights. A good draft that speaks of something known and not of the message becomes a false memory when what is known is
taken away: some are learned so. Chance comes from fixed seeds; on another kind of machine sums may differ in their last digits.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import shipped
from crossing import PLANS, Held, Row, Tokens, fit, odds, read_pack, write_pack

# How often what is known is taken away, or more is known than the draft needs.
BARE, MORE = 0.15, 0.5
MEMORY = 1


def pack(out: Path, data: Path | None) -> None:
    from drafts import NAMES, OK, POLICY, draft_of, hand_of, needs_of, rows, vectors

    from clew.kernel.gate.judging import numbers
    from clew.kernel.text.sentences import sentences

    made = rows(data)
    texts = sorted({t for r in made for t in (r.draft, r.user, *sentences(r.draft, POLICY.text))})
    vector = dict(zip(texts, vectors(texts, None), strict=True))
    needs = needs_of(sorted({r.user for r in made}), vector)
    tokens = Tokens()
    write_pack(out, [{
        "lang": r.lang, "hand": hand_of(r), "weight": r.weight, "label": (OK, *NAMES).index(r.verdict),
        "said": tokens(r.draft), "user": tokens(r.user), "about": [tokens(k) for k in r.known],
        "own": np.array(numbers(draft_of(r, vector, needs)), np.float32),
        "gists": np.array([vector[r.draft], vector[r.user]], np.float16),
    } for r in made], tokens, NAMES)  # fmt: skip


def changed(held: Held, row: Row, by: np.random.Generator) -> Row:
    """With more known than the draft needs, or with nothing known that it leans on."""
    about, label = list(row["about"]), row["label"]
    leans = label == 0 and bool(({t for one in about for t in one} - set(row["user"]) - held.common) & set(row["said"]))
    if leans and by.random() < BARE:
        about, label = [], MEMORY
    while row["about"] and by.random() < MORE:
        other = held.rows[int(by.integers(len(held.rows)))]
        if other["about"] and other["lang"] == row["lang"]:
            about.append(other["about"][int(by.integers(len(other["about"])))])
    order = by.permutation(len(about))
    return {**row, "about": [about[int(i)] for i in order], "label": label}


def told(name: str, z: np.ndarray, y: np.ndarray, names: tuple[str, ...]) -> None:
    score = z.max(1) + np.log(np.exp(z - z.max(1, keepdims=True)).sum(1))
    for share in (0.03, 0.05, 0.1):
        mark = np.quantile(score[y == 0], 1 - share)
        each = ", ".join(f"{n} {np.mean(score[y == k] < mark):.2f}" for k, n in enumerate(names, 1) if (y == k).any())
        print(f"{name}: {share:.0%} of {int((y == 0).sum())} good held back, let pass {np.mean(score[y > 0] < mark):.3f} ({each})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--scores", type=Path, help="write the odds of the hands that are left out there")
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file, args.data)
        return
    import torch

    if args.what == "ship":
        states = torch.load(args.file, map_location="cpu", weights_only=False)
        arrays: dict[str, np.ndarray] = {"nets": np.array(float(len(states)))}
        for n, state in enumerate(states):
            arrays |= shipped.arrays(state, f"{n}_", ("mark",))
        shipped.ship(arrays, "drafts_network.npz", "gate.network.toml", "The network of drafts; written by bench/train/drafts_network.py.")
        return
    read = read_pack(args.file)
    held, names = Held(read, changed), tuple(read["names"])
    out = [i for i, r in enumerate(held.rows) if r["hand"] in args.without]
    left = set(out)
    nets = [fit(held, [i for i in range(len(held.rows)) if i not in left], plan, len(names)) for plan in PLANS]
    for hand in [*args.without, None]:
        for lang in ("en", "ko"):
            some = [i for i in out if held.rows[i]["lang"] == lang and hand in (None, held.rows[i]["hand"])]
            if some:
                told(f"{hand or 'all'} {lang}", odds(nets, held, some), np.array([held.rows[i]["label"] for i in some]), names)
    if args.scores and out:
        np.savez(args.scores, at=np.array(out), z=odds(nets, held, out))
    if args.out:
        torch.save([n.state_dict() for n in nets], args.out)


if __name__ == "__main__":
    main()
