"""Ends and ranks of a scale that lists write in many ways: marks, pages, days to come."""

from __future__ import annotations

import pytest

from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.language.measures import measures
from clew.model.evidence import Candidate
from clew.policy import default

POLICY = default().ground
LODGINGS = [("Gull Inn", "harbour, 4.0"), ("Old Mill", "village, 4.8"), ("Tent field", "river, 4.1")]
NOVELS = [("Tin Roof", "Abara, 512 p."), ("Low Tide", "Hofer, 130 p."), ("Ashes", "Lund, 388 p.")]
MINUTES = [("월간 회의", "4쪽"), ("고객 면담", "12쪽"), ("짧은 보고", "1쪽"), ("채용안", "7쪽")]
SCOOTERS = [("하나", "하루 1만 2천원"), ("둘리", "하루 2만 8천원"), ("세모", "하루 3만 5천원"), ("네모", "하루 3만원")]
CLINICS = [("Dr Amadi", "12 May"), ("Ms Holt", "tomorrow"), ("Dr Sorel", "today 16:30")]


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "listed", "meant"),
    [
        ("best rated", LODGINGS, 1),
        ("the shortest", NOVELS, 1),
        ("the second shortest one", NOVELS, 2),
        ("제일 긴 거", MINUTES, 1),
        ("두 번째로 짧은 거", MINUTES, 0),
        ("세 번째로 싼 거", SCOOTERS, 3),
        ("soonest", CLINICS, 2),
    ],
)
def test_an_end_or_a_rank_of_a_scale(text: str, listed: list[tuple[str, str]], meant: int) -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(listed)))
    assert point(text, options, None, POLICY).positions == (meant,)


def test_noon_is_an_hour_and_afternoon_holds_none() -> None:
    assert [m.value for m in measures("noon", POLICY.pointing) if m.kind == "clock"] == [720.0]
    assert not measures("all afternoon", POLICY.pointing)


@pytest.mark.parametrize(("text", "many"), [("serves 4", 4.0), ("8인실", 8.0), ("116 p.", 116.0)])
def test_how_many_it_is_for(text: str, many: float) -> None:
    assert [m.value for m in measures(text, POLICY.pointing) if m.kind == "count"] == [many]


def test_an_hour_of_the_evening_is_no_page() -> None:
    assert not [m for m in measures("7 p.m.", POLICY.pointing) if m.kind == "count"]
