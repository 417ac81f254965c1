"""When in doubt it asks: guards against acting on words that are about something else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.ground.asking import CHAT, FRESH, ask, listed, opened, rules, shown

FOUND = "How about sample2?"
FAILED = opened("c2", outcome="failed")
PANEL = {"kind": "widget", "instance_id": "links-panel-d"}


@pytest.mark.parametrize(
    "text", ["that works for me", "yes, that will work", "sure, that's fine", "yes please do"]
)
def test_settling_for_something_unheard_is_confirmed_first(text: str) -> None:
    answer = ask(text, last_offered_id="c2")
    assert (answer["outcome"], answer["clarifier"]["type"], shown(answer)) == (
        "clarify",
        "confirmation",
        ["c2"],
    )
    assert ask(text, last_offered_id="c2", last_assistant_text=FOUND)["choice_id"] == "c2"
    again = ask("yes", continuity=answer["continuity"], open_question=answer.get("open_question"))
    assert again["choice_id"] == "c2"


@pytest.mark.parametrize("text", ["yes", "ok", "sounds great", "yes, I love it", "sure, sample2 is fine"])
def test_praise_a_name_and_a_plain_yes_take_the_offer_unheard(text: str) -> None:
    assert ask(text, last_offered_id="c2")["choice_id"] == "c2"


def test_a_failed_action_in_the_trace_is_a_failure_even_unheard() -> None:
    state = {**FRESH, "recentActionTrace": [FAILED], "lastResolvedAction": FAILED}
    answer = ask("yes please", continuity=state)
    assert (answer["outcome"], answer["act"]) == ("escape", "other")
    elsewhere = {**FAILED, "optionSetId": "set-0"}
    assert "choice_id" not in ask("yes please", continuity={**FRESH, "recentActionTrace": [elsewhere]})


@pytest.mark.parametrize(
    "text",
    [
        "i'm out of apples, add that to my list",
        "make an appointment for an oil change",
        "order a case of coke from the corner shop",
        "confirm that i have a booking at the lodge",
        "is rice good for me",
        "thanks for your help",
        "it was lovely to speak with you, bye",
        "absolutely not",
        "ok, no thank you",
        "none of those will work",
        "those don't sound good",
        "never mind, bye",
        "ok but in the evening",
        "your comment made me smile all over because it's great",
        "yeah, my brother bought a motorcycle in spain",
    ],
)
def test_words_about_something_else_execute_nothing_on_offer(text: str) -> None:
    for heard in ({}, {"last_assistant_text": FOUND}):
        assert ask(text, last_offered_id="c2", **heard)["outcome"] != "execute"


@pytest.mark.parametrize(
    "text",
    [
        "open sample1 and the other report",
        "remove this event from sample2",
        "what can i do to get a better sample2",
        "dial the last number that called me",
    ],
)
def test_a_label_in_passing_is_no_choice(text: str) -> None:
    assert ask(text)["outcome"] != "execute"


@pytest.mark.parametrize(
    "text",
    ["the sample2 restaurant", "i'd rather have sample2", "sample2 instead", "let's book the second flight"],
)
def test_the_kind_of_thing_and_a_preference_add_nothing_to_a_name(text: str) -> None:
    assert ask(text)["choice_id"] == "c2"


def test_a_number_of_things_is_no_position() -> None:
    assert "choice_id" not in ask("2 tickets")
    assert ask("the 2nd ticket")["choice_id"] == "c2"


POOL: list[dict[str, Any]] = [
    {"id": "a", "label": "Budget", "owner": "Kim", "type": "spreadsheet"},
    {"id": "b", "label": "Notes", "owner": "Lee", "type": "document"},
    {"id": "c", "label": "Roadmap", "owner": "Kim", "type": "document"},
]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("the one by Lee", "b"),
        ("the one that Kim keeps", None),
        ("open the document by Kim", "c"),
        ("the one by Kim", None),
    ],
)
def test_a_description_that_only_one_answers_to_is_a_choice(text: str, choice: str | None) -> None:
    answer = ask(text, candidates=POOL)
    assert answer.get("choice_id") == choice
    if choice:
        assert "ground.described" in rules(answer)


@pytest.mark.parametrize("text", ["is the one by Lee new?", "not the one by Lee", "a document by Lee"])
def test_a_description_that_is_asked_refused_or_indefinite_is_none(text: str) -> None:
    assert ask(text, candidates=POOL)["outcome"] != "execute"


def test_a_panel_called_by_its_letter_must_be_the_one_in_view() -> None:
    """Facts 4.4: the named hint is extracted, and a cue that cannot be bound asks."""
    state = {"activeOptionSetId": "set-1", "activeScope": PANEL}
    here: dict[str, Any] = {"scope": PANEL, "continuity": state}
    assert ask("open sample2 from links panel d", **here)["choice_id"] == "c2"
    assert ask("open sample2 from links panel", **here)["choice_id"] == "c2"
    for text, where in (
        ("open sample2 from links panel e", here),
        ("open sample2 from panel d", {"scope": CHAT}),
    ):
        answer = ask(text, **where)
        assert (answer["outcome"], answer["clarifier"]["type"]) == ("clarify", "scope_disambiguation")


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("메뉴가 뭐야", "question"),
        ("전화번호 알려줘", "question"),
        ("주차 되나요", "question"),
        ("그건 하지 마", "negate"),
        ("다른 곳 보여줘", "alternatives"),
        ("일식집 찾아줘", "alternatives"),
        ("더 싼 데 없어?", "alternatives"),
    ],
)
def test_korean_endings_tell_asking_from_wanting(text: str, act: str) -> None:
    answer = ask(text, last_offered_id="c2")
    assert (answer["act"], answer["outcome"] == "execute") == (act, False)


def test_korean_not_this_but_that() -> None:
    answer = ask("가나다 말고 라마바", candidates=listed("가나다", "라마바", "사아자"))
    assert answer["choice_id"] == "c2"
