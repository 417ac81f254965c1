"""Train which earlier statement a long account changes, and whether it does (kernel/compare/retellings.py).

    python bench/train/memory_updates.py --data DIR [--out FILE]

PersonaMem's development personas (bowen-upenn/PersonaMem, MIT), each statement against the earlier ones of its person
and topic, by both lines of each event (see bench/personamem.py); the stance of each persona comes from a head
that has not seen it, as it will be in use. Writes policy/data/remember.retold.toml. No randomness. What leaving one
persona out gives is printed by bench/memory_kernels.py --held.

How much is known already is no feature: in this set the first twenty statements of a topic are never updates, so
counting them would lift F1 to .70 here and mean nothing elsewhere.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[0]))

from memory_stance import without

from clew.kernel.compare.compared_text import read
from clew.kernel.compare.retellings import Pair, links, pairs
from clew.model.update import DatedStatement
from clew.policy import Policy
from clew.policy import default as policy
from clew.policy.remember import RetoldPolicy, StancePolicy
from personamem import Embed, Row, align, bare, earlier_of, personamem, remembering, superseded

SHIPPED = Path(__file__).resolve().parents[2] / "src/clew/policy/data/remember.retold.toml"
START = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    persona: int
    kind: str
    pairs: list[Pair]
    same: list[bool]
    gold: list[bool]
    update: bool
    change: bool


def thing(row: Row) -> str:
    item = bare(row["item"].replace("[stereotypical]", "").replace("[anti-stereotypical]", ""))
    return item.removeprefix("dislikes ").removeprefix("likes ")


def cases(rows: list[Row], embed: Embed, table: Policy, *, vectors: bool) -> list[Case]:
    out = []
    for kind in ("said", "stated"):
        vector = [tuple(v) if vectors else None for v in embed([r[kind] for r in rows]).tolist()]
        said = [
            DatedStatement(str(i), r[kind], START + timedelta(minutes=i), vector[i]) for i, r in enumerate(rows)
        ]
        for i, row in enumerate(rows):
            before = earlier_of(rows, i)
            if not before or not read(row[kind], table).account:
                continue
            meant = set(superseded(rows, i, before))
            out.append(
                Case(
                    row["persona"],
                    kind,
                    pairs(said[i], [said[j] for j in before], table),
                    [thing(rows[j]) == thing(row) for j in before],
                    [j in meant for j in before],
                    "[Old Event]" in row,
                    read(row[kind], table).change,
                )
            )
    return out


def numbers(weights: np.ndarray) -> tuple[Fraction, ...]:
    return tuple(Fraction(round(float(w) * 100), 100) for w in weights)


def fit(found: list[Case], table: Policy, *, vectors: bool) -> tuple[tuple[Fraction, ...], ...]:
    """alike, link, sure and the least of it, each stage learned on the rounded stage before."""
    x = [[float(v) for v in p.alike] for c in found for p in c.pairs]
    same = LogisticRegression(C=3, max_iter=1000).fit(x, [s for c in found for s in c.same])
    alike = numbers(np.concatenate([same.intercept_, same.coef_[0]]))
    table = with_weights(table, alike=alike) if vectors else with_weights(table, alike_words=alike)
    linked = [(c, [[float(v) for v in link] for link in links(c.pairs, table)]) for c in found]
    x = [link for c, seen in linked for link in seen if any(c.gold)]
    which = LogisticRegression(C=1, max_iter=1000).fit(x, [g for c in found if any(c.gold) for g in c.gold])
    link = numbers(which.coef_[0])
    weights = np.array([float(w) for w in link])
    z, y = [], []
    for case, seen in linked:
        scored = np.array(seen) @ weights
        best = int(scored.argmax())
        z.append([scored[best], float(case.change), float(case.pairs[best].opposed)])
        y.append(case.update)
    gold, z = np.array(y), np.array(z)
    yes = LogisticRegression(C=1, max_iter=1000).fit(z, gold)
    sure = numbers(yes.coef_[0])
    total = z @ np.array([float(w) for w in sure])
    steps = np.round(np.linspace(total.min(), total.max(), 200), 2)
    f1 = [2 * (gold & (total >= s)).sum() / max(1, (total >= s).sum() + gold.sum()) for s in steps]
    return alike, link, sure, numbers(steps[[int(np.argmax(f1))]])


def with_weights(table: Policy, **given: object) -> Policy:
    retold = replace(table.remember.retold, **given)  # type: ignore[arg-type]
    return replace(table, remember=replace(table.remember, retold=retold))


def learned(rows: list[Row], embed: Embed) -> RetoldPolicy:
    found: dict[bool, list[Case]] = {True: [], False: []}
    for one in sorted({r["persona"] for r in rows}):
        table = stanced(without(rows, embed, one))
        for vectors, kept in found.items():
            kept += cases([r for r in rows if r["persona"] == one], embed, table, vectors=vectors)
    alike, link, sure, least = fit(found[True], policy(), vectors=True)
    alike_words, link_words, sure_words, words_least = fit(found[False], policy(), vectors=False)
    return RetoldPolicy(alike, alike_words, link, link_words, sure, sure_words, least[0], words_least[0])


def stanced(stance: StancePolicy) -> Policy:
    return replace(policy(), remember=replace(policy().remember, stance=stance))


def leave_one_out(rows: list[Row], embed: Embed) -> dict[int, Policy]:
    """By persona, a policy that has learned nothing from it: neither the stance nor the links."""
    out = {}
    for one in sorted({r["persona"] for r in rows}):
        table = stanced(without(rows, embed, one))
        retold = learned([r for r in rows if r["persona"] != one], embed)
        out[one] = replace(table, remember=replace(table.remember, retold=retold))
    return out


def main() -> None:
    from clew.adapters.embeddings.use import default as embedder

    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    args = parser.parse_args()

    embed = remembering(lambda texts: np.asarray(embedder().matrix(texts)))

    rows = personamem(args.data)
    align(rows, args.data, embed)
    table = learned(rows, embed)
    lines = [
        "# Which statement an account changes; written by bench/train/memory_updates.py from PersonaMem (MIT)."
    ]
    for name in ("alike", "alike_words", "link", "link_words", "sure", "sure_words"):
        lines.append(f"{name} = [{', '.join(str(float(w)) for w in getattr(table, name))}]")
    lines += [f"{name} = {float(getattr(table, name))}" for name in ("sure_least", "sure_words_least")]
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
