"""Terms: what two texts must share to be found by each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.language.en import English
from clew.kernel.read.spoken import passages
from clew.kernel.recall.turns.speakers import Names, role
from clew.kernel.text.terms import terms
from clew.kernel.text.words_in import words_in
from tests.kernel.recall.conversation import POLICY


def removed(names: Names, text: str) -> str:
    return names.removed(text, words_in(text, POLICY))


def bare(text: str) -> list[str]:
    return [term for term, _ in terms(text, POLICY)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("book", "books"),
        ("city", "cities"),
        ("walk", "walking"),
        ("paint", "painted"),
        ("move", "moving"),
        ("plan", "planned"),
        ("church", "churches"),
        ("bake", "baker"),
        ("adopt", "adopting"),
    ],
)
def test_forms_of_one_word_meet(one: str, other: str) -> None:
    assert English().stem(one, POLICY) == English().stem(other, POLICY)


@pytest.mark.parametrize("word", ["bus", "gas", "red", "is", "this", "glass", "2023", "b12", "ring"])
def test_short_or_odd_words_are_left_alone(word: str) -> None:
    assert English().stem(word, POLICY) == word


def test_words_that_name_nothing_are_left_out() -> None:
    assert bare("What did I do with the dog?") == ["dog"]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("고양이는 어디 있어?", "우리 고양이가 아파요"),
        ("서울에서 뭐 했어?", "서울은 추웠어"),
        ("exam은 언제야?", "The exam is on Monday"),
        ("東京はどう?", "昨日東京に行った"),
    ],
)
def test_scripts_without_spaces_are_found(question: str, statement: str) -> None:
    assert set(bare(question)) & set(bare(statement))


@given(st.text(max_size=200))
def test_any_text_has_terms_and_the_same_ones_each_time(text: str) -> None:
    assert terms(text, POLICY) == terms(text, POLICY)
    assert all(term and word for term, word in terms(text, POLICY))


def test_a_short_turn_is_one_passage_and_a_long_one_loses_no_sentence() -> None:
    assert passages("Hello there.", POLICY.recall) == ["Hello there."]
    text = " ".join(f"Sentence {i} is about thing {i}." for i in range(80))
    cut = passages(text, POLICY.recall)
    assert len(cut) > 1
    assert " ".join(cut) == text


@given(st.text(max_size=2000))
def test_passages_are_bounded_and_never_none(text: str) -> None:
    cut = passages(text, POLICY.recall)
    assert 1 <= len(cut) <= 2 * POLICY.recall.passages_max
    assert all(len(p) <= POLICY.recall.passage for p in cut)


def test_names_leave_a_text_before_it_is_embedded() -> None:
    names = Names(["Caroline", "Mel Jones", "user"], POLICY)
    assert removed(names, "What did Caroline's sister tell Mel?") == "What did sister tell ?"
    assert removed(names, "Caroline") == "Caroline"
    assert removed(names, "The user melts") == "The user melts"
    assert removed(Names(["민수"], POLICY), "민수가 뭐 먹었어?") == "뭐 먹었어?"


def test_a_role_is_not_a_name() -> None:
    assert [role(s, POLICY) for s in ("User", "assistant", "Nora")] == ["user", "assistant", None]
