from __future__ import annotations

import math

from clew.kernel.link.hierarchy import grow
from clew.policy import default
from tests.kernel.link.talk import run

POLICY = default().link


def test_neighbours_that_speak_of_the_same_thing_join_and_lone_lines_are_drawn_in() -> None:
    said = (
        "Al: Can I open the iron chest?", "DM: The iron chest is locked.", "Bo: the iron chest again",
        "Al: Can I force the iron chest?", "DM: The iron chest is open.",
    )  # fmt: skip
    found = run(*said)
    tree = grow(found, POLICY)
    assert tree.metrics["by_tier"] == {"link": 2, "beat": 1, "event": 0, "scene": 0}
    top = tree.nodes[-1]
    assert (top.tier.value, top.span_start, top.span_end, top.mass) == ("beat", 0, 4, 5)
    assert tree.metrics["absorbed"] == 1 and tree.metrics["unlinked_eligible"] == 0
    table = POLICY.hierarchy
    assert top.strength_bridge >= table.t0 + table.k * math.log(1 + math.sqrt(2 * 3))
    assert len(tree.provenance["param_hash"]) == 12
    assert tree.rounds[-1]["pairs_formed"] == tree.rounds[-1]["absorbed"] == 0


def test_links_far_apart_stay_apart() -> None:
    said = ("Al: Is it dark?", "DM: Yes.", *["Bo: [laughter]"] * 130, "Al: Is it late?", "DM: No.")
    assert grow(run(*said), POLICY).metrics["by_tier"]["beat"] == 0


def test_nothing_grows_from_nothing() -> None:
    assert grow(run(), POLICY).nodes == ()
