"""Whether a question names what something held is about."""

from __future__ import annotations

import pytest

from clew.kernel.recall.named import names_it
from clew.policy import default


@pytest.mark.parametrize(
    ("question", "subject", "value", "named"),
    [
        ("do I have a boyfriend?", "person:boyfriend", "Marek", True),
        ("do I still play chess?", "self", "like|chess", True),
        ("am I single?", "person:boyfriend", "Marek", False),
        ("do I smoke?", "self", "golf on Wednesdays", False),
    ],
)
def test_by_who_it_is_or_by_a_word_of_it(question: str, subject: str, value: str, named: bool) -> None:
    assert names_it(question, subject, value, default()) is named
