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
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from drafts_fit import WORDS, Fit, Seen, fitted
from scipy.sparse import csr_matrix, hstack
from scipy.special import logsumexp
from scores import WEIGHTS, held_back, vectors
from sklearn.linear_model import LogisticRegression

from clew.kernel.gate.drafts import manner_of
from clew.kernel.gate.feelings import feelings
from clew.kernel.gate.grounded import held_words, new_words, shape
from clew.kernel.gate.judging import BUCKETS, Draft, numbers
from clew.kernel.gate.plainly import plainly_wrong
from clew.kernel.read.hashed import buckets, words_of
from clew.kernel.route.route_door import route
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
VECTOR, BOTH = 3.0, 30.0
LEVELS = 2.5
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
    parts = sentences(row.draft, POLICY.text)
    ones = tuple(_read(row, part, vector, needs) for part in parts) if len(parts) > 1 else ()
    return replace(_read(row, row.draft, vector, needs), parts=ones)


def _read(row: Row, text: str, vector: dict[str, np.ndarray], needs: dict[str, tuple[bool, bool]]) -> Draft:
    held = held_words([*row.known, row.user], POLICY)
    return Draft(
        text,
        tuple(shape(text, held, row.lang, POLICY)),
        new_words(text, held, row.lang, POLICY),
        len(sentences(text, POLICY.text)) or 1,
        vector[text].tolist(),
        vector[row.user].tolist(),
        *needs[row.user],
        manner_of(passage(text, POLICY), passage(row.user, POLICY), row.lang, POLICY),
        feelings(text, vector[text].tolist(), row.user, vector[row.user].tolist(), POLICY),
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


def words(drafts: list[Draft]) -> csr_matrix:
    """Words and shape, each in its own places."""
    said = bags([buckets(words_of(d.text), BUCKETS) for d in drafts])
    return hstack([said, bags([buckets(d.shape, BUCKETS) for d in drafts])]).tocsr().astype(np.float32)


def rest(drafts: list[Draft], *, alone: bool = False) -> np.ndarray:
    """What is counted and, unless alone, the three vectors; each at its own scale."""
    if alone:
        return np.array([numbers(replace(d, feelings=())) for d in drafts], dtype=np.float32)
    counted = np.array([numbers(d) for d in drafts])
    own, asked = np.array([d.vector for d in drafts]), np.array([d.asked for d in drafts])
    return np.hstack([counted, own * VECTOR, asked * VECTOR, own * asked * BOTH]).astype(np.float32)


def seen_of(drafts: list[Draft]) -> Seen:
    """A draft of one sentence is that sentence, too."""
    ones = [(i, one) for i, d in enumerate(drafts) for one in d.parts or (d,)]
    parts = [one for _, one in ones]
    return Seen(words(drafts), rest(drafts), words(parts), rest(parts), np.array([i for i, _ in ones]))


def fitted_alone(x: csr_matrix, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Without vectors: one row of weights for each name against the good replies, the last one its bias."""
    model = LogisticRegression(C=STRENGTH, max_iter=300).fit(x, y, sample_weight=weight)
    w = np.hstack([model.coef_, model.intercept_[:, None]])
    return (w[1:] - w[0]).T


def alone_words(drafts: list[Draft]) -> csr_matrix:
    return hstack([words(drafts) * WORDS, csr_matrix(rest(drafts, alone=True))]).tocsr()


def packed(fit: Fit, alone: np.ndarray) -> bytes:
    """Few steps a weight, one scale a column: `LEVELS` steps are one deviation, so that the file stays small."""
    arrays: dict[str, np.ndarray] = {"names": np.array(NAMES)}
    count = len(alone) - 2 * BUCKETS - 1
    tables = (
        ("", fit.words * WORDS, fit.rest, fit.bias[0]),
        ("one_", fit.one_words * WORDS, fit.one_rest, np.zeros(len(NAMES))),
        ("alone_", alone[: 2 * BUCKETS] * WORDS, alone[2 * BUCKETS : -1], alone[-1]),
    )
    for lead, said, others, bias in tables:
        cuts = [("words", said[:BUCKETS], LEVELS), ("shape", said[BUCKETS:], LEVELS)]
        if len(others) > count:
            vectors_at = [others[count + n * 512 : count + (n + 1) * 512] for n in range(3)]
            gains = (VECTOR, VECTOR, BOTH)
            cuts += [(k, v * g, 40.0) for k, v, g in zip(("vector", "asked", "both"), vectors_at, gains, strict=True)]
        for key, values, levels in cuts:
            scale = np.maximum(values.std(axis=0), 1e-6) / levels
            scale = np.maximum(scale, np.abs(values).max(axis=0) / 127)
            arrays[lead + key] = np.rint(values / scale).astype(np.int8)
            arrays[lead + key + "_s"] = scale.astype(np.float32)
        arrays[lead + "numbers"] = others[:count].astype(np.float32)
        arrays[lead + "bias"] = bias.astype(np.float32)
    arrays |= _packed_units(fit, count)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _packed_units(fit: Fit, count: int) -> dict[str, np.ndarray]:
    """One scale a unit for each of the vectors, so that whole numbers can be added up."""
    arrays = {"unit_numbers": fit.units[:count].astype(np.float32), "unit_bias": fit.unit_bias.astype(np.float32)}
    arrays |= {"unit_out": fit.unit_out.astype(np.float32), "one_unit_out": fit.one_unit_out.astype(np.float32)}
    for n, (key, gain) in enumerate((("vector", VECTOR), ("asked", VECTOR), ("both", BOTH))):
        values = fit.units[count + n * 512 : count + (n + 1) * 512] * gain
        scale = np.abs(values).max(axis=0) / 31
        arrays[f"unit_{key}"] = np.rint(values / scale).astype(np.int8)
        arrays[f"unit_{key}_s"] = scale.astype(np.float32)
    return arrays


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path)
    ask.add_argument("--cache", type=Path)
    ask.add_argument("--hands", action="store_true")
    given = ask.parse_args()
    made = rows(given.data)
    texts = sorted({t for r in made for t in (r.draft, r.user, *sentences(r.draft, POLICY.text))})
    vector = dict(zip(texts, vectors(texts, given.cache), strict=True))
    needs = needs_of(sorted({r.user for r in made}), vector)
    drafts = [draft_of(r, vector, needs) for r in made]
    y = np.array([(OK, *NAMES).index(r.verdict) for r in made])
    weight = np.array([r.weight for r in made])
    if given.hands:
        print_hands(made, drafts, y, weight)
        return
    use = np.array([not held_back(r.user) for r in made])
    full = fitted(seen_of(drafts).part(use), y[use], weight[use], len(NAMES))
    data = packed(full, fitted_alone(alone_words(drafts)[use], y[use], weight[use]))
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
        seen, x = seen_of(drafts), alone_words(drafts)
        scores = np.zeros(len(y))
        for one in sorted(set(hand[ours])):
            part = hand == one
            if alone:
                w = fitted_alone(x[~part], y[~part], weight[~part])
                z = x[part] @ w[:-1] + w[-1]
            else:
                z = fitted(seen.part(~part), y[~part], weight[~part], len(NAMES)).odds(seen.part(part))
            scores[part] = logsumexp(z, axis=1)
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
