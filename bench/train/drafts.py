"""Train the reading of drafts (kernel/gate/judging.py): good, or false memory, false identity, empty promise, …

    OMP_NUM_THREADS=1 python bench/train/drafts.py --data DIR [--cache FILE] [--hands]

Reads drafts.jsonl beside this file, drafts*.jsonl in bench/train/data/reader, and from DIR, as good replies only:
memorybank (MemoryBank-SiliconFriend, MIT) and korean_chatbot (songys/Chatbot_data, MIT). A tenth of the user messages,
chosen by hash, is held back. Written: policy/data/gate.drafts.toml and policy/weights/drafts.npz. With --hands nothing is
written; printed is what is let pass of each hand's drafts by weights fitted on the other hands' (drafts.jsonl beside this
file and drafts_own are one hand), plain shapes and learned reading together, at several shares of good drafts held back.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import logsumexp
from scores import WEIGHTS, held_back, vectors
from sklearn.linear_model import LogisticRegression

from clew.kernel.gate.drafts import manner_of, plainly_wrong
from clew.kernel.gate.grounded import held_words, new_words, shape
from clew.kernel.gate.judging import BUCKETS, Draft, numbers
from clew.kernel.read.hashed import buckets, words_of
from clew.kernel.route.door import route
from clew.kernel.text.passage import passage
from clew.kernel.text.sentences import sentences
from clew.model.fields import Fields
from clew.model.plan import Frame
from clew.model.turn import Pipeline
from clew.policy import default

HERE = Path(__file__).parent
OUT = WEIGHTS.parent / "data" / "gate.drafts.toml"
FILE = "drafts.npz"
OK = "ok"
# The name of the sentences beside this file, which are by the hand of drafts_own.
OWN = "own"
NAMES = ("false_memory", "false_identity", "empty_promise", "cold", "cruel", "prompt_leak")
WORDS, VECTOR, BOTH = 4.0, 3.0, 30.0
STRENGTH = 1.0
POLICY = default()
OWN_KO = re.compile("저[도는]|제가|나[도는]|내가|우리|거예요|할게|드릴게")


@dataclass(frozen=True)
class Row:
    lang: str
    known: tuple[str, ...]
    user: str
    draft: str
    verdict: str
    weight: float
    source: str


def rows(data: Path | None) -> list[Row]:
    found: dict[tuple[str, str, str], Row] = {}
    for path in (HERE / "drafts.jsonl", *sorted((HERE / "data" / "reader").glob("drafts*.jsonl"))):
        for line in path.read_text(encoding="utf-8").splitlines():
            r = json.loads(line)
            row = Row(r["lang"], tuple(r["known"]), r["user"], r["draft"], r["verdict"], 1.0, OWN if path.parent == HERE else path.stem)
            found.setdefault((row.user, row.draft, " ".join(row.known)), row)
    for row in _replies(data) if data else ():
        found.setdefault((row.user, row.draft, ""), row)
    return list(found.values())


def _replies(data: Path) -> Iterator[Row]:
    """Good replies of other hands; half of them, by hash, are left for measuring."""
    bank = json.loads((data / "memorybank" / "memory_bank_en.json").read_text(encoding="utf-8"))
    for person in bank.values():
        said: list[str] = []
        for day in person["history"].values():
            for turn in day:
                if _half(turn["query"]):
                    yield Row("en", tuple(said[-8:]), turn["query"], turn["response"], OK, 0.05, "memorybank")
                said.append(turn["query"])
    with (data / "korean_chatbot" / "ChatbotData.csv").open(encoding="utf-8") as file:
        for d in csv.DictReader(file):
            if d["label"] == "0" and _half(d["Q"]) and not OWN_KO.search(d["A"]) and len(d["A"]) > 8:
                yield Row("ko", (), d["Q"], d["A"], OK, 0.017, "chatbot")


def _half(text: str) -> bool:
    return int(hashlib.sha256(("half" + text).encode()).hexdigest()[:8], 16) % 2 == 0


def draft_of(row: Row, vector: dict[str, np.ndarray], needs: dict[str, tuple[bool, bool]]) -> Draft:
    held = held_words([*row.known, row.user], POLICY)
    return Draft(
        row.draft,
        tuple(shape(row.draft, held, row.lang, POLICY)),
        new_words(row.draft, held, row.lang, POLICY),
        len(sentences(row.draft, POLICY.text)),
        vector[row.draft].tolist(),
        vector[row.user].tolist(),
        *needs[row.user],
        manner_of(passage(row.draft, POLICY), passage(row.user, POLICY), row.lang, POLICY),
    )


def needs_of(users: list[str], vector: dict[str, np.ndarray]) -> dict[str, tuple[bool, bool]]:
    out = {}
    for user in users:
        payload = {"text": user, "user_state": "ACTIVE", "vector": vector[user].tolist()}
        way = route(Fields(payload), POLICY, "repair")
        out[user] = (way["pipeline"] == "EMOTIONAL_SUPPORT", bool(way["crisis"]))
    return out


def bags(found: list[tuple[int, ...]]) -> csr_matrix:
    counts = np.array([len(f) for f in found])
    places = np.concatenate([np.array(f, dtype=np.int64) for f in found])
    values = np.repeat(1 / np.sqrt(counts), counts)
    return csr_matrix((values, places, np.concatenate([[0], np.cumsum(counts)])), shape=(len(found), BUCKETS))


def features(drafts: list[Draft], *, alone: bool) -> csr_matrix:
    """words, shape, numbers and, unless alone, the three vectors; each at its own scale."""
    words = bags([buckets(words_of(d.text), BUCKETS) for d in drafts]) * WORDS
    shapes = bags([buckets(d.shape, BUCKETS) for d in drafts]) * WORDS
    parts = [words, shapes, csr_matrix(np.array([numbers(d) for d in drafts]))]
    if not alone:
        own, asked = np.array([d.vector for d in drafts]), np.array([d.asked for d in drafts])
        parts += [csr_matrix(own * VECTOR), csr_matrix(asked * VECTOR), csr_matrix(own * asked * BOTH)]
    return hstack(parts).tocsr()


def fitted(x: csr_matrix, y: np.ndarray, weight: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=300).fit(x, y, sample_weight=weight)


def packed(full: LogisticRegression, alone: LogisticRegression, count: int) -> bytes:
    """Eight bits a weight, one scale a column; each column against the good replies'. `count`: of the numbers."""
    arrays: dict[str, np.ndarray] = {"names": np.array(NAMES)}
    for lead, model in (("", full), ("alone_", alone)):
        w = (model.coef_[1:] - model.coef_[0]).T
        n = 2 * BUCKETS
        cuts = [("words", 0, BUCKETS, WORDS), ("shape", BUCKETS, n, WORDS)]
        if not lead:
            at = n + count
            cuts += [("vector", at, at + 512, VECTOR), ("asked", at + 512, at + 1024, VECTOR)]
            cuts += [("both", at + 1024, at + 1536, BOTH)]
        for key, first, last, gain in cuts:
            scale = np.maximum(np.abs(w[first:last]).max(axis=0), 1e-6) / 127
            arrays[lead + key] = np.clip(np.rint(w[first:last] / scale), -127, 127).astype(np.int8)
            arrays[lead + key + "_s"] = (scale * gain).astype(np.float32)
        arrays[lead + "numbers"] = w[n : n + count].astype(np.float32)
        arrays[lead + "bias"] = (model.intercept_[1:] - model.intercept_[0]).astype(np.float32)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path)
    ask.add_argument("--cache", type=Path)
    ask.add_argument("--hands", action="store_true")
    given = ask.parse_args()
    made = rows(given.data)
    texts = sorted({t for r in made for t in (r.draft, r.user)})
    vector = dict(zip(texts, vectors(texts, given.cache), strict=True))
    needs = needs_of(sorted({r.user for r in made}), vector)
    drafts = [draft_of(r, vector, needs) for r in made]
    y = np.array([(OK, *NAMES).index(r.verdict) for r in made])
    weight = np.array([r.weight for r in made])
    if given.hands:
        print_hands(made, drafts, y, weight)
        return
    use = np.array([not held_back(r.user) for r in made])
    full, alone = (fitted(features(drafts, alone=a)[use], y[use], weight[use]) for a in (False, True))
    data = packed(full, alone, len(numbers(drafts[0])))
    (WEIGHTS / FILE).write_bytes(data)
    lines = ["# Written by bench/train/drafts.py; do not edit.", f'file = "{FILE}"', f"languages = {json.dumps(POLICY.gate.drafts.languages)}"]
    OUT.write_text("\n".join([*lines, f'sha256 = "{hashlib.sha256(data).hexdigest()}"']) + "\n", encoding="utf-8")
    print(f"{int(use.sum())} drafts read, {int((~use).sum())} held back; written to {OUT.name}")


def hand_of(row: Row) -> str:
    return "own" if row.source in ("drafts_own", OWN) else row.source


def by_rules(row: Row, needs: bool) -> bool:
    """What plain shapes hold back."""
    pipeline = Pipeline.EMOTIONAL_SUPPORT if needs else Pipeline.FRIEND_CHAT
    frame = Frame(pipeline=pipeline, user_text=row.user, known=row.known, language=row.lang)
    return bool(plainly_wrong(passage(row.draft, POLICY), frame, POLICY))


def print_hands(made: list[Row], drafts: list[Draft], y: np.ndarray, weight: np.ndarray) -> None:
    lang, hand = np.array([r.lang for r in made]), np.array([hand_of(r) for r in made])
    ours = np.array([r.source.startswith("drafts") or r.source == OWN for r in made])
    ruled = np.array([o and by_rules(r, d.caring) for r, d, o in zip(made, drafts, ours, strict=True)])
    for name, alone in (("vectors", False), ("words alone", True)):
        x = features(drafts, alone=alone)
        scores = np.zeros(len(y))
        for one in sorted(set(hand[ours])):
            part = hand == one
            z = fitted(x[~part], y[~part], weight[~part]).decision_function(x[part])
            scores[part] = logsumexp(z[:, 1:], axis=1) - z[:, 0]
        for spoken in ("en", "ko"):
            own = ours & (lang == spoken)
            good = own & (y == 0)
            for share in (0.03, 0.05, 0.08):
                mark = np.quantile(np.where(ruled[good], 99.0, scores[good]), 1 - share)
                held = ruled | (scores >= mark)
                found = {n: np.mean(~held[own & (y == k)]) for k, n in enumerate(NAMES, 1)}
                each = ", ".join(f"{n} {v:.2f}" for n, v in found.items())
                print(f"{name} {spoken}: {share:.0%} of good held back at {mark:.2f}, let pass "
                      f"{np.mean(~held[own & (y > 0)]):.3f} ({each})", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
