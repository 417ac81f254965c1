"""`similar` as memory: the same thing in other words, and never opposites."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.door import call


def similar(a: str, b: str, **more: Any) -> dict[str, Any]:
    return call("similar", {"a": a, "b": b, "as": "memory", **more})


SAME = [
    ("나는 커피를 좋아해", "나는 커피 좋아해요"),
    ("저는 부산에 살아요", "나 부산에 살아"),
    ("I like sushi", "I really like sushi"),
    ("she plays the guitar", "She is playing the guitar."),
    ("한 남자가 기타를 친다", "남자가 기타를 치고 있다"),
]
APART = [
    ("나는 커피를 좋아해", "나는 커피를 싫어해"),
    ("나는 커피를 좋아해", "나는 커피를 안 좋아해"),
    ("남자가 기타를 치고 있다", "여자가 기타를 치고 있다"),
    ("I like sushi", "I don't like sushi"),
    ("I like sushi", "I hate sushi"),
    ("he plays the flute", "he plays the guitar"),
    ("I live in Oslo now", "I live in Lima now"),
    ("my exam is on Monday", "my exam is on Friday"),
    ("I have 2 cats", "I have 3 cats"),
    ("난 맥주 되게 좋아해", "난 맥주 진짜 싫어"),
    ("엄마는 사과를 먹어", "나는 사과를 먹어"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_in_other_words_is_one_memory(a: str, b: str) -> None:
    assert similar(a, b)["duplicate"] is True
    assert similar(b, a)["duplicate"] is True


@pytest.mark.rule("general 3")
@pytest.mark.parametrize(("a", "b"), APART)
@pytest.mark.parametrize("vectors", [{}, {"vector_a": [1.0, 0.0], "vector_b": [1.0, 0.0]}])
def test_opposites_and_other_things_stay_apart(a: str, b: str, vectors: dict[str, Any]) -> None:
    assert similar(a, b, **vectors)["duplicate"] is False
    assert similar(b, a, **vectors)["duplicate"] is False


def test_similarity_is_containment_over_content_words() -> None:
    assert similar("green tea", "green tea with honey")["similarity"] == 1.0
    assert similar("green tea", "black coffee")["similarity"] == 0.0


def test_vectors_can_join_what_words_cannot() -> None:
    a, b = "pasta dinner yesterday evening", "spaghetti supper last night"
    assert similar(a, b)["duplicate"] is False
    assert similar(a, b, vector_a=[1.0, 0.1], vector_b=[1.0, 0.1])["duplicate"] is True


def test_empty_texts_are_no_duplicates() -> None:
    assert similar("", "")["duplicate"] is False


def test_a_vector_must_be_numbers() -> None:
    with pytest.raises(InvalidInput) as why:
        similar("a", "b", vector_a=["x"], vector_b=[1.0])
    assert why.value.pointer == "/vector_a/0"


def turned(degrees: float) -> dict[str, list[float]]:
    angle = math.radians(degrees)
    return {"vector_a": [1.0, 0.0], "vector_b": [math.cos(angle), math.sin(angle)]}


def test_one_other_word_is_a_synonym_only_when_the_vectors_say_so() -> None:
    a, b = "I am bad at remembering names", "I am terrible at remembering names"
    assert similar(a, b)["duplicate"] is False
    assert similar(a, b, **turned(15))["duplicate"] is True
    assert similar(a, b, **turned(25))["guard"] == "entity"
    assert similar(a, b, **turned(0))["guard"] == "entity"  # vectors that tell nothing apart


def test_exchanged_words_need_vectors_that_agree() -> None:
    a, b = "여자가 카페에서 기타를 쳐", "여자가 카페에서 책을 읽어"
    assert similar(a, b, **turned(50))["duplicate"] is False


def test_another_person_is_another_memory() -> None:
    assert similar("my friend cuts an onion", "a child is cutting an onion")["duplicate"] is False


def test_forms_of_one_word_count_as_one() -> None:
    assert similar("I like horror movies", "I like horror films")["duplicate"] is True
    assert similar("I read many stories", "I read many story")["similarity"] == 1.0
