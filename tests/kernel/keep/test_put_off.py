"""A time that something was put at lies ahead, though the change is told as past."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.keep.put_off import put_off
from clew.model.utterance import Statement
from clew.policy import default

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["the viva got moved, 10 december now", "our trip got put back, so it's the 4th of May", "they moved it to 3 March",
     "the hearing was brought forward to Monday", "parents evening has been bumped - thursday now"],
)  # fmt: skip
def test_the_new_time_lies_ahead(text: str) -> None:
    assert put_off(Statement("self", "event", text, text, 0, len(text)), AT, ZoneInfo("UTC"), default())


@pytest.mark.parametrize(
    "text",
    ["I moved to Bristol in March", "we moved, in june, was awful", "she changed her name, 4 years ago",
     "the meeting was moved to last friday", "I switched to oat milk", "we moved, 4 of us now"],
)  # fmt: skip
def test_a_move_to_a_place_says_nothing_of_a_time_ahead(text: str) -> None:
    assert not put_off(Statement("self", "event", text, text, 0, len(text)), AT, ZoneInfo("UTC"), default())
