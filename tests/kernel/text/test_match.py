"""Listed phrases in real text: apostrophes, hyphens, particles, boundaries, masking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.read.topics import topics
from clew.kernel.text.match import Hit, Lexicon, longest_first
from clew.policy import default

POLICY = default()


def lexicon(*phrases: str) -> Lexicon:
    return Lexicon({"label": phrases}, POLICY.text)


def found(text: str, *phrases: str) -> bool:
    return lexicon(*phrases).any(text)


def topic_names(text: str) -> list[str]:
    return [m.topic.value for m in topics(text, POLICY)]


@pytest.mark.rule("P2")
@pytest.mark.parametrize("text", ["i'm depressed", "I’m depressed", "im depressed", "I`m  depressed!"])
def test_an_entry_is_found_with_any_apostrophe_or_none(text: str) -> None:
    assert found(text, "i'm depressed")


@pytest.mark.rule("P3")
@pytest.mark.parametrize(
    ("text", "phrase"),
    [("self-harm", "self harm"), ("k-pop", "kpop"), ("my credit-card", "credit card"), ("K-POP!", "kpop")],
)
def test_a_hyphen_neither_hides_nor_splits_a_keyword(text: str, phrase: str) -> None:
    assert found(text, phrase)


@pytest.mark.rule("P6")
@pytest.mark.parametrize(
    ("text", "keyword", "hit"),
    [
        # Two syllables and more: at the start of a token, whatever follows.
        ("우울해요", "우울", True),
        ("시험이 있어", "시험", True),
        ("엄마가 왔어", "엄마", True),
        ("너무우울해", "우울", False),
        # One syllable: alone or with a particle.
        ("술", "술", True),
        ("술을 마셨어", "술", True),
        ("술마시고 싶어", "술", True),
        ("술 한잔", "술", True),
        ("기술 수업", "술", False),
        ("예술이야", "술", False),
        ("술래잡기", "술", False),
        ("약 먹었어", "약", True),
        ("약을 먹어", "약", True),
        ("약속 있어", "약", False),
        ("약간 피곤해", "약", False),
        ("컨트롤이 안돼", "롤", False),
        ("롤 하자", "롤", True),
        ("빚이 많아", "빚", True),
        # Denied outright.
        ("부탁드립니다", "드립", False),
        ("드립니다", "드립", False),
        ("드립커피 마시자", "드립", False),
        ("드립 치지마", "드립", True),
    ],
)
def test_korean_keywords_take_endings_and_refuse_lookalikes(text: str, keyword: str, hit: bool) -> None:
    assert found(text, keyword) is hit


@pytest.mark.rule("P7")
@pytest.mark.parametrize(
    ("text", "hit"),
    [("exam은 언제야", True), ("내exam", True), ("exams", False), ("reexam", False), ("exam.", True)],
)
def test_a_latin_keyword_may_carry_a_korean_particle_but_no_latin_letter(text: str, hit: bool) -> None:
    assert found(text, "exam") is hit


@pytest.mark.parametrize("text", ["the army is", "what time is it", "wifi can't"])
def test_phrases_match_whole_words_only(text: str) -> None:
    assert not found(text, "my", "me", "i can't")


@pytest.mark.rule("P13")
def test_a_phrase_masks_its_words_for_other_topics() -> None:
    assert topic_names("i want to kill myself") == ["SELF_HARM"]
    assert "VIOLENCE" in topic_names("he wants to kill him")
    both = topic_names("he will kill him and i will kill myself")
    assert "SELF_HARM" in both and "VIOLENCE" in both


@pytest.mark.rule("P13")
@pytest.mark.parametrize(
    ("text", "self_harm"),
    [
        ("i cut the bread", False),
        ("i cut myself", True),
        ("i cut my wrist", True),
        ("i want to cut my arms", True),
        ("cut and suicide", True),
        ("a hair cut", False),
    ],
)
def test_cut_means_harm_only_in_company(text: str, self_harm: bool) -> None:
    assert ("SELF_HARM" in topic_names(text)) is self_harm


@pytest.mark.rule("P12")
def test_the_joke_word_needs_company_too() -> None:
    assert "SEXUAL_JOKES" not in topic_names("드립 좀 쳐봐")
    assert "SEXUAL_JOKES" in topic_names("19금 드립 좀 쳐봐")


def test_a_phrase_found_in_both_forms_counts_once() -> None:
    hits = lexicon("mother").hits("my mother-in-law, my mother.")
    assert [(h.phrase, h.variant) for h in hits] == [("mother", 0), ("mother", 0)]


def test_an_empty_lexicon_finds_nothing() -> None:
    assert Lexicon({}, POLICY.text).hits("anything") == ()
    assert Lexicon({"label": ()}, POLICY.text).hits("anything") == ()


def test_korean_phrases_are_found_without_their_spaces() -> None:
    assert found("죽고싶어", "죽고 싶")
    assert found("죽고 싶어", "죽고 싶")


@given(st.text())
def test_hits_lie_inside_the_form_they_name(text: str) -> None:
    from clew.kernel.text.normalize import normal

    read = normal(text + " I can't kill myself, 술을 self-harm")
    for hit in lexicon("kill myself", "술", "self harm", "i can't").hits(read):
        assert 0 <= hit.start < hit.end <= len(read.variants[hit.variant])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6), st.sampled_from("ab")), max_size=8))
def test_masking_does_not_depend_on_the_order_of_hits(spans: list[tuple[int, int, str]]) -> None:
    hits = [Hit(label, f"{start}:{size}", start, start + size) for start, size, label in spans]
    assert longest_first(hits) == longest_first(reversed(hits))
