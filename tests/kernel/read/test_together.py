"""Pain told in few words over several turns (ruling S5)."""

from __future__ import annotations

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.signals import hear
from clew.kernel.read.together import TOGETHER, joined, together
from clew.model.signals import Need, Signals
from clew.policy import default

POLICY = default()


def heard(*turns: str) -> Signals:
    *before, text = turns
    wanted = [text, *joined(text, before, POLICY)]
    vectors = dict(zip(wanted, (embedder().embed([w])[0] for w in wanted), strict=True))
    return hear(text, POLICY, before, vectors[text], None, vectors)


MILD = (
    ("My flatmate moved out", "the place echoes", "I leave the radio on"),
    ("my hair's coming out", "in the shower mostly", "I bought a hat"),
    ("가게 정리했어", "간판 떼더라", "십이 년인데"),
    ("이사 왔어", "아는 사람이 없네", "저녁도 혼자"),
)


@pytest.mark.rule("S5")
@pytest.mark.parametrize("turns", MILD)
def test_three_turns_of_mild_pain_are_heard_where_the_last_alone_is_not(turns: tuple[str, ...]) -> None:
    assert heard(turns[-1]).need is Need.NONE
    told = heard(*turns)
    assert told.need is Need.CARE
    assert [r.rule for r in told.need_reasons] == [TOGETHER]
    assert not told.safety.crisis


@pytest.mark.parametrize(
    "turns",
    [
        ("hey", "good morning!", "making pancakes"),
        ("the house sold", "moving in june", "boxes everywhere"),
        ("퇴근했어", "지하철 자리 났다", "저녁 뭐 먹지"),
        ("그냥 걷는 중", "날씨 좋아서", "벚꽃 폈더라"),
    ],
)
def test_ordinary_turns_stay_ordinary_together(turns: tuple[str, ...]) -> None:
    assert heard(*turns).need is Need.NONE


def test_what_was_heard_by_itself_is_not_raised_again_by_the_next_turn() -> None:
    assert heard("my dad died last night").need is Need.CARE
    assert heard("my dad died last night", "anyway, the kettle is on").need is Need.NONE


def test_a_question_is_answered_and_not_comforted() -> None:
    assert heard(*MILD[0][:2], "what's a good film for tonight?").need is Need.NONE


def test_without_vectors_nothing_is_read_together() -> None:
    *before, text = MILD[0]
    assert hear(text, POLICY, before).need is Need.NONE


def test_turns_become_sentences_of_one_text() -> None:
    assert together(["hey", " not great. ", "", "why?"]) == "hey. not great. why?"


def test_a_long_message_tells_by_itself_what_it_has_to_tell() -> None:
    assert joined("x" * 400, ["hey"], POLICY) == ()
    assert joined("hey", ["x" * 400], POLICY) == ()
    found = joined("I don't really have anyone", ["hey", "I feel so empty", "can't sleep"], POLICY)
    assert found[:2] == ("I feel so empty", "can't sleep")
    assert found[2] == "I feel so empty. can't sleep. I don't really have anyone."


def test_what_is_far_from_pain_by_its_words_is_not_embedded_for_it() -> None:
    assert joined("the bus was late", ["hi", "had pasta for lunch"], POLICY) == ()
