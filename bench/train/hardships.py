"""Train the reader of hardships: which hard thing a message tells (kernel/read/hardship.py).

    OMP_NUM_THREADS=1 python bench/train/hardships.py [--check] [--cache FILE]

Learns from sentences of our own, bench/train/data/hardships_<language>.txt: a line "# name" opens each kind, "# none"
what only looks like one. Beside them the sentences of need that name their kind (bench/train/data/reader/need_*),
everyday messages that tell one, and as ordinary talk those that tell none, statements of fact and questions. One
softmax for each language over the vector of the default embedder and pieces of words, eight bits a weight. `--check`
leaves out a fifth of the sentences in turn and prints, from each chance on, how much hardship is heard and how much
ordinary talk is taken for it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from occasions import GAIN, PACKAGE
from occasions import packed as as_bytes
from scipy.sparse import csr_matrix, hstack
from scores import vectors as made
from sklearn.linear_model import LogisticRegression

from clew.kernel.language.scripts import syllables
from clew.kernel.read.linear import pieces
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "ko")
BUCKETS, WORDS, STRENGTH, STEPS, FIFTH = 4096, 6.0, 4.0, 90, 5
NONE, OTHER = "none", "pain"
# What our own sentences count, those of need and of everyday readers, plain facts and questions; those of the other
# language so much of it. Of ordinary talk one in THIN is read.
OWN_WEIGHT, NEED_WEIGHT, LENT_WEIGHT, PLAIN_WEIGHT, OTHERS_WEIGHT, THIN = 4.0, 1.5, 1.8, 0.4, 0.3, 3
# How sure the first fit must be of a sentence without a name.
SURE = 0.6
PLAIN_FILES, PLAIN_EVERY = ("??_[abden].jsonl", "asks_??.jsonl"), 4
# By which names the other files tell of each kind.
KINDS = {
    "job": "job_loss jobloss work_loss laid_off business",
    "money": "debt money poverty hunger scam gambling broke",
    "home": "homelessness housing disaster",
    "ill": "diagnosis miscarriage infertility chronic_pain",
    "ill_theirs": "family_illness illness_family dementia_family dementia anticipatory_grief grief_anticipated",
    "caring": "caregiving caregiver carer",
    "lonely": "loneliness lonely exclusion isolation homesick",
    "worn": "burnout overwhelm overwhelmed sleepless insomnia postpartum postnatal work_stress",
    "hurt": "violence abuse assault stalking threat control coercion abuse_child elder_abuse",
    "bullied": "bullying workplace_bullying discrimination racism humiliation harassment hate",
    "death": "grief bereavement pet_loss petloss stillbirth pet_died funeral death_day",
    "parted": "breakup divorce betrayal estrangement broke_up coming_out_bad custody",
    "fear": "fear panic anxiety ptsd trauma war_family asylum",
    "low": "low low_mood sadness depression emptiness numbness feeling_down",
    "shame": "shame guilt failure relapse scam_shame guilty",
}
NAMED = {name: kind for kind, names in KINDS.items() for name in names.split()}
ORDINARY = ("glad", "tell", "irk")


class Row(NamedTuple):
    language: str
    kind: str
    text: str
    weight: float


def rows() -> list[Row]:
    """A text counts once, by its first source."""
    found: dict[str, Row] = {}
    for row in (*_own(), *_of_need(), *_everyday(), *_plain()):
        found.setdefault(row.text, row)
    return [r for r in found.values() if r.kind != NONE or r.weight == OWN_WEIGHT or _hash(r.text) % THIN == 0]


def _hash(text: str) -> int:
    return int(hashlib.sha256(("hardship" + text).encode()).hexdigest()[:8], 16)


def _titled(pattern: str) -> Iterator[tuple[str, str, str]]:
    for file in sorted((HERE / "data").glob(pattern)):
        name = ""
        for line in filter(None, map(str.strip, file.read_text(encoding="utf-8").splitlines())):
            if line.startswith("# "):
                name = line[2:].strip()
            else:
                yield file.stem.split("_")[1], name, line


def _own() -> Iterator[Row]:
    yield from (Row(language, kind, text, OWN_WEIGHT) for language, kind, text in _titled("hardships_*.txt"))


def _of_need() -> Iterator[Row]:
    for path in sorted((HERE / "data" / "reader").glob("need_*.jsonl")):
        for line in filter(None, path.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            kind = NONE if row["need"] == "none" else NAMED.get(row.get("kind") or "", OTHER)
            if row["need"] != "crisis":
                yield Row(row.get("lang") or _language(row["text"]), kind, row["text"], LENT_WEIGHT if kind == NONE else NEED_WEIGHT)


def _everyday() -> Iterator[Row]:
    situations, moods = policy().everyday.languages, policy().occasions.moods
    for language, name, text in _titled("everyday_*.txt"):
        row = situations[language].situations.get(name)
        if kind := NAMED.get(name, NONE if row is not None and row.mood in ORDINARY else ""):
            yield Row(language, kind, text, LENT_WEIGHT)
    for language, name, text in _titled("occasions_*.txt"):
        if kind := NAMED.get(name, NONE if moods.get(name) in ORDINARY and name not in ("more", "fragment") else ""):
            yield Row(language, kind, text, LENT_WEIGHT)


def _plain() -> Iterator[Row]:
    from need import GRAVE

    for path in sorted(p for name in PLAIN_FILES for p in (HERE / "data" / "reader").glob(name)):
        for line in path.read_text(encoding="utf-8").splitlines()[::PLAIN_EVERY]:
            row = json.loads(line)
            if GRAVE.isdisjoint(m["attribute"] for m in row.get("memories", ())):
                yield Row(row.get("lang") or _language(row["text"]), NONE, row["text"], PLAIN_WEIGHT)


def _language(text: str) -> str:
    return "ko" if syllables(text) else "en"


def features(found: list[Row], vectors: np.ndarray, language: str) -> csr_matrix:
    """Vectors of all; pieces of words of this language only."""
    own = [sorted({p % BUCKETS for p in pieces(r.text)}) if r.language == language else [] for r in found]
    worth = np.concatenate([np.full(len(r), 1 / np.sqrt(max(1, len(r)))) for r in own])
    places = np.concatenate([np.array(r, dtype=int) for r in own])
    words = csr_matrix((worth, places, np.cumsum([0, *map(len, own)])), shape=(len(found), BUCKETS))
    return hstack([csr_matrix(vectors * GAIN), words * WORDS]).tocsr()


def model() -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=STEPS)


def fitted(x: csr_matrix, found: list[Row], use: np.ndarray, language: str) -> LogisticRegression:
    weight = np.array([row.weight * (1.0 if row.language == language else OTHERS_WEIGHT) for row in found])
    y = np.array([row.kind for row in found])
    named, unnamed = use & ~np.isin(y, (NONE, OTHER)), np.where(y == OTHER)[0]
    first = model().fit(x[named], y[named], sample_weight=weight[named])
    chances = first.predict_proba(x[unnamed])
    y = y.astype(object)
    y[unnamed] = np.where(chances.max(1) >= SURE, first.classes_[chances.argmax(1)], OTHER)
    return model().fit(x[use], y[use].astype(str), sample_weight=weight[use])


def check(x: csr_matrix, found: list[Row], language: str) -> None:
    left = np.array([_hash(row.text) // THIN % FIFTH == 0 for row in found])
    reader = fitted(x, found, ~left, language)
    out = [row for row, one in zip(found, left, strict=True) if one]
    y, own = np.array([row.kind for row in out]), np.array([row.language == language for row in out])
    ours = np.array([row.weight == OWN_WEIGHT for row in out])
    chances, names = reader.predict_proba(x[left]), reader.classes_
    hard = 1 - chances[:, names == NONE][:, 0]
    kinds = np.where(np.isin(names, (NONE, OTHER)), 0, 1) * chances
    read, top = names[kinds.argmax(1)], kinds.max(1)
    told, need, none = own & ours & (y != NONE), own & ~ours & (y != NONE), own & ~ours & (y == NONE)
    for share in (0.005, 0.01, 0.02, 0.04):
        least = np.quantile(hard[none], 1 - share)
        heard = told & (hard >= least)
        print(f"{language}: {share} of ordinary talk from {least:.2f}: of our sentences {(hard >= least)[told].mean():.2f}, "
              f"of those of need {(hard >= least)[need].mean():.2f}, of look-alikes "
              f"{(hard >= least)[own & ours & (y == NONE)].mean():.2f}; kind right {(read == y)[heard].mean():.2f}, "
              f"where named {(read == y)[heard & (top >= 0.3)].mean():.2f}", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--check", action="store_true")
    asked.add_argument("--cache", type=Path)
    given = asked.parse_args()
    found = rows()
    vectors = made([row.text for row in found], given.cache)
    for language in LANGUAGES:
        x = features(found, vectors, language)
        if given.check:
            check(x, found, language)
            continue
        data = as_bytes(fitted(x, found, np.ones(len(found), dtype=bool), language))
        (PACKAGE / "weights" / f"hardship_{language}.npz").write_bytes(data)
        table = PACKAGE / "data" / "listen.hardship.toml"
        said, digest = table.read_text(encoding="utf-8"), hashlib.sha256(data).hexdigest()
        head, mark, rest = said.partition("[weights_sha256]")
        rest = re.sub(rf'(?m)^{language} = ".*"', f'{language} = "{digest}"', rest, count=1)
        table.write_text(head + mark + rest, encoding="utf-8")
        print(language, f"{len(found)} sentences, {len(data)} bytes", flush=True)


if __name__ == "__main__":
    main()
