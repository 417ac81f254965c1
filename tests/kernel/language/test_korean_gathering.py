"""What is known of one person in a Korean sentence or two: said of them once, joined, in one speech level."""

from __future__ import annotations

import pytest

from clew.kernel.language.ko.gathering import gathered, goes_on
from clew.kernel.language.ko.speech import plainly, politely
from clew.kernel.language.told import Told


def told(*facts: tuple[str, str, str]) -> list[Told]:
    return [Told(*fact) for fact in facts]


ME = told(
    ("네 이름은 유진이야", "name", "identity"),
    ("너는 서른네 살이야", "age", "identity"),
    ("너는 군산에 살아", "city", "home"),
    ("너는 메밀 알레르기가 있어", "allergy", "health"),
    ("너는 칼국수를 좋아해", "like", "tastes"),
    ("너는 만두를 좋아해", "like", "tastes"),
    ("너는 가지를 싫어해", "dislike", "tastes"),
    ("너는 “작년에 귀촌했어”라고 했어", "event", "events"),
)


@pytest.mark.parametrize(
    ("polite", "said"),
    [
        (
            False,
            ("네 이름은 유진이고 서른네 살이야", "군산에 살아", "메밀 알레르기가 있어",
             "칼국수, 만두를 좋아하고 가지를 싫어해", "“작년에 귀촌했어”라고 했어"),
        ),
        (
            True,
            ("이름은 유진이고 서른네 살이에요", "군산에 사세요", "메밀 알레르기가 있으세요",
             "칼국수, 만두를 좋아하시고 가지를 싫어하세요", "“작년에 귀촌했어”라고 하셨어요"),
        ),
    ],
)  # fmt: skip
def test_what_belongs_together_is_one_sentence_in_the_speech_of_the_writer(polite: bool, said: tuple[str, ...]) -> None:
    assert gathered(ME, polite=polite) == said


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            told(("아들 이름은 재윤이야", "name", "identity"), ("아들 재윤은 일곱 살이야", "age", "identity"),
                 ("아들 재윤 생일은 5월 2일이야", "birthday", "identity")),
            ("아들 재윤은 일곱 살이고 생일은 5월 2일이야",),
        ),
        (
            told(("둘째 이름은 나은이야", "name", "identity"), ("아이 나은은 초2야", "grade", "study")),
            ("둘째 나은은 초2야",),
        ),
        (
            told(("할머니는 여수에 살아", "city", "home"), ("할머니 생일은 1월 7일이야", "birthday", "identity")),
            ("할머니는 여수에 사시고 생신은 1월 7일이야",),
        ),
        (
            told(("조카 이름은 하람이야", "name", "identity"), ("조카 하람은 네 살이야", "age", "identity"),
                 ("하람은 12월 5일에 피아노 일정이 있어", "plan", "plans")),
            ("조카 하람은 네 살이야", "12월 5일에 피아노 일정이 있어"),
        ),
        (told(("강아지 이름은 보리야", "name", "identity")), ("강아지 이름은 보리야",)),
        (
            told(("고양이 이름은 밤이야", "name", "identity"), ("고양이 이름은 토리야", "name", "identity")),
            ("고양이 이름은 밤, 토리야",),
        ),
        (
            told(("너는 형이 있어", "exists", "identity"), ("형은 소방관이야", "job", "work")),
            ("형은 소방관이야",),
        ),
        (told(("너는 형이 있어", "exists", "identity")), ("형이 있어",)),
    ],
)  # fmt: skip
def test_whoever_is_told_of_is_named_once(facts: list[Told], said: tuple[str, ...]) -> None:
    assert gathered(facts, polite=False) == said


def test_what_was_stands_behind_what_is() -> None:
    facts = [
        Told("이모는 약국에서 일해", "employer", "work"),
        Told("이모는 전에 울산에 살았어", "city", "home", over=True),
    ]
    assert gathered(facts, polite=False) == ("이모는 약국에서 일해", "전에 울산에 살았어")


@pytest.mark.parametrize(
    ("clause", "joined"),
    [
        ("여수에 살아", "여수에 살고"), ("여수에 사셔", "여수에 사시고"), ("여수에 사세요", "여수에 사시고"),
        ("간호사야", "간호사고"), ("요리사예요", "요리사고"), ("공무원이에요", "공무원이고"), ("선생님이셔", "선생님이시고"),
        ("가지를 안 먹어", "가지를 안 먹고"), ("맥북을 써", "맥북을 쓰고"), ("동생이 없어", "동생이 없고"),
        ("피아노를 쳤어", "피아노를 쳤고"), ("고생하고 계세요", "고생하고 계시고"), ("허리가 안 좋아", "허리가 안 좋고"),
        ("학원에 다녀", "학원에 다니고"), ("가수가 아니야", "가수가 아니고"),
        ("“그만뒀어”라고 했대”", None), ("메모: 4417", None),
    ],
)  # fmt: skip
def test_a_clause_goes_on_by_its_own_ending(clause: str, joined: str | None) -> None:
    assert goes_on(clause) == joined


@pytest.mark.parametrize(
    ("sentence", "plain", "polite"),
    [
        ("너는 두통 때문에 고생하고 있어", "두통 때문에 고생하고 있어", "두통 때문에 고생하고 계세요"),
        ("할아버지는 통풍 때문에 고생하고 있어", "할아버지는 통풍 때문에 고생하고 계셔", "할아버지는 통풍 때문에 고생하고 계세요"),
        ("시어머니 생일은 3월 8일이야", "시어머니 생신은 3월 8일이야", "시어머니 생신은 3월 8일이에요"),
        ("동생 생일은 3월 8일이야", "동생 생일은 3월 8일이야", "동생 생일은 3월 8일이에요"),
    ],
)
def test_elders_are_told_of_with_respect(sentence: str, plain: str, polite: str) -> None:
    assert (plainly(sentence), politely(sentence)) == (plain, polite)
