"""The linear readers: what a message asks for (kernel/read/asks.py), whether it tells anything, of what attribute.

Called by reader.py. What a message asks for is in asks*.jsonl; statements and ordinary talk ask nothing. That anything
is asked is learned from the questions of talks_*.jsonl too, beside what is told in them, everyday messages and words to an assistant.
"""

from __future__ import annotations

import numpy as np
from linear import column, features, packed, weighted

from clew.kernel.statements.naming import span_pieces

STRENGTH = {"asks": 3.0, "told": 1.0, "named": 1.5, "forgets": 4.0}
# A statement of an attribute has words that a question for it has too; it counts for little.
STATED = 0.15
# A question of the world or a request that needs no memory counts so much: there are few of them.
OF_THE_WORLD = 3.0
# What looks most like asking counts whole, other ordinary talk less.
ASKING = ("question", "request", "meta")


def fit_asks(asks: list[dict], talk: list[dict], more: list[tuple[str, bool]], vectors: np.ndarray) -> bytes:
    """`talk`: messages of the statement reader's sentences, which ask for nothing. `more`: messages of talks and of
    every day, and whether each asks for anything of one's own life. `vectors` of all three, in this order."""
    x = features([*(row["text"] for row in asks + talk), *(text for text, _ in more)], vectors)
    names = ["", *sorted({a["attribute"] for row in asks for a in row["asks"]})]
    told = [{a["attribute"] for a in row["asks"]} for row in asks]
    stated = [{m["attribute"] for m in row["memories"]} for row in talk]
    asked = np.array([bool(t) for t in told] + [False] * len(talk) + [own for _, own in more])
    columns = []
    for name in names:
        if name:
            # Which attribute is asked for is learned where something is asked, or stated.
            y = np.array([name in t for t in told + stated] + [False] * len(more))
            weight = np.array([float(bool(t)) for t in told] + [STATED * bool(t) for t in stated] + [0.0] * len(more))
        else:
            y = asked
            own = [1.0 if t else OF_THE_WORLD for t in told]
            weight = np.array(own + [1.0 if row["why"] in ASKING else 0.4 for row in talk] + [1.0] * len(more))
        columns.append(column(x, y, weight, STRENGTH["asks"]))
    return packed(names, columns)


def fit_told(talk: list[dict], vectors: np.ndarray) -> bytes:
    """Whether anything is told."""
    x = features([row["text"] for row in talk], vectors)
    told = np.array([bool(row["memories"]) for row in talk])
    return packed([""], [column(x, told, np.ones(len(talk)), STRENGTH["told"])])


def fit_forgets(wishes: list[dict], talk: list[dict], vectors: np.ndarray) -> bytes:
    """Whether something is to be forgotten. `talk`: messages that wish nothing of the kind; `vectors` of both."""
    x = features([row["text"] for row in wishes + talk], vectors)
    wished = np.array([row["forget"] for row in wishes] + [False] * len(talk))
    weight = np.array([1.0] * len(wishes) + [0.1] * len(talk))
    return packed([""], [column(x, wished, weight, STRENGTH["forgets"])])


def fit_named(talk: list[dict], vectors: np.ndarray) -> bytes:
    """The attribute of a value by its words and those beside it."""
    found, of, gold = [], [], []
    for i, row in enumerate(talk):
        for memory in row["memories"]:
            start = row["text"].find(memory["value"])
            found.append(span_pieces(row["text"], start, start + len(memory["value"])))
            of.append(i)
            gold.append(memory["attribute"])
    x = weighted(found, vectors[of])
    names, marks = sorted(set(gold)), np.array(gold)
    return packed(names, [column(x, marks == name, np.ones(len(gold)), STRENGTH["named"]) for name in names])
