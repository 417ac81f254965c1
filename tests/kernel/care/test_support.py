"""What is said in the turns after harm was told (ruling S5)."""

from __future__ import annotations

import pytest

from clew.kernel.care.support import after_harm
from clew.kernel.read.utterance import read
from clew.kernel.text.passage import passage
from clew.policy import default

POLICY = default()


def row(language: str, text: str, *before: str) -> object:
    return after_harm(read(text, POLICY, spoken=language), [passage(said, POLICY) for said in before], POLICY)


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("language", "told", "text"),
    [
        ("en", "my husband threw a plate at me", "i don't want to call anyone"),
        ("en", "my boyfriend hit me", "what would you do"),
        ("ko", "남자친구가 나를 때렸어", "내가 예민한 건가"),
    ],
)
def test_after_harm_nothing_is_advised(language: str, told: str, text: str) -> None:
    assert row(language, text, told) is POLICY.care.languages[language].later["harm"]


@pytest.mark.parametrize(
    ("language", "before"),
    [("en", ("my brother beat me at chess",)), ("en", ("my dad died",)), ("ko", ("오늘 비가 왔어",)), ("en", ())],
)
def test_other_talk_goes_on_as_it_is(language: str, before: tuple[str, ...]) -> None:
    assert row(language, "what would you do" if language == "en" else "뭐 하지", *before) is None
