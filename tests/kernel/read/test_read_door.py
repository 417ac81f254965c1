"""`read` at the door."""

from __future__ import annotations

import pytest

from clew.errors import InvalidInput
from clew.kernels import call, read


def test_the_answer_has_every_promised_field() -> None:
    answer = read("i feel sad about my exam", previous=["hello"])
    assert set(answer) >= {
        "norm", "no_punct", "tokens", "token_estimate", "language", "topics", "initiated", "mentioned", "flags",
        "emotion", "safety", "policy", "reasons",
    }  # fmt: skip
    assert set(answer["emotion"]) >= {"valence", "tags", "strong"}
    assert answer["safety"] == {"class": "none", "crisis": False}
    assert {"listen.topic.work_school", "listen.emotion.sadness"} <= {r["rule"] for r in answer["reasons"]}


def test_empty_text_is_valid_and_calm() -> None:
    answer = read("")
    assert answer["emotion"] == {"valence": 0.0, "tags": [], "strong": False, "self_state": False}
    assert answer["safety"] == {"class": "none", "crisis": False} and answer["reasons"] == []


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        ({}, "/text"),
        ({"text": 3}, "/text"),
        ({"text": "hi", "previous": "no"}, "/previous"),
        ({"text": "hi", "previous": [1]}, "/previous/0"),
        ({"text": "hi", "vector": [1, 2]}, "/vector"),
        ({"text": "hi", "vector": ["a"] * 512}, "/vector/0"),
    ],
)
def test_a_bad_field_is_named(payload: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidInput) as why:
        call("read", payload)
    assert why.value.pointer == pointer
