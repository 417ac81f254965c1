"""The user's past in a draft: what of it has to be held, and by what (ruling S9)."""

from __future__ import annotations

import pytest

from clew.kernel.gate.coverage import uncovered, unheld
from clew.kernel.gate.plainly import held_by
from clew.model.plan import Frame
from clew.model.turn import Pipeline
from clew.policy import default

POLICY = default()


def frame(language: str, user: str, *known: str) -> Frame:
    return Frame(pipeline=Pipeline.FRIEND_CHAT, user_text=user, known=known, language=language)


def open_past(language: str, user: str, draft: str, *known: str) -> bool:
    asked = frame(language, user, *known)
    return uncovered(draft, held_by(asked, POLICY), asked, POLICY)


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "they let me go by email", "After nine years of loyalty.", "The user works at a mill for nine years"),
        ("en", "back at uni", "Brave, after you left nursing school for the kids.", "left nursing school for her kids"),
        ("en", "the old boat sank", "You bought it in Brighton.", "The user bought a boat in Brighton"),
        ("ko", "여자친구랑 끝났어", "3년이나 만났는데 마음이 아프겠다.", "여자친구와 3년 만났다"),
        ("ko", "드디어 됐다", "이직한 지 한 달밖에 안 됐는데 대단하다.", "사용자는 지난달에 이직했다"),
    ],
)
def test_a_past_that_nobody_told_is_open_and_one_that_is_known_is_covered(
    language: str, user: str, draft: str, known: str
) -> None:
    assert open_past(language, user, draft)
    assert not open_past(language, user, draft, known)


def test_a_figure_may_be_worked_out() -> None:
    assert not open_past("en", "passed it", "After five years of it!", "two years of school, three years of work")
    assert open_past("en", "passed it", "After five years of it!", "two years of school")


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "i told them no", "You did the brave bit."),
        ("en", "i feel low", "Could you rest after you read this?"),
        ("en", "tell me a story about a knight", "After seven years you rode home."),
        ("ko", "좋은 말 해 줘", "천천히 해도 돼."),
    ],
)
def test_what_restates_asks_or_tells_a_tale_claims_nothing(language: str, user: str, draft: str) -> None:
    assert not open_past(language, user, draft)


def test_a_word_is_held_in_any_form_of_it() -> None:
    asked = frame("ko", "나에 대해 뭐 알아?", "나 빵집에서 일해")
    assert unheld("빵집에서 일한다고", held_by(asked, POLICY), asked, POLICY) == 0
    assert unheld("병원에서 일한다고", held_by(asked, POLICY), asked, POLICY) == 1
