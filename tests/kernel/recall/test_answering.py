"""A question is moved to where its answers lie, in the space in which that was learned and in no other."""

from __future__ import annotations

import numpy as np
import pytest

from clew.adapters.embeddings import use
from clew.kernel.recall.turns.answering import answers_at
from tests.kernel.recall.conversation import POLICY


@pytest.mark.parametrize(
    ("question", "answer", "alike"),
    [
        ("Where does she work?", "she's on the night desk at the harbour office", "Where does he work these days?"),
        ("What is my dog called?", "took Biscuit to the vet, poor pup", "What are dogs called in France?"),
        ("내 직업이 뭐였지?", "오늘도 병원 야간 근무야 환자가 너무 많아", "네 직업은 뭐야?"),
    ],
)
def test_an_answer_comes_nearer_than_what_is_only_alike(question: str, answer: str, alike: str) -> None:
    rows = use.default().matrix([question, answer, alike])
    plain = rows[1:] @ rows[0]
    moved = rows[1:] @ answers_at(rows[0], use.default().space, POLICY)
    assert moved[0] - moved[1] > plain[0] - plain[1]


def test_nothing_is_moved_in_a_space_in_which_it_was_not_learned() -> None:
    question = np.ones(512, np.float32)
    assert answers_at(question, "another/1", POLICY) is None
    assert answers_at(question[:26], use.default().space, POLICY) is None


def test_the_same_question_goes_to_the_same_place() -> None:
    question = use.default().matrix(["how old is Imogen?"])[0]
    first, second = (answers_at(question, use.default().space, POLICY) for _ in range(2))
    assert first is not None and second is not None and np.array_equal(first, second)
