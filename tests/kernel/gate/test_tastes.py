"""What the user avoids is not spoken of as what they love."""

from __future__ import annotations

import pytest

from clew.kernel.gate.plainly import MEMORY, plainly_wrong
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()


def held(language: str, user: str, draft: str, *known: str) -> bool:
    frame = Frame(user_text=user, language=language, known=known)
    return MEMORY in plainly_wrong(passage(draft, POLICY), frame, POLICY)


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "what can I bring to the picnic", "Bring your favourite, prawn rolls!", "The user is allergic to prawns."),
        ("en", "I'm bored at the weekend", "Why don't you make that liver pate you love?", "I can't stand liver"),
        ("ko", "간식 추천해 줘", "네가 좋아하는 땅콩강정 어때?", "사용자는 땅콩 알레르기가 있다."),
        ("ko", "점심 뭐 먹지", "제일 좋아하는 오이냉국 먹자!", "오이를 못 먹는다"),
    ],
)
def test_what_is_avoided_is_no_favourite(language: str, user: str, draft: str, known: str) -> None:
    assert held(language, user, draft, known)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "what can I bring to the picnic", "Bring your favourite cheese rolls!", "The user loves cheese."),
        ("en", "my favourite thing is prawns now", "Then bring your favourite prawns.", "The user hated and hates prawns."),
        ("en", "what can I bring", "No prawns, and something sweet you love.", "The user is allergic to prawns."),
        ("en", "what can I bring", "Your favourite carrots?", "The user's son Max hates carrots."),
        ("ko", "간식 추천해 줘", "땅콩 말고 네가 좋아하는 귤 어때?", "사용자는 땅콩 알레르기가 있다."),
        ("ko", "동생 간식", "동생이 좋아하는 땅콩강정 사 갈까?", "사용자는 땅콩 알레르기가 있다."),
    ],
)
def test_what_is_liked_or_left_out_may_be_named(language: str, user: str, draft: str, known: str) -> None:
    assert not held(language, user, draft, known)
