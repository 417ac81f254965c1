"""Remembering switched off and on in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clew.kernel.correct.recording import KEY, Recording, is_off, recording_wish, switched
from clew.kernel.read.wording import wording
from clew.model.memory import MemoryStatus
from clew.policy import default

AT = datetime(2026, 3, 14, tzinfo=UTC)


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Stop remembering.", Recording.OFF),
        ("please stop remembering things about me for now", Recording.OFF),
        ("don't remember anything I say from now on", Recording.OFF),
        ("let's go off the record", Recording.OFF),
        ("지금부터 내 말 기억하지 마", Recording.OFF),
        ("당분간 아무것도 저장하지 말아줘", Recording.OFF),
        ("you may remember again", Recording.ON),
        ("ok, you can remember things again", Recording.ON),
        ("back on the record", Recording.ON),
        ("이제 다시 기억해도 돼", Recording.ON),
        ("I can't stop remembering her", None),
        ("I don't remember anything from that night", None),
        ("off the record, I hate my boss", None),
        ("you can remember my sister's birthday", None),
        ("stop remembering my major", None),
        ("이제 기억해?", None),
        ("기억이 안 나", None),
    ],
)
def test_only_a_plain_wish_switches(text: str, wish: Recording | None) -> None:
    assert recording_wish(wording(text, default()), default()) is wish


def test_the_state_is_a_rule_of_the_user_that_can_be_lifted() -> None:
    (rule,), events = switched(Recording.OFF, [], "stop remembering", "m1", AT)
    assert rule.memory_key == KEY and is_off([rule]) and [e.reason for e in events] == ["remember.paused"]
    assert switched(Recording.OFF, [rule], "stop remembering", "m2", AT) == ([], [])
    (over,), _ = switched(Recording.ON, [rule], "you may remember again", "m3", AT)
    assert over.status is MemoryStatus.INVALID and not is_off([over])
