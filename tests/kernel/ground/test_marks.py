"""What a clause shows by its small words, and what naming something in it is worth."""

from __future__ import annotations

from typing import Any

import pytest

from clew.kernel.ground.cards import card
from clew.kernel.ground.marks import KINDS, chooses, lead, marked, of_clauses
from clew.model.evidence import Candidate
from clew.policy import default
from tests.kernel.ground.asking import ask

POLICY = default().ground


def kinds(text: str) -> list[tuple[str, set[str]]]:
    return [
        (" ".join(c.words), {k for k, said in zip(KINDS, c.kinds, strict=True) if said})
        for c in marked(text, POLICY.marks)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("whats under 50", [("whats under 50", {"asks"})]),
        ("no fish no eggs", [("no fish no eggs", {"refuses"})]),
        (
            "the camera is cool but is there a cheaper one",
            [("the camera is cool", set()), ("but is there a cheaper one", {"asks", "others", "chooses"})],
        ),
        ("삼성이랑 엘지 차이 많이 나나", [("삼성이랑 엘지 차이 많이 나나", {"asks"})]),
        ("비싸고 멀어서 화분으로", [("비싸고", {"refuses"}), ("멀어서", {"refuses"}), ("화분으로", {"chooses"})]),
        ("the 3.5 then?", [("the 3.5", set()), ("then", {"asks"})]),
        ("맛있당ㅋㅋㅋ", [("맛있당", set())]),
        ("", []),
    ],
)
def test_each_clause_shows_what_it_does(text: str, expected: list[tuple[str, set[str]]]) -> None:
    assert kinds(text) == expected


def test_a_word_counts_by_what_its_clause_does() -> None:
    own = [
        card(Candidate("a", "Salmon bake", sublabel="fish"), POLICY.pointing),
        card(Candidate("b", "Chickpea curry"), POLICY.pointing),
    ]
    clean, _, against, *_ = of_clauses("no fish, the curry please", own, POLICY).T
    assert clean.tolist() == [0.0, 1.0]
    assert against[0] > 0 and against[1] == 0
    assert of_clauses("", own, POLICY).shape[0] == 2


def test_whoever_stands_first_leads_by_the_distance_to_the_second() -> None:
    row = of_clauses("curry", [card(Candidate("b", "Curry"), POLICY.pointing)], POLICY)
    assert row.shape[0] == 1 and lead(row[:, 0]).tolist() == [0.0]


def test_what_is_left_is_chosen_only_where_something_chooses() -> None:
    assert not chooses("no fish no eggs", POLICY.marks)
    assert chooses("no fish, the curry please", POLICY.marks)


def shown(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"id": chr(97 + i), "label": label, "sublabel": more} for i, (label, more) in enumerate(pairs)]


DINNERS = shown(("Salmon bake", "fish, 40 min"), ("Chickpea curry", "35 min"), ("Omelette", "eggs, 10 min"))
TRAINS = shown(("IC 3512", "06:10, 2h 30, 69 zł"), ("FlixBus", "09:00, 4h, 35 zł"), ("EIP 5300", "11:05, 2h 20, 169 zł"))
BARBERS = shown(("수아 실장", "펌 전문, 경력 12년"), ("준 디자이너", "남자 커트, 2만5천원"), ("하루 인턴", "커트 1만원"))
BOXES = shown(("닭가슴살 현미", "380kcal, 5,900원"), ("두부 면", "290kcal, 6,500원"), ("연어 샐러드", "410kcal, 7,900원"))


@pytest.mark.parametrize(
    ("text", "candidates", "meant"),
    [
        # "2h 20" is one duration, not two.
        ("fastest", TRAINS, "c"),
        # Whoever has no price is not the cheapest by some other number.
        ("젤 싼 데로 해줘", BARBERS, "c"),
        # A scale is that of the noun beside it.
        ("칼로리 제일 낮은 걸로", BOXES, "b"),
    ],
)
def test_an_end_of_a_scale_is_that_of_the_scale_that_was_named(
    text: str, candidates: list[dict[str, Any]], meant: str
) -> None:
    answer = ask(text, candidates=candidates, last_assistant_text="Which one?")
    assert (answer["outcome"], answer["choice_id"]) == ("execute", meant)


def test_a_refusal_takes_nothing_of_what_it_leaves() -> None:
    answer = ask("no fish no eggs", candidates=DINNERS, last_assistant_text="Some ideas for dinner:")
    assert answer["outcome"] != "execute"


@pytest.mark.parametrize("text", ["2번은 안되겠네", "2번은 싫대"])
def test_a_korean_verb_against_something_is_heard_by_its_stem(text: str) -> None:
    answer = ask(text, last_assistant_text="어느 걸로 할까요?")
    assert answer["outcome"] != "execute"
