"""Consent (ruling G24), typed fields, what differs, and lists that are not what they were."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.ground.acts import read_act
from clew.model.evidence import Act
from clew.policy import default
from tests.kernel.ground.asking import CHAT, FRESH, ask, listed, rules, shown

PLACES = [
    {"id": "c1", "label": "Luigi's", "sublabel": "Italian, 0.4 mi", "fields": {"price": 28, "vegan": False}},
    {"id": "c2", "label": "Sakura House", "sublabel": "Japanese, 0.9 mi", "fields": {"price": 41, "vegan": False}},
    {"id": "c3", "label": "Taco Loco", "sublabel": "Mexican, 1.2 mi", "fields": {"price": 12, "vegan": True}},
]
OFFER = {"candidates": PLACES, "offer": "c1", "last_assistant_text": "Luigi's has a table. Want me to book it?"}


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    ["ok bye", "thanks, bye", "thank you very much", "keep it", "give me a second", "고마워 잘자", "잠깐만", "let's wait"],
)
def test_manners_and_delays_take_no_offer(text: str) -> None:
    assert ask(text, **OFFER)["outcome"] != "execute"


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("perfect", "I marked INV-3308 as paid."),
        ("great", "I moved your dentist to Thursday."),
        ("완벽해요", "청구서 3308을 지급 완료로 처리했어요."),
    ],
)
def test_praise_for_what_was_done_does_it_no_second_time(text: str, said: str) -> None:
    answer = ask(text, candidates=listed("INV-3308", "INV-3380"), offer="c1", last_assistant_text=said)
    assert answer["outcome"] != "execute"


@pytest.mark.rule("G24")
@pytest.mark.parametrize("text", ["sure, I'll take two", "I'd like two", "2 tickets", "두 장이요"])
def test_a_quantity_is_no_place_in_the_list(text: str) -> None:
    said = "These are left: stalls, balcony or standing."
    answer = ask(text, candidates=listed("Stalls", "Balcony", "Standing"), offer=None, last_assistant_text=said)
    assert answer["outcome"] != "execute"


def test_an_either_or_question_puts_nothing_forward() -> None:
    pool = listed("Downtown branch", "Uptown branch")
    said = "Should I call the Downtown or the Uptown branch?"
    assert ask("call them", candidates=pool, last_assistant_text=said)["outcome"] == "clarify"
    assert ask("yes", candidates=pool, last_assistant_text="Shall I call the Uptown branch?")["choice_id"] == "c2"


@pytest.mark.rule("G25")
def test_a_yes_stands_before_the_question_that_follows_it() -> None:
    answer = ask("Yes. Is there parking?", **OFFER)
    assert answer["choice_id"] == "c1"
    assert answer["acts"][0]["act"] == "accept"


@pytest.mark.parametrize("text", ["decline both", "둘 다 패스할게"])
def test_both_refused_is_not_both_taken(text: str) -> None:
    pool = listed("Roadmap sync", "Vendor demo")
    assert ask(text, candidates=pool, offer=None, last_assistant_text="Which invite?")["outcome"] != "execute"


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "choice"), [("the cheapest", "c3"), ("the one for 41", "c2"), ("under 20 please", "c3"), ("the vegan one", "c3")]
)
def test_typed_fields_are_read(text: str, choice: str) -> None:
    answer = ask(text, candidates=PLACES, offer=None, last_assistant_text="I found three. Which one?")
    assert answer["choice_id"] == choice


def test_typed_values_are_read_under_either_name_and_fields_win() -> None:
    pool = [{**{k: v for k, v in p.items() if k != "fields"}, "attributes": p["fields"]} for p in PLACES]
    given = {"offer": None, "last_assistant_text": "I found three. Which one?"}
    assert ask("the cheapest", candidates=pool, **given)["choice_id"] == "c3"
    pool[1]["fields"] = {"price": 9}
    assert ask("the cheapest", candidates=pool, **given)["choice_id"] == "c2"


@pytest.mark.parametrize("fields", [{"price": None}, {"price": [1, {"a": 2}]}, {"x": float("inf")}, {}, {"": True}])
def test_odd_fields_say_nothing_and_break_nothing(fields: dict[str, Any]) -> None:
    pool = [{"id": "a", "label": "notes", "fields": fields}, {"id": "b", "label": "plans"}]
    assert ask("open plans", candidates=pool)["choice_id"] == "b"


def test_fields_that_are_no_object_are_refused_by_name() -> None:
    with pytest.raises(InvalidInput) as caught:
        ask("open notes", candidates=[{"id": "a", "label": "notes", "fields": 3}], mode="strict")
    assert caught.value.pointer == "/candidates/0/fields"


@pytest.mark.parametrize(
    ("text", "pool", "question"),
    [
        (
            "play hallelujah",
            [("Hallelujah", "Cohen, 1984"), ("Hallelujah", "Buckley, 1994")],
            "Which Hallelujah, the 1984 one or the 1994 one?",
        ),
        (
            "올드보이 틀어줘",
            [("올드보이", "2003, 박찬욱"), ("올드보이", "2013, 스파이크 리")],
            "어느 올드보이인가요, 2003 거 아니면 2013 거?",
        ),
        (
            "open the tax return",
            [("Tax return 2021", "Documents"), ("Tax return 2022", "Documents")],
            "Which Tax return, the 2021 one or the 2022 one?",
        ),
    ],
)
def test_a_question_names_what_differs(text: str, pool: list[tuple[str, str]], question: str) -> None:
    candidates = [{"id": f"c{i}", "label": a, "sublabel": b} for i, (a, b) in enumerate(pool, 1)]
    answer = ask(text, candidates=candidates, offer=None, last_assistant_text="I found these.")
    assert answer["clarifier"]["text"] == question


def test_one_of_several_is_never_the_whole_question() -> None:
    """ "The blue one" fits both alike; praise fits neither: the question is about the list, not about one of it."""
    pool = [{"id": f"c{i}", "label": "Blue mug", "sublabel": year} for i, year in enumerate(("2020", "2021"), 1)]
    answer = ask("the blue one please", candidates=pool, offer=None, last_assistant_text="I found these.")
    assert answer["clarifier"]["text"] == "Which Blue mug, the 2020 one or the 2021 one?"
    gone = [{"id": "c1", "label": "Blue mug"}, {"id": "c2", "label": "Red mug"}]
    answer = ask("yes please", candidates=gone, offer="c9", last_assistant_text="Shall I wrap the green mug?")
    assert shown(answer) == ["c1", "c2"]


def test_only_what_was_pointed_at_is_asked_about() -> None:
    pool = [
        {"id": f"c{i}", "label": "Dr Osei", "sublabel": told}
        for i, told in enumerate(("Mon 09:00", "Mon 11:15", "Wed 09:00"), 1)
    ]
    answer = ask("9 works", candidates=pool, offer=None, last_assistant_text="Dr Osei has openings.")
    assert shown(answer) == ["c1", "c3"]


def test_no_to_a_deletion_ends_it() -> None:
    first = ask("delete sample2", destructive=["delete"])
    assert first["clarifier"]["text"] == "Really delete sample2?"
    again = ask(
        "no", destructive=["delete"], continuity=first["continuity"], open_question=first["open_question"], attempt=2
    )
    assert again["outcome"] == "escape"


def test_a_deletion_is_confirmed_in_korean() -> None:
    answer = ask("sample2 지워줘", destructive=["delete"])
    assert answer["clarifier"]["text"] == "정말 sample2 지울까요?"


# Bad input.


@pytest.mark.parametrize("text", ["yes", "sounds good", "it", "네", "그걸로 해줘"])
def test_an_offer_that_is_no_longer_in_the_list_is_not_taken(text: str) -> None:
    answer = ask(text, offer="gone", last_assistant_text="Shall I open the old report?")
    assert answer["outcome"] != "execute"


def test_a_list_that_changed_since_the_offer_is_asked_about_first() -> None:
    """The offer was made under another list: the new one is confirmed."""
    stale = {"activeOptionSetId": "set-0", "activeScope": CHAT}
    answer = ask("the second one", continuity=stale, last_assistant_text="Here they are:")
    assert answer["outcome"] == "clarify"
    assert ask("the second one", continuity=FRESH, last_assistant_text="Here they are:")["choice_id"] == "c2"


@pytest.mark.parametrize("text", ["the pdf", "open report", "report please"])
def test_equal_labels_are_never_chosen_blindly(text: str) -> None:
    pool = [{"id": "a", "label": "report"}, {"id": "b", "label": "report"}]
    assert ask(text, candidates=pool)["outcome"] != "execute"


@pytest.mark.parametrize("text", ["the red one that is blue", "the cheapest and the most expensive one"])
def test_contradicting_attributes_choose_nothing_alone(text: str) -> None:
    pool = [
        {"id": "a", "label": "Kettle", "sublabel": "red, $39"},
        {"id": "b", "label": "Kettle", "sublabel": "blue, $52"},
    ]
    answer = ask(text, candidates=pool, offer=None, last_assistant_text="Two kettles. Which one?")
    assert answer["outcome"] != "execute" or len(answer["choice_ids"]) == 2


def test_no_candidates_and_an_offer_is_a_plain_question() -> None:
    answer = ask("yes", candidates=[], offer="c1")
    assert answer["outcome"] in ("clarify", "escape")
    assert "choice_id" not in answer
    assert rules(answer)


@pytest.mark.parametrize("text", ["앱으로 하지 뭐", "통역 앱으로 해야지 뭐"])
def test_a_shrug_asks_nothing(text: str) -> None:
    assert read_act(text, default().ground).act is not Act.QUESTION


@pytest.mark.parametrize("text", ["앱이 뭐", "어떤 앱이야", "얼마예요"])
def test_a_word_that_asks_still_asks(text: str) -> None:
    assert read_act(text, default().ground).act is Act.QUESTION
