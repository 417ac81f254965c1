"""Short questions that lean on the one before: said again as a whole, or completed in what they ask for."""

from __future__ import annotations

import pytest

from clew.kernel.read.utterance import read
from clew.kernel.statements.short_questions import spelled_out
from clew.policy import default

POLICY = default()
NAMES = {"theo": "person:son", "marnie": "person:daughter", "민수": "person:friend", "지은": "person:friend"}


@pytest.mark.parametrize(
    ("before", "text", "language", "whole"),
    [
        ("how old is Marnie?", "and Theo?", "en", "how old is Theo?"),
        ("what did I break?", "when?", "en", "when did I break?"),
        ("민수는 어디 살아?", "지은은?", "ko", None),
        ("민수는 어디 살아?", "오늘은?", "ko", None),
        ("I broke my arm", "when?", "en", None),
    ],
)
def test_the_question_before_is_said_again_of_whom_is_named_now(
    before: str, text: str, language: str, whole: str | None
) -> None:
    assert spelled_out(text, language, [before], NAMES, POLICY) == whole


@pytest.mark.parametrize(
    ("before", "text", "language", "asked"),
    [
        ("민수는 어디 살아?", "지은은?", "ko", ("person:friend", "city")),
        ("동생은 어디 살아?", "아빠는?", "ko", ("person:father", "city")),
        ("동생은 어디 살아?", "나는?", "ko", ("self", "city")),
    ],
)
def test_where_it_cannot_be_said_again_what_it_asks_for_is_completed(
    before: str, text: str, language: str, asked: tuple[str, str]
) -> None:
    said = spelled_out(text, language, [before], {}, POLICY) or text
    found = read(said, POLICY, previous=[before], spoken=language, names=NAMES)
    assert asked in {(a.subject, a.attribute) for a in found.asks}
