"""What `remember` must see is enough to decide as if it saw everything."""

from __future__ import annotations

import pytest

from clew.kernel.keep.candidates import candidates, endings
from clew.kernel.keep.merge import remember
from clew.kernel.keep.reach import reach
from clew.model.profile import UserControls
from clew.model.utterance import Statement
from tests.kernel.keep.test_candidates import AT, ZONE, P, told
from tests.kernel.keep.test_change import Life

LIFE = (
    told("job", "nurse"),
    told("employer", "Siemens"),
    told("city", "Seoul"),
    told("like", "sushi"),
    told("sport", "climbing"),
    told("allergy", "peanuts"),
    told("name", "Mina", subject="person:sister"),
    told("city", "Daegu", subject="person:sister"),
    told("name", "Tunde", subject="person:boyfriend"),
    told("relationship", "dating Tunde"),
    told("routine", "run at six"),
)


@pytest.mark.parametrize(
    "news",
    [
        told("job", "baker"),
        told("dislike", "sushi", stance="dislike"),
        told("allergy", "a peanut"),
        told("job", "pilot", subject="person:sister"),
        told("death", "died", subject="person:sister", status="past"),
        told("employer", "Siemens", "left Siemens", status="ended"),
        told("relationship", "Tunde", "Tunde and I broke up", status="ended"),
        told("hobby", "climbing", "gave up climbing", status="ended"),
        told("city", "Seoul", "left Seoul", status="ended"),
    ],
)
def test_the_memories_in_reach_decide_like_all_of_them(news: Statement) -> None:
    life = Life().tell(*LIFE)
    found, over = candidates([news], AT, ZONE, P), endings([news], P)
    beginnings = reach(found, over, P)
    near = tuple(m for m in life.memories if m.memory_key.startswith(beginnings))
    assert len(near) < len(life.memories)

    def events(memories: object) -> list[tuple[str, str | None]]:
        done = remember(
            memories,
            found,
            UserControls(),
            message_id="new",
            at=AT,
            policy=P,
            endings=over,  # type: ignore[arg-type]
        )
        return [(e.kind, e.memory_id) for e in done.events]

    assert events(near) == events(life.memories)
