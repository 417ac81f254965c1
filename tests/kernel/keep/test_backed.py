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


@pytest.mark.parametrize("text", ["어제 출동했다가 아이를 못 구했어", "오늘도 강아지를 못 찾았어"])
def test_what_could_not_be_done_to_somebody_does_not_say_that_there_is_none(text: str) -> None:
    assert not any(value.endswith("없음") for value in kept(text).values())


def test_who_has_no_child_has_none() -> None:
    assert any(value.endswith("없음") for value in kept("우리 부부는 아이가 없어요").values())


def test_a_move_is_kept_once_as_where_one_lives_now() -> None:
    assert kept("나 세종으로 이사했어") == {"fact:current_city": "세종"}
