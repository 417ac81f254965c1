"""What may ask is known by what is held; what takes the place of an answer still answers; through the whole turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["내일 새벽 첫 비행기가 6시 20분이야", "짐은 아직 안 쌌어"], "첫 비행기 시간", "6시 20분"),
        (["넘어져서 왼쪽 새끼손가락 다쳤어", "의사가 3주 쉬래"], "다친 손가락", "새끼손가락"),
    ],
)
def test_a_part_of_a_question_is_answered(tmp_path: Path, told: list[str], asked: str, answer: str) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["수학학원 화목 다녀 7시"], "오늘도 야근"),
        (["요즘 커피 하루 세 잔 마셔"], "커피 한 잔"),
        (["이번 주말에 이사해"], "이삿짐 다 쌈"),
    ],
)
def test_what_only_tells_is_no_question(tmp_path: Path, told: list[str], said: str) -> None:
    replies, _ = talked(tmp_path, *told, said)
    assert "“" not in replies[-1] and "못 들" not in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["친구랑 둘이 자취해"], "나 누구랑 사는지 알아?", "친구랑"),
        (["딸이 올해 아홉 살이야"], "딸 나이 말했었나?", "아홉"),
    ],
)
def test_a_question_with_a_word_that_asks_is_no_matter_of_yes_or_no(
    tmp_path: Path, told: list[str], asked: str, answer: str
) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1], replies[-1]


def test_what_a_message_does_not_speak_of_stands(tmp_path: Path) -> None:
    _, held = talked(
        tmp_path,
        "주말마다 배드민턴 쳐",
        "이모가 하시는 가게는 떡볶이 한 접시에 4천원이야",
        "어제 배드민턴 치다가 발목 삐었어",
        "오늘 은행 갔더니 줄이 엄청 길더라",
    )
    assert any("배드민턴" in line and "전에" not in line for line in held), held


@pytest.mark.parametrize(
    ("told", "quit", "thing"),
    [
        ("동네 빵집에서 일해", "빵집 때려침 손님이 너무 많아", "빵집에서 일해"),
        ("우쿨렐레 레슨 받고 있어", "레슨은 관뒀어 손이 아파서", "레슨 받"),
    ],
)
def test_what_the_user_quit_is_over(tmp_path: Path, told: str, quit: str, thing: str) -> None:
    _, held = talked(tmp_path, told, quit)
    assert not any(thing in line for line in held), held


def test_what_somebody_else_quits_is_theirs(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "나 동네 빵집에서 일해", "같이 일하는 언니가 빵집 그만둔대")
    assert any("빵집에서 일" in line for line in held), held
