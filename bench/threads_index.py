"""Near-duplicate check against many active threads of one owner: exact index beside its peers, in one run.

    python bench/threads_index.py [--n 1000000] [--queries 1000] [--scans 20] [--peer-n 1000000]

Threads are drawn from word lists with Zipf frequencies. Half of the queries are reworded copies of a stored
thread, on both sides of the threshold; half are new. Columns: p50 and p99 of one query, warm, on the wall, and
p99 of the thread's own time. Recall is against the exact scan on the same queries.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

from clew.kernel.text.similarity import jaccard
from clew.kernel.weave.index import LoopIndex

VOCABULARY = 30_000
NAMES = 4_000
GRAMMAR = 80
THRESHOLD = Fraction(58, 100)
FRAMES = (
    "can {n} trust {n} after the {w} {w} of {w}",
    "who {w} the {w} {w} near the {w} of {n}",
    "why did {n} {w} the {w} {w} before {w} {w}",
    "will {n} {w} {n} when the {w} of {w} {w}",
    "find the {w} {w} for {n} and the {w} {w}",
)


def maker(seed: int, profile: str) -> tuple[random.Random, Callable[[], list[str]]]:
    """mixed: grammar, names and content words in any order, 7 to 13 of them; frames: five rigid sentences,
    cut short, so that thousands of threads share half of their words."""
    rng = random.Random(seed)

    def zipf(count: int, power: float) -> list[float]:
        return list(accumulate(1 / (rank + 3) ** power for rank in range(count)))

    words, word_weights = [f"w{i}" for i in range(VOCABULARY)], zipf(VOCABULARY, 0.9)
    names, name_weights = [f"n{i}" for i in range(NAMES)], zipf(NAMES, 0.7)
    grammar, grammar_weights = [f"g{i}" for i in range(GRAMMAR)], zipf(GRAMMAR, 1.0)

    def mixed() -> list[str]:
        return [
            *rng.choices(grammar, cum_weights=grammar_weights, k=rng.randint(2, 4)),
            *rng.choices(names, cum_weights=name_weights, k=rng.randint(1, 2)),
            *rng.choices(words, cum_weights=word_weights, k=rng.randint(4, 7)),
        ]

    def framed() -> list[str]:
        drawn = iter(rng.choices(words, cum_weights=word_weights, k=8))
        people = iter(rng.choices(names, cum_weights=name_weights, k=2))
        frame = rng.choice(FRAMES).split()
        tokens = [next(drawn) if t == "{w}" else next(people) if t == "{n}" else t for t in frame]
        return tokens[: rng.randint(max(6, len(tokens) - 3), len(tokens))]

    return rng, framed if profile == "frames" else mixed


def reworded(rng: random.Random, tokens: list[str]) -> list[str]:
    """One or two words changed, dropped or added: around the threshold, on both sides of it."""
    out = list(tokens)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(out))
        change = rng.random()
        if change < 0.4:
            out[place] = f"w{rng.randrange(VOCABULARY)}"
        elif change < 0.7 and len(out) > 3:
            del out[place]
        else:
            out.insert(place, f"w{rng.randrange(VOCABULARY)}")
    return out


def clock(ask: Callable[[int], object], count: int) -> tuple[float, float, float]:
    """p50 and p99 on the wall, p99 of this thread's own time: on a shared machine others' turns count in the wall."""
    wall, own = [], []
    for i in range(count):
        start, began = time.perf_counter(), time.thread_time()
        ask(i)
        own.append(1000 * (time.thread_time() - began))
        wall.append(1000 * (time.perf_counter() - start))
    wall.sort()
    own.sort()
    last = min(count - 1, int(count * 0.99))
    return wall[count // 2], wall[last], own[last]


def memory_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


Timing = tuple[float, float, float]


def show(name: str, timing: Timing, recall: str = "-", note: str = "") -> None:
    p50, p99, own = timing
    print(f"{name:<36}{p50:>12.4f}{p99:>12.4f}{own:>14.4f}{recall:>8}  {note}", flush=True)


def main() -> None:
    args = arguments()
    rng, thread = maker(args.seed, args.profile)
    texts = [thread() for _ in range(args.n)]
    sets = [frozenset(t) for t in texts]
    queries = [reworded(rng, rng.choice(texts)) if i % 2 else thread() for i in range(args.queries)]
    wanted = [frozenset(q) for q in queries]
    print(
        f"{args.n:,} threads, {args.queries} queries, threshold {float(THRESHOLD)}, {args.profile}, one core"
    )
    print(f"{'':<36}{'p50 ms':>12}{'p99 ms':>12}{'p99 cpu ms':>14}{'recall':>8}")

    start = time.perf_counter()
    index = LoopIndex.build(THRESHOLD, ((str(i), s) for i, s in enumerate(sets)))
    built = time.perf_counter() - start
    gc.collect()
    gc.freeze()
    for q in wanted:
        index.query(q)
    mine = clock(lambda i: index.query(wanted[i]), len(wanted))

    truth: list[set[int]] = []

    def scan(i: int) -> None:
        truth.append({j for j, s in enumerate(sets) if jaccard_at_least(s, wanted[i])})

    few = min(args.scans, len(wanted))
    scanned = clock(scan, few)
    found = [{int(m.key) for m in index.query(wanted[i])} for i in range(few)]
    exact = found == truth
    note = f"built in {built:.0f} s, {memory_mb()} MB peak with the texts"
    show("clew index", mine, "1.0" if exact else "WRONG", note)
    duplicates = sum(len(t) for t in truth)
    show("exact scan, Python sets", scanned, "1.0", f"{few} queries, {duplicates} duplicates among them")
    fuzzed = rapidfuzz_scan(texts, queries, min(few, 5))
    index_changes(index, thread)
    set_similarity_search(sets[: args.peer_n], wanted, args)
    print(
        f"at the median clew is {scanned[0] / mine[0]:,.0f} x the exact scan"
        f" and {fuzzed[0] / mine[0]:,.0f} x the rapidfuzz scan"
    )
    if args.json:
        rows = {"clew": mine, "scan": scanned, "rapidfuzz": fuzzed}
        print(json.dumps({"n": args.n, "exact": exact, "build_s": built, **rows}))


def jaccard_at_least(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whole numbers, as the index compares; checked against the exact ratio where it is near."""
    shared = len(a & b)
    close = shared * THRESHOLD.denominator >= THRESHOLD.numerator * (len(a) + len(b) - shared)
    assert not close or jaccard(a, b) >= THRESHOLD
    return close


def rapidfuzz_scan(texts: list[list[str]], queries: list[list[str]], few: int) -> Timing:
    """The usual way without an index: token-set ratio over every text. Another measure, so no recall."""
    from rapidfuzz import fuzz, process

    lines = [" ".join(t) for t in texts]

    def ask(i: int) -> object:
        return process.extract(
            " ".join(queries[i]), lines, scorer=fuzz.token_set_ratio, score_cutoff=70, limit=None
        )

    timing = clock(ask, few)
    show("rapidfuzz scan, token_set_ratio", timing, note=f"{few} queries")
    return timing


def index_changes(index: LoopIndex, thread: Callable[[], list[str]]) -> None:
    fresh = [frozenset(thread()) for _ in range(2000)]
    show("clew index, add one", clock(lambda i: index.add(f"new{i}", fresh[i]), len(fresh)))
    show("clew index, query what was added", clock(lambda i: index.query(fresh[i]), len(fresh)))
    show("clew index, remove one", clock(lambda i: index.remove(f"new{i}"), len(fresh)))


def set_similarity_search(
    sets: list[frozenset[str]], wanted: list[frozenset[str]], args: argparse.Namespace
) -> None:
    """The exact peer, on as many sets as it is given."""
    try:
        from SetSimilaritySearch import SearchIndex
    except ImportError:
        print("SetSimilaritySearch is not installed: left out")
        return
    start = time.perf_counter()
    peer = SearchIndex(sets, similarity_func_name="jaccard", similarity_threshold=float(THRESHOLD))
    built = time.perf_counter() - start
    few = min(args.peer_queries, len(wanted))
    answers: list[set[int]] = []
    timing = clock(lambda i: answers.append({j for j, _ in peer.query(wanted[i])}), few)
    own = LoopIndex.build(THRESHOLD, ((str(i), s) for i, s in enumerate(sets)))
    gc.freeze()
    same = sum({int(m.key) for m in own.query(wanted[i])} == answers[i] for i in range(few))
    mine = clock(lambda i: own.query(wanted[i]), few)
    note = f"{few} queries, {same} answered alike, built in {built:.0f} s"
    show(f"SetSimilaritySearch at {len(sets):,}", timing, "1.0", note)
    show(f"clew index at {len(sets):,}", mine, "1.0", f"{timing[0] / mine[0]:,.0f} x at the median")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--scans", type=int, default=20)
    parser.add_argument("--peer-n", type=int, default=1_000_000)
    parser.add_argument("--peer-queries", type=int, default=200)
    parser.add_argument("--profile", choices=("mixed", "frames"), default="mixed")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
