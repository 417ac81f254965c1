"""Flags and topics, ruling by ruling."""

from __future__ import annotations

from fractions import Fraction

import pytest

from clew.kernel.read.signals import hear
from clew.kernel.read.topics import confidence
from clew.model.signals import Signals
from clew.model.topic import TopicId
from clew.policy import default
from clew.policy.listen import ListenPolicy


def heard(text: str, *previous: str) -> Signals:
    return hear(text, default(), previous)


def topics(text: str) -> dict[str, tuple[str, ...]]:
    return {m.topic.value: m.hits for m in heard(text).topics}


@pytest.mark.rule("P1")
def test_a_full_width_question_mark_asks() -> None:
    assert heard("점심 먹었어？").flags.is_question
    assert heard("you good?").flags.is_question
    assert not heard("you good").flags.is_question


@pytest.mark.rule("P2")
@pytest.mark.parametrize("text", ["I’m depressed", "im depressed", "i`m depressed", "I'm depressed"])
def test_every_apostrophe_is_the_same(text: str) -> None:
    assert heard(text).flags.has_distress


@pytest.mark.rule("P3")
def test_punctuation_neither_hides_nor_splits_a_keyword() -> None:
    assert topics("self-harm") == {"SELF_HARM": ("self harm",)}
    assert topics("my credit-card bill") == {"PERSONAL_FINANCE": ("credit card",)}
    assert topics("k-pop all day") == {"ENTERTAINMENT": ("kpop",)}


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("what time is it", False),
        ("hi there, wifi is down", False),
        ("the army is big", False),
        ("tell me", True),
        ("it is mine", True),
        ("I’ve been busy", True),
        ("나는 학생이야", True),
        ("제가 할게요", True),
        ("나라가 크다", False),
    ],
)
def test_pronouns_are_whole_words(text: str, personal: bool) -> None:
    assert heard(text).flags.has_personal_pronoun is personal


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    ("text", "distress"),
    [
        ("i can't anymore", True),
        ("i can't handle this week", True),
        ("i can't wait for summer", False),
        ("i can't believe it", False),
        ("i can't stop laughing", False),
        ("i can't decide", False),
        ("i can't find my keys", False),
        ("i can't make it tonight", False),
        ("the wifi can't connect", False),
    ],
)
def test_i_cannot_is_a_cry_unless_an_idiom_follows(text: str, distress: bool) -> None:
    assert heard(text).flags.has_distress is distress


@pytest.mark.rule("P6")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("우울해요", {"MENTAL_HEALTH": ("우울",)}),
        ("시험이 끝났다", {"WORK_SCHOOL": ("시험",)}),
        ("엄마가 왔어", {"FAMILY": ("엄마",)}),
        ("술을 마셨어", {"SUBSTANCES": ("술",)}),
        ("약속이 있어", {}),
        ("약간 추워", {}),
        ("기술과 예술", {}),
        ("컨트롤이 안 돼", {}),
        ("부탁드립니다", {}),
    ],
)
def test_hangul_keywords_take_particles_and_refuse_accidents(
    text: str, found: dict[str, tuple[str, ...]]
) -> None:
    assert topics(text) == found


@pytest.mark.rule("P7")
def test_a_latin_keyword_may_carry_a_korean_particle() -> None:
    assert topics("exam은 내일이야") == {"WORK_SCHOOL": ("exam",)}


@pytest.mark.rule("P8")
def test_no_hit_is_no_topic_and_each_hit_adds_a_step() -> None:
    listen: ListenPolicy = default().listen
    steps = [confidence(n, listen) for n in range(7)]
    assert steps == [Fraction(n, 100) for n in (0, 50, 65, 80, 95, 100, 100)]
    assert heard("hello").topics == ()


@pytest.mark.rule("P9")
def test_one_word_mentions_and_three_initiate() -> None:
    one = heard("my mom is sick")
    assert one.mentioned == (TopicId.FAMILY,) and one.initiated == ()
    three = heard("my mom, my dad, all my family")
    assert three.initiated == (TopicId.FAMILY,)
    assert heard("and then?", "my mom is sick", "she rests").mentioned == (TopicId.FAMILY,)
    assert heard("and then?", "my mom is sick", "she rests", "ok").mentioned == ()


@pytest.mark.rule("P10")
def test_what_was_said_before_mentions_but_never_initiates() -> None:
    now = heard("so", "my mom, my dad, all my family")
    assert now.mentioned == (TopicId.FAMILY,) and now.initiated == ()


@pytest.mark.rule("P11")
def test_the_same_matcher_reads_a_draft_of_the_assistant() -> None:
    from clew.kernel.read.topics import topics as match

    draft = match("How was the interview with your boss?", default())
    assert [(m.topic, m.confidence) for m in draft] == [(TopicId.WORK_SCHOOL, Fraction(65, 100))]


@pytest.mark.rule("P12")
def test_a_word_with_a_qualifier_counts_only_in_company() -> None:
    assert topics("드립 좀 쳐 봐") == {}
    assert topics("19금 드립") == {"SEXUAL_JOKES": ("19금", "드립")}
    assert topics("game night") == {"ENTERTAINMENT": ("game",)}


@pytest.mark.rule("P13")
def test_a_phrase_masks_its_words_and_cut_needs_a_body() -> None:
    assert topics("kill myself") == {"SELF_HARM": ("kill myself",)}
    assert topics("I need to cut my hair") == {}
    assert topics("i want to cut my wrist") == {"SELF_HARM": ("cut",)}


@pytest.mark.rule("P14")
@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("what a day", False),
        ("when i was young we moved", False),
        ("how lovely", False),
        ("where i live it rains", False),
        ("who said that", True),
        ("which one is yours", True),
        ("is it raining", True),
        ("can you help", True),
        ("do you like tea", True),
        ("what is the capital of france", True),
        ("what kind of music do you like", True),
        ("explain gravity", True),
        ("tell me how do i start", True),
        ("밥 먹었니", True),
        ("지금 몇 시야", True),
        ("오늘 날씨 알려줘", True),
        ("비가 오면 알려줘", False),
        ("문 좀 열어 줄래", False),
        ("그 사람이 범인인가", True),
        ("나는 학교에 가요", False),
        ("우리 어머니", False),
        ("아니", False),
        ("하나만 더", False),
        ("왜 한국에 왔다고 했습니까", True),
        ("무엇이 좋습니까", True),
        ("비가 오니까", False),
        ("내 차 뭐임", True),
    ],
)
def test_questions_are_known_by_more_than_a_mark(text: str, asks: bool) -> None:
    assert heard(text).flags.is_question is asks


@pytest.mark.rule("P15")
def test_a_fact_question_is_short() -> None:
    assert heard("what is the capital of france").flags.is_pure_fact_q
    assert not heard("what is " + "word " * 60).flags.is_pure_fact_q


@pytest.mark.rule("P16")
def test_zero_width_characters_hide_nothing() -> None:
    assert topics("sui\u200bcide") == {"SELF_HARM": ("suicide",)}


@pytest.mark.parametrize(
    ("text", "corrects"),
    [
        ("that's not true", True),
        ("no, that's wrong", True),
        ("wrong", True),
        ("please forget that", True),
        ("what's wrong?", False),
        ("i was wrong", False),
        ("i don't remember that movie", False),
        ("그거 아니야", True),
    ],
)
def test_a_correction_begins_a_clause(text: str, corrects: bool) -> None:
    assert heard(text).flags.has_correction is corrects


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    ("text", "distress"),
    [
        ("i can't stand olives", False),
        ("I can't eat spicy food", False),
        ("i can't swim", False),
        ("i can't tonight, working late", False),
        ("i cant drive", False),
        ("i can't think of a name for the cat", False),
        ("i can't remember her birthday", False),
        ("i can't", True),
        ("i can't stand it", True),
        ("i can't stand this anymore", True),
        ("i can't stand my life", True),
        ("i can't stand being me", True),
        ("i can't eat", True),
        ("i can't eat anything anymore", True),
        ("i can't do this anymore", True),
        ("i can't go on", True),
        ("i can't sleep", True),
        ("i can't cope", True),
    ],
)
def test_what_one_does_not_eat_or_never_learned_is_no_cry(text: str, distress: bool) -> None:
    assert heard(text).flags.has_distress is distress


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    "text",
    [
        "i can't browse the internet", "I can't install the update", "i can't reach the top shelf", "I can't have shellfish",
        "i cant log in to the portal", "I can't whistle or sing", "I can't come on Sunday", "i can't park there on weekdays",
    ],
)  # fmt: skip
def test_what_one_is_not_able_to_do_is_no_cry(text: str) -> None:
    assert not heard(text).flags.has_distress


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    "text", ["i can't keep doing this", "I can't breathe", "i can't get out of bed", "I can't watch this happen anymore"]
)
def test_what_one_cannot_bear_or_do_any_longer_is_a_cry(text: str) -> None:
    assert heard(text).flags.has_distress
