"""A Korean value as a noun, one noun in the place of another, and the language of what has none of its own."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.kernel.language.ko.nominal import noun_phrase
from clew.kernel.language.ko.particles import exchanged
from clew.kernel.language.packs import OTHER, language_of
from clew.kernel.recall.kinds_asked import loses_kind

POLICY = policies.default()


@pytest.mark.parametrize(
    ("value", "noun"),
    [
        ("순천에서", "순천"), ("출근이야", "출근"), ("소방관이에요", "소방관"), ("커피를", "커피"),
        ("제주 가기로", "제주 가기"),
        ("대학로", "대학로"), ("나고야", "나고야"), ("오보에", "오보에"), ("매운 거", "매운 거"), ("술을 끊은 사람", "술을 끊은 사람"),
        ("고양이 두 마리", "고양이 두 마리"), ("KTX", "KTX"),
        ("네팔어", "네팔어"), ("복숭아", "복숭아"), ("육아", "육아"), ("야간대", "야간대"), ("중고 의자", "중고 의자"),
    ],
)  # fmt: skip
def test_a_value_is_told_as_a_noun_without_what_hangs_on_to_it(value: str, noun: str) -> None:
    assert noun_phrase(value) == noun


@pytest.mark.parametrize(
    "value",
    ["아반떼 중고로 삼", "델 노트북 줬어", "초등학교 들어가", "군인들이 손님", "약사로", "과는", "동생이랑", "면접 있는데 떨려", ""],
)
def test_a_value_that_holds_a_verb_or_may_hold_a_particle_is_no_noun(value: str) -> None:
    assert noun_phrase(value) == ""


@pytest.mark.parametrize(
    "value",
    [
        "붕어빵 팔아", "왁킹 가르쳐", "할머니가 키워", "국수공장 받는댜", "경리봐줌", "운전연수 받는중", "밥 먹자", "공부하겠다",
        "같이 가준대", "다른 데로 간대", "딸 데려올라고", "곗날이 매달", "결과는 12월 중순", "화초키움", "애도있음",
    ],
)  # fmt: skip
def test_a_doing_and_a_subject_with_its_time_are_no_nouns(value: str) -> None:
    assert noun_phrase(value) == ""


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        ("아침마다 바닷가를 걸어", "바닷가", "솔밭", "아침마다 솔밭을 걸어"),
        ("부산으로 가", "부산", "제주도", "제주도로 가"),
        ("강남에서 일해", "강남", "역삼", "역삼에서 일해"),
        ("서울로 가", "부산", "대구", "서울로 가"),
    ],
)
def test_a_word_in_the_place_of_another_takes_the_particle_that_fits_it(
    text: str, old: str, new: str, said: str
) -> None:
    assert exchanged(text, old, new) == said


@pytest.mark.parametrize("text", ["https://example.org/a", "def f(x): return x+1", "👍", "ㅋㅋ"])
def test_what_tells_no_language_takes_that_of_the_talk(text: str) -> None:
    assert language_of(text, POLICY, "ko") == "ko"


@pytest.mark.parametrize("text", ["おはよう", "Привет", "สวัสดี"])
def test_letters_that_no_pack_writes_are_another_language_however_short(text: str) -> None:
    assert language_of(text, POLICY, "ko") == OTHER


def test_what_takes_the_place_of_an_answer_holds_the_reason_the_time_and_the_amount_asked_for() -> None:
    assert loses_kind("나 왜 닭 안 먹지", "종교 때문에 닭 안 먹어", "닭을 안 먹어", "ko", POLICY)
    assert loses_kind("텐트 얼마 줬죠", "텐트 샀어요. 60만 원", "텐트 샀어요", "ko", POLICY)
    assert loses_kind("방콕 누구랑 가지", "방콕 가 지현이랑", "방콕 일정이 있어", "ko", POLICY)
    assert not loses_kind("치과 언제지", "치과 화요일이야", "치과 목요일이야", "ko", POLICY)
    assert not loses_kind("나 닭 먹나", "종교 때문에 닭 안 먹어", "닭을 안 먹어", "ko", POLICY)
