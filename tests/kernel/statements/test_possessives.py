"""The mark that hasty writers leave out."""

from __future__ import annotations

import pytest

from clew.kernel.statements.possessives import marked
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("toms wife is a vet", "tom's wife is a vet"),
        ("its my aunts birthday", "its my aunt's birthday"),
        ("toms running late", "toms running late"),
        ("my cousins are loud", "my cousins are loud"),
        ("adams wife is a vet", "adams wife is a vet"),
    ],
)
def test_somebody_known_and_what_is_theirs_are_parted(text: str, whole: str) -> None:
    assert marked(text, "en", {"tom": "person:brother"}, POLICY) == whole


def test_korean_has_no_such_mark() -> None:
    assert marked("톰 아내", "ko", {"톰": "person:brother"}, POLICY) == "톰 아내"
