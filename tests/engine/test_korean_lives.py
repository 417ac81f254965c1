"""Korean lives told in passing, and asked for later: through the whole turn, with the built-in writer and encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("첫째는 여섯 살 하린이, 둘째는 이제 돌 지난 하준이요", "둘째 이름이요"), "둘째 이름은 하준"),
        (("여자친구가 있는데 이름은 채원입니다", "채원이는 수원에서 간호사로 일합니다", "여자친구 직업"), "간호사"),
        (("남편은 택시 몰고 저는 육아휴직 중이에요", "남편은 많이 아쉬워했어요", "우리 남편 무슨 일 하는지 기억나요?"), "택시"),
        (("딸 이름은 소율이고 중1이야", "걔 요즘 아이브 좋아하더라", "소율이 뭐 좋아한다고 했지"), "아이브"),
        (("토끼 키워요 이름은 당근이에요", "친구 수빈이는 공무원이에요", "제가 키우는 동물 뭐예요?"), "당근"),
        (("저번주에 발목 삐끗해가 쉬고있다", "나 다친데 어디게"), "발목"),
        (("남친은 태현인데 소방관이야", "태현이랑 헤어졌어", "나 남친 있어?"), "헤어졌어"),
    ],
)
def test_what_was_told_in_passing_is_told_when_it_is_asked_for(
    tmp_path: Path, lines: tuple[str, ...], told: str
) -> None:
    assert told in talked(tmp_path, *lines)[0][-1]


def test_what_was_forgotten_is_not_answered_with_something_else(tmp_path: Path) -> None:
    lines = ("사실 도박도 좀 했었어", "오토바이 타다가 작년에 크게 다쳤어", "도박한 거 잊어줘", "내가 도박했다고 말한 적 있어?")
    reply = talked(tmp_path, *lines)[0][-1]
    assert "오토바이" not in reply and "도박도" not in reply


def test_who_asks_the_friend_is_not_told_of_themself(tmp_path: Path) -> None:
    reply = talked(tmp_path, "요즘 하모니카를 배우고 있습니다", "선생은 취미가 뭡니까?")[0][-1]
    assert "하모니카" not in reply


def test_a_name_put_right_takes_the_place_of_the_wrong_one(tmp_path: Path) -> None:
    lines = ("여자친구 이름은 채원입니다", "사실 채원이가 아니라 채윤입니다. 잘못 썼습니다")
    held = talked(tmp_path, *lines)[1]
    assert any("채윤" in line for line in held) and not any("채원" in line for line in held)


def test_who_cats_are_is_no_third_name(tmp_path: Path) -> None:
    held = talked(tmp_path, "고양이 두마리 키워 모찌랑 두부", "모찌는 치즈냥이고 두부는 삼색이야")[1]
    assert sorted(line for line in held if "이름은" in line) == ["고양이 이름은 두부야", "고양이 이름은 모찌야"]


def test_a_quarrel_is_no_parting(tmp_path: Path) -> None:
    held = talked(tmp_path, "여친 이름은 하은이야", "하은이랑 싸웠어...")[1]
    assert "여친 이름은 하은이야" in held


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("곰이가 새끼를 네 마리 낳았어요",), ("그만해", "어려워", "다른 얘기")),
        (("아버지는 사과농사 지으시고 어머니는 도와주세요",), ("모델",)),
        (("나 우는중",), ("듣는 거 좋다",)),
    ],
)
def test_a_plain_telling_is_not_refused(tmp_path: Path, lines: tuple[str, ...], never: tuple[str, ...]) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert not [word for word in never if word in reply]
