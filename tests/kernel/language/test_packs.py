"""Languages are rooms: which one a text is in, what its sentences do, and how its words join."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.language.comparing import Comparing
from clew.kernel.language.ko.particles import with_particle
from clew.kernel.language.pack import Pack, Rules
from clew.kernel.language.packs import installed, language_of, packs
from clew.kernel.language.plain import Plain
from clew.kernel.language.telling import Telling
from clew.kernel.read.questions import is_question
from clew.kernel.read.utterance import read, sentences_of
from clew.kernel.text.normalize import normal
from clew.model.utterance import Act
from clew.policy import Policy, default
from clew.testing.parts import make_parts, onboard, say

POLICY = default()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hi", "en"),
        ("ok", "en"),
        ("caffè", "en"),
        ("안녕", "ko"),
        ("ㅋㅋ", "ko"),
        ("exam은 어때", "ko"),
        ("привет", "other"),
        ("こんにちは", "other"),
        ("123 !!", "other"),
        ("", "other"),
        ("😀", "other"),
    ],
)
def test_language_is_told_by_script(text: str, expected: str) -> None:
    assert language_of(text, POLICY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "hola, me llamo Ana y vivo en Madrid con mi perro",
        "ich wohne in Berlin und habe eine Katze",
        "je suis infirmière et j'habite à Lyon",
        "eu moro em Recife com minha mãe",
        "я живу в Москве",
        "私は東京に住んでいます",
    ],
)
def test_a_language_without_a_pack_is_not_read_as_english(text: str) -> None:
    assert language_of(text, POLICY) == "other"


@pytest.mark.parametrize(
    "text", ["I love tacos al pastor and el Clásico", "my du jour is soup", "ok", "Café del Mar is great", "lol"]
)
def test_a_foreign_word_or_two_do_not_make_a_text_foreign(text: str) -> None:
    assert language_of(text, POLICY) == "en"


def test_what_has_no_letters_takes_the_language_of_the_talk() -> None:
    assert language_of("👍", POLICY, "ko") == "ko"
    assert language_of("42", POLICY) == "other"


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Hi Dr. Kim. How are you?", [Act.STATEMENT, Act.QUESTION]),
        ("I live in Rome. Can you set a timer?", [Act.STATEMENT, Act.REQUEST]),
        ("can you tell me where I live?", [Act.QUESTION]),
        ("remind me to call mum. Remind me what she likes", [Act.REQUEST, Act.QUESTION]),
        ("play some jazz", [Act.REQUEST]),
        ("I wish I had a dog. I have a cat.", [Act.WISH, Act.STATEMENT]),
        ("if I were rich I'd live in Rome", [Act.SUPPOSITION]),
        ("나 서울 살아. 알람 맞춰줘", [Act.STATEMENT, Act.REQUEST]),
        ("고양이 있었으면 좋겠다", [Act.WISH]),
        ("만약 내가 의사라면 어떨까", [Act.SUPPOSITION]),
    ],
)
def test_each_sentence_tells_what_it_does(text: str, acts: list[Act]) -> None:
    assert [s.act for s in read(text, POLICY).sentences] == acts


@given(st.text(max_size=300))
def test_a_sentence_is_found_where_it_stands(text: str) -> None:
    for sentence in sentences_of(text, "en", POLICY):
        assert text[sentence.start : sentence.end] == sentence.text


@pytest.mark.parametrize(
    ("word", "particle", "joined"),
    [
        ("밥", "을", "밥을"), ("커피", "을", "커피를"), ("서울", "으로", "서울로"), ("부산", "으로", "부산으로"),
        ("오이", "을", "오이를"), ("책", "이랑", "책이랑"), ("BMW", "은", "BMW는"),
        ("3", "이", "3이"), ("2", "이", "2가"),
        ("Seoul", "이야", "Seoul이야"), ("민수", "은", "민수는"), ("지훈", "이", "지훈이"), ("집", "에", "집에"),
    ],
)  # fmt: skip
def test_a_particle_follows_the_sound_before_it(word: str, particle: str, joined: str) -> None:
    assert with_particle(word, particle) == joined


class Toy(Plain):
    """A third language in a few lines: every word ends in -zu, and a question ends in kazu."""

    code = "zz"

    def owns(self, text: str, policy: Policy) -> bool:
        words = normal(text).no_punct.split()
        return bool(words) and all(w.endswith("zu") for w in words)

    def writes(self, word: str) -> bool:
        return word.endswith("zu")

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        return tokens[-1] == "kazu"

    def act(self, sentence: str, policy: Policy) -> Act | None:
        return Act.REQUEST if sentence.startswith("dozu") else None

    def negated(self, sentence: str, policy: Policy) -> bool:
        return "nozu" in sentence.split()

    def tellings(self, sentence: str) -> Sequence[Telling]:
        return (Telling("home", "city", r"mizu livezu (?P<value>\w+)"),)


def test_a_new_language_needs_nothing_but_its_pack() -> None:
    with installed(Toy()):
        found = read("mizu livezu Romezu. dozu singzu. whozu kazu.", POLICY)
        assert found.language == "zz"
        assert [s.act for s in found.sentences] == [Act.STATEMENT, Act.REQUEST, Act.QUESTION]
        assert is_question(normal("whozu kazu"), POLICY)
        assert [(s.attribute, s.value) for s in found.statements] == [("city", "Romezu")]
    assert read("mizu livezu Romezu", POLICY).language == "en"
    assert Toy.code not in [p.code for p in packs()]


def test_a_pack_keeps_the_whole_promise() -> None:
    """Every pack, and what a new one starts from: nothing that the house may ask is missing."""
    promised = [name for name in vars(Pack) if not name.startswith("_")]
    for one in (*packs(), Toy()):
        assert [name for name in promised if not hasattr(one, name)] == []
        for part, promise in ((one.rules, Rules), (one.comparing, Comparing)):
            assert [n for n in vars(promise) if not n.startswith("_") and not hasattr(part, n)] == []


def test_a_whole_chat_in_a_new_language_needs_nothing_but_its_pack(tmp_path: Path) -> None:
    with installed(Toy()):
        parts = make_parts(f"sqlite:///{tmp_path}/clew.db")
        talk = onboard(parts)
        replies = [
            say(parts, talk, text, n).reply
            for n, text in enumerate(("mizu livezu Romezu", "mizu livezu Oslozu", "nozu", "whozu kazu", "dozu singzu"), 1)
        ]
        assert all(replies)
        with parts.store.read() as session:
            held = session.memories("u1", talk.friend_id)
        parts.store.close()
    assert {m.memory_value for m in held if m.attribute == "city" and m.status.value == "ACTIVE"} == {"Oslozu"}
