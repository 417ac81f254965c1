"""Whatever people type, a whole turn is answered or the text is refused by name; nothing breaks in between."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clew.engine.parts import Parts
from clew.engine.turn import walk
from clew.errors import InvalidInput
from clew.model.account import Conversation
from clew.model.exchange import Incoming
from clew.testing.parts import make_parts, message_id, onboard

_SYLLABLES = "가나다라마바사아자차카타파하했었겠습니다구나고있는데요죽싶힘들밥먹엄마집에서을를이가은는도만나너우리"
_PARTICLES = ["은", "는", "이", "가", "을", "를", "에", "에서", "도", "만", "의", "로", "까지", "한테", "나", "야"]
_JAMO = "ㄱㄴㄷㅋㅋㅎㅎㅠㅠㅜㅏㅣㅡ" + "".join(map(chr, range(0x1100, 0x1120)))
_LATIN = ["i", "I'm", "a", "the", "not", "to", "my", "is", "love", "hate", "live", "in", "no", "forget", "that",
          "actually", "remember", "what", "don't", "moved", "tomorrow", "x", "kill", "myself", "haha"]  # fmt: skip
_SIGNS = "…?!.,;:'\"“”‘’()[]{}<>|*_~`^@#$%&+=-–—/\\·、。？！「」"
_EMOJI = ["🙂", "👩‍👩‍👧🏽", "🇰🇷", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "😭"]
_RTL = "שלום مرحبا بالعالم \u200f\u202e\u2066\u2069\u200e"
_ODD = "\u200b\u200d\ufeff\u00ad\u0301\u3164\u115f\u2028\u2029\t\n\r\u00a0\u3000"
_CONTROL = "\x00\x07\x1b\x7f\x85\x9b"
_LONG = 4000

unbroken = st.text(_SYLLABLES, min_size=1, max_size=200)
pieces = st.one_of(
    st.text(_SYLLABLES, min_size=1, max_size=60),
    st.sampled_from(_PARTICLES),
    st.sampled_from(_LATIN),
    st.sampled_from(_EMOJI),
    st.text(_JAMO, min_size=1, max_size=12),
    st.text(_SIGNS, min_size=1, max_size=6),
    st.text("0123456789.,:-/%", min_size=1, max_size=8),
    st.text(_RTL, min_size=1, max_size=12),
    st.text(_ODD, min_size=1, max_size=4),
)
glued = st.builds(
    lambda parts, glue: glue.join(parts),
    st.lists(pieces, min_size=1, max_size=14),
    st.sampled_from(["", " ", "\n", ", "]),
)
repeated = st.builds(lambda piece, times: (piece * times)[:_LONG], pieces, st.integers(2, 400))
texts = st.one_of(unbroken, glued, repeated, st.text(max_size=40), st.text(_CONTROL + "가a ", max_size=8))

_numbers = itertools.count(1)
PLAIN = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def talk() -> Iterator[tuple[Parts, Conversation]]:
    parts = make_parts("sqlite://")
    yield parts, onboard(parts)
    parts.store.close()


def answered(talk: tuple[Parts, Conversation], text: str) -> None:
    """`walk` tells what `take_turn` would set aside."""
    parts, conversation = talk
    try:
        outcome = walk(parts, Incoming(message_id(next(_numbers)), conversation.conversation_id, text))
    except InvalidInput as why:
        assert why.pointer == "/text"
        return
    assert outcome.reply and outcome.reply.strip() and outcome.persisted


@PLAIN
@given(texts)
def test_any_text_is_answered_or_refused(talk: tuple[Parts, Conversation], text: str) -> None:
    answered(talk, text)


LONG = {
    "syllables": "가나다라마바사아자차" * 400,
    "jamo": "ㅋ" * _LONG,
    "letters": "a" * _LONG,
    "words": "ramen " * 600,
    "korean words": "나는 밥을 먹었어 " * 400,
    "particles": "은는이가을를" * 600,
    "digits": "1234567890" * 400,
    "brackets": "(" * 2000 + ")" * 2000,
    "quotes": "\"'“‘" * 1000,
    "emoji": "👩‍👩‍👧🏽" * 500,
    "right to left": "שלום " * 800,
    "one line each": "집\n" * 2000,
    "commas": "밥," * 2000,
    "stops": "집. " * 1300,
}


@pytest.mark.parametrize("name", LONG)
def test_the_longest_message_is_answered(talk: tuple[Parts, Conversation], name: str) -> None:
    answered(talk, LONG[name][:_LONG])


@pytest.mark.parametrize("count", [1, 2, 26, 27, 52, 53, 54, 105, 120])
def test_korean_without_spaces_is_answered_at_any_length(talk: tuple[Parts, Conversation], count: int) -> None:
    answered(talk, ("나는오늘학교에갔다가집에와서밥을먹고잠을잤어" * 8)[:count])
    answered(talk, "가" * count)
