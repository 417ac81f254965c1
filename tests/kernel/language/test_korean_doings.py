"""What shall be done, as a Korean noun."""

import pytest

from clew.kernel.language.ko.doings import doing


@pytest.mark.parametrize(
    ("clause", "noun"),
    [
        ("발표 자료 만들어야 해", "발표 자료 만들기"),
        ("발표 자료 만들어야", "발표 자료 만들기"),
        ("병원 가야 돼", "병원 가기"),
        ("집 알아봐야 함", "집 알아보기"),
        ("물 마셔야 해", "물 마시기"),
        ("하나 골라야 해", "하나 고르기"),
        ("서류 준비해야 돼", "서류 준비하기"),
        ("아이슬란드 여행 가려고", "아이슬란드 여행 가기"),
        ("포르투갈에 제일 가보고 싶어요", "포르투갈에 가보기"),
        ("복학할", "복학"),
        ("육아휴직은 3월부터 쓰려고", "육아휴직 쓰기"),
        ("수학여행 감 제주도로", "제주도 수학여행"),
    ],
)
def test_a_clause_of_what_shall_be_done_is_told_as_a_noun(clause: str, noun: str) -> None:
    assert doing(clause) == noun


@pytest.mark.parametrize("noun", ["치과 예약", "인공지능 분야", "프로게이머", "킬러", "한나랑 강릉"])
def test_a_noun_stays_as_it_is(noun: str) -> None:
    assert doing(noun) == noun
