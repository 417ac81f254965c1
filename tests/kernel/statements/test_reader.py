"""The learned reader of statements: what it keeps, what it leaves, and what holds for every text."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.adapters.embeddings.use import default as embedder
from clew.errors import InvalidPolicy
from clew.kernel.read.utterance import read, sentences_of
from clew.kernel.statements.reader import read_statements
from clew.model.utterance import Act, Sentence, Statement, Status
from clew.policy import default as policy
from clew.policy.reader import weights


@lru_cache(maxsize=256)
def told(text: str, language: str = "en") -> tuple[Statement, ...]:
    vector = embedder().embed([text])[0]
    return read_statements(
        text, language, sentences_of(text, language, policy()), vector, embedder().tokens(text), policy()
    )


def facts(text: str, language: str = "en") -> set[tuple[str, str, str]]:
    return {(s.subject, s.attribute, s.value) for s in told(text, language)}


KEPT = [
    ("en", "My name is Adaeze.", ("self", "name", "Adaeze")),
    ("en", "I'm 46.", ("self", "age", "46")),
    ("en", "I'm allergic to kiwi.", ("self", "allergy", "kiwi")),
    ("en", "I live in Gdansk.", ("self", "city", "Gdansk")),
    ("en", "My sister is called Wren.", ("person:sister", "name", "Wren")),
    ("en", "My dog's name is Olive.", ("pet:dog", "name", "Olive")),
    ("en", "I hate beetroot a lot", ("self", "dislike", "beetroot")),
    ("en", "I'm a firefighter.", ("self", "job", "firefighter")),
    ("en", "I take warfarin every evening.", ("self", "medication", "warfarin")),
    ("ko", "저는 포항에 살아요", ("self", "city", "포항")),
    ("ko", "제 이름은 서이든이에요", ("self", "name", "서이든")),
    ("ko", "나 수의사야", ("self", "job", "수의사")),
    ("ko", "새우 알레르기 있어요", ("self", "allergy", "새우")),
    ("ko", "나는 순대를 좋아해", ("self", "like", "순대")),
]


@pytest.mark.parametrize(("language", "text", "fact"), KEPT)
def test_a_plain_statement_is_kept_with_its_value_trimmed(language: str, text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text, language)


ORDINARY = [
    ("en", "what's the capital of Mongolia?"),
    ("en", "turn off the hallway light"),
    ("en", "lol that's brilliant"),
    ("en", "thanks so much!"),
    ("en", "If I were a dentist I'd own a boat."),
    ("en", "I wish I had a garden."),
    ("en", "the train is late again"),
    ("en", "do you like cheese?"),
    ("ko", "몽골 수도가 어디야?"),
    ("ko", "거실 불 꺼줘"),
    ("ko", "ㅋㅋㅋ 대박"),
    ("ko", "고마워!"),
    ("ko", "오늘 날씨 좋다"),
]


@pytest.mark.parametrize(("language", "text"), ORDINARY)
def test_ordinary_talk_gives_nothing(language: str, text: str) -> None:
    assert facts(text, language) == set()


def test_a_person_s_name_stands_with_all_that_is_told_of_them() -> None:
    found = [s for s in told("My brother is called Tobi. My brother lives in Accra.") if s.subject == "person:brother"]
    assert {s.attribute for s in found} >= {"name", "city"}
    assert {s.name for s in found} == {"Tobi"}


def test_without_the_encoder_only_plain_shapes_are_read() -> None:
    sentences = sentences_of("I'm allergic to kiwi. Warfarin every evening.", "en", policy())
    found = read_statements(sentences[0].text, "en", sentences[:1], None, None, policy())
    assert [(s.attribute, s.value, s.certainty) for s in found] == [("allergy", "kiwi", 1.0)]


def test_a_plain_shape_in_a_question_is_no_statement() -> None:
    asked = Sentence(0, 22, "I'm allergic to kiwi, r", Act.QUESTION)
    assert read_statements(asked.text, "en", (asked,), None, None, policy()) == ()


def test_the_reader_is_silent_above_a_mark_that_nothing_reaches() -> None:
    text = "I take warfarin every evening."
    vector, tokens = embedder().embed([text])[0], embedder().tokens(text)
    strict = replace(policy(), reader=replace(policy().reader, at=1.01))
    assert read_statements(text, "en", sentences_of(text, "en", policy()), vector, tokens, strict) == ()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_read_and_every_value_stands_in_it(text: str) -> None:
    for language in ("en", "ko"):
        for s in told(text, language):
            assert text[s.start : s.end] == s.value and s.value.strip() == s.value != ""
            assert 0 <= s.certainty <= 1 and s.status in Status and s.stance in (None, "like", "dislike")
            assert s.subject == "self" or s.subject.startswith(("person:", "pet:"))


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    def spent(text: str) -> float:
        vector, tokens = embedder().embed([text])[0], embedder().tokens(text)
        sentences = sentences_of(text, "en", policy())
        best = 1e9
        for _ in range(3):
            began = process_time()
            read_statements(text, "en", sentences, vector, tokens, policy())
            best = min(best, process_time() - began)
        return best

    line = "I work nights at the harbour and my cat sleeps on the radio. "
    short, long = spent((line * 17)[:1000]), spent((line * 67)[:4000])
    assert long < 12 * short


def test_the_same_text_gives_the_same_statements_in_another_process() -> None:
    text = "My brother Tobi lives in Accra and I'm a firefighter, off dairy since May."
    code = (
        "from tests.kernel.statements.test_reader import told\n"
        f"print(repr(told({text!r})))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == repr(told(text))


def test_weights_that_are_not_the_policy_s_own_are_refused() -> None:
    table = policy().reader
    with pytest.raises(InvalidPolicy):
        weights(table.statements, "0" * 64)


def test_weights_stay_small() -> None:
    import zlib
    from importlib import resources

    # As they lie in the wheel, which packs them: what reads what is told and asked, and everything.
    files = [f for f in resources.files("clew.policy").joinpath("weights").iterdir() if f.is_file()]
    packed = {f.name: len(zlib.compress(f.read_bytes())) for f in files}
    reading = ("statements.npz", "told.npz", "named.npz", "belief.npz", "asks.npz", "answering.npz")
    assert sum(packed[name] for name in reading) < 9_200_000
    assert sum(packed.values()) < 12_500_000


@pytest.mark.parametrize(
    ("language", "text", "first", "second"),
    [
        ("en", "I'm a night security guard at the aquarium", ("self", "job", "night security guard"), ("self", "employer", "aquarium")),
        ("en", "I work in HR for a logistics company", ("self", "job", "HR"), ("self", "employer", "logistics company")),
        ("en", "my stepmom Dana turns 40 on friday", ("person:stepmother", "age", "40"), ("person:stepmother", "birthday", "friday")),
    ],
)  # fmt: skip
def test_one_run_of_words_may_tell_two_things(
    language: str, text: str, first: tuple[str, str, str], second: tuple[str, str, str]
) -> None:
    vector = embedder().embed([text])[0]
    heard = read(text, policy(), vector=vector, tokens=embedder().tokens(text)).statements
    assert {first, second} <= {(s.subject, s.attribute, s.value) for s in heard}


def test_a_value_with_a_joint_in_it_is_one_where_both_sides_tell_the_same() -> None:
    whole = replace(policy(), reader=replace(policy().reader, parted_at=2.0))
    text = "I collect old stamps and coins"
    vector, tokens = embedder().embed([text])[0], embedder().tokens(text)
    read = read_statements(text, "en", sentences_of(text, "en", whole), vector, tokens, whole)
    assert {s.attribute for s in read} == {s.attribute for s in told(text)}


def test_somebody_of_whom_only_the_name_is_told_has_what_is_told_of_them() -> None:
    found = {(s.subject, s.name, s.attribute, s.value) for s in told("my young lad Cathal isn't one for the farm, he's doing fine in Dublin")}
    assert ("person:person", "Cathal", "name", "Cathal") in found
    assert ("person:person", "Cathal", "city", "Dublin") in found


def test_a_pet_of_which_only_the_name_is_told_is_a_pet() -> None:
    found = told("열여섯 해 같이 산 우리 나비가 엊그제 무지개다리 건넜어요", "ko")
    assert ("pet:pet", "death") in {(s.subject, s.attribute) for s in found}


def test_a_stranger_by_name_is_nobody_of_the_user_s() -> None:
    assert told("Taylor Swift turned 34 and she lives in Nashville") == ()
