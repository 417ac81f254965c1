"""The learned reader of change: plain cases in both languages, silent without vectors, and checked by rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.keep.applied_changes import Change, decided, may_change
from clew.kernel.keep.change_reader import UNDOES, Judged, Verdict, judge
from clew.kernel.keep.change_signs import Held, News, Part
from clew.kernel.keep.merge import remember
from clew.kernel.keep.told_anew import told_anew
from clew.kernel.read.utterance import read
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.model.profile import UserControls
from clew.policy import default

P = default()
AT = datetime(2026, 3, 14, tzinfo=UTC)


def vector(text: str) -> list[float]:
    return [float(x) for x in embedder().matrix([text])[0]]


def news_of(text: str) -> News:
    said = read(text, P, vector=vector(text), tokens=embedder().tokens(text))
    parts = tuple(Part(s.text, s.act, s.negated, vector(s.text)) for s in said.sentences)
    values = tuple(vector(s.value) for s in said.statements)
    return News(text, said.language, parts, said.statements, vector(text), values, said.tokens)


def held_of(text: str, attribute: str, value: str) -> Held:
    return Held(text, "self", attribute, value, vector(text), vector(value), embedder().tokens(value))


def record(attribute: str = "city", value: str = "York", **more: object) -> MemoryRecord:
    made = MemoryRecord(
        "a", MemoryType.FACT, f"fact:{attribute}", value, Decimal("0.80"), MemoryStatus.ACTIVE, AT, AT, ("m1",),
        attribute=attribute,
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("held", "message", "undone"),
    [
        (("I live in Gdansk", "city", "Gdansk"), "we moved to Wroclaw in the end", True),
        (("I drive a Golf", "possession", "a Golf"), "sold the Golf, I'm on a Yaris now", True),
        (("I'm on a keto diet", "diet", "keto"), "I gave up keto last week", True),
        (("부산 살아", "city", "부산"), "부산 떠나서 이제 광주 살아", True),
        (("I speak Dutch", "language", "Dutch"), "I also speak some Greek", False),
        (("I have a dog", "possession", "a dog"), "what time is it in Tokyo?", False),
        (("커피 좋아해", "like", "커피"), "녹차도 좋아해", False),
    ],
)
def test_what_a_message_does_to_what_is_held(held: tuple[str, str, str], message: str, undone: bool) -> None:
    judged = judge("a", held_of(*held), news_of(message), P)
    assert judged is not None and (judged.undone >= 0.5) is undone
    assert judged == judge("a", held_of(*held), news_of(message), P)


def test_without_vectors_the_reader_is_silent() -> None:
    blind = Held("I live in York", "self", "city", "York")
    assert judge("a", blind, news_of("I moved to Leeds"), P) is None


def judged(**chances: float) -> Judged:
    each = tuple(chances.get(v.value, 0.0) for v in Verdict)
    best = max(Verdict, key=lambda v: chances.get(v.value, 0.0))
    return Judged("a", best, max(each), sum(each[: len(UNDOES)]), each)


@pytest.mark.rule("M7")
def test_rules_check_what_the_reader_proposes() -> None:
    sure = judged(replaces=0.9)
    assert decided(sure, record(), read("we moved to Leeds", P), P) is Verdict.REPLACES
    assert decided(sure, record(), read("in Leeds for the weekend", P), P) is Verdict.OTHER  # a visit
    assert decided(judged(ends=0.9), record("birthday", "3 May"), read("no more birthdays", P), P) is None
    assert not may_change(record(pinned=True), P) and not may_change(record("event", "a wedding"), P)


@pytest.mark.rule("M7")
def test_what_is_undone_steps_back_and_is_kept_as_history() -> None:
    def after(verdict: Verdict) -> MemoryRecord:
        done = remember(
            [record()], [], UserControls(), message_id="m2", at=AT, policy=P, changes=[Change("a", verdict, 0.9)]
        )
        return done.memories[0]

    assert after(Verdict.ENDS).invalid_reason == "user_ended"
    assert after(Verdict.DENIES).invalid_reason == "user_denied"
    for stays in (Verdict.COEXISTS, Verdict.SAME, Verdict.OTHER):
        assert after(stays).status is MemoryStatus.ACTIVE


def test_a_change_is_told_without_what_it_replaced() -> None:
    old = record("possession", "Trek", status=MemoryStatus.SUPERSEDED, superseded_by="b")
    words = "my Trek got stolen, riding a Giant now"
    new = record("possession", "a Giant", memory_id="b", statement=words)
    assert [m.statement for m in told_anew([old, new], P)] == [None, "riding a Giant now"]
    assert [m.statement for m in told_anew([new], P)] == [words]
