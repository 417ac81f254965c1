"""A past that nobody told is claimed by the time that it names."""

from __future__ import annotations

import pytest

from clew.kernel.gate.untold_past import untold_past
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()


def untold(language: str, user: str, draft: str, *known: str, **more: object) -> bool:
    frame = Frame(user_text=user, language=language, known=known, **more)  # type: ignore[arg-type]
    return untold_past(draft, frame, POLICY)


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "my shoulder is sore", "Same one that troubled you last month?", "I play darts"),
        ("en", "should I call him?", "You cried for days after the call last winter.", "I play darts"),
        ("ko", "어깨가 아파", "작년에 다친 데가 또 그러네.", "다트를 친다"),
        ("ko", "전화할까 말까", "저번 통화 뒤에 며칠을 울었지.", "다트를 친다"),
    ],
)
def test_a_time_behind_that_nothing_gives_is_no_memory(language: str, user: str, draft: str, known: str) -> None:
    assert untold(language, user, draft, known)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "my shoulder is sore", "The same as last month?", "I hurt my shoulder last month"),
        ("en", "my shoulder is sore since yesterday", "What happened yesterday?", "I play darts"),
        ("en", "I feel low", "When was the last time you slept well?", "I play darts"),
        ("en", "I feel low", "You could do what helped last winter.", "I play darts"),
        ("en", "I'm stressed", "Let's sort it into this week and later.", "I play darts"),
        ("en", "how was the darts?", "You won on the day that you had dreaded.", "My darts final is next week"),
        ("ko", "어깨가 아파", "작년처럼 아픈 거야?", "작년에 어깨를 다쳤다"),
        ("ko", "어제부터 어깨가 아파", "어제 무슨 일 있었어?", "다트를 친다"),
        ("ko", "우울해", "올해는 뭘 덜 하고 싶어?", "다트를 친다"),
    ],
)
def test_a_time_that_somebody_gave_or_that_is_asked_for_may_be_said(
    language: str, user: str, draft: str, known: str
) -> None:
    assert not untold(language, user, draft, known)


def test_the_past_of_another_thing_is_not_that_of_this() -> None:
    other = ("I started pottery last year", "I play darts")
    assert untold("en", "lost at darts", "Just like the darts final last month.", *other)
    assert not untold("en", "pottery is fun", "Pottery has come a long way since last year.", *other)


def test_tales_and_reviewed_sentences_are_not_asked() -> None:
    assert not untold("en", "tell me a story", "Last summer a fox moved in.")
    assert not untold("en", "my shoulder is sore", "Like last month?", reviewed=True)
