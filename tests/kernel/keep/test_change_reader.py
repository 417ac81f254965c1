"""The learned reader of change: plain cases in both languages, silent without vectors, and checked by rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.keep.applied_changes import Change, in_words
from clew.kernel.keep.change_reader import UNDOES, Judged, Verdict, judge
from clew.kernel.keep.change_signs import Held, News, Part
from clew.kernel.keep.changeable import may_change
from clew.kernel.keep.merge import remember
from clew.kernel.keep.told_anew import told_anew
from clew.kernel.keep.verdicts import decided
from clew.kernel.read.utterance import read
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.model.profile import UserControls
from clew.model.utterance import Statement
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


def judged(alike: float = 1.0, **chances: float) -> Judged:
    each = tuple(chances.get(v.value, 0.0) for v in Verdict)
    best = max(Verdict, key=lambda v: chances.get(v.value, 0.0))
    return Judged("a", best, max(each), sum(each[: len(UNDOES)]), each, alike)


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


def test_a_second_hobby_takes_nothing_from_the_first() -> None:
    likely = judged(replaces=0.7, coexists=0.3)
    held = record("hobby", "collect stamps", statement="I collect stamps")

    def of(text: str) -> Verdict | None:
        value = text.removeprefix("I collect ").partition(" now")[0]
        statement = Statement("self", "hobby", value, text, text.index(value), text.index(value) + len(value))
        return decided(likely, held, replace(read(text, P), statements=(statement,)), P)

    assert of("I collect old maps") is not Verdict.REPLACES
    assert of("I collect old maps now instead") is Verdict.REPLACES


def test_a_move_at_the_weekend_is_no_visit() -> None:
    text = "주말에 김해로 이사했어"
    told = read(text, P)
    assert any(s.attribute == "city" and s.certainty == 1 for s in told.statements)
    assert decided(judged(replaces=0.6, other=0.4), record("city", "수원"), told, P) is Verdict.REPLACES
    visit = "주말에 김해 놀러 갔어"
    assert decided(judged(replaces=0.6, other=0.4), record("city", "수원"), read(visit, P), P) is not Verdict.REPLACES


@pytest.mark.parametrize(
    ("text", "value"), [("어제 아이폰으로 갈아탔어", "아이폰"), ("I've gone over to Helix, no looking back", "Helix")]
)
def test_what_one_switched_to_takes_the_attribute_of_what_was_held(text: str, value: str) -> None:
    held = record("device", "Galaxy", statement="my phone is a Galaxy")
    assert decided(judged(replaces=0.4, other=0.6), held, read(text, P), P) is Verdict.REPLACES
    words = in_words(held, Verdict.REPLACES, text, AT, ZoneInfo("UTC"), P)
    assert words is not None and (words.attribute, words.value) == ("device", value)


def test_another_name_for_the_same_pet_replaces_the_old_one_only_where_it_is_said_so() -> None:
    held = record("name", "양말", memory_key="pet:cat:양말", subject="pet:cat", statement="고양이 이름은 양말이야")

    def of(text: str) -> Verdict | None:
        name = Statement("pet:cat", "name", "박사", text, text.index("박사"), text.index("박사") + 2, name="박사")
        return decided(judged(replaces=0.9), held, replace(read(text, P), statements=(name,)), P)

    assert of("고양이 이름을 박사로 바꿨어") is Verdict.REPLACES
    assert of("다른 고양이 이름은 박사야") is Verdict.OTHER


@pytest.mark.rule("M7")
def test_of_messages_about_different_things_the_reader_is_sure_for_nothing() -> None:
    told = "the choir sings at the minster, mind"
    held = record("money", "boiler part")
    assert decided(judged(replaces=0.88), held, read(told, P), P) is not Verdict.REPLACES
    note = record("note", "he doesn't know me any more")
    assert decided(judged(0.1, replaces=0.92), note, read("nobody has a clue what Yasmin is up to", P), P) is Verdict.OTHER


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("held", "message", "stands"),
    [
        ("thirty ewes", "lost a ewe in the night, the old one", True),
        ("12 guitars", "sold the Gibson guitar to a lad in Hull", True),
        ("thirty ewes", "sold the ewes", False),
        ("a guitar", "sold the guitar", False),
    ],
)
def test_one_of_several_that_is_lost_ends_no_others(held: str, message: str, stands: bool) -> None:
    verdict = decided(judged(ends=0.95), record("possession", held), read(message, P), P)
    assert (verdict is Verdict.OTHER) is stands
