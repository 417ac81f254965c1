"""What the words of a sentence do not bear out is not kept; what they deny is denied."""

from __future__ import annotations

import pytest

from clew.faces.cli.embed import filler
from clew.kernel.door import call


def kept(text: str) -> dict[str, str]:
    payload = {"text": text, "at": "2026-03-02T10:00:00Z", "timezone": "Europe/London"}
    fill = filler("extract")
    assert fill is not None
    return {c["key"]: c["value"] for c in call("extract", fill(payload))["candidates"]}


@pytest.mark.parametrize(
    "text", ["My grandson lost his first tooth this morning.", "my sister lost her keys again", "손자가 지갑을 잃어버렸어"]
)
def test_a_loss_that_is_no_death_is_none(text: str) -> None:
    assert not any("death" in key for key in kept(text))


@pytest.mark.parametrize("text", ["my grandma passed away in 2019", "we lost our dog last May", "할머니가 작년에 돌아가셨어"])
def test_a_death_is_kept(text: str) -> None:
    assert any("death" in key for key in kept(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cant eat prawns, my throat closes", "prawns"), ("I'm allergic to nuts", "nuts"), ("나 땅콩 알레르기 있어", "땅콩"),
        ("I'm not allergic to nuts", "not nuts"), ("I'm not allergic to nuts, my sister is", "not nuts"),
    ],
)  # fmt: skip
def test_who_cannot_eat_a_thing_does_not_deny_the_allergy(text: str, value: str) -> None:
    assert kept(text)[f"fact:allergy:{value.removeprefix('not ')}"] == value


def test_no_allergy_is_none() -> None:
    assert "땅콩" not in set(kept("나 땅콩 알레르기 없어").values())


def test_a_clause_is_no_place() -> None:
    assert "fact:home_city" not in kept("걔는 부산에 살아서 장거리야")
