"""What keeps two sentences two memories, by what each of them says (general ruling 3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.compare.likeness import memory_veto
from clew.kernel.compare.opposites import clash, exchanged, left_over
from clew.kernel.compare.wording import letters
from clew.kernel.language.figures import in_figures, spans
from clew.kernel.language.ko.stems import bare_noun
from clew.kernel.read.comparable import saying
from clew.policy import default

POLICY = default()
MIXED = st.text(alphabet="나는안못두세 커피차를이가좋싫아해 my not two cats", max_size=30)

APART = [
    ("난 안경을 써", "난 안경을 안 써", "polarity"),
    ("비가 안 오면 갈게", "비가 오면 갈게", "polarity"),
    ("나 수영할 줄 알아", "나 수영할 줄 몰라", "antonym"),
    ("수학이 쉬워", "수학이 어려워", "antonym"),
    ("혼자 밥 먹는 게 편해", "혼자 밥 먹는 게 불편해", "antonym"),
    ("I am happy with it", "I am unhappy with it", "antonym"),
    ("the visa was approved", "the visa was denied", "antonym"),
    ("커피를 두 잔 마셔", "커피를 다섯 잔 마셔", "entity"),
    ("우리 아기 6개월 됐어", "우리 아기 6주 됐어", "entity"),
    ("our baby is 6 months old", "our baby is 6 weeks old", "entity"),
    ("이틀 전에 만났어", "2년 전에 만났어", "entity"),
    ("저번 달에 이사했어", "다음 달에 이사했어", "entity"),
    ("내가 동생을 도와줬어", "동생이 나를 도와줬어", "entity"),
    ("서울에서 부산으로 이사했어", "부산에서 서울로 이사했어", "entity"),
    ("그는 뉴욕에서 태어나 보스턴에서 죽었다", "그는 보스턴에서 태어나 뉴욕에서 죽었다", "entity"),
    ("My roommate cooks for me", "I cook for my roommate", "entity"),
    ("I left her", "She left me", "entity"),
    ("My girlfriend is vegan", "I'm vegan", "entity"),
    ("Her dad is a pilot", "My dad is a pilot", "entity"),
    ("친구 아버지가 기장이야", "우리 아버지가 기장이야", "entity"),
    ("I'm free next week", "I'm free this week", "entity"),
]
TOGETHER = [
    ("학교 가고 싶지 않아", "학교 가기 싫다"),
    ("금연이 쉽지 않아", "금연이 어려워"),
    ("I can't stand crowds", "I hate crowds"),
    ("I failed my driving test", "I didn't pass my driving test"),
    ("잊지 말고 우산 챙겨", "우산 꼭 챙겨"),
    ("비 올 때 과속하지 맙시다", "비 올 때 과속하면 안됩니다"),
    ("연봉은 39만 5천 달러야", "연봉은 395,000달러야"),
    ("차를 커피보다 좋아해", "커피보다 차를 더 좋아해"),
    ("I was told by my doctor to rest", "My doctor told me to rest"),
    ("The dark scares me", "I'm scared of the dark"),
    ("I like hiking in the mountains", "Mountain hiking is something I like"),
    ("어머니가 편찮으셔", "엄마가 편찮으셔"),
    ("My birthday is June 12", "My birthday is June 12th"),
]


@pytest.mark.rule("general 3")
@pytest.mark.parametrize(("a", "b", "guard"), APART)
def test_what_contradicts_is_named_both_ways(a: str, b: str, guard: str) -> None:
    assert clash(a, b, POLICY) == clash(b, a, POLICY) == guard


@pytest.mark.parametrize(("a", "b"), TOGETHER)
def test_another_wording_contradicts_nothing(a: str, b: str) -> None:
    assert clash(a, b, POLICY) is None
    assert clash(b, a, POLICY) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("나는 땅콩 알레르기가 있어", "나는 새우 알레르기가 있어"),
        ("난 아이폰을 써", "난 갤럭시를 써"),
        ("고등학교 때 농구부였어", "고등학교 때 방송부였어"),
        ("I usually take the bus to work", "I usually take the train to work"),
    ],
)
def test_one_word_for_another_in_its_place_is_another_thing(a: str, b: str) -> None:
    assert exchanged(saying(a, POLICY), saying(b, POLICY))
    assert memory_veto(a, b, POLICY) == "entity"


def test_another_end_is_another_thing() -> None:
    assert (
        memory_veto("My favourite drink is lemonade", "My favourite drink is hot chocolate", POLICY)
        == "entity"
    )


@pytest.mark.parametrize(
    ("said", "figures"),
    [
        ("커피 두 잔", "커피 2잔"),
        ("스물아홉 살", "29살"),
        ("39만 5천 달러", "395000 달러"),
        ("이틀 전에", "2일 전에"),
        ("저번 달에", "지난달에"),
        ("한국 사람", "한국 사람"),
        ("two cups", "two cups"),
    ],
)
def test_numbers_and_times_are_written_one_way(said: str, figures: str) -> None:
    assert in_figures(said, POLICY) == figures


def test_a_span_is_a_number_of_units() -> None:
    assert spans("6개월 6주 6 weeks 300달러", POLICY) == {("month", "6"), ("week", "6")}


def test_forms_of_one_verb_are_alike_and_others_are_not() -> None:
    assert letters("봐").startswith(letters("보"))
    assert left_over(saying("노래를 불러", POLICY), saying("노래를 부르고", POLICY)) == ((), ())
    mine, yours = left_over(saying("여자가 일하는 중", POLICY), saying("여자가 쉬는 중", POLICY))
    assert [w.bare for w in (*mine, *yours)] == ["일", "쉬"]


def test_the_particle_ro_follows_l_as_it_follows_a_vowel() -> None:
    assert bare_noun("서울로", POLICY) == "서울"
    assert bare_noun("부산으로", POLICY) == "부산"
    assert bare_noun("경로", POLICY) == "경로"


@given(st.text(max_size=60))
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert memory_veto(text, text, POLICY) is None


@given(MIXED, MIXED)
def test_a_contradiction_is_one_from_both_sides(a: str, b: str) -> None:
    assert memory_veto(a, b, POLICY) == memory_veto(b, a, POLICY)
