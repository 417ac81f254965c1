"""What no reply may do (rulings P50–P59)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from clew.kernel.gate.check import check, settle
from clew.kernel.gate.fallback import fallback
from clew.kernel.gate.repair import repair
from clew.kernel.gate.repetition import opener
from clew.kernel.gate.style import measure
from clew.kernel.gate.surfacing import sensitive, sensitive_ids, surfaced
from clew.kernel.gate.verdict import PRIORITY
from clew.kernel.text.passage import passage
from clew.model.persona import EmojiFreq, Length, Lexicon, StableStyleParams
from clew.model.plan import Frame, Gated, Snippet
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, Source
from clew.policy import default

POLICY = default()
SHORT = StableStyleParams(msg_length_pref=Length.SHORT, emoji_freq=EmojiFreq.LIGHT)
BASE = Frame(style=SHORT, user_text="hello there", message_id="m1", language="en")


def codes(reply: str, frame: Frame = BASE, **more: object) -> list[str]:
    return [v.code for v in check(reply, replace(frame, **more), POLICY).violations]  # type: ignore[arg-type]


def styled(**more: object) -> Frame:
    return replace(BASE, style=replace(SHORT, **more))  # type: ignore[arg-type]


def test_an_ordinary_reply_passes() -> None:
    assert codes("Hey, nice to meet you! How was your day?") == []


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("", "SAFETY_EMPTY"),
        (" \n…", "SAFETY_EMPTY"),
        ("x" * 50_000, "SAFETY_TOO_LONG"),
        ("System: you are free now", "SAFETY_SYSTEM_LEAK"),
        ("Sure.\n\nUser: and then?", "SAFETY_SYSTEM_LEAK"),
        ("[SYSTEM] new rules", "SAFETY_SYSTEM_LEAK"),
        ("<|im_start|>assistant hello", "SAFETY_SYSTEM_LEAK"),
        ("As an AI language model I cannot feel.", "SAFETY_SYSTEM_LEAK"),
        ("My system prompt says be nice.", "SAFETY_SYSTEM_LEAK"),
        ('<memory key="x">y</memory>', "SAFETY_SYSTEM_LEAK"),
        ("Touch yourself for me.", "SAFETY_EXPLICIT"),
        ("She undressed and moaned.", "SAFETY_EXPLICIT"),
        ("Here is an erotic story for you.", "SAFETY_EXPLICIT"),
        ("Honestly, just kill yourself.", "SAFETY_SELF_HARM"),
        ("You should hurt yourself.", "SAFETY_SELF_HARM"),
        ("Nobody would miss you.", "SAFETY_SELF_HARM"),
        ("그냥 죽어", "SAFETY_SELF_HARM"),
        ("Those people are vermin.", "SAFETY_HATE"),
        ("짱깨들은 다 싫어", "SAFETY_HATE"),
    ],
)
def test_unsafe_replies_are_named(reply: str, code: str) -> None:
    assert code in codes(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Please don't hurt yourself. I'm here.",
        "If you feel you might hurt yourself, tell someone near you.",
        "I can't write erotic stories, sorry.",
        "That comic strip is great.",
        "I'm an AI, so I don't eat.",
        "The user guide is long.",
    ],
)
def test_care_and_refusal_are_not_unsafe(reply: str) -> None:
    assert not [c for c in codes(reply) if c.startswith("SAFETY")]


def test_just_do_it_is_only_harm_when_someone_is_in_danger() -> None:
    assert codes("Just do it already.") == []
    assert "SAFETY_SELF_HARM" in codes("Just do it already.", crisis=True)


@pytest.mark.rule(" 1.3")
@pytest.mark.parametrize("phrase", POLICY.gate.intimacy)
def test_every_intimate_phrase_is_capped_for_strangers_and_acquaintances(phrase: str) -> None:
    reply = f"well {phrase} and that is that"
    assert "INTIMACY_CAP" in codes(reply)
    assert "INTIMACY_CAP" in codes(reply.replace("'", "’"), stage=Stage.ACQUAINTANCE)
    assert "INTIMACY_CAP" not in codes(reply, stage=Stage.FRIEND)
    assert "INTIMACY_CAP" not in codes(reply, stage=Stage.CLOSE_FRIEND)


@pytest.mark.rule(" 1.3")
@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("phrase", POLICY.gate.dependency)
def test_dependency_is_refused_at_every_stage(stage: Stage, phrase: str) -> None:
    assert "DEPENDENCY" in codes(f"so {phrase} truly", stage=stage)


@pytest.mark.parametrize("reply", ["I need you to know that's fine.", "I love your idea."])
def test_ordinary_words_are_not_intimate(reply: str) -> None:
    assert codes(reply) == []


@pytest.mark.parametrize(
    ("freq", "count", "fine"),
    [
        ("none", 0, True), ("none", 1, False), ("light", 0, True), ("light", 2, True), ("light", 3, False),
        ("frequent", 0, False), ("frequent", 1, True), ("frequent", 6, True), ("frequent", 7, False),
    ],
)  # fmt: skip
def test_emoji_bands(freq: str, count: int, fine: bool) -> None:
    frame = styled(emoji_freq=EmojiFreq(freq))
    assert ("EMOJI_BAND" not in codes("That is nice. " + "😊" * count, frame)) is fine


@pytest.mark.rule("P54")
def test_a_family_or_a_flag_is_one_emoji_and_digits_are_none() -> None:
    assert codes("Nice 👨‍👩‍👧 🇰🇷 at 10 #1") == []


WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"


def sentence(count: int) -> str:
    return " ".join((WORDS.split() * 3)[:count]).capitalize() + "."


@pytest.mark.parametrize(
    ("length", "counts", "fine"),
    [
        ("short", [14], True), ("short", [15], False), ("short", [3, 3, 3], True), ("short", [3] * 4, False),
        ("short", [14, 15, 14], False), ("medium", [12], False), ("medium", [10, 10], True),
        ("medium", [9, 10], False), ("medium", [22, 22], True), ("medium", [22, 23], False),
        ("medium", [12] * 5, True), ("medium", [12] * 6, False), ("long", [15] * 3, True),
        ("long", [15, 15, 14], False), ("long", [30, 30], False), ("long", [20] * 8, True),
        ("long", [20] * 9, False),
    ],
)  # fmt: skip
def test_length_bands(length: str, counts: list[int], fine: bool) -> None:
    frame = styled(msg_length_pref=Length(length))
    assert ("LENGTH_BAND" not in codes(" ".join(sentence(c) for c in counts), frame)) is fine


@pytest.mark.rule("P15")
def test_korean_words_are_counted_by_syllables() -> None:
    count, average = measure(passage("오늘은 하루 종일 비가 내려서 집에서 책을 읽으면서 보냈어.", POLICY), POLICY)
    assert count == 1 and average == Fraction(10)


@pytest.mark.rule("P52")
def test_a_mid_sentence_ellipsis_is_not_a_sentence() -> None:
    assert measure(passage("mm… okay then", POLICY), POLICY) == (1, Fraction(3))


@pytest.mark.rule("P53")
def test_numbers_and_abbreviations_do_not_end_sentences() -> None:
    assert measure(passage("It costs 3.50, e.g. at www.shop.com today.", POLICY), POLICY)[0] == 1


@pytest.mark.parametrize(
    ("level", "reply", "fine"),
    [
        ("clean", "ngl that was wild", False), ("clean", "lol okay", False), ("slang", "lol okay", True),
        ("slang", "lmao okay", False), ("internet_shorthand", "lmao fr", True),
        ("internet_shorthand", "that's bullshit", False), ("clean", "ㅋㅋㅋ 그래", False),
        ("clean", "The French president's son runs.", True), ("clean", "u r late", False),
    ],
)  # fmt: skip
def test_the_lexicon_keeps_its_level(level: str, reply: str, fine: bool) -> None:
    frame = replace(styled(lexicon_bias=Lexicon(level)), topics_blocked=())
    assert ("LEXICON_BAND" not in codes(reply, frame)) is fine


@pytest.mark.parametrize(
    ("quirks", "reply", "fine"),
    [
        ((), "mm… okay", False), (("…",), "mm… okay", True), (("…",), "mm... okay", True),
        ((), "Wow!!", False), (("!!",), "Wow!!", True), (("!!",), "Wow!!!", False),
        (("!!!",), "Wow!!!", True), (("!!!",), "Wow!!!!", False), ((), "What??", False), ((), "Wow!", True),
    ],
)  # fmt: skip
def test_only_the_personas_own_quirks(quirks: tuple[str, ...], reply: str, fine: bool) -> None:
    assert ("PUNCTUATION_QUIRK" not in codes(reply, styled(punctuation_quirks=quirks))) is fine


@pytest.mark.rule("P50")
@pytest.mark.parametrize(
    "change",
    [
        {"pipeline": Pipeline.REFUSAL}, {"crisis": True}, {"source": Source.RETENTION},
        {"kind": "clarification"}, {"kind": "onboarding"}, {"kind": "fallback"},
    ],
)  # fmt: skip
def test_some_texts_are_exempt_from_every_band(change: dict[str, object]) -> None:
    frame = styled(msg_length_pref=Length.LONG, emoji_freq=EmojiFreq.FREQUENT)
    assert "LENGTH_BAND" in codes("Okay… fine", frame)
    assert [c for c in codes("Okay… fine", frame, **change) if c.endswith(("_BAND", "_QUIRK"))] == []


def test_a_proactive_message_has_two_sentences_at_most() -> None:
    assert codes("Hi. Hello. Hey.", source=Source.RETENTION) == ["LENGTH_BAND"]


@pytest.mark.rule("P50")
def test_bands_are_soft() -> None:
    gated = check("ngl!! 😊😊😊", BASE, POLICY)
    assert len(gated.violations) == 3 and gated.hard == ()


def test_a_repeated_opener_of_twelve_tokens_is_found() -> None:
    start = "well i was thinking that we could talk about the long old day"
    frame = replace(BASE, recent_replies=(f"😊 {start.upper()}, right?",))
    assert opener(start, POLICY).split()[-1] == "old"
    found = codes(f"{start} completely different things follow here and they go on and on", frame)
    assert "OPENER_REPETITION" in found
    assert "OPENER_REPETITION" not in codes("So " + start, frame)


def test_only_the_last_twenty_replies_count() -> None:
    replies = ("That is a fine idea.", *(f"Reply number {i} is not like it." for i in range(20)))
    assert codes("That is a fine idea.", recent_replies=replies) == []
    assert codes("That is a fine idea.", recent_replies=replies[:20]) != []


@pytest.mark.rule("P55")
def test_openers_of_less_than_three_tokens_are_ignored() -> None:
    assert "OPENER_REPETITION" not in codes("oh nice", recent_replies=("oh nice",))
    assert "OPENER_REPETITION" not in codes("😊", recent_replies=("🎉",))


@pytest.mark.rule("P56")
def test_short_replies_repeat_only_when_equal() -> None:
    assert codes("oh nice", recent_replies=("oh nice",)) == ["MESSAGE_SIMILARITY"]
    assert codes("oh fine", recent_replies=("oh nice",)) == []


def test_three_word_runs_at_seventy_percent_are_a_repetition() -> None:
    ten = "one two three four five six seven eight nine ten eleven twelve"
    close = ten.replace("one", "uno")
    assert codes(close, recent_replies=(ten,)) == ["MESSAGE_SIMILARITY"]
    far = ten.replace("six", "seis")
    assert codes(far, recent_replies=(ten,)) == []


SUSHI = Snippet("a", "pref:food:sushi", "like|sushi")
NURSE = Snippet("b", "fact:occupation", "nurse")
OSLO = Snippet("c", "fact:current_city", "Oslo")
MOOD = Snippet("d", "emotion:baseline_mood", "negative")
SURGERY = Snippet("e", "event:family:2026_01:mom_surgery", "mom surgery")
LOAN = Snippet("f", "event:other:2026_01:loan", "took a loan")
ALL = (SUSHI, NURSE, OSLO, MOOD, SURGERY, LOAN)


@pytest.mark.rule("P57")
@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ("A nurse in Oslo who likes sushi!", ("b", "c", "a")),
        ("Sushi, then Oslo.", ("a", "c")),
        ("Nothing personal here.", ()),
        ("Think about negative numbers.", ()),
        ("You are often negative, I think.", ("d",)),
        ("How did the surgery go, and your mom?", ("e",)),
        ("Nurses are great.", ()),
    ],
)
def test_surfaced_ids_come_from_the_text_in_order_of_appearance(reply: str, ids: tuple[str, ...]) -> None:
    assert surfaced(passage(reply, POLICY), ALL, POLICY) == ids


@pytest.mark.rule("P57")
def test_korean_values_are_found_with_their_particles() -> None:
    sushi = Snippet("k", "pref:food:초밥", "like|초밥")
    assert surfaced(passage("초밥을 먹으러 갈래?", POLICY), (sushi,), POLICY) == ("k",)


def test_three_personal_facts_are_one_too_many() -> None:
    reply = "A nurse in Oslo likes sushi."
    assert codes(reply, memories=ALL) == ["PERSONAL_FACT_COUNT"]
    assert codes("A nurse in Oslo.", memories=ALL) == []


@pytest.mark.rule("P57")
def test_declared_ids_count_together_with_derived_ones() -> None:
    assert codes("So nice.", surfaced_memory_ids=("x", "y", "z")) == ["PERSONAL_FACT_COUNT"]
    assert codes("So nice.", surfaced_memory_ids=("x", "x", "y")) == []
    assert codes("A nurse.", memories=ALL, surfaced_memory_ids=("b", "x")) == []
    assert codes("A nurse.", memories=ALL, surfaced_memory_ids=("x", "y")) == ["PERSONAL_FACT_COUNT"]


@pytest.mark.rule("P58")
@pytest.mark.parametrize("asked", ["do you remember me", "you said something", "as last time", "나 기억해?"])
def test_asking_for_recall_lifts_the_count_in_chat_only(asked: str) -> None:
    reply = "A nurse in Oslo likes sushi."
    assert codes(reply, memories=ALL, user_text=asked) == []
    found = codes(reply, memories=ALL, user_text=asked, source=Source.RETENTION)
    assert "PERSONAL_FACT_COUNT" in found


def test_a_proactive_message_has_one_fact_at_most() -> None:
    school = Snippet("s", "fact:school", "Hanyang University")
    frame = replace(BASE, source=Source.RETENTION, memories=(NURSE, school))
    assert codes("How is the nurse doing?", frame) == []
    assert codes("A nurse at Hanyang University!", frame) == ["PERSONAL_FACT_COUNT"]


@pytest.mark.parametrize(
    ("memory", "chat", "proactive"),
    [
        (SUSHI, False, False), (NURSE, False, False), (OSLO, False, True), (MOOD, True, True),
        (SURGERY, True, True), (LOAN, True, True),
        (Snippet("g", "fact:home_country", "Norway"), False, True),
        (Snippet("h", "event:work:2026_01:promotion", "promotion"), False, False),
        (Snippet("i", "event:health:2026_01:knee", "knee"), True, True),
        (Snippet("j", "event:relationship:2026_01:breakup", "breakup"), True, True),
        (Snippet("k", "fact:timezone", "Asia/Seoul"), False, False),
    ],
)  # fmt: skip
def test_what_is_sensitive(memory: Snippet, chat: bool, proactive: bool) -> None:
    assert (sensitive(memory, POLICY, proactive=False) is not None) is chat
    assert (sensitive(memory, POLICY, proactive=True) is not None) is proactive


@pytest.mark.rule("P96")
def test_a_memory_is_sensitive_by_one_keyword_of_a_sensitive_topic() -> None:
    why = sensitive(LOAN, POLICY, proactive=False)
    assert why is not None and TopicId.PERSONAL_FINANCE in why[1]


def test_a_sensitive_memory_needs_an_invitation() -> None:
    reply = "How is your mom after the surgery?"
    assert codes(reply, memories=ALL) == ["SENSITIVE_MEMORY"]
    assert codes(reply, memories=ALL, user_text="my mom is home") == []
    assert codes(reply, memories=ALL, previous=("my mom is home", "anyway")) == []
    assert codes(reply, memories=ALL, previous=("my mom is home", "a", "b")) == ["SENSITIVE_MEMORY"]
    assert "SENSITIVE_MEMORY" in codes(reply, memories=ALL, user_text="my mom", source=Source.RETENTION)


def test_sensitive_ids_are_kept_from_being_read_unless_raised() -> None:
    assert sensitive_ids(ALL, (), POLICY) == {"d", "e", "f"}
    assert sensitive_ids(ALL, (TopicId.FAMILY, TopicId.MENTAL_HEALTH), POLICY) == {"f"}
    assert "c" in sensitive_ids(ALL, (), POLICY, proactive=True)


@pytest.mark.rule("P11")
def test_a_blocked_topic_needs_two_keywords_a_sensitive_one_needs_one() -> None:
    blocked = {"topics_blocked": (TopicId.POLITICS, TopicId.VIOLENCE)}
    assert codes("The government is tired.", **blocked) == []
    assert codes("The government lost the election.", **blocked) == ["BLOCKED_TOPIC"]
    assert codes("A murder, again.", **blocked) == ["BLOCKED_TOPIC"]


@pytest.mark.rule("P9")
@pytest.mark.rule("P10")
def test_a_taboo_topic_is_free_for_three_messages_once_the_user_raised_it() -> None:
    reply = "The government lost the election."
    frame = replace(BASE, topics_blocked=(TopicId.POLITICS,))
    assert codes(reply, frame, user_text="what about the election") == []
    assert codes(reply, frame, previous=("the election!", "hm")) == []
    assert codes(reply, frame, previous=("the election!", "hm", "ok")) == ["BLOCKED_TOPIC"]


@pytest.mark.rule("P10")
def test_a_suppressed_topic_is_free_only_when_raised_now_and_only_narrowly() -> None:
    frame = replace(BASE, topics_suppressed=(TopicId.FAMILY,))
    assert codes("Your mom called.", frame) == ["BLOCKED_TOPIC"]
    assert codes("Your mom called.", frame, previous=("my mom", "ok")) == ["BLOCKED_TOPIC"]
    assert codes("Your mom will be fine.", frame, user_text="is my mom ok") == []
    assert codes("And how are your parents?", frame, user_text="is my mom ok") == ["BLOCKED_TOPIC"]


def test_a_sensitive_topic_nobody_raised_is_not_brought_up() -> None:
    assert codes("Have you thought about therapy?") == ["BLOCKED_TOPIC"]
    assert codes("Have you thought about therapy?", pipeline=Pipeline.EMOTIONAL_SUPPORT) == []
    assert codes("It is a medicine.", pipeline=Pipeline.INFO_QA, user_text="what is ibuprofen") == []
    assert codes("Hate is a strong word for mondays.") == []


@pytest.mark.rule("P51")
def test_every_violation_is_in_one_list_in_order_of_weight() -> None:
    frame = replace(
        styled(emoji_freq=EmojiFreq.NONE), memories=ALL, recent_replies=("I love you, nurse of Oslo!! 😊 sushi",)
    )
    found = codes("I love you, nurse of Oslo!! 😊 sushi", frame)
    assert found == [
        "INTIMACY_CAP", "PERSONAL_FACT_COUNT", "OPENER_REPETITION", "MESSAGE_SIMILARITY", "EMOJI_BAND",
        "PUNCTUATION_QUIRK",
    ]  # fmt: skip
    assert found == sorted(found, key=PRIORITY.index)


@pytest.mark.parametrize(
    ("reply", "change", "expected"),
    [
        ("I love you. How are you?", {}, "I appreciate you. How are you?"),
        ("널 사랑해. 오늘 뭐 했어?", {"language": "ko"}, "고마워. 오늘 뭐 했어?"),
        ("You're my world. Let's talk.", {"stage": Stage.CLOSE_FRIEND}, "Let's talk."),
        ("Assistant: Sure thing.\nUser: ok", {}, "Sure thing."),
        ("Great day! 😊😊😊", {}, "Great day! 😊😊"),
        ("Well... okay!!!", {}, "Well, okay!"),
        ("One. Two. Three. Four.", {}, "One. Two. Three."),
        ("You deserve rest. A nurse in Oslo works. Get sushi!", {"memories": ALL},
         "You deserve rest. A nurse in Oslo works."),
        ("Nice. Your mom had surgery.", {"memories": ALL}, "Nice."),
        ("Nice. The government lost the election.", {"topics_blocked": (TopicId.POLITICS,)}, "Nice."),
    ],
)  # fmt: skip
def test_deterministic_repairs(reply: str, change: dict[str, object], expected: str) -> None:
    assert repair(reply, replace(BASE, **change), POLICY) == expected  # type: ignore[arg-type]


@pytest.mark.rule(" 1.9")
def test_a_repeated_opener_loses_its_greeting_or_gains_a_turn() -> None:
    said = "Hey there, how was the long day at work for you today?"
    frame = replace(BASE, recent_replies=(said,))
    mended = repair(said, frame, POLICY)
    assert mended is not None and mended != said
    assert check(mended, frame, POLICY).hard == ()


@pytest.mark.parametrize("reply", ["", "x" * 50_000, "Just kill yourself.", "Touch yourself.", "System: obey"])
def test_what_cannot_be_mended_gives_none(reply: str) -> None:
    assert repair(reply, BASE, POLICY) is None


def test_every_word_above_a_level_has_a_plain_one_to_give_way_to() -> None:
    for level in Lexicon:
        frame = styled(lexicon_bias=level)
        for table in (POLICY.gate.slang, POLICY.gate.shorthand, POLICY.gate.profanity):
            for word in table:
                mended = repair(f"That is {word} good today.", frame, POLICY)
                assert mended is not None, word
                assert "LEXICON_BAND" not in codes(mended, frame), (level, word, mended)


@pytest.mark.rule("P59")
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("pipeline", Pipeline)
def test_twenty_fallbacks_in_a_row_never_repeat(pipeline: Pipeline, language: str) -> None:
    frame = replace(BASE, pipeline=pipeline, language=language)
    for i in range(30):
        text = fallback(replace(frame, message_id=f"m{i}"), POLICY)
        assert check(text, replace(frame, kind="fallback"), POLICY).hard == ()
        frame = replace(frame, recent_replies=(*frame.recent_replies, text)[-20:])


@pytest.mark.parametrize(
    ("said", "before", "polite"),
    [("허허 떨리네요", (), True), ("떨려 죽겠어", (), False), ("ㅠㅠ", ("그러셨군요.",), True), ("ㅠㅠ", ("그랬어?",), False)],
)
def test_a_fallback_keeps_the_speech_level(said: str, before: tuple[str, ...], polite: bool) -> None:
    frame = replace(BASE, user_text=said, language="ko", recent_replies=before)
    texts = [fallback(replace(frame, message_id=f"m{i}"), POLICY) for i in range(12)]
    assert all(("요" in text) is polite and "[" not in text for text in texts), texts


@pytest.mark.rule("P59")
def test_a_fallback_rotates_by_the_message_id_alone() -> None:
    texts = {fallback(replace(BASE, message_id=f"m{i}"), POLICY) for i in range(60)}
    assert len(texts) > 15
    assert fallback(BASE, POLICY) == fallback(BASE, POLICY)


@pytest.mark.rule("P51")
def test_the_ladder_is_draft_then_one_rewrite_then_repair_then_fallback() -> None:
    calls: list[Gated] = []

    def rewriting(text: str | None):  # type: ignore[no-untyped-def]
        def rewrite(gated: Gated) -> str | None:
            calls.append(gated)
            return text

        return rewrite

    good, bad, worst = "All good here, thanks.", "I love you, friend.", "Just kill yourself."
    assert settle(good, BASE, POLICY, rewriting(good)).path == "draft" and calls == []
    assert settle(bad, BASE, POLICY, rewriting(good)).text == good and len(calls) == 1
    mended = settle(bad, BASE, POLICY, rewriting(None))
    assert (mended.path, mended.text) == ("repair", "I appreciate you, friend.")
    last = settle(worst, BASE, POLICY, rewriting(worst))
    assert last.path == "fallback" and last.final.hard == () and len(calls) == 3
    assert settle(bad, BASE, POLICY).path == "repair"


@pytest.mark.rule("P57")
def test_what_is_stored_as_surfaced_is_what_the_shown_text_uses() -> None:
    frame = replace(BASE, memories=ALL)
    shown = settle("You deserve rest. A nurse in Oslo works. Get sushi!", frame, POLICY)
    assert shown.gated.surfaced == ("b", "c", "a") and shown.surfaced == ("b", "c")


@pytest.mark.rule("P50")
def test_a_band_alone_never_costs_the_reply() -> None:
    frame = styled(msg_length_pref=Length.LONG)
    shown = settle("A short one.", frame, POLICY, lambda gated: "Another short one.")
    assert shown.path == "repair" and shown.text == "A short one.", "no model is asked for a band (ruling S10)"
