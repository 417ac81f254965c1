"""The ladder of ways to answer: the surest comes first, and a trace names the way that was taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from clew.engine import service
from clew.engine.answering import LADDER, Certainty
from clew.engine.bootstrap import make_embedder
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, message_id, onboard
from tests.engine.test_lives import Life


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    yield Life(parts, place, clock)
    parts.store.close()


def test_the_ladder_goes_from_the_surest_way_to_the_least_sure() -> None:
    assert all(one.certainty >= two.certainty for one, two in pairwise(LADDER))
    assert LADDER[-1].certainty is Certainty.UNKNOWN
    assert len({way.rule for way in LADDER}) == len(LADDER)


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("what should i cook tonight?", "recall.way.minded"),
        ("do you like films?", None),
        ("how many sisters do i have?", "recall.way.counted"),
        ("who is Greta?", "recall.way.whole"),
        ("where do i live?", "recall.way.likely"),
        ("how old is my dad?", "recall.way.unknown"),
    ],
)
def test_the_trace_of_an_answer_names_the_way_that_was_taken(life: Life, question: str, way: str | None) -> None:
    told = ["i live in Bruges", "my sister Greta is a diver", "i can't eat prawns, allergic", question]
    life.tell(*told)
    note = service.trace(life.parts, message_id(len(told))).told.answer
    assert (note.reasons[0].rule if note else None) == way
