from __future__ import annotations

import pytest

from clew.kernel.link.consequences import answers_yes_no, classify, is_prompt, unmatched
from clew.kernel.read.remark import Remark
from clew.policy import default
from tests.kernel.link.talk import pairs, run

POLICY = default().link

KINDS = [
    ("roll athletics.", "roll"),
    ("make a dexterity saving throw", "roll"),
    ("does a 12 to hit matter", "roll"),
    ("roll 2d6 damage", "roll"),
    ("you see a long hall", "information"),
    ("it looks like a key", "information"),
    ("no, nothing there", "information"),
    ("you can try", "information"),
    ("you open the chest", "deterministic"),
    ("you manage to lift it", "deterministic"),
    ("it won't budge", "deterministic"),
    ("you agree on a price", "commitment"),
    ("we will meet at dawn", "commitment"),
    ("the wind howls", "dm_statement"),
    ("nobody knows", "dm_statement"),
    ("no-one is there", "dm_statement"),
    ("well, no, nothing there", "dm_statement"),
    ("you agree, and you see a light", "information"),
    ('"yes, my lord"', "information"),
]


@pytest.mark.rule("C11")
@pytest.mark.parametrize(("text", "expected"), KINDS)
def test_the_first_matching_kind_wins(text: str, expected: str) -> None:
    assert classify([text], [0], POLICY).get(0, unmatched(general=False)).value == expected


@pytest.mark.rule("C11")
def test_an_unclaimed_intent_has_no_consequence_type_and_a_general_line_is_other() -> None:
    assert run("Al: I open the door.").links[0].consequence_type.value == "none"
    assert unmatched(general=True).value == "other"


@pytest.mark.rule("C5")
@pytest.mark.parametrize(
    "text", ["now you see", "nobody", "yesterday", "not far", "surely", "okra", "no-one is there"]
)
def test_a_word_that_only_begins_like_yes_or_no_is_no_answer(text: str) -> None:
    assert not answers_yes_no(Remark(text), POLICY)
    assert answers_yes_no(Remark("no, " + text), POLICY)


@pytest.mark.rule("C5")
def test_only_a_question_is_answered_with_yes() -> None:
    question = run("Al: Is the door locked?", "DM: Yes.").links[0].score
    declared = run("Al: I open the door.", "DM: Yes.").links[0].score
    assert question is not None and declared is not None
    assert round(question - declared, 9) == 0.15


@pytest.mark.rule("C20")
def test_a_prompt_is_a_consequence_only_when_there_is_nothing_else() -> None:
    assert is_prompt(Remark("what do you do?"), POLICY) and not is_prompt(Remark("who knows?"), POLICY)
    asked = ("Al: I open the door.", "DM: What do you do?", "DM: It opens.")
    assert pairs(run(*asked)) == [(0, 2)]
    assert pairs(run(*asked[:2])) == [(0, 1)]
    traces = run(*asked[:2], emit_traces=True).traces
    assert traces is not None and traces[0].candidates[0].prompt
