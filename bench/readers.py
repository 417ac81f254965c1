"""How well the small learned readers do on sentences they were not trained on (kernel/statements, kernel/read/asks.py).

    python bench/readers.py [--part N] [--weights DIR]

The test part is the tenth of every file in bench/train/data/reader that bench/train/reader.py leaves out (hash 0).
Only numbers are printed, never a sentence. `--part` and `--weights` measure weights in the making on another tenth.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "train"))

from reader import rows, tenth

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.asks import chances, read_asks
from clew.kernel.read.utterance import sentences_of
from clew.kernel.statements.reader import breaks, read_statements
from clew.kernel.statements.tagger import tag
from clew.model.utterance import Ask, Statement
from clew.policy import Policy, default

MARKS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass
class Read:
    row: dict
    found: tuple[Statement, ...]
    tops: list[tuple[int, int, list[str]]]

    @property
    def told(self) -> list[dict]:
        return self.row["memories"]


def with_weights(folder: Path | None) -> Policy:
    policy = default()
    if folder is None:
        return policy
    named = {}
    for name in ("statements", "told", "named", "asks"):
        file = (folder / f"{name}.npz").resolve()
        if file.is_file():
            named |= {name: str(file), f"{name}_sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    return replace(policy, reader=replace(policy.reader, **named))


def overlaps(memory: dict, text: str, start: int, end: int) -> bool:
    """At least half of the value's characters are held."""
    at = text.find(memory["value"])
    while at >= 0:
        if 2 * (min(end, at + len(memory["value"])) - max(start, at)) >= len(memory["value"]):
            return True
        at = text.find(memory["value"], at + 1)
    return False


def statements(policy: Policy, part: int) -> list[Read]:
    """Everything proposed from certainty 0 on; marks are laid on afterwards."""
    open_policy = replace(policy, reader=replace(policy.reader, at=min(MARKS)))
    out = []
    data = [row for row in rows() if tenth(row["text"]) == part]
    vectors = embedder().matrix([row["text"] for row in data])
    spent = 0.0
    for row, vector in zip(data, vectors, strict=True):
        text, given = row["text"], vector.tolist()
        tokens = embedder().tokens(text)
        sentences = sentences_of(text, row["lang"], policy)
        began = time.perf_counter()
        found = read_statements(text, row["lang"], sentences, given, tokens, open_policy)
        spent += time.perf_counter() - began
        tagged = tag(text, given, tokens, policy.reader, breaks(tokens, sentences, policy.reader))
        tops = [(s.start, s.end, [a for a, _ in s.attributes[:3]]) for s in tagged.spans]
        out.append(Read(row, found, tops))
    print(f"statements: {len(data)} messages, {1000 * spent / len(data):.2f} ms each beyond the encoder")
    return out


def share(hits: list[bool]) -> str:
    return f"{sum(hits) / len(hits):.3f}" if hits else "  -  "


def right(memory: dict, s: Statement, text: str) -> bool:
    return s.attribute == memory["attribute"] and overlaps(memory, text, s.start, s.end)


def curve(read: list[Read], name: str) -> None:
    told = [r for r in read if r.told]
    none = [r for r in read if not r.told]
    print(f"{name}: {len(told)} that tell, {len(none)} that do not")
    print("  mark  kept  right  for nothing | facts: held  named  subject  status  stored per told")
    for mark in MARKS:
        kept, good, facts, named, subject, status, stored = [], [], [], [], [], [], 0
        for r in told:
            text = r.row["text"]
            found = [s for s in r.found if s.certainty >= mark]
            stored += len(found)
            kept.append(bool(found))
            good.append(any(right(m, s, text) for m in r.told for s in found))
            for m in r.told:
                near = [s for s in found if overlaps(m, text, s.start, s.end)]
                facts.append(bool(near))
                named.append(any(s.attribute == m["attribute"] for s in near))
                subject += [any(s.subject == m["subject"] for s in near)] if near else []
                status += [any(s.status.value == m["status"] for s in near)] if near else []
        nothing = [any(s.certainty >= mark for s in r.found) for r in none]
        print(
            f"  {mark:.2f} {share(kept)} {share(good)}  {share(nothing)}      |       {share(facts)} {share(named)} "
            f"{share(subject)}   {share(status)}   {stored / max(1, len(facts)):.2f}"
        )


def attributes(read: list[Read], name: str) -> None:
    """The attribute of the value that was found, among the first one and three."""
    hits: dict[int, list[bool]] = {1: [], 3: []}
    for r in read:
        for m in r.told:
            near = [t for s, e, t in r.tops if overlaps(m, r.row["text"], s, e)]
            for n in hits:
                hits[n] += [any(m["attribute"] in t[:n] for t in near)] if near else []
    print(f"{name}: attribute of found values first {share(hits[1])}, among three {share(hits[3])}")


def asks(policy: Policy, part: int) -> None:
    data = [row for row in rows("asks*.jsonl") if tenth(row["text"]) == part]
    vectors = embedder().matrix([row["text"] for row in data])
    for lang in ("en", "ko"):
        asked, hit, false, subject = [], [], [], []
        held = proposed = wanted = 0
        for row, vector in zip(data, vectors, strict=True):
            if row["lang"] != lang:
                continue
            by_chance = chances(row["text"], vector.tolist(), policy.reader)
            found = read_asks(row["text"], lang, sentences_of(row["text"], lang, policy), by_chance, policy)
            want, got = {a["attribute"] for a in row["asks"]}, {a.attribute for a in found}
            held, proposed, wanted = held + len(want & got), proposed + len(got), wanted + len(want)
            if want:
                asked.append(bool(got))
                hit.append(bool(want & got))
                if got:
                    subject.append(bool({a["subject"] for a in row["asks"]} & {whose(a) for a in found}))
            else:
                false.append(bool(got))
        print(
            f"asks {lang}: of {len(asked)} heard {share(asked)}, an attribute right {share(hit)}, "
            f"subject {share(subject)}; of {len(false)} that ask nothing heard {share(false)}; "
            f"attributes precision {held / max(1, proposed):.3f}, recall {held / max(1, wanted):.3f}"
        )


def whose(ask: Ask) -> str:
    return f"name:{ask.name}" if ask.subject == "person:any" and ask.name else ask.subject


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--weights", type=Path, default=None)
    args = parser.parse_args()
    policy = with_weights(args.weights)
    read = statements(policy, args.part)
    kinds: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("all", lambda file: True),
        ("plain", lambda file: file.endswith(("_p", "_own"))),
        ("untidy", lambda file: not file.endswith(("_p", "_own"))),
    )
    for lang in ("en", "ko"):
        for kind, of in kinds:
            curve([r for r in read if r.row["lang"] == lang and of(r.row["file"])], f"{lang} {kind}")
        attributes([r for r in read if r.row["lang"] == lang], lang)
    asks(policy, args.part)


if __name__ == "__main__":
    main()
