"""A head over two statements' vectors adds retellings, doubts lookalikes, and never passes a guard."""

from __future__ import annotations

import pytest

from clew.adapters.embeddings import use
from clew.kernel.compare.likeness import features, memory_likeness
from clew.kernel.compare.same_statement import told_the_same
from clew.policy import default

P = default()


def merged(a: str, b: str) -> bool:
    left, right = use.default().embed([a, b])
    return memory_likeness(a, b, P, left, right).duplicate


@pytest.mark.rule("M8")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I'm a nurse", "I work as a nurse at the hospital"),
        ("I live in Berlin", "Berlin is where I live"),
        ("커피 못 마셔요", "저는 커피를 마시면 안 돼요"),
    ],
)
def test_a_statement_in_other_words_is_the_same(a: str, b: str) -> None:
    assert merged(a, b)


@pytest.mark.rule("M8")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I eat meat", "I don't eat meat"),
        ("집에 에어컨 있어", "집에 에어컨 없어"),
        ("우리 동네는 교통이 편리해", "우리 동네는 교통이 불편해"),
        ("올해 매출이 증가했어", "올해 매출이 감소했어"),
        ("I love my job", "I hate my job"),
        ("I can drive", "I can't drive"),
    ],
)
def test_opposites_are_never_merged(a: str, b: str) -> None:
    assert not merged(a, b)


def test_vectors_of_another_space_say_nothing() -> None:
    worded = features("I eat fish", "fish is what I eat", P)
    assert told_the_same("I eat fish", "fish is what I eat", [1.0, 0.0], [1.0, 0.0], worded, P) is None


def test_a_guard_holds_whatever_the_head_says() -> None:
    same = [1.0] * len(P.remember.same.apart)
    likeness = memory_likeness("I am married", "I am not married", P, same, same)
    assert not likeness.duplicate
