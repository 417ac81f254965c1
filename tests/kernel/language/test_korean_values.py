"""Where a Korean value ends, whom a sentence opens with, and how a sentence is put politely."""

import pytest

from clew.kernel.language.ko.speech import is_polite, plainly, politely
from clew.kernel.language.ko.values import bare_name, plan_core, topic, value_end, value_start
from clew.policy import default

policy = default()


@pytest.mark.parametrize(
    ("text", "cut", "whole"),
    [
        ("이름은 서아예요", "서아예", "서아"),
        ("남친 이름은 준호야", "준", "준호"),
        ("내 동생 이름은 수진이야", "수", "수진"),
        ("다음 주 수요일에 정기검진이에요", "정", "정기검진"),
        ("고양이 키워", "고양", "고양이"),
        ("나 왼손잡이야", "왼손잡", "왼손잡이"),
        ("차는 아반떼 타", "아반", "아반떼"),
        ("나는 올해 일흔둘이오", "일흔둘이오", "일흔둘"),
        ("키는 165예요", "165예", "165"),
        ("주말마다 등산을 갑니다", "등산을", "등산"),
        ("나 요가 해", "요가", "요가"),
        ("울 오빠 군대감ㅋㅋ", "군대", "군대"),
        ("할머니는 여든여덟이신데 정정하셔", "여든여덟", "여든여덟"),
        ("아빠는 트럭 운전하시고", "트럭 운전", "트럭 운전"),
        ("나 유진이라고해", "유진", "유진"),
        ("민재라는 녀석이 있어", "민재", "민재"),
        ("발표 자료 만들어야 해", "발표 자료 만들어", "발표 자료 만들어야"),
        ("두드러기가 나서", "두드러기가", "두드러기"),
        ("태권도 다니고", "태권도", "태권도"),
        ("강아지 키우고 싶은데 못 키움", "강아지 키우", "강아지 키우고 싶은데"),
        ("배달 뛰려고 샀다", "배달 뛰", "배달 뛰려고"),
        ("내년에 안식년 쓰려고요", "안식년 쓰려고요", "안식년 쓰려고"),
    ],
)
def test_a_value_is_whole_words_without_their_ending(text: str, cut: str, whole: str) -> None:
    start = text.index(cut)
    words = policy.checks.languages["ko"].endings
    assert text[start : value_end(text, start, start + len(cut), words)] == whole


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("소연이는 초밥 좋아해", "소연"),
        ("서아는 다섯 살이에요", "서아"),
        ("민준이 몇 살이에요?", "민준"),
        ("준호랑 헤어졌어", "준호랑"),
        ("응", None),
    ],
)
def test_the_name_a_sentence_opens_with(sentence: str, name: str | None) -> None:
    assert topic(sentence) == name


def test_a_name_is_kept_without_the_이_of_speech() -> None:
    assert [bare_name(n) for n in ("지훈이", "준호", "나이")] == ["지훈", "준호", "나이"]


@pytest.mark.parametrize(
    ("told", "core"),
    [
        ("다음주 월요일에 카카오 면접 있어", "카카오 면접"),
        ("다음 달에 제주도 여행 가", "제주도 여행"),
        ("내년 5월에 결혼해", "결혼"),
        ("치과", "치과"),
    ],
)
def test_a_plan_is_kept_without_its_time_and_verb(told: str, core: str) -> None:
    assert plan_core(told, policy.checks.languages["ko"].endings) == core


@pytest.mark.parametrize(
    ("plain", "polite"),
    [
        ("너는 세종에 살아", "세종에 사세요"),
        ("너는 전에 인천에 살았어", "전에 인천에 사셨어요"),
        ("너는 혈압약을 먹어", "혈압약을 드세요"),
        ("너는 술을 안 먹어", "술을 안 드세요"),
        ("네 이름은 린이야", "이름은 린이에요"),
        ("네 직업은 약사야", "직업은 약사예요"),
        ("와이프는 초등학교 교사야", "와이프는 초등학교 교사예요"),
        ("딸은 캐나다에 살아", "딸은 캐나다에 살아요"),
        ("너는 “아, 인천이 아니라 부천이에요”라고 했어", "“아, 인천이 아니라 부천이에요”라고 하셨어요"),
    ],
)
def test_what_the_user_does_is_told_with_시_and_what_others_do_without(plain: str, polite: str) -> None:
    assert politely(plain) == polite


def test_a_former_girlfriend_is_no_polite_word_for_me() -> None:
    assert is_polite("전 여친 이름은 하은이야") is False
    assert is_polite("전 학생이에요") is True


@pytest.mark.parametrize(
    ("said", "name"),
    [("예린이라는 앤데", "예린"), ("승호 회사원", "승호"), ("민수라는", "민수"), ("유라", "유라"), ("Anna Lee", "Anna Lee")],
)
def test_a_name_is_without_what_is_said_of_its_bearer(said: str, name: str) -> None:
    assert bare_name(said) == name


@pytest.mark.parametrize(
    ("told", "plain", "polite"),
    [
        ("엄마는 대구에 살아", "엄마는 대구에 사셔", "엄마는 대구에 사세요"),
        ("할아버지는 회를 안 먹어", "할아버지는 회를 안 드셔", "할아버지는 회를 안 드세요"),
        ("시어머니는 약사야", "시어머니는 약사셔", "시어머니는 약사세요"),
        ("엄마 생일은 3월 2일이야", "엄마 생일은 3월 2일이야", "엄마 생일은 3월 2일이에요"),
        ("누나는 약사야", "누나는 약사야", "누나는 약사예요"),
    ],
)
def test_elders_are_spoken_of_with_시(told: str, plain: str, polite: str) -> None:
    assert (plainly(told), politely(told)) == (plain, polite)


@pytest.mark.parametrize(
    ("value", "noun"),
    [
        ("이번에 원장", "원장"),
        ("드디어 간호사", "간호사"),
        ("작년에 소방관", "소방관"),
        ("열심히 공부해서 변호사", "열심히 공부해서 변호사"),
        ("공부해서 변호사", "변호사"),
        ("말 조련사", "말 조련사"),
        ("부산에 있는 대학교", "부산에 있는 대학교"),
        ("수학 학원 강사", "수학 학원 강사"),
        ("원장", "원장"),
    ],
)
def test_a_noun_begins_behind_what_says_when_and_how(value: str, noun: str) -> None:
    words = policy.checks.languages["ko"].endings
    adverbs = policy.remember.languages["ko"].adverbs
    assert value[value_start(value, 0, len(value), adverbs, words) :] == noun


@pytest.mark.parametrize(
    ("told", "plan"),
    [
        ("내일 운전면허 시험 봐 떨린다", "운전면허 시험"),
        ("토요일에 소개팅 해 설렌다", "소개팅"),
        ("일요일에 시댁 가요 벌써 피곤해요", "시댁"),
        ("친구 결혼식 사회 봐 주기로", "친구 결혼식 사회 봐 주기로"),
        ("엄마 병원 같이 가 드리기로", "엄마 병원 같이 가 드리기로"),
        ("다음달에 베를린 컨벤션 감 떨린다", "베를린 컨벤션"),
    ],
)
def test_a_plan_ends_where_another_breath_begins(told: str, plan: str) -> None:
    assert plan_core(told, policy.checks.languages["ko"].endings) == plan
