"""Drafts that are no words to the user: markup, settings, another language, a telephone number of nobody's."""

from __future__ import annotations

import pytest

from clew.kernel.gate.forms import forms
from clew.kernel.gate.safety import leak, other_language
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.model.turn import Pipeline
from clew.policy import default

POLICY = default()


def frame(user: str, language: str = "en") -> Frame:
    return Frame(pipeline=Pipeline.FRIEND_CHAT, user_text=user, language=language, known=())


@pytest.mark.parametrize("code", sorted(POLICY.gate.leak_shapes))
def test_markup_and_settings_are_known_by_their_shape_and_words_are_not(code: str) -> None:
    row = POLICY.gate.leak_shapes[code]
    for said in row.says:
        assert leak(passage(said, POLICY), POLICY), said
    for said in row.not_says:
        assert not leak(passage(said, POLICY), POLICY), said


@pytest.mark.parametrize(
    ("user", "draft", "leaks"),
    [
        ("I baked a loaf", "<answer>It smells of Sunday.</answer>", True),
        ("how do I make text bold in html", "Write <b>words</b> and they stand out.", False),
        ("I baked a loaf", "In a page you would write `<b>loaf</b>`.", False),
    ],
)
def test_who_talks_of_code_is_answered_in_code(user: str, draft: str, leaks: bool) -> None:
    assert bool(leak(passage(draft, POLICY), POLICY, code=other_language(frame(user), POLICY))) is leaks


@pytest.mark.parametrize(
    ("user", "draft", "held"),
    [
        ("I baked a loaf", "If it gets late, ring 020 7946 0018 and ask for Pam.", True),
        ("their number is 020 7946 0018", "Then ring 020 7946 0018 before noon.", False),
        ("when was that war", "People call 1914-1918 the Great War.", False),
        ("I baked a loaf", "I'd call that 12 out of 10.", False),
    ],
)
def test_a_telephone_number_comes_from_the_table_or_from_the_user(user: str, draft: str, held: bool) -> None:
    found = {v.code for v in forms(passage(draft, POLICY), frame(user), POLICY)}
    assert ("SAFETY_HELPLINE" in found) is held


@pytest.mark.parametrize(
    ("user", "draft", "language", "held"),
    [
        ("I baked a loaf", "好香啊！", "en", True),
        ("I baked a loaf", "Qué bueno, disfrútalo con mantequilla.", "en", True),
        ("I baked a loaf", "Crème brûlée next?", "en", False),
        ("I baked a loaf", "Lovely! Café style, with jam?", "en", False),
        ("what does 謝謝 mean", "謝謝 is thanks.", "en", False),
        ("빵 구웠어", "いい匂い。", "ko", True),
        ("빵 구웠어", "OK, 맛있겠다!", "ko", False),
    ],
)
def test_a_short_reply_in_another_language_is_known_too(user: str, draft: str, language: str, held: bool) -> None:
    found = {v.code for v in forms(passage(draft, POLICY), frame(user, language), POLICY)}
    assert ("SAFETY_LANGUAGE" in found) is held
