"""What one question costs as a conversation grows: made-up turns, random vectors, one thread."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

WORDS = "river garden piano ticket winter doctor lemon bridge market engine letter island coffee puzzle window".split()


def report(say: Callable[[str], None]) -> None:
    import numpy as np

    from clew.kernel.recall.turns import ask
    from clew.kernel.recall.turns.index import build, vocabulary_words
    from clew.kernel.recall.turns.rank import search
    from clew.model.transcript import Line
    from clew.policy import default

    policy = default()
    say("\n## Cost of one question by size (kernel alone, without the embedder)\n")
    say("| turns | load s | p50 ms |\n|---|---|---|")
    for size in (1_000, 10_000, 100_000):
        rng = random.Random(size)
        lines = [
            Line(i, "AB"[i % 2], " ".join(rng.choices(WORDS, k=12)) + f" item{i % 5000}", None, f"D{i // 20}:{i % 20}")
            for i in range(size)
        ]
        passages = [[line.text] for line in lines]
        noise = np.random.default_rng(size)
        vectors = noise.standard_normal((size, 512), dtype=np.float32) / 22.6
        names = vocabulary_words(passages, policy)
        words = dict(zip(names, noise.standard_normal((len(names), 512), dtype=np.float32) / 22.6, strict=True))
        start = time.perf_counter()
        index = build(lines, passages, policy, vectors=vectors, words=words)
        built = time.perf_counter() - start
        took = []
        for number in range(20):
            asked = ask.read(f"What did A say about the piano and item{number}?", index.names, index.years, policy)
            rows = np.stack([words.get(word, vectors[0]) for _, word in asked.terms])
            start = time.perf_counter()
            search(index, asked, 10, policy, vector=vectors[number], word_vectors=rows)
            took.append((time.perf_counter() - start) * 1000)
        say(f"| {size} | {built:.2f} | {statistics.median(took):.1f} |")
