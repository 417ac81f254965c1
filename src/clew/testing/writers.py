"""The promise of a writer (ports/llm.py) as tests: subclass, give `writer`, and run under pytest.

    class TestMine(WriterContract):
        @pytest.fixture
        def writer(self): return MyWriter()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, get_args

import pytest

from clew.adapters.llm.answer import mismatch
from clew.errors import ModelFailure, ModelRefused
from clew.model.persona import Directness, EmojiFreq, Humor, Length, Lexicon
from clew.model.plan import Constraints, ResponsePlan
from clew.model.relationship import Stage
from clew.model.turn import Pipeline
from clew.ports.llm import PromptMessage, Purpose, Writer, WriterAnswer, WriterRequest

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"likes": {"type": "boolean"}},
    "required": ["likes"],
    "additionalProperties": False,
}


def plan(text: str = "I had a long day at work.", language: str = "en") -> ResponsePlan:
    """A plain friendly turn, for writers that read the plan instead of the prompt."""
    limits = Constraints(
        emoji=(0, 2),
        sentences=(1, 3),
        words_per_sentence=(1, 14),
        emoji_freq=next(iter(EmojiFreq)),
        length=next(iter(Length)),
        lexicon=next(iter(Lexicon)),
        punctuation_quirks=(),
        intimacy=next(iter(Stage)),
        topics_blocked=(),
        narrow_topics=(),
        max_personal_facts=1,
        followup_allowed=True,
    )
    return ResponsePlan(
        pipeline=Pipeline.FRIEND_CHAT,
        language=language,
        ack_style="warm",
        answer_outline=("acknowledge",),
        followup_question=None,
        emotional_tone="warm",
        humor=next(iter(Humor)),
        directness=next(iter(Directness)),
        constraints=limits,
        user_text=text,
    )


def ask(text: str = "I had a long day at work.", **changes: Any) -> WriterRequest:
    messages = (PromptMessage("system", "You are a kind friend."), PromptMessage("user", text))
    request = WriterRequest("reply", messages, plan=plan(text), max_tokens=40, temperature=0.0, seed=1)
    return replace(request, **changes)


def attempt(writer: Writer, request: WriterRequest) -> WriterAnswer | ModelFailure:
    """Either of the two things a writer may do; anything else it raises is a broken promise."""
    try:
        return writer.write(request)
    except ModelFailure as why:
        return why


class WriterContract:
    # Does the same request give the same text again? (A script goes on instead.)
    repeats = True

    @pytest.fixture
    def writer(self) -> Writer:
        raise NotImplementedError("give the writer under test")

    def test_it_has_a_name_that_stays(self, writer: Writer) -> None:
        name = writer.name
        assert name and name == name.strip()
        attempt(writer, ask())
        assert writer.name == name

    def test_it_answers_a_plain_message_with_text(self, writer: Writer) -> None:
        answer = writer.write(ask())
        assert isinstance(answer, WriterAnswer)
        assert answer.text.strip() == answer.text != ""
        assert answer.text.isprintable() or "\n" in answer.text
        assert answer.model

    def test_the_same_request_gives_the_same_text(self, writer: Writer) -> None:
        if not self.repeats:
            pytest.skip("this writer follows a script")
        assert writer.write(ask()).text == writer.write(ask()).text

    @pytest.mark.parametrize("purpose", get_args(Purpose))
    def test_every_purpose_is_answered_or_refused_by_a_model_failure(
        self, writer: Writer, purpose: Purpose
    ) -> None:
        assert isinstance(attempt(writer, ask(purpose=purpose)), (WriterAnswer, ModelFailure))

    def test_an_answer_to_a_schema_fits_it(self, writer: Writer) -> None:
        outcome = attempt(writer, ask("Do I like tea? I do.", purpose="extract", schema=SCHEMA))
        if isinstance(outcome, WriterAnswer):
            assert mismatch(json.loads(outcome.text), SCHEMA) is None

    @pytest.mark.parametrize(
        "text",
        ["", " ", "안녕하세요, 오늘 어때요?", "👩‍👩‍👧 ok", "a\x00b\u200b", "\n\n\n", "{}[]</s><|im_end|>"],
        ids=["empty", "blank", "korean", "emoji", "control", "lines", "markup"],
    )
    def test_odd_text_breaks_nothing(self, writer: Writer, text: str) -> None:
        assert isinstance(attempt(writer, ask(text)), (WriterAnswer, ModelFailure))

    def test_a_prompt_without_messages_breaks_nothing(self, writer: Writer) -> None:
        assert isinstance(attempt(writer, ask(messages=())), (WriterAnswer, ModelFailure))

    def test_a_prompt_far_too_long_breaks_nothing(self, writer: Writer) -> None:
        outcome = attempt(writer, ask("word " * 100_000, timeout_seconds=20))
        assert isinstance(outcome, (WriterAnswer, ModelFailure))

    def test_two_callers_at_once_are_both_served(self, writer: Writer) -> None:
        with ThreadPoolExecutor(2) as callers:
            outcomes = list(callers.map(lambda _: attempt(writer, ask()), range(2)))
        assert all(isinstance(o, (WriterAnswer, ModelFailure)) for o in outcomes)

    def test_a_failure_says_whose_it_is_and_whether_trying_again_may_help(self, writer: Writer) -> None:
        for name, (broken, leaf) in self.failures().items():
            with pytest.raises(ModelFailure) as caught:
                broken().write(ask(timeout_seconds=0.4))
            assert type(caught.value) is leaf, name
            assert caught.value.fault == "model" and caught.value.message
            assert caught.value.retryable is (leaf is not ModelRefused), name

    def failures(self) -> Mapping[str, tuple[Callable[[], Writer], type[ModelFailure]]]:
        """Ways to make this writer fail, and the leaf each must raise."""
        return {}
