"""What Korean lives are told back as, by person, in one speech level and nothing twice; through the whole turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("told", "asked", "reply"),
    [
        (
            ("우리 아들 지안이는 일곱살이고 6월 3일생이야", "나 수원 살아"), "나에 대해 뭐 알아?",
            "수원에 살아.\n아들 지안은 일곱 살이고 생일은 6월 3일이야.",
        ),
        (
            ("우리 어머니는 대구에 사세요", "어머니는 당뇨가 있으세요"), "어머니에 대해 뭐 알고 계세요?",
            "어머니는 대구에 사시고 당뇨가 있으세요.",
        ),
        (("남편 우진이는 치과의사야", "우진이는 의사고 나는 교사야"), "내 직업이 뭐지?", "교사"),
    ],
)  # fmt: skip
def test_a_life_is_told_by_person(tmp_path: Path, told: tuple[str, ...], asked: str, reply: str) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert reply in replies[-1], replies[-1]


def test_what_else_goes_on_until_all_is_told(tmp_path: Path) -> None:
    lives = [
        "나 윤재고 서른이야", "춘천 살아", "새우 알레르기 있어", "우리 누나는 간호사야", "누나는 강릉 살아",
        "내 동생 이름은 시온이야", "시온이는 고3이야", "엄마는 요가 강사야", "아빠는 택시 운전해", "친구 하람이는 소방관이야",
    ]  # fmt: skip
    replies, _ = talked(tmp_path, *lives, "나에 대해 뭐 알아?", "또?")
    first, second = replies[-2:]
    assert "춘천" in first and "춘천" not in second
    assert "소방관" in f"{first}{second}" and "누나" in f"{first}{second}"


@pytest.mark.parametrize(
    ("told", "false"),
    [
        ("나 학교 앞에서 자취해", "학교 앞에 다녀"),
        ("고모부가 지난달에 심근경색으로 쓰러지셨어", "돌아가셨"),
        ("다음주에 시온이 학예회래", "다음주는"),
        ("나 호두 알레르기 있어서 빵집에서도 호두는 안 먹어", "알레르기가 없"),
        ("반가워요. 저는 마흔여섯이고 양산에서 미용실 해요", "반가워"),
    ],
)
def test_nothing_false_is_told(tmp_path: Path, told: str, false: str) -> None:
    _, held = talked(tmp_path, "안녕하세요", told)
    assert not any(false in line for line in held), held
