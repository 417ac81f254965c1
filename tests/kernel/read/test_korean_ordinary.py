"""What sounds like danger in Korean and is daily life."""

import pytest

from clew.kernel.statements.patterns import compiled
from clew.policy import default

policy = default()
HARMLESS = compiled(tuple(policy.listen.languages["ko"].harmless.values()))


@pytest.mark.parametrize(
    "text",
    ["혈압이 높아서 매일 아침에 약을 먹습니다", "당뇨라 하루에 두 번 주사를 맞아요", "병원 다음 달까지만 다니고 그만두려고"],
)
def test_medicine_taken_day_by_day_and_work_given_up_are_no_danger(text: str) -> None:
    assert any(shape.search(text) for shape in HARMLESS)


@pytest.mark.parametrize(
    "text",
    ["매일 밤 약을 모으고 있어", "다 그만두려고", "매일 수면제를 한 통씩 먹어", "회사 그만두고 싶은데 매일 아침 속이 울렁거려"],
)
def test_what_may_be_danger_is_not_called_harmless(text: str) -> None:
    assert not any(shape.search(text) for shape in HARMLESS)
