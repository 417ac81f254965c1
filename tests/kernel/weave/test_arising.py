"""Plans and worries become open loops, come back at their time, and close when told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.kernel.read.utterance import read
from clew.kernel.weave.arising import LifeLoop, arising, due, plans_of, told_over
from clew.model.memory import Candidate, MemoryRecord, MemoryStatus, MemoryType
from clew.model.utterance import Utterance
from clew.policy import default

POLICY = default()
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def told(value: str, days: float = 1, when: str | None = None) -> Candidate:
    end = NOW + timedelta(days=days)
    return Candidate(
        MemoryType.RELATIONSHIP_EVENT, "event:x", value, Decimal("0.6"), attribute="plan", when_end=end, when_text=when
    )


def said(text: str, language: str) -> Utterance:
    heard = read(text, POLICY, spoken=language)
    assert heard.language == language
    return heard


def held(value: str, days: float, when: str | None = None) -> MemoryRecord:
    at = NOW - timedelta(days=3)
    return MemoryRecord(
        "m", MemoryType.RELATIONSHIP_EVENT, "event:x", value, Decimal("0.6"), MemoryStatus.ACTIVE, at, at,
        attribute="plan", when_end=NOW + timedelta(days=days), when_text=when,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "language", "loop"),
    [
        ("have a dentist appointment tomorrow at 3pm", "en", "dentist appointment"),
        ("exam is on Friday", "en", "exam"),
        ("내일 면접 있어", "ko", "면접"),
        ("다음 주 화요일에 치과 가", "ko", "치과"),
    ],
)
def test_a_plan_becomes_a_loop_named_by_what_it_is(value: str, language: str, loop: str) -> None:
    assert arising([told(value)], said(value, language), (), NOW, POLICY) == (loop,)
    assert arising([told(value)], said(value, language), (loop,), NOW, POLICY) == (), "it is open already"
    assert arising([told(value, days=-1)], said(value, language), (), NOW, POLICY) == (), "what is past lies not ahead"


@pytest.mark.parametrize(
    ("text", "language", "loops"),
    [
        ("I'm so worried about my mum's surgery", "en", ("mum's surgery",)),
        ("엄마 수술이 너무 걱정돼", "ko", ("엄마 수술",)),
        ("I'm not worried", "en", ()),
        ("what a lovely day", "en", ()),
    ],
)
def test_a_worry_becomes_a_loop(text: str, language: str, loops: tuple[str, ...]) -> None:
    assert arising((), said(text, language), (), NOW, POLICY) == loops


def test_a_plan_comes_back_after_its_day_and_not_forever() -> None:
    loop = LifeLoop("td-1", "exam", NOW - timedelta(days=3))
    assert due([loop], [held("exam is on Friday", 1)], "en", NOW, POLICY) is None
    assert due([loop], [held("exam is on Friday", -0.1)], "en", NOW, POLICY) == loop
    assert due([loop], [held("exam is on Friday", -30)], "en", NOW, POLICY) is None


def test_a_worry_without_a_day_comes_back_after_a_night() -> None:
    worry = LifeLoop("td-1", "mum's surgery", NOW)
    assert due([worry], (), "en", NOW + timedelta(hours=2), POLICY) is None
    assert due([worry], (), "en", NOW + timedelta(hours=20), POLICY) == worry


@pytest.mark.parametrize(
    ("text", "language", "closed"),
    [
        ("I passed my exam!!", "en", True),
        ("the exam went well", "en", True),
        ("my exam is on Friday", "en", False),
        ("did I pass my exam?", "en", False),
        ("the exam is not over yet, still have to wait", "en", False),
        ("I passed my driving test", "en", False),
        ("시험 드디어 끝났어", "ko", True),
        ("시험 아직 안 끝났어", "ko", False),
    ],
)
def test_a_loop_closes_when_its_outcome_is_told(text: str, language: str, closed: bool) -> None:
    loop = LifeLoop("td-1", "exam" if language == "en" else "시험", NOW)
    assert told_over([loop], said(text, language), POLICY) == (("td-1",) if closed else ())


def test_a_loop_finds_its_plans_in_whichever_language_they_were_told() -> None:
    plans = [held("have a dentist appointment tomorrow at 3pm", 1), held("내일 면접 있어", 1), held("dentist appointment", 9)]
    loops = [LifeLoop(text, text, NOW) for text in ("Dentist  appointment", "면접", "trip to Busan")]
    about = plans_of(loops, plans, POLICY)
    assert [[plans.index(p) for p in about[loop.id]] for loop in loops] == [[0, 2], [1], []]
    assert plans_of((), plans, POLICY) == {}
