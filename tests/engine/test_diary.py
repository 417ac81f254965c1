"""Appointments as people tell them: several in a breath, moved after they were asked for; through the whole turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


def test_each_of_two_appointments_is_moved_alone(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "I've got the optician on Monday at 9 and band practice on Wednesday at 8",
        "we're flying to Malta on the 3rd of December",
        "when's my optician?",
        "oh that got moved to Thursday",
        "when is the optician now?",
        "when's band practice?",
        "when do we fly?",
    )
    assert "Thursday" in replies[4] and "Wednesday" not in replies[4]
    assert "Wednesday" in replies[5] and "ptician" not in replies[5]
    assert "December" in replies[6] and "3" in replies[6]


def test_each_of_two_appointments_is_moved_alone_in_korean(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "월요일 9시에 안과 예약 있고 수요일 저녁엔 밴드 연습 있어",
        "안과 언제였지?",
        "아 그거 목요일로 미뤄졌어",
        "안과 언제야?",
        "밴드 연습은 언제야?",
    )
    assert "목요일" in replies[3] and "밴드" not in replies[3]
    assert "수요일" in replies[4] and "안과" not in replies[4]


@pytest.mark.parametrize("said", ["I'm at Jo's birthday Friday night", "I'm at Lena's place this weekend"])
def test_whose_party_it_is_nobody_is_called(tmp_path: Path, said: str) -> None:
    _, held = talked(tmp_path, said)
    assert not any("your name" in line.lower() or "birthday is" in line for line in held), held


@pytest.mark.parametrize(
    ("told", "asked", "kept"),
    [
        (["I'm allergic to prawns"], "what should I eat tonight? can't have dairy", ("dairy", "prawns")),
        (["I'm allergic to prawns"], "what do you think I should cook? I can't have dairy", ("dairy", "prawns")),
        (["나 조개 알레르기 있어"], "저녁 뭐 먹을까? 나 땅콩 못 먹어", ("땅콩", "조개")),
    ],
)
def test_what_one_cannot_eat_counts_from_the_message_that_tells_it(
    tmp_path: Path, told: list[str], asked: str, kept: tuple[str, ...]
) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert all(word in replies[-1] for word in kept), replies[-1]


@pytest.mark.parametrize(
    ("told", "asked", "day"),
    [
        ("I've got the dentist on Monday at 9", "what's on for tomorrow?", "tomorrow"),
        ("월요일 9시에 치과 예약 있어", "내일 뭐 있어?", "내일"),
    ],
)
def test_a_day_of_which_nothing_is_known_is_named(tmp_path: Path, told: str, asked: str, day: str) -> None:
    replies, _ = talked(tmp_path, told, asked)
    assert day in replies[-1], replies[-1]


def test_one_new_tool_replaces_no_others(tmp_path: Path) -> None:
    _, held = talked(
        tmp_path,
        "I'm building a shop in Flask, Redis 6, deployed on Fly",
        "we're targeting python 3.13 and use mypy",
        "we upgraded to Redis 7 yesterday",
    )
    told = " ".join(line for line in held if "used to" not in line)
    assert all(tool in told for tool in ("Flask", "Fly", "3.13", "Redis 7")) and "Redis 6" not in told, held


def test_of_two_told_together_the_named_one_is_put_off(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "term ends on the 27th, the show is on the 30th at 11",
        "the show got pushed to the 2nd of december",
        "when is the show?",
        "when does term end?",
    )
    assert "2nd of December" in replies[2] or "2 December" in replies[2]
    assert "2 December" not in replies[3] and "2nd" not in replies[3]


@pytest.mark.parametrize(
    ("told", "moved", "asked", "hour"),
    [
        ("I've got band practice on Wednesday evening", "it's at 8 now actually", "when is band practice?", "8 pm"),
        ("수요일 저녁엔 밴드 연습 있어", "밴드 연습 8시로 바뀌었대", "밴드 연습 언제야?", "오후 8시"),
    ],
)
def test_an_hour_of_an_evening_stays_in_the_evening(
    tmp_path: Path, told: str, moved: str, asked: str, hour: str
) -> None:
    replies, _ = talked(tmp_path, told, moved, asked)
    assert hour in replies[-1], replies


def test_the_time_of_one_of_two_is_told_as_it_stands(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "I've got the optician on Monday at 9 and band practice on Wednesday at 7",
        "band practice is at 8 now",
        "what time is band practice?",
    )
    assert "8" in replies[-1] and "7" not in replies[-1], replies


def test_it_is_what_was_asked_for_last_whatever_else_is_said(tmp_path: Path) -> None:
    replies, held = talked(
        tmp_path,
        "I've got the consultant on the 4th at 2:30",
        "we're off to Malta on the 20th",
        "when's the consultant?",
        "they rang, it's the 11th instead",
        "when's the consultant?",
    )
    assert "11" in replies[-1] and "2:30 pm" in replies[-1], replies
    assert any("Malta" in line and "20" in line for line in held), held


def test_two_plans_in_one_breath_are_two_memories(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "I've got the dentist on Monday at 9 and choir on Wednesday at 7", "oh choir moved to Thursday")
    assert len(held) == 2 and not any("Wednesday" in line for line in held), held
