"""Train the small fixed models of the listening room and write them into the policy.

    OMP_NUM_THREADS=1 python bench/train/heads.py --data DIR [--out src/clew/policy/data] [--only danger]

DIR holds, under these names:
    goemotions_train.tsv   GoEmotions, training part (Apache-2.0)
    kote_val.tsv           KOTE, validation part (MIT)
    kote_test.tsv          KOTE, test part (MIT), for contempt only
    curse.txt              2runo/Curse-detection-data (MIT)
    chatbot.csv            songys/Chatbot_data (MIT), background without labels
    banking77_train.csv    PolyAI-LDN/task-specific-datasets, banking_data/train.csv (CC BY 4.0), background
    clinc_full.json        clinc/oos-eval, data/data_full.json (CC BY 3.0): train and oos_train only, background
The self-harm head learns from self_harm.jsonl beside this file: sentences of our own, those of
tests/vectors/listen_safety.json among them, but none that comes near a sentence of tests/vectors/listen_care.json,
listen_unseen.json or listen_danger.json, on which it is measured.
Nothing else is read; the development sets that bench/detectors.py measures on are never trained on.

Written: listen.emotion.toml (words and their valence) and listen.heads.toml (512 small integers per
head or unit of a head, for vectors of the default embedder). Single-threaded, every seed fixed: the same data and
library versions give the same files, byte for byte. `--only danger` trains that head alone and leaves every other
byte as it is. The file names the fingerprint of self_harm.jsonl and of the settings here; a test compares.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPRegressor
from sklearn.svm import SVC

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.emotion import readings
from clew.kernel.read.phrases import fold
from clew.kernel.text.normalize import normal
from clew.policy import default as policy

HERE = Path(__file__).parent
LABELS = (
    "admiration amusement anger annoyance approval caring confusion curiosity desire disappointment "
    "disapproval disgust embarrassment excitement fear gratitude grief joy love nervousness optimism "
    "pride realization relief remorse sadness surprise neutral"
).split()
POSITIVE = set(
    "admiration amusement approval caring desire excitement gratitude joy love optimism pride relief".split()
)
NEGATIVE = set(
    "anger annoyance disappointment disapproval disgust embarrassment fear grief nervousness remorse sadness".split()
)
# Columns of KOTE by number, in the order of its authors.
KOTE_POSITIVE = {1, 2, 4, 7, 8, 13, 14, 16, 28, 32, 40, 42, 43}
KOTE_NEGATIVE = {
    0, 3, 5, 6, 9, 10, 12, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 30, 31, 33, 34, 35, 36, 37, 38, 41
}  # fmt: skip
TAGS: dict[str, tuple[set[str], set[int]]] = {
    "joy": ({"joy", "excitement"}, {28, 40, 42}),
    "love": ({"love", "caring"}, {16}),
    "gratitude": ({"gratitude"}, {4}),
    "amusement": ({"amusement"}, set()),
    "admiration": ({"admiration"}, {2, 7}),
    "sadness": ({"sadness", "grief"}, {5, 19, 36}),
    "anger": ({"anger", "annoyance"}, {6, 22, 31}),
    "anxiety": ({"fear", "nervousness"}, {18, 41}),
    "disgust": ({"disgust"}, {21}),
    "remorse": ({"remorse"}, {30}),
}
STRONG = set(
    "anger disgust excitement fear gratitude grief joy love sadness admiration amusement remorse".split()
)
KOTE_CONTEMPT = {9, 20, 21, 31}
KOTE_STRONG = {2, 4, 5, 6, 18, 19, 21, 28, 31, 36, 40, 42}


def goemotions(path: Path) -> tuple[list[str], list[set[str]]]:
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    return [r[0] for r in rows], [{LABELS[int(i)] for i in r[1].split(",")} for r in rows]


def kote(path: Path) -> tuple[list[str], list[set[int]]]:
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    return [r[1] for r in rows], [{int(i) for i in r[2].split(",")} for r in rows]


def signs(labels: list[set[Any]], positive: set[Any], negative: set[Any]) -> np.ndarray:
    counts = np.array([len(y & positive) - len(y & negative) for y in labels])
    return np.sign(counts)


def vectors(texts: list[str]) -> np.ndarray:
    space = embedder()
    return np.concatenate([space.matrix(texts[i : i + 256]) for i in range(0, len(texts), 256)])


# --- words ---------------------------------------------------------------------------------------


def hand(language: str) -> dict[str, float]:
    table = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))[language]
    return {w: float(v) for v, words in table.items() for w in words.split()}


def learn_words(
    texts: list[str], sign: np.ndarray, known: dict[str, float], *, least: int, keep: float, C: float
) -> dict[str, float]:
    """Valence of words as the kernel will add them up: negation and intensifiers included."""
    listen = policy().listen
    keep_rows = np.flatnonzero(sign)
    read = [
        list(readings(fold(normal(texts[i]), listen.fold).marked, listen.emotion, every=True))
        for i in keep_rows
    ]
    seen = Counter(w for row in read for w in {w for w, _ in row})
    words = sorted(w for w, n in seen.items() if n >= least and (len(w) > 1 or w in known))
    vocabulary = {w: i for i, w in enumerate(words)}
    rows, columns, values = [], [], []
    offset = np.zeros(len(read))
    for i, row in enumerate(read):
        for word, factor in row:
            offset[i] += known.get(word, 0.0) * factor
            if word in vocabulary:
                rows.append(i)
                columns.append(vocabulary[word])
                values.append(factor)
    shape = (len(read), len(vocabulary) + 1)
    # The hand-written sum is one more feature, so that learning corrects it rather than repeats it.
    rows += range(len(read))
    columns += [len(vocabulary)] * len(read)
    values += offset.tolist()
    X = csr_matrix((values, (rows, columns)), shape=shape)
    model = LogisticRegression(C=C, l1_ratio=1, solver="liblinear", max_iter=500, random_state=0)
    model.fit(X, sign[keep_rows])
    weights = model.coef_[0]
    scale = weights[-1]
    out = {w: v * scale for w, v in known.items()}
    for word, i in vocabulary.items():
        out[word] = out.get(word, 0.0) + weights[i]
    return {w: v for w, v in out.items() if abs(v) >= keep and w not in STOP}


HANGUL = re.compile("[\uac00-\ud7a3]+|[\u3131-\u318e]+")
STOP = frozenset(
    "the a an to of in on at is are was were be been it this that and or i you he she they we my your his her "
    "their its".split()
)


def write_words(folder: Path, english: dict[str, float], korean: dict[str, float]) -> None:
    """The words stand in buckets of a quarter point, with their language; what is not words in the file is kept."""
    for code, name, words in (("en", "words", english), ("ko", "stems", korean)):
        path = folder / code / "shared" / "listen.emotion.toml"
        head = path.read_text(encoding="utf-8").split("# --- written by bench/train/heads.py")[0].rstrip()
        parts = [head, "", "# --- written by bench/train/heads.py; edit bench/train/words.toml instead ---"]
        buckets: dict[int, list[str]] = defaultdict(list)
        for word, value in words.items():
            quarter = round(value * 4)
            if quarter and '"' not in word and "\\" not in word:
                buckets[quarter].append(word)
        parts.append(f"[{name}]")
        parts += [f'"{q}" = "{" ".join(sorted(buckets[q]))}"' for q in sorted(buckets)]
        parts.append("")
        path.write_text("\n".join(parts), encoding="utf-8")


# --- heads ---------------------------------------------------------------------------------------


def fit(X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, C: float = 3.0) -> tuple[np.ndarray, float]:
    model = LogisticRegression(C=C, max_iter=1000, random_state=0).fit(X, y, weight)
    return model.coef_[0], float(model.intercept_[0])


def packed(weights: np.ndarray, bias: float) -> dict[str, Any]:
    scale = float(np.abs(weights).max()) / 127
    small = np.round(weights / scale).astype(np.int8)
    text = base64.b85encode(small.tobytes()).decode()
    return {"bias": round(bias, 4), "scale": float(f"{scale:.6g}"), "weights": text}


def write_heads(path: Path, heads: dict[str, dict[str, Any]]) -> None:
    lines = [
        "# Heads on the vector of the default embedder: bias + scale × (512 signed bytes, base85) · vector,",
        "# or such a row for each unit. Written by bench/train/heads.py from GoEmotions (Apache-2.0), KOTE (MIT),",
        "# Curse-detection-data (MIT), Chatbot_data (MIT), BANKING77 (CC BY 4.0), the training part of CLINC150",
        "# (CC BY 3.0) and sentences of our own; the script says how.",
        f"# self_harm: {fingerprint()}",
        "",
    ]
    for name, head in heads.items():
        lines += [f"[{name}]", f"bias = {head['bias']!r}", f"scale = {head['scale']!r}"]
        lines.append(f"weights = '''{head['weights']}'''")
        for key in ("unit_bias", "unit_weights"):
            if key in head:
                lines.append(f"{key} = {head[key]!r}")
        if "stems" in head:
            lines += [f"stem_bias = {head['stem_bias']!r}", f"[{name}.stems]"]
            stems = sorted((int(q), " ".join(sorted(words))) for q, words in head["stems"].items())
            lines += [f'"{q}" = "{words}"' for q, words in stems]
        lines.append("")
    path.write_text("\n".join(lines), encoding="utf-8")


def learn_stems(
    texts: list[str], y: np.ndarray, weight: np.ndarray, *, least: int, C: float
) -> tuple[float, dict[int, list[str]]]:
    """Beginnings (2–4 syllables) and endings of Hangul words, as kernel/read/heads.py reads them."""
    found = []
    for text in texts:
        row: set[str] = set()
        for word in HANGUL.findall(normal(text).norm):
            row |= {word[:n] for n in range(1 if len(word) == 1 else 2, min(len(word), 4) + 1)}
            if len(word) > 2:
                row.add("~" + word[-2:])
        found.append(row)
    seen = Counter(s for row, w in zip(found, weight, strict=True) if w == 1.0 for s in row)
    vocabulary = {s: i for i, s in enumerate(sorted(s for s, n in seen.items() if n >= least))}
    cells = [(i, vocabulary[s]) for i, row in enumerate(found) for s in sorted(row) if s in vocabulary]
    rows, columns = zip(*cells, strict=True)
    X = csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(texts), len(vocabulary)))
    model = LogisticRegression(C=C, l1_ratio=1, solver="liblinear", max_iter=500, random_state=0)
    model.fit(X, y, weight)
    buckets: dict[int, list[str]] = defaultdict(list)
    for stem, i in vocabulary.items():
        if quarter := round(model.coef_[0][i] * 4):
            buckets[quarter].append(stem)
    return float(model.intercept_[0]), buckets


def background(path: Path) -> list[str]:
    return [row[0] for row in csv.reader(path.open(encoding="utf-8"))][1:]


def sentences(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()]


# --- danger --------------------------------------------------------------------------------------

# gamma, cost: the teacher. units, decay, epochs: the student. near: a training sentence this like a measured one
# is left out. mixed_own, mixed_other: points between two sentences, on which only the teacher has a word.
DANGER = {
    "gamma": 1.0, "cost": 1.0, "own": 4.0, "other": 0.8, "others": 6000, "units": 64, "decay": 0.02, "epochs": 25,
    "near": 0.8, "repeat": 4, "mixed_own": 15000, "mixed_other": 10000, "noise": 0.01, "stretch": 8.0, "seed": 1,
    "least": 3,
}  # fmt: skip
MEASURED = ("listen_care", "listen_unseen", "listen_danger")


def fingerprint() -> str:
    settings = json.dumps(DANGER, sort_keys=True).encode()
    return hashlib.sha256((HERE / "self_harm.jsonl").read_bytes() + settings).hexdigest()[:16]


def learn_danger(own: list[dict[str, str]], X: np.ndarray, others: np.ndarray) -> dict[str, Any]:
    """A machine that remembers every sentence teaches a small one that fits into the policy."""
    s = DANGER
    y = np.array([o["label"] == "danger" for o in own])
    pick = np.random.default_rng(0).choice(len(others), int(s["others"]), replace=False)
    # Background texts are taken as safe; a few are not, so each counts little.
    teacher = SVC(C=s["cost"], gamma=s["gamma"], cache_size=1000).fit(
        np.concatenate([X, others[pick]]),
        np.concatenate([y, np.zeros(len(pick), dtype=bool)]),
        np.concatenate([np.full(len(X), s["own"]), np.full(len(pick), s["other"])]),
    )
    draw = np.random.default_rng(int(s["seed"]))

    def between(other: np.ndarray, count: int) -> np.ndarray:
        one, two = draw.integers(len(X), size=count), draw.integers(len(other), size=count)
        share = draw.random(count)[:, None]
        points = share * X[one] + (1 - share) * other[two] + draw.normal(0, s["noise"], (count, X.shape[1]))
        return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)

    mixed = between(X, int(s["mixed_own"])), between(others, int(s["mixed_other"]))
    seen = np.concatenate([np.repeat(X, int(s["repeat"]), axis=0), others, *mixed])
    told = np.concatenate([teacher.decision_function(seen[i : i + 4000]) for i in range(0, len(seen), 4000)])
    student = MLPRegressor(
        hidden_layer_sizes=(int(s["units"]),), alpha=s["decay"], max_iter=int(s["epochs"]), random_state=0,
        learning_rate_init=0.003, batch_size=256,
    ).fit(seen * s["stretch"], told)  # fmt: skip
    rows = student.coefs_[0].T * s["stretch"]
    scale = float(f"{np.abs(rows).max() / 127:.6g}")
    return {
        "bias": round(float(student.intercepts_[1][0]), 4),
        "scale": scale,
        "weights": base64.b85encode(np.round(rows / scale).astype(np.int8).tobytes()).decode(),
        "unit_bias": [round(float(b), 4) for b in student.intercepts_[0]],
        "unit_weights": [round(float(w), 4) for w in student.coefs_[1][:, 0]],
    }


def said(text: str) -> set[str]:
    """Words and neighbours as kernel/read/heads.py counts them."""
    words = fold(normal(text), policy().listen.fold).spaced.split()
    begun = [word if word.isascii() else word[:2] for word in words]
    parts = {word[:end] for word in words if not word.isascii() for end in (2, 3, 4)}
    return parts | set(words) | set(map("_".join, pairwise(begun)))


def learn_danger_words(own: list[dict[str, str]], others: list[str]) -> dict[str, Any]:
    """For the day without a vector; twice the log-odds, so that a quarter point is an eighth."""
    found = [said(t) for t in [o["text"] for o in own] + others]
    seen = Counter(w for row in found[: len(own)] for w in row)
    kept = (w for w, n in seen.items() if n >= DANGER["least"] and '"' not in w and "\\" not in w)
    vocabulary = {w: i for i, w in enumerate(sorted(kept))}
    cells = [(i, vocabulary[w]) for i, row in enumerate(found) for w in sorted(row) if w in vocabulary]
    rows, columns = zip(*cells, strict=True)
    X = csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(found), len(vocabulary)))
    y = np.array([o["label"] == "danger" for o in own] + [False] * len(others))
    weight = np.concatenate([np.full(len(own), 4.0), np.full(len(others), 0.3)])
    model = LogisticRegression(C=0.1, max_iter=3000, random_state=0).fit(X, y, weight)
    buckets: dict[int, list[str]] = defaultdict(list)
    for word, i in vocabulary.items():
        if quarter := round(2 * float(model.coef_[0][i]) * 4):
            buckets[quarter].append(word)
    bias = round(2 * float(model.intercept_[0]), 4)
    return {"bias": 0.0, "scale": 0.0, "weights": "", "stem_bias": bias, "stems": buckets}


def measured_on() -> list[str]:
    folder = HERE.parents[1] / "tests/vectors"
    return [r["text"] for n in MEASURED for r in json.loads((folder / f"{n}.json").read_text(encoding="utf-8"))]


def everyday(data: Path) -> list[str]:
    """Comments, chat and requests of everyday life: every third text is enough."""
    rude = [line.rstrip("\n").rsplit("|", 1)[0] for line in (data / "curse.txt").open(encoding="utf-8")]
    clinc = json.loads((data / "clinc_full.json").read_text(encoding="utf-8"))
    parts = [
        goemotions(data / "goemotions_train.tsv")[0][::5],
        kote(data / "kote_val.tsv")[0][::3],
        kote(data / "kote_test.tsv")[0][::3],
        rude[::3],
        background(data / "chatbot.csv")[::3],
        background(data / "banking77_train.csv")[::4],
        [t for t, _ in clinc["train"]][::3] + [t for t, _ in clinc["oos_train"]],
    ]
    return [t for part in parts for t in part]


def danger(data: Path) -> dict[str, dict[str, Any]]:
    policy()  # read before the minutes of training, not after
    own, others = sentences(HERE / "self_harm.jsonl"), everyday(data)
    mine = vectors([o["text"] for o in own])
    apart = (mine @ vectors(measured_on()).T).max(axis=1) < DANGER["near"]
    own = [o for o, keep in zip(own, apart, strict=True) if keep]
    print(f"danger: {len(own)} of {len(apart)} sentences, {sum(o['label'] == 'danger' for o in own)} in danger")
    words = learn_danger_words(own, others)
    return {"self_harm": learn_danger(own, mine[apart], vectors(others)), "danger_words": words}


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--out", type=Path, default=HERE.parents[1] / "src/clew/policy/data")
    ask.add_argument("--words-only", action="store_true")
    ask.add_argument("--only", choices=["danger"])
    args = ask.parse_args()
    path = args.out / "listen.heads.toml"
    if args.only:
        heads = tomllib.loads(path.read_text(encoding="utf-8"))
        for head in heads.values():
            if "stems" in head:
                head["stems"] = {q: words.split() for q, words in head["stems"].items()}
        write_heads(path, heads | danger(args.data))
        return 0

    go_text, go_labels = goemotions(args.data / "goemotions_train.tsv")
    ko_text, ko_labels = kote(args.data / "kote_val.tsv")
    go_sign = signs(go_labels, POSITIVE, NEGATIVE)
    ko_sign = signs(ko_labels, KOTE_POSITIVE, KOTE_NEGATIVE)
    english = learn_words(go_text, go_sign, hand("en"), least=8, keep=0.2, C=0.3)
    korean = learn_words(ko_text, ko_sign, hand("ko"), least=6, keep=0.2, C=0.6)
    write_words(args.out, english, korean)
    print(f"words: {len(english)} English, {len(korean)} Korean stems")
    if args.words_only:
        return 0

    go, ko = vectors(go_text), vectors(ko_text)
    X = np.concatenate([go, ko])
    sign = np.concatenate([go_sign, ko_sign])
    # A neutral text teaches both ways at once, with less weight: it pulls the head towards zero.
    calm = sign == 0
    heads = {
        "valence": packed(
            *fit(
                np.concatenate([X[~calm], X[calm], X[calm]]),
                np.concatenate([sign[~calm], np.ones(calm.sum()), -np.ones(calm.sum())]),
                np.concatenate([np.ones((~calm).sum()), np.full(2 * calm.sum(), 0.3)]),
                C=10.0,
            )
        )
    }
    strong = [bool(y & STRONG) for y in go_labels] + [bool(y & KOTE_STRONG) for y in ko_labels]
    heads["strong"] = packed(*fit(X, np.array(strong), C=10.0))
    for tag, (english_labels, korean_labels) in TAGS.items():
        y = [bool(y & english_labels) for y in go_labels] + [bool(y & korean_labels) for y in ko_labels]
        rows = np.arange(len(go) if not korean_labels else len(X))
        heads[tag] = packed(*fit(X[rows], np.array(y)[rows], C=10.0))

    # Contempt in Korean: who curses, and who hates or looks down in comments.
    rude = [line.rstrip("\n").rsplit("|", 1) for line in (args.data / "curse.txt").open(encoding="utf-8")]
    rude = [r for r in rude if len(r) == 2 and r[1] in "01"]
    more_text, more_labels = kote(args.data / "kote_test.tsv")
    calm_ko = background(args.data / "chatbot.csv")
    texts = ko_text + more_text + [r[0] for r in rude] + calm_ko
    y = np.array(
        [bool(k & KOTE_CONTEMPT) for k in ko_labels + more_labels]
        + [r[1] == "1" for r in rude]
        + [False] * len(calm_ko)
    )
    weight = np.where(np.arange(len(y)) < len(y) - len(calm_ko), 1.0, 0.2)
    R = vectors(texts)
    stem_bias, stems = learn_stems(texts, y, weight, least=8, C=0.3)
    heads["offensive"] = packed(*fit(R, y, weight, C=3.0)) | {"stem_bias": round(stem_bias, 4), "stems": stems}

    heads |= danger(args.data)
    write_heads(path, heads)
    print(f"heads: {', '.join(heads)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
