"""Whoever asks for what was told, tells of work, things and medicine, or laughs, is in no danger (ruling S6)."""

from __future__ import annotations

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.signals import hear
from clew.kernel.text.sentences import sentences
from clew.model.signals import Need
from clew.policy import default

POLICY = default()


def need(text: str) -> Need:
    parts = sentences(text, POLICY.text)
    vectors = dict(zip(parts, map(tuple, embedder().embed(list(parts))), strict=True)) if len(parts) > 1 else {}
    return hear(text, POLICY, (), embedder().embed([text])[0], None, vectors, embedder().tokens(text)).need


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    "text",
    [
        "how did I hurt myself at the allotment",
        "I'd be late for my own funeral, me",
        "my uncle fell asleep at the wheel in March, only dented the gate",
        "who waters the tomatoes when I'm gone to Spain",
        "they've put me on a blood pressure tablet, one each morning",
        "I'll do the dishwasher myself",
        "내 무릎 어디서 다쳤더라",
        "수술하고 당일 운전해도 되는지 물어봐야지",
        "운전하다 졸려서 휴게소에서 자고 가",
        "오빠 가게는 이번 달까지만 하고 접는대",
        "보너스는 언제 들어와요",
        "꿈 없어도 사는 데 지장 없어",
    ],
)
def test_ordinary_talk_raises_no_crisis(text: str) -> None:
    assert need(text) is not Need.CRISIS


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("a strange man keeps following me home from the tram", Need.CARE),
        ("there's a guy who sits outside our house at night", Need.CARE),
        ("모르는 아저씨가 자꾸 따라와", Need.CARE),
        ("she followed me on instagram", Need.NONE),
        ("the van is parked outside the bakery", Need.NONE),
        ("동생이 마트에 따라왔어", Need.NONE),
        ("my ex is standing outside with a knife", Need.CRISIS),
        ("전남친이 식칼을 들고 찾아왔어요", Need.CRISIS),
    ],
)
def test_whoever_is_followed_or_threatened_is_heard(text: str, heard: Need) -> None:
    assert need(text) is heard
