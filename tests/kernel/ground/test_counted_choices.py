"""Places that are counted along the list, limits between two times, names that were misheard, and verbs without an object."""

from __future__ import annotations

from typing import Any

import pytest

from clew.faces.cli.embed import filler
from clew.kernel.door import call
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.model.evidence import Candidate
from clew.policy import default

POLICY = default().ground
SOUPS = [("Leek soup", "4 portions"), ("Pea soup", "green, thick"), ("Borscht", "beetroot"), ("Ramen", "noodles")]
BREADS = [("호밀빵", "진함, 5천원"), ("식빵", "부드러움, 4천원"), ("바게트", "3천원"), ("치아바타", "올리브, 6천원")]
COACHES = [("Coastliner", "dep 08:15, arr 11:05"), ("Moor express", "dep 09:40, arr 11:20"), ("Nightbus", "dep 22:10, arr 05:30")]
POOLS = [("Lido", "4 m, £6"), ("Dive tank", "12 m, £15"), ("Splash", "1 m, £3")]
RUGS = [("Kilim", "red, $2,400"), ("Berber", "cream, $950"), ("Rya", "green, $1,300")]
DAYS = [("Monday 31st", "£40"), ("Tuesday 1st", "£55"), ("Wednesday 2nd", "£60")]
LANES = [("2번 레인", "초급"), ("3번 레인", "중급"), ("5번 레인", "상급")]
FLATS = [("망원 원룸", "6평, 55만원"), ("합정 투룸", "12평, 90만원"), ("상수 복층", "9평, 80만원")]
PEOPLE = [("Szymon", "plumber"), ("Aoife", "electrician"), ("Terrence", "painter")]


def _pointed(text: str, listed: list[tuple[str, str]], assistant: str | None = None) -> tuple[int, ...]:
    options = OptionSet(tuple(Candidate(str(i), name, sublabel=told) for i, (name, told) in enumerate(listed)))
    return tuple(sorted(point(text, options, None, POLICY, assistant).positions))


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "listed", "meant"),
    [
        ("2 and 4", SOUPS, (1, 3)),
        ("1, 3 and 4 please", SOUPS, (0, 2, 3)),
        ("delete 2 and 3", SOUPS, (1, 2)),
        ("b and d", SOUPS, (1, 3)),
        ("the first 3", SOUPS, (0, 1, 2)),
        ("2nd from the end", SOUPS, (2,)),
        ("4", SOUPS, (3,)),
        ("the 1st", DAYS, (1,)),
        ("the 2nd", DAYS, (2,)),
        ("1이랑 4", BREADS, (0, 3)),
        ("2, 3번", BREADS, (1, 2)),
        ("4안으로요", BREADS, (3,)),
        ("두번째분", BREADS, (1,)),
        ("위에 두개", BREADS, (0, 1)),
        ("밑에 세 개", BREADS, (1, 2, 3)),
        ("맨 밑에꺼", BREADS, (3,)),
        ("마지막에서 두번째", BREADS, (2,)),
        ("3번", LANES, (1,)),
        ("shortest journey", COACHES, (1,)),
        ("gets in by 11:10", COACHES, (0, 2)),
        ("the deepest", POOLS, (1,)),
        ("shallowest one", POOLS, (2,)),
        ("under a thousand", RUGS, (1,)),
        ("no more than a thousand", RUGS, (1,)),
        ("more than two thousand", RUGS, (0,)),
        ("제일 넓은 거", FLATS, (1,)),
        ("60만원 안넘는걸로", FLATS, (0,)),
        ("simon", PEOPLE, ()),
        ("szimon", PEOPLE, (0,)),
        ("terence", PEOPLE, (2,)),
    ],
)
def test_it_points_at_what_is_counted_or_compared(text: str, listed: list[tuple[str, str]], meant: tuple[int, ...]) -> None:
    assert _pointed(text, listed) == meant


@pytest.mark.parametrize(
    ("text", "listed"),
    [("give me 2", SOUPS), ("maybe 3", SOUPS), ("2 minutes", SOUPS), ("두 시간 걸렸어", BREADS), ("castle", PEOPLE)],
)
def test_what_only_holds_a_number_or_resembles_a_name_points_at_nothing(text: str, listed: list[tuple[str, str]]) -> None:
    assert _pointed(text, listed) == ()


def test_a_figure_behind_what_the_list_is_called_counts_along_it() -> None:
    assert _pointed("question 2", SOUPS, "Which question shall we start with?") == (1,)


def _grounded(text: str, listed: list[tuple[str, str]], said: str, offer: str | None = None) -> dict[str, Any]:
    scope = {"kind": "chat", "instance_id": "test"}
    payload: dict[str, Any] = {
        "text": text, "last_assistant_text": said, "scope": scope, "option_set_id": "set", "at": "2026-01-05T09:00:00Z",
        "candidates": [{"id": str(i), "label": name, "sublabel": told} for i, (name, told) in enumerate(listed)],
        "continuity": {"activeOptionSetId": "set", "activeScope": scope},
    }  # fmt: skip
    if offer is not None:
        payload |= {"offer": offer, "last_offered_id": offer}
    fill = filler("ground")
    return call("ground", fill(payload) if fill else payload)


@pytest.mark.rule("G24")
def test_to_how_many_a_number_is_no_place() -> None:
    assert _grounded("2", SOUPS, "How many portions?", "0").get("choice_id") != "1"


@pytest.mark.rule("G26")
@pytest.mark.parametrize(("text", "meant"), [("1 and 4", ["0", "3"]), ("2, 3", ["1", "2"]), ("the last two please", ["2", "3"])])
def test_nothing_but_places_is_taken_as_counted(text: str, meant: list[str]) -> None:
    answer = _grounded(text, SOUPS, "Here are some soups.")
    assert (answer["outcome"], answer.get("choice_ids")) == ("execute", meant)


@pytest.mark.parametrize(("text", "verb"), [("book", "book"), ("open please", "open"), ("지워줘", "delete")])
def test_a_verb_alone_takes_what_is_on_offer(text: str, verb: str) -> None:
    answer = _grounded(text, SOUPS, "The pea soup is the nicest.", "1")
    assert (answer["choice_id"], answer["verb"]) == ("1", verb)


@pytest.mark.rule("G24")
@pytest.mark.parametrize("text", ["i was 4 when we moved to leeds", "yes, that is what my mother used to say", "thanks, sleep well"])
def test_a_figure_or_a_yes_among_other_talk_takes_nothing(text: str) -> None:
    assert _grounded(text, SOUPS, "The pea soup is the nicest.", "1")["outcome"] != "execute"


def test_a_verb_around_its_object() -> None:
    answer = _grounded("take the borscht out", SOUPS, "These are on your list.")
    assert (answer["choice_id"], answer["verb"]) == ("2", "remove")


def test_dropping_what_was_proposed_to_be_dropped_is_no_stop() -> None:
    assert _grounded("drop it", SOUPS, "Nobody liked the ramen, so I'd drop that one.", "3")["outcome"] == "execute"
    assert _grounded("drop it", SOUPS, "Shall I cook the ramen?", "3")["outcome"] != "execute"
