"""What was just told, put right or taken back in Korean."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.correct.apply import correct
from clew.kernel.keep.candidates import candidates
from clew.kernel.keep.merge import remember
from clew.model.memory import Command, Corrected, MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.utterance import Statement
from clew.policy import default

P, AT, ZONE = default(), datetime(2026, 3, 2, 12, tzinfo=UTC), ZoneInfo("Asia/Seoul")


def held(*told: Statement) -> tuple[MemoryRecord, ...]:
    found = candidates(told, AT, ZONE, P)
    return remember((), found, UserControls(), message_id="m", at=AT, policy=P).memories


def said(subject: str, attribute: str, value: str, sentence: str) -> Statement:
    start = sentence.index(value)
    return Statement(subject, attribute, value, sentence, start, start + len(value))


def after(text: str, memories: tuple[MemoryRecord, ...], previous: str) -> Corrected:
    return correct(
        text, memories, UserControls(), (), message_id="n", at=AT, zone=ZONE, policy=P, previous=(previous,)
    )


def active(result: Corrected) -> set[str]:
    return {m.memory_value for m in result.memories if m.status is MemoryStatus.ACTIVE}


@pytest.mark.parametrize(
    ("subject", "attribute", "wrong", "told", "text", "right"),
    [
        ("self", "city", "대구", "나 대구 살아", "아니 대전이야", "대전"),
        ("person:sibling", "name", "수진", "내 동생 이름은 수진이야", "그게 아니라 수민이야", "수민"),
        ("pet:cat", "name", "뽀리", "고양이 이름은 뽀리예요", "제 고양이 이름은 뽀리가 아니라 뿌리예요", "뿌리"),
    ],
)
def test_what_was_just_told_is_put_right(
    subject: str, attribute: str, wrong: str, told: str, text: str, right: str
) -> None:
    result = after(text, held(said(subject, attribute, wrong, told)), told)
    assert result.command is Command.AMEND
    assert active(result) == {right}


def test_a_no_that_names_nothing_corrects_nothing() -> None:
    told = "나 대구 살아"
    result = after("아니 나 진짜 힘들어", held(said("self", "city", "대구", told)), told)
    assert active(result) == {"대구"}


def test_the_last_message_is_taken_back() -> None:
    told = "나 대구 살아"
    result = after("방금 한 말 취소", held(said("self", "city", "대구", told)), told)
    assert result.command is Command.FORGET
    assert active(result) == set()


def test_all_of_one_person_is_forgotten_by_their_relation() -> None:
    memories = held(
        said("person:brother", "city", "독일", "형은 독일에서 유학 중이야"),
        said("self", "city", "대구", "나 대구 살아"),
    )
    assert active(after("형 얘기 지워줘", memories, "응")) == {"대구"}
