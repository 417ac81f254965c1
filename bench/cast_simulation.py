"""Cast many friends and look for clones: the largest share of any combo key in any rolling day.

    python bench/cast_simulation.py [--assignments 100000] [--per-day 5000] [--seed 1]

Arrivals are irregular (seeded), so that the window really rolls. The kernel is given the counts of the
last 24 hours, exactly as a store would keep them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, deque
from datetime import UTC, datetime, timedelta

from clew.kernel.cast.assign import cast_among, max_allowed
from clew.kernel.cast.prng import Mulberry32
from clew.policy import default


def simulate(assignments: int, per_day: int, seed: int) -> dict[str, object]:
    policy = default()
    random = Mulberry32(seed)
    day = timedelta(hours=policy.cast.window_hours)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    window: deque[tuple[datetime, str]] = deque()
    counts: Counter[str] = Counter()
    total: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    most_attempts = broken = 0
    worst = (0.0, "", 0, 0)
    started = time.perf_counter()
    for _ in range(assignments):
        # Mean gap = a day / per_day, spread from nothing to twice that.
        now += timedelta(microseconds=1 + 2 * (86_400_000_000 // per_day) * random.draw() // 2**32)
        while window and window[0][0] < now - day:
            counts[window.popleft()[1]] -= 1
        before = len(window)
        cast = cast_among(random.draw(), counts, before, now, policy)
        key = cast.assignment.combo_key
        counts[key] += 1
        total[key] += 1
        window.append((now, key))
        rules[cast.reasons[0].rule] += 1
        most_attempts = max(most_attempts, cast.attempts)
        broken += counts[key] > max_allowed(before + 1, policy.cast)
        if before + 1 >= per_day // 2:
            top, n = counts.most_common(1)[0]
            share = n / (before + 1)
            worst = max(worst, (share, top, n, before + 1))
    seconds = time.perf_counter() - started
    top, n = total.most_common(1)[0]
    return {
        "assignments": assignments,
        "per_day": per_day,
        "combo_keys_used": len(total),
        "cap_broken": broken,
        "largest_share_overall": {"combo_key": top, "share": round(n / assignments, 5)},
        "largest_share_in_a_rolling_day": {
            "combo_key": worst[1], "share": round(worst[0], 5), "count": worst[2], "of": worst[3],
        },
        "how": dict(sorted(rules.items())),
        "most_attempts": most_attempts,
        "microseconds_each": round(seconds / assignments * 1e6, 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assignments", type=int, default=100_000)
    parser.add_argument("--per-day", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(json.dumps(simulate(args.assignments, args.per_day, args.seed), indent=2))


if __name__ == "__main__":
    main()
