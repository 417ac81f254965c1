"""Bounded work: four times the text may take about four times as long in every kernel, for every kind of text.

Only the ratio of two sizes is measured, each as the best of a few tries in processor time.
"""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from clew import policy as policies
from clew.errors import ClewError
from clew.kernel.door import call
from tests.faults.test_kernel_fuzz import GOOD

SMALL, TIMES = 4_000, 6
# Linear is 6, square 36, cube 216; a busy machine and a cold cache lie between.
MOST_RATIO = 20
# Below this the clock measures nothing.
FLOOR_SECONDS = 0.004
KINDS = {
    "letters": "abcdefghij",
    "brackets": "([{<",
    "quotes": "\"'“",
    "one word": "ramen ",
    "digits": "1234567890",
    "hangul": "가나다라마",
    "stops": "a. ",
    "lines": "a\n",
    "likes": "i love ",
    "names": "Mina said ",
}
FIELDS: dict[str, list[tuple[Any, ...]]] = {
    "read": [("text",)],
    "route": [("text",)],
    "extract": [("text",)],
    "correct": [("text",)],
    "relate": [("text",)],
    "ground": [("text",), ("candidates", 0, "label")],
    "gate": [("reply",), ("user_text",), ("memories", 0, "memory_value")],
    "similar": [("a",), ("b",)],
    "links": [("lines", 0, "text"), ("lines", 1, "text")],
    "learn": [("new", "content"), ("new", "subject")],
    "episode": [("new", "summary")],
    "thin": [("decisions", 0, "text")],
    "threads": [("add", 0, "text")],
    "decide_record": [("response_text",)],
}


def filled(name: str, places: list[tuple[Any, ...]], text: str) -> dict[str, Any]:
    out = copy.deepcopy(GOOD[name])
    for *path, last in places:
        holder: Any = out
        for key in path:
            holder = holder[key]
        holder[last] = text
    return out


def cost(name: str, places: list[tuple[Any, ...]], unit: str, size: int, tries: int) -> float:
    policy = policies.default()
    best = float("inf")
    for attempt in range(tries):
        # Another last letter each time, so that no cache answers.
        text = (unit * (size // len(unit) + 1))[:size] + chr(ord("a") + attempt)
        payload = filled(name, places, text)
        began = time.process_time()
        try:
            call(name, payload, policy=policy)
        except ClewError:
            return 0.0
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_no_kernel_grows_much_faster_than_its_text(name: str) -> None:
    call(name, GOOD[name])
    everything = FIELDS[name]
    groups = [[place] for place in everything] + ([everything] if len(everything) > 1 else [])
    for places in groups:
        for kind, unit in KINDS.items():
            small = max(cost(name, places, unit, SMALL, 2), FLOOR_SECONDS)
            large = cost(name, places, unit, SMALL * TIMES, 1)
            if large > small * MOST_RATIO:  # once more, in case something else was running
                small = max(cost(name, places, unit, SMALL, 4), FLOOR_SECONDS)
                large = cost(name, places, unit, SMALL * TIMES, 3)
            assert large <= small * MOST_RATIO, f"{places} with {kind}: {small:.4f} s, then {large:.4f} s"
