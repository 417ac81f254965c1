"""`clew.ground`: what was said and asked before fills in what a yes means."""

from __future__ import annotations

import pytest

import clew

FILES = [
    {"id": "a", "label": "budget_2024.xlsx", "sublabel": "14 KB"},
    {"id": "b", "label": "budget_2025.xlsx", "sublabel": "18 KB"},
    {"id": "c", "label": "notes.txt", "sublabel": "2 KB, by Bob"},
]


def test_what_the_assistant_named_is_the_offer() -> None:
    answer = clew.ground("yes please", FILES, said="I found notes.txt. Shall I open it?")
    assert (answer["outcome"], answer["choice_id"]) == ("execute", "c")


def test_a_yes_to_words_that_put_nothing_forward_takes_nothing() -> None:
    answer = clew.ground("yes please", FILES, said="I found three files. Which one should I open?")
    assert answer["outcome"] != "execute"


def test_an_answer_to_the_question_that_was_asked_back_keeps_its_verb_and_its_list() -> None:
    first = clew.ground("open the budget", FILES, said="Here are your files.")
    assert first["outcome"] == "clarify"
    second = clew.ground("the 2025 one", FILES, after=first)
    assert (second["choice_id"], second["verb"]) == ("b", "open")


def test_a_question_among_several_puts_nothing_forward() -> None:
    first = clew.ground("open the budget", FILES, said="Here are your files.")
    assert clew.ground("thanks, good night", FILES, after=first)["outcome"] != "execute"


@pytest.mark.parametrize("text", ["thanks, have a good night!", "yes I had a nice weekend", "고마워 잘 자"])
def test_manners_and_small_talk_execute_nothing(text: str) -> None:
    assert clew.ground(text, FILES, said="I found notes.txt. Shall I open it?")["outcome"] != "execute"


def test_a_caller_may_still_say_what_is_on_offer() -> None:
    assert clew.ground("yes", FILES, said="Open it?", offer="b")["choice_id"] == "b"
