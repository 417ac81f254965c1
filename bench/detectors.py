"""What the detectors of the listening room find, beside what the listed words alone find.

    python bench/detectors.py [--data DIR] [--no-embed]

Reads the development sets (default: ../shared/data) and skips, with a word, what is not there.
The development sets are never trained on. Our own sentences on danger were read while the rules grew, and the
first set is part of what the danger head learned: its figures show that nothing broke, not how good it is.
listen_care.json has a dev half, whose errors were read, and a held half, whose errors were not.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from clew.kernel.read.signals import hear
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.model.signals import Signals
from clew.policy import default

HERE = Path(__file__).parent
POLICY = default()
POSITIVE = {0, 1, 4, 5, 8, 13, 15, 17, 18, 20, 21, 23}
NEGATIVE = {2, 3, 9, 10, 11, 12, 14, 16, 19, 24, 25}
# Labels that a reader would call strong: anger disgust excitement fear gratitude grief joy love sadness
# admiration amusement remorse.
INTENSE = {0, 1, 2, 11, 13, 14, 15, 16, 17, 18, 24, 25}
# The listed words.
LISTED_JOY = ("i'm so happy", "im so happy", "thrilled", "ecstatic", "best day", "over the moon", "행복해")
LISTED_WOE = (
    "i feel sad", "i'm sad", "im sad", "feeling down", "i'm depressed", "i feel empty", "i'm lonely",
    "i feel alone", "i'm anxious", "worried", "scared", "panicking", "anxiety", "panic attack", "i'm stressed",
    "so stressed", "overwhelmed", "can't cope", "i'm furious", "so angry", "i hate", "i'm pissed",
)  # fmt: skip
LISTED_HATE = ("nazi", "kill all", "death to", "genocide", "인종차별", "혐오", "hate you", "you're stupid",
               "you're an idiot", "shut up", "go away")  # fmt: skip
LISTED_HARM = ("suicide", "kill myself", "self harm", "cut myself", "overdose", "end my life", "ending it all",
               "want to die", "hurt myself", "harm myself", "suicidal", "자살", "자해", "죽고싶", "죽고 싶",
               "목숨을 끊")  # fmt: skip
LISTED_ASKS = ("what", "why", "how", "when", "where", "explain", "define")

Row = tuple[str, Any]


def lexicon(words: Iterable[str]) -> Callable[[str], bool]:
    table = Lexicon({"": tuple(words)}, POLICY.text)
    return lambda text: table.any(normal(text))


def ratio(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f} %" if whole else "    -  "


def scores(found: Sequence[bool], gold: Sequence[bool]) -> str:
    hit = sum(f and g for f, g in zip(found, gold, strict=True))
    precision, recall = hit / max(1, sum(found)), hit / max(1, sum(gold))
    f1 = 2 * precision * recall / (precision + recall) if hit else 0.0
    return f"precision {100 * precision:5.1f}  recall {100 * recall:5.1f}  F1 {100 * f1:5.1f}"


def line(name: str, what: str) -> None:
    print(f"  {name:<18}{what}")


class Ear:
    """Hears with or without vectors."""

    def __init__(self, embed: bool) -> None:
        self.embed = embed
        if embed:
            from clew.adapters.embeddings.use import default as embedder

            self.embedder = embedder()

    def hear(self, texts: Sequence[str], vectors: bool) -> list[Signals]:
        given: list[list[float] | None] = [None] * len(texts)
        if vectors:
            given = [v for i in range(0, len(texts), 256) for v in self.embedder.embed(texts[i : i + 256])]
        return [hear(t, POLICY, (), v) for t, v in zip(texts, given, strict=True)]

    def ways(self) -> tuple[tuple[str, bool], ...]:
        return (("words", False), ("words + vector", True)) if self.embed else (("words", False),)


def emotion(rows: list[Row], ear: Ear) -> None:
    texts = [t for t, _ in rows]
    sign = [len(y & POSITIVE) - len(y & NEGATIVE) for _, y in rows]
    clear = [i for i, s in enumerate(sign) if s]
    joy, woe = lexicon(LISTED_JOY), lexicon(LISTED_WOE)
    listed = [int(joy(t)) - int(woe(t)) for t in texts]
    print(f"\nEnglish emotion, GoEmotions dev: {len(rows)} comments, {len(clear)} with a side")

    def report(name: str, valence: Sequence[float], strong: Sequence[bool]) -> None:
        right = sum(valence[i] * sign[i] > 0 for i in clear)
        silent = sum(valence[i] == 0 for i in clear)
        picked = [i for i, s in enumerate(strong) if s]
        felt = sum(27 not in rows[i][1] for i in picked)
        intense = sum(bool(rows[i][1] & INTENSE) for i in picked)
        side = f"sign {ratio(right, len(clear))} (silent {ratio(silent, len(clear))})"
        sure = f"{ratio(felt, len(picked))} not neutral, {ratio(intense, len(picked))} intense"
        line(name, f"{side}   strong: {len(picked):>4} flagged, {sure}")

    report("listed words", listed, [bool(v) for v in listed])
    for name, vectors in ear.ways():
        heard = ear.hear(texts, vectors)
        report(name, [h.emotion.valence for h in heard], [h.emotion.strong for h in heard])


def offence(rows: list[Row], ear: Ear) -> None:
    texts, gold = [t for t, _ in rows], [y != "none" for _, y in rows]
    listed = lexicon(LISTED_HATE)
    print(f"\nKorean offence, BEEP dev: {len(rows)} comments, {sum(gold)} hateful or offensive")
    line("listed words", scores([listed(t) for t in texts], gold))
    for name, vectors in ear.ways():
        found = [h.safety.kind in ("hate", "harassment") for h in ear.hear(texts, vectors)]
        line(name, scores(found, gold))


def questions(rows: list[Row], ear: Ear) -> None:
    texts, gold = [t for t, _ in rows], [y == "2" for _, y in rows]
    print(f"\nKorean questions, 3i4k: {len(rows)} utterances, {sum(gold)} questions (rhetorical ones are none)")
    line("listed words", scores([("?" in t) or t.split()[0] in LISTED_ASKS for t in texts], gold))
    line("words", scores([h.flags.is_question for h in ear.hear(texts, False)], gold))


def care(name: str, rows: list[Row], ear: Ear) -> None:
    """Found is a crisis; cared for is a crisis or distress or a wish for comfort."""
    texts, gold = [t for t, _ in rows], [bool(y) for _, y in rows]
    print(f"\nSelf-harm, {name}: {len(rows)} texts, {sum(gold)} in danger")
    for way, vectors in ear.ways():
        heard = ear.hear(texts, vectors)
        kind = [h.safety.crisis or h.flags.has_distress or h.flags.asks_for_comfort for h in heard]
        line(way, scores([h.safety.crisis for h in heard], gold))
        for label, found in (("crisis", [h.safety.crisis for h in heard]), ("cared for", kind)):
            hit = sum(f and g for f, g in zip(found, gold, strict=True))
            false = f"{sum(found) - hit} of {len(gold) - sum(gold)} harmless"
            line("", f"{label}: {ratio(hit, sum(gold))} of danger, {false}")


def danger(name: str, rows: list[Row], ear: Ear) -> None:
    texts, gold = [t for t, _ in rows], [bool(y) for _, y in rows]
    listed = lexicon(LISTED_HARM)
    print(f"\nSelf-harm, our own sentences, {name}: {len(rows)} texts, {sum(gold)} in danger")
    line("listed words", scores([listed(t) for t in texts], gold))
    for name, vectors in ear.ways():
        line(name, scores([h.safety.crisis for h in ear.hear(texts, vectors)], gold))


def alarms(name: str, texts: list[str], ear: Ear) -> None:
    """Everyday chat without labels: an alarm here is most often a false one."""
    print(f"\nAlarms in everyday chat, {name}: {len(texts)} messages")
    for way, vectors in ear.ways():
        heard = ear.hear(texts, vectors)
        crisis = sum(h.safety.crisis for h in heard)
        others = sum(h.safety.kind != "none" for h in heard) - crisis
        sad = sum(h.flags.has_distress for h in heard)
        rate = 1000 * crisis / len(texts)
        line(way, f"crisis {crisis} ({rate:.1f} in 1,000), other classes {others}, distress {sad}")


def speed(texts: list[str]) -> None:
    short = [t for t in texts if len(t) <= 80]
    hear(short[0], POLICY)
    start = time.process_time()
    for text in short:
        hear(text, POLICY)
    print(f"\nSpeed, words only: {len(short) / (time.process_time() - start):,.0f} short messages/s on one core")


def tsv(path: Path, columns: Callable[[list[str]], Row], skip: int = 0) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()[skip:]
    return [columns(row.split("\t")) for row in lines if row.strip()]


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--data", type=Path, default=HERE.parents[1] / "shared/data")
    ask.add_argument("--no-embed", action="store_true")
    args = ask.parse_args()
    ear = Ear(not args.no_embed)

    def ready(name: str) -> Path | None:
        path = args.data / name
        if path.is_file():
            return path
        print(f"\nskipped: {name} is not under {args.data}")
        return None

    vectors = HERE.parent / "tests/vectors"
    rows = json.loads((vectors / "listen_safety.json").read_text(encoding="utf-8"))
    danger("the test vectors", [(r["text"], r["crisis"]) for r in rows], ear)
    rows = json.loads((vectors / "listen_danger.json").read_text(encoding="utf-8"))
    danger("harder ones, written after the rules", [(r["text"], r["danger"]) for r in rows], ear)
    rows = json.loads((vectors / "listen_unseen.json").read_text(encoding="utf-8"))
    danger("the newest, read once before the rules changed again", [(r["text"], r["danger"]) for r in rows], ear)
    rows = json.loads((vectors / "listen_care.json").read_text(encoding="utf-8"))
    for half in ("dev", "held"):
        for tongue in ("en", "ko"):
            part = [(r["text"], r["danger"]) for r in rows if (r["half"], r["lang"]) == (half, tongue)]
            care(f"four hundred fresh sentences, {half} half, {tongue}", part, ear)
    if path := ready("goemotions_dev/dev.tsv"):
        comments = tsv(path, lambda r: (r[0], {int(i) for i in r[1].split(",")}))
        emotion(comments, ear)
        speed([t for t, _ in comments])
    if path := ready("korean_hate_dev/beep-dev.tsv"):
        offence(tsv(path, lambda r: (r[0], r[3]), skip=1), ear)
    if path := ready("korean_intent_dev/3i4k-2000.txt"):
        questions(tsv(path, lambda r: (r[1], r[0])), ear)
    if path := ready("clinc_dev/val_and_oos_val.json"):
        requests = json.loads(path.read_text(encoding="utf-8"))
        alarms("CLINC requests", [t for part in requests.values() for t, _ in part], ear)
    return 0


if __name__ == "__main__":
    sys.exit(main())
