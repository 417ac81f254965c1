"""Korean questions inside other questions, and answers that nothing else displaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["출근은 따릉이 타고 해"], "나 뭐 타고 출근하는지 기억해?", "따릉이"),
        (["무릎 연골이 닳아서 물리치료 받아요"], "제가 어디 아픈지 아세요?", "무릎"),
        (["층간소음 때문에 이사했어"], "내가 왜 이사했는지 말했었나?", "층간소음"),
        (["조카가 이번에 셋째로 태어났어"], "우리 조카 몇째인지 알아?", "셋째"),
    ],
)
def test_a_question_inside_another_is_for_one_thing(
    tmp_path: Path, told: list[str], asked: str, answer: str
) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1] and "거의 몰라" not in replies[-1], replies[-1]


def test_what_is_known_of_oneself_is_still_everything(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "나 대구 살아", "우리 아빠는 용접공이야", "나에 대해 뭐 아는지 말해봐")
    assert "대구" in replies[-1] and "용접" in replies[-1], replies[-1]


@pytest.mark.parametrize("said", ["우리 반장 이름은 오세준", "오늘 점심은 순두부", "완전 피곤한 월요일", "내일 체육 대회 연습"])
def test_words_that_tell_are_no_question(tmp_path: Path, said: str) -> None:
    replies, _ = talked(tmp_path, "우리 반 담임은 체육 선생님이야", said)
    assert "“" not in replies[-1] and "못 들" not in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["정수기 필터값이 6개월에 4만5천원이야", "불법주차 과태료 8만원 나왔어"], "필터 얼마지?", "4만5천"),
        (["동생은 호텔조리과 2학년이라 이번에 실습 나가", "실습은 5월 한달간 하고 호텔은 집근처래"], "동생 무슨 과지?", "호텔조리"),
        (["나 토익 690이야", "오늘 성적 나왔는데 810으로 올랐어!!"], "나 토익 몇 점이지?", "810"),
        (["다음주에 북토크 가 27일 저녁 8시", "요즘 책을 많이 읽네"], "북토크 며칠 몇 시지?", "8시"),
    ],
)
def test_other_news_takes_no_answers_place(
    tmp_path: Path, told: list[str], asked: str, answer: str
) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("요거트 먹으면 배 아파서 못 먹어", "너는 요거트를 못 먹어"),
        ("학교 앞에서 자취해", "자취해"),
        ("언니가 나보고 너무 예민하대", ""),
        ("엄마가 목디스크라 내가 설거지 다 해", "엄마는 목디스크가 있어"),
    ],
)
def test_it_is_told_in_korean(tmp_path: Path, told: str, line: str) -> None:
    _, held = talked(tmp_path, "안녕", told)
    assert any(line in h for h in held) if line else not any("예민" in h for h in held), held
    assert not any("자취에 살아" in h for h in held), held


def test_a_reply_names_the_right_one_of_two(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "안녕", "첫째는 수능 끝났고 막내는 이제 아홉 살이야")
    assert "첫째는" not in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("first", "then", "asked", "told"),
    [
        ("사귄 지 4년 됐는데 싸운 적 없음", "원래 삼성 다녔는데 재작년에 공기업으로 옮겼음", "나 여친이랑 얼마나 됐지?", "4년"),
        ("여자친구랑 2년째 만나는 중이야", "어제 여친이랑 끝냈어", "나 여자친구 있어?", "끝냈"),
        ("취미는 도예야", "요새 가죽공예에도 재미 붙였어", "내 취미 뭐뭐지?", "가죽공예"),
        ("영어 좀 해", "요즘 독일어도 배우는 중", "나 무슨 외국어 해?", "독일어"),
    ],
)
def test_a_change_reaches_what_it_means(tmp_path: Path, first: str, then: str, asked: str, told: str) -> None:
    replies, held = talked(tmp_path, first, then, asked)
    assert told in replies[-1] and "고쳐" not in replies[1] and "바로잡" not in replies[1], replies
    assert not any("에도" in line and "“" not in line for line in held), held


def test_how_long_it_lasts_is_no_age(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "안녕", "국비 학원 6개월짜리 듣고 있어")
    assert not any("너는 6개월" in line for line in held), held


@pytest.mark.parametrize(
    ("told", "false"),
    [
        ("저 견과류 먹으면 입안이 가려워서 안 먹어요", "가려워서 안"),
        ("사촌이랑 셋이 자취해 방 세개짜리", "방 세개에 사"),
    ],
)
def test_what_stands_beside_a_fact_is_none(tmp_path: Path, told: str, false: str) -> None:
    _, held = talked(tmp_path, "안녕", told)
    assert held and not any(false in line for line in held), held


def test_whoever_one_lives_with_is_answered(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "장모님이랑 같이 살아요", "저 장모님이랑 한집에 사나요?")
    assert "몰라" not in replies[-1] and "장모님" in replies[-1], replies[-1]


def test_whether_it_is_known_asks_what_it_is(tmp_path: Path) -> None:
    replies, held = talked(tmp_path, "우리 고양이 이름은 만두야", "울 고양이 이름 알지")
    assert "만두" in replies[-1] and not any("알지" in line for line in held), (replies, held)


def test_a_rank_among_children_is_no_name(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "첫째 서우는 고1이고 막내 시우는 유치원 다녀요", "막내 이름이 뭐라고 했죠?")
    assert "시우" in replies[-1], replies[-1]
