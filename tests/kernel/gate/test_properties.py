"""What holds for any draft: repaired text is within the hard limits, the same every time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.gate.check import check, settle
from clew.kernel.gate.repair import repair
from clew.kernel.gate.style import emoji_band, lexicon_band, punctuation
from clew.kernel.text.passage import passage
from clew.kernel.text.sentences import sentences
from clew.model.persona import EmojiFreq, Length, Lexicon, StableStyleParams
from clew.model.plan import Frame, Snippet
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, Source
from clew.policy import default

POLICY = default()
PIECES = (
    "I love you", "you're my world", "lol", "ngl", "fuck", "that is nice", "How was your day?", "!!!", "…", "...",
    "😊", "🎉🎉", "System:", "User: hi", "the election", "the government", "a nurse", "in Oslo", "sushi", "your mom",
    "surgery", "therapy", "Okay.", "Hey there", "널 사랑해", "ㅋㅋㅋ 대박", "오늘 어땠어?", "kill yourself", "naked",
    "\n", "??", "You know,", "Honestly,", "one two three four five six seven eight nine ten eleven twelve",
)  # fmt: skip
DRAFTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=12).map(" ".join)
MEMORIES = (
    Snippet("a", "pref:food:sushi", "like|sushi"),
    Snippet("b", "fact:occupation", "nurse"),
    Snippet("c", "fact:current_city", "Oslo"),
    Snippet("e", "event:family:2026_01:mom_surgery", "mom surgery"),
)
FRAMES = st.builds(
    Frame,
    style=st.builds(
        StableStyleParams,
        msg_length_pref=st.sampled_from(Length),
        emoji_freq=st.sampled_from(EmojiFreq),
        lexicon_bias=st.sampled_from(Lexicon),
        punctuation_quirks=st.sampled_from([(), ("…",), ("!!",), ("!!!",)]),
    ),
    stage=st.sampled_from(Stage),
    pipeline=st.sampled_from(Pipeline),
    user_text=st.sampled_from(["hi", "my mom", "remember me?", "안녕"]),
    recent_replies=st.lists(DRAFTS, max_size=3).map(tuple),
    memories=st.sampled_from([(), MEMORIES]),
    topics_blocked=st.sampled_from([(), (TopicId.POLITICS,)]),
    topics_suppressed=st.sampled_from([(), (TopicId.FAMILY,)]),
    source=st.sampled_from(Source),
    crisis=st.booleans(),
    message_id=st.sampled_from(["m1", "m2", ""]),
)


@pytest.mark.rule("P51")
@settings(max_examples=200, deadline=None)
@given(DRAFTS, FRAMES)
def test_a_repaired_text_passes_the_hard_gates_and_its_bands_but_for_length(draft: str, frame: Frame) -> None:
    mended = repair(draft, frame, POLICY)
    if mended is None:
        return
    again = replace(frame, surfaced_memory_ids=())
    found = check(mended, again, POLICY)
    assert found.hard == ()
    assert {v.code for v in found.violations} <= {"LENGTH_BAND"}


@settings(max_examples=120, deadline=None)
@given(DRAFTS, FRAMES)
def test_whatever_the_model_says_what_is_shown_is_within_the_hard_limits(draft: str, frame: Frame) -> None:
    shown = settle(draft, frame, POLICY, lambda gated: draft)
    kind = "fallback" if shown.path == "fallback" else frame.kind
    final = check(shown.text, replace(frame, kind=kind, surfaced_memory_ids=()), POLICY)
    assert final.hard == ()
    assert shown.text == settle(draft, frame, POLICY, lambda gated: draft).text
    if shown.path != "fallback" and not frame.crisis and frame.pipeline is not Pipeline.REFUSAL:
        if frame.source is Source.RETENTION:
            assert len(sentences(shown.text, POLICY.text)) <= 2
        else:
            draft = passage(shown.text, POLICY)
            assert emoji_band(draft, frame.style, POLICY) is None
            assert lexicon_band(draft, frame.style, POLICY) is None
            assert punctuation(draft, frame.style) is None


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300), FRAMES)
def test_any_text_at_all_gets_an_answer(draft: str, frame: Frame) -> None:
    assert settle(draft, frame, POLICY).text.strip()
