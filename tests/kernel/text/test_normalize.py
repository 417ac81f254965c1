"""The normal forms that every detector reads."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.read.questions import is_question
from clew.kernel.text.normalize import joined_punctuation, normal, normalize, without_punctuation
from clew.policy import default

ODD = st.text(
    alphabet="aAhHZ'’`ʼ′＇ \u00a0\u3000\u200b\u200c\u200d\u2060\ufeff\u00ad❤️👩🏽e\u0301\u0331가각ㄱᄒ\u1161"
    ".,-!?…？！。😀🇰🇷1#*\u20e3ſKÅ\x00\x1c\x85ﬁ²½İß\n\t"
)
ANY = st.one_of(st.text(), ODD)


@given(ANY)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    norm = normalize(text)
    assert normalize(norm) == norm


@given(ANY)
def test_every_form_is_itself_normal(text: str) -> None:
    read = normal(text)
    assert normalize(read.no_punct) == read.no_punct
    assert normalize(read.joined) == read.joined
    assert without_punctuation(read.no_punct) == read.no_punct
    assert joined_punctuation(read.joined) == read.joined


@given(ANY)
def test_spaces_are_single_and_never_at_the_ends(text: str) -> None:
    for form in (normalize(text), *normal(text).variants):
        assert form == " ".join(form.split())


@given(ANY, ANY)
def test_a_text_reads_the_same_alone_and_beside_a_line_break(a: str, b: str) -> None:
    assert normalize(f"{a}\n\n{b}") == normalize(f"{a} {b}")


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_agrees_with_the_long_way(text: str) -> None:
    long_way = normalize(text + " \u00e9").removesuffix("\u00e9").rstrip(" ")
    assert normalize(text) == long_way
    assert (
        without_punctuation(normalize(text) + " \u00e9")
        == f"{without_punctuation(normalize(text))} \u00e9".strip()
    )


def test_only_ascii_letters_are_lowered() -> None:
    assert normalize("ÀÉ Straße ΑΒ Привет ABC") == "ÀÉ straße ΑΒ Привет abc"


def test_compatibility_forms_are_folded() -> None:
    assert normalize("ＡＢＣ １２３ ﬁn ㎏") == "abc 123 fin kg"


def test_decomposed_hangul_becomes_syllables() -> None:
    assert normalize(unicodedata.normalize("NFD", "우울해요")) == "우울해요"


def test_a_million_characters_are_read_to_the_end() -> None:
    assert normalize("a  b " * 200_000).endswith("a b")


@pytest.mark.rule("P1")
@pytest.mark.parametrize(("text", "asks"), [("you came？", True), ("you came?", True), ("you came", False)])
def test_the_question_mark_is_read_before_it_is_removed(text: str, asks: bool) -> None:
    assert is_question(normal(text), default()) is asks
    assert "?" not in normal(text).no_punct


@pytest.mark.rule("P2")
@pytest.mark.parametrize("quote", list("\u2018\u2019\u02bc\u2032\uff07`'"))
def test_every_apostrophe_is_the_straight_one_and_stays(quote: str) -> None:
    assert normalize(f"I{quote}m here") == "i'm here"
    assert normal(f"I{quote}m here").no_punct == "i'm here"


@pytest.mark.rule("P3")
def test_punctuation_becomes_a_space_in_one_form_and_nothing_in_the_other() -> None:
    read = normal("Self-harm, k-pop & credit-card!")
    assert read.no_punct == "self harm k pop credit card"
    assert read.joined == "selfharm kpop creditcard"
    assert read.variants == (read.no_punct, read.joined)


def test_a_text_without_punctuation_has_one_form() -> None:
    assert normal("plain words").variants == ("plain words",)


@pytest.mark.rule("P16")
@pytest.mark.parametrize("mark", list("\u200b\u200c\u200d\u2060\ufeff\u00ad"))
def test_zero_width_marks_vanish_from_words(mark: str) -> None:
    assert normalize(f"sui{mark}cide") == "suicide"
    assert normalize(f"자{mark}살") == "자살"


@pytest.mark.rule("P16")
def test_the_joiner_stays_inside_an_emoji_sequence() -> None:
    family = "👩\u200d👩\u200d👧"
    assert normalize(family) == family
    assert normalize(f"{family}\u200d") == family
    assert normalize("👩🏽\u200d💻 hi") == "👩🏽\u200d💻 hi"
