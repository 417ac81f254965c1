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
TUNES = [("Ferry", "Ola Brandt, 2011, 3:42"), ("Ferry (live)", "Ola Brandt, 2014, 5:10"), ("Last Ferry", "Sumi, 1978, 2:58")]
WALKS = [("Mill loop", "4.2 km, 55 min"), ("Castle hill", "3.1 km, 1 h 05"), ("Canal", "8.8 km, 2 h")]
LETTERS = [("To the bank", "640 words"), ("To Ola", "80 words"), ("Complaint", "310 words")]
KETTLES = [("Aro", "1.7 L, £60"), ("Bel", "steel, £25"), ("Cato", "glass, £90")]
COACHES = [("8:05 direct", "£14"), ("9:30 direct", "£17"), ("10:45 via Selby", "£8")]
FERRIES = [("18:40", "오늘, 2만원"), ("07:10", "내일, 1만 5천원")]
STAYS = [("마당집", "하루 4만 원, 3개월"), ("숲속집", "하루 7만 원, 1년"), ("바닷집", "하루 13만 원, 6개월")]
ROPES = [("빨강", "20cm, 17곡"), ("노랑", "6cm, 90곡"), ("파랑", "12cm, 48곡")]
STEWS = [("들깨탕", "30분"), ("표고전", "25분"), ("닭조림", "20분")]
ROOMS = [("Curie", "8 seats, 2nd floor"), ("Turing", "4 seats, ground floor"), ("Noether", "20 seats, 5th floor")]
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
        ("the longest version", TUNES, 1),
        ("shortest in km", WALKS, 1),
        ("the shortest", LETTERS, 1),
        ("half past nine", COACHES, 1),
        ("five past eight", COACHES, 0),
        ("nothing before ten", COACHES, 2),
        ("less than 10 please", COACHES, 2),
        ("젤 빨리 가는 거", FERRIES, 0),
        ("2nd floor would be handy", ROOMS, 0),
        ("사만원짜리가 딱이야", STAYS, 0),
        ("십삼만 원짜리로요", STAYS, 2),
        ("육개월짜리", STAYS, 2),
        ("이십센치짜리로", ROPES, 0),
        ("열일곱 곡짜리", ROPES, 0),
        ("곡 제일 많은 거", ROPES, 1),
        ("닭으로 된 거", STEWS, 2),
        ("노랑ㅋㅋ", ROPES, 1),
    ],
)
def test_an_end_or_a_rank_of_a_scale(text: str, listed: list[tuple[str, str]], meant: int) -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(listed)))
    assert point(text, options, None, POLICY).positions == (meant,)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("petrol first", WALKS),
        ("last time we got lost", WALKS),
        ("i live on the third floor", LETTERS),
        ("my first kettle lasted ages, sixty seconds", LETTERS),
        ("이번 주는 바빠", MINUTES),
        ("i can smell it from here", KETTLES),
        ("the smallest", KETTLES),
    ],
)
def test_a_rank_of_something_else_and_a_word_like_a_measure_point_at_nothing(
    text: str, listed: list[tuple[str, str]]
) -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(listed)))
    assert point(text, options, 0, POLICY).positions == ()


def test_a_length_beside_a_type_is_no_count() -> None:
    songs = tuple(Candidate(str(i), label, told, type="song") for i, (label, told) in enumerate(TUNES))
    assert point("the longest one", OptionSet(songs), None, POLICY).positions == (1,)


def test_no_before_a_noun_denies_it_and_no_before_a_choice_does_not() -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(ROOMS)))
    assert point("no turing, the 20 seats", options, None, POLICY).positions == (2,)
    assert point("no, turing", options, None, POLICY).positions == (1,)


def test_noon_is_an_hour_and_afternoon_holds_none() -> None:
    assert [m.value for m in measures("noon", POLICY.pointing) if m.kind == "clock"] == [720.0]
    assert not measures("all afternoon", POLICY.pointing)


@pytest.mark.parametrize(("text", "many"), [("serves 4", 4.0), ("8인실", 8.0), ("116 p.", 116.0)])
def test_how_many_it_is_for(text: str, many: float) -> None:
    assert [m.value for m in measures(text, POLICY.pointing) if m.kind == "count"] == [many]


def test_an_hour_of_the_evening_is_no_page() -> None:
    assert not [m for m in measures("7 p.m.", POLICY.pointing) if m.kind == "count"]


@pytest.mark.parametrize(
    ("text", "listed"),
    [("이 분이 좋네", ROPES), ("바로 보내줘", STEWS), ("사원들이 골라줬어", STAYS), ("네 그렇게 해요", STAYS)],
)
def test_what_only_looks_like_a_number_or_a_noun_points_at_nothing(text: str, listed: list[tuple[str, str]]) -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(listed)))
    assert point(text, options, None, POLICY).positions == ()


def test_a_number_and_its_unit_are_no_words_for_something_else() -> None:
    options = OptionSet(tuple(Candidate(str(i), label, told) for i, (label, told) in enumerate(ROPES)))
    assert point("열일곱 곡짜리 끝내주네", options, None, POLICY).foreign == ("끝내주네",)
