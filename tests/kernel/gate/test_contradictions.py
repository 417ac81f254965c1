"""A draft that gives another day, date, hour, number, side or job than the memory it speaks of."""

from __future__ import annotations

import pytest

from clew.kernel.gate.check import check, settle
from clew.kernel.gate.contradictions import contradicted
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()


def against(language: str, known: tuple[str, ...], user: str, draft: str, **more: object) -> str:
    frame = Frame(user_text=user, language=language, known=known, **more)  # type: ignore[arg-type]
    return contradicted(draft, frame, POLICY)


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("language", "known", "user", "draft"),
    [
        ("en", "I have pottery on Tuesdays", "pottery was fun", "Pottery Fridays suit you."),
        ("en", "My driving test is on 3 March", "the driving test scares me", "You have until 9 March."),
        ("en", "I take the train at 7:10", "the train was late again", "The 8:40 train is always late."),
        ("en", "I keep four hens", "the hens got out", "Six hens on the loose!"),
        ("en", "My cat Moss is grey", "Moss is asleep on the oven", "That black cat knows how to live."),
        ("en", "My uncle Pete is a plumber", "Pete came by", "Uncle Pete the dentist, what a visit."),
        ("ko", "도예 수업은 화요일", "도예 재밌었어", "금요일 도예 시간이 제일 잘 맞나 보다."),
        ("ko", "운전면허 시험은 3월 3일", "면허 시험 무서워", "3월 9일까지 시간 있어."),
        ("ko", "닭을 네 마리 키운다", "닭이 다 탈출했어", "여섯 마리가 다 나간 거야?"),
        ("ko", "왼쪽 어깨가 아프다", "어깨가 또 쑤셔", "오른쪽 어깨가 말썽이네."),
        ("ko", "딸 소율이는 다섯 살", "소율이가 이 닦기 싫대", "일곱 살 소율이답다."),
        ("ko", "아들이 둘이다", "애들이 시끄러워", "아들 셋이 떠드니 그럴 만하지."),
        ("ko", "고모가 미용실을 한다", "고모가 머리 잘라 줬어", "이모가 솜씨가 좋으시네."),
    ],
)
def test_another_figure_for_the_same_thing_contradicts_the_memory(
    language: str, known: str, user: str, draft: str
) -> None:
    assert against(language, (known,), user, draft) == known


@pytest.mark.parametrize(
    ("language", "known", "user", "draft"),
    [
        ("en", "I have pottery on Tuesdays", "pottery was fun", "Tuesdays suit you."),
        ("en", "I have pottery on Tuesdays", "pottery moves to Friday", "Friday pottery, then."),
        ("en", "I keep four hens", "two hens died", "So two are left, of all four."),
        ("en", "I keep four hens", "one hen died", "Three hens is a quiet yard."),
        ("en", "I take the train at 7:10", "the train was late", "At seven nobody is awake anyway."),
        ("en", "I earn 2000 a month, rent is 700", "what is left if I pay 300 more?", "That leaves 1000 a month."),
        ("en", "I have had this job for 3 years", "how do habits stick?", "Give it 6 weeks."),
        ("en", "My sister is a nurse", "my throat hurts", "A pharmacist may help you on the spot."),
        ("ko", "도예 수업은 화요일", "도예 재밌었어", "화요일이 기다려지겠다."),
        ("ko", "닭을 네 마리 키운다", "한 마리가 죽었어", "세 마리가 남았구나."),
        ("ko", "시험은 8월 30일", "시험까지 손에 안 잡혀", "오늘 하루만 보내자."),
        ("ko", "아이가 둘", "애들이 싸워", "이번 주는 정말 길었겠다."),
    ],
)
def test_what_is_held_told_now_or_worked_out_contradicts_nothing(
    language: str, known: str, user: str, draft: str
) -> None:
    assert not against(language, (known,), user, draft)


def test_the_work_of_one_is_not_that_of_another() -> None:
    known = ("My sister Mira is a doctor", "My brother Luc is a driver")
    assert against("en", known, "operation tomorrow", "Could Luc explain it, as a doctor?") == known[1]
    assert against("en", known, "operation tomorrow", "Could Mira explain it, as a doctor?") == ""


def test_a_day_that_is_known_of_something_may_be_said() -> None:
    known = ("My exam is on Thursday", "I have pottery on Tuesdays")
    assert against("en", known, "pottery tonight", "Then Thursday is free for it.") == ""


def test_without_a_word_in_common_a_length_of_time_is_of_anything() -> None:
    assert against("en", ("I have been sober for 8 months",), "my hair is too short", "Hair takes 3 months.") == ""


def test_a_tale_and_a_reviewed_sentence_are_not_asked() -> None:
    known = ("I keep four hens",)
    assert against("en", known, "tell me a story about hens", "Six hens set out one day.") == ""
    assert against("en", known, "the hens got out", "Six hens on the loose!", reviewed=True) == ""


def test_the_reason_names_the_memory_and_the_sentence_goes() -> None:
    frame = Frame(user_text="the hens got out", language="en", known=("I keep four hens",), minima=False)
    draft = "Oh no. Six hens on the loose! Did you find them?"
    found = check(draft, frame, POLICY)
    assert [v.code for v in found.violations] == ["FALSE_MEMORY"]
    assert "I keep four hens" in found.reasons[0].detail
    assert "Six" not in settle(draft, frame, POLICY).text
