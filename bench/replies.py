"""How the built-in writer talks: replies made of the user's own words, phrases used again, length, speed.

    python bench/replies.py messages.txt        one message per line, told in order by one user

Prints one JSON object and, with --show N, the N replies with the largest share of the user's own words.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import uuid
from collections import Counter
from pathlib import Path

from clew.engine import bootstrap, service
from clew.engine.turn import take_turn
from clew.kernel.text.tokens import content_words
from clew.model.exchange import Incoming

WINDOW, RUN = 200, 4
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("messages", type=Path)
    asked.add_argument("--show", type=int, default=0)
    asked.add_argument("--all", action="store_true", help="print every exchange")
    given = asked.parse_args()
    parts = bootstrap.build("sqlite://")
    talk = service.arrive(parts, "bench").conversation.conversation_id
    rows = []
    for line in given.messages.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        began = time.perf_counter()
        outcome = take_turn(parts, Incoming(str(uuid.uuid5(uuid.NAMESPACE_URL, f"{len(rows)}{line}")), talk, line))
        rows.append((line, outcome.reply or "", time.perf_counter() - began, _asked(outcome.trace)))
        if given.all:
            print(f"you › {line}\nclew › {outcome.reply}")
    own = [(share(said, reply), said, reply) for said, reply, _, asked in rows if not asked]
    long = [(s, r) for s, r, _, asked in rows if not asked and _words(r) > max(25, 1.5 * _words(s))]
    times = sorted(t for *_, t, _ in rows)
    print(
        json.dumps(
            {
                "replies": len(rows),
                "mostly_own_words": round(sum(x[0] >= 0.6 for x in own) / len(own), 4),
                "four_word_runs_used_again": repeated([r for _, r, _, _ in rows]),
                "the_same_without_answers": repeated([r for _, r, _, asked in rows if not asked]),
                "too_long": round(len(long) / len(rows), 4),
                "distinct_replies": round(len({r for _, r, _, _ in rows}) / len(rows), 4),
                "mean_words": round(sum(_words(r) for _, r, _, _ in rows) / len(rows), 1),
                "turn_p50_ms": round(1000 * times[len(times) // 2], 1),
                "first_ms": round(1000 * rows[0][2], 1),
            },
            ensure_ascii=False,
        )
    )
    for worth, said, reply in sorted(own, reverse=True)[: given.show]:
        print(f"{worth:.2f}  {said}  →  {reply}")


def share(said: str, reply: str) -> float:
    """Of the reply's content words, how many the user said."""
    mine = content_words(reply)
    return len(mine & content_words(said)) / len(mine) if mine else 0.0


def repeated(replies: list[str]) -> float:
    """Of the four-word runs in any 200 consecutive replies, the largest share that stands in more than one reply."""
    worst = 0.0
    for start in range(0, max(1, len(replies) - WINDOW + 1), 50):
        seen: Counter[tuple[str, ...]] = Counter()
        for reply in replies[start : start + WINDOW]:
            words = [w.lower() for w in _WORD.findall(reply)]
            seen.update({tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)})
        if seen:
            worst = max(worst, sum(c > 1 for c in seen.values()) / len(seen))
    return round(worst, 4)


def _asked(trace: dict[str, object]) -> bool:
    return bool(trace.get("answer"))


def _words(text: str) -> int:
    return len(text.split())


if __name__ == "__main__":
    main()
