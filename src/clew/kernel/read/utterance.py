"""Reading a message: once, at the start of a turn. Every room decides from what is found here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.language.packs import pack
from clew.kernel.read.asks import read_asks
from clew.kernel.read.need import Vectors
from clew.kernel.read.questions import is_question
from clew.kernel.read.signals import hear
from clew.kernel.statements.checks import checked_asks, checked_statements
from clew.kernel.statements.reader import read_statements
from clew.kernel.text.normalize import normal
from clew.kernel.text.sentences import spans
from clew.model.utterance import Act, Sentence, TokenVectors, Utterance
from clew.policy import Policy


def read(
    text: str,
    policy: Policy,
    *,
    previous: Sequence[str] = (),
    vector: Sequence[float] | None = None,
    tokens: TokenVectors | None = None,
    spoken: str | None = None,
    vectors: Vectors | None = None,
) -> Utterance:
    """The whole reading. `spoken` is the conversation's language, for a text too short to tell its own.

    vectors: those of the sentences of a longer message, where they were made.
    """
    signals = hear(text, policy, previous, vector, spoken, vectors)
    sentences = sentences_of(text, signals.language, policy)
    stated = read_statements(text, signals.language, sentences, vector, tokens, policy)
    told = checked_statements(text, signals.language, sentences, stated, policy)
    asked = read_asks(text, signals.language, sentences, vector, policy)
    asked = checked_asks(text, signals.language, asked, policy)
    # What plainly states is no question, however it is worded.
    plainly = any(s.certainty == 1 for s in told) and "?" not in text
    if plainly and all(s.act is Act.STATEMENT for s in sentences):
        asked = ()
    return Utterance(
        text=text,
        language=signals.language,
        signals=signals,
        sentences=sentences,
        statements=told,
        asks=asked,
        need=signals.need,
        vector=vector,
        tokens=tokens,
    )


@lru_cache(maxsize=128)
def sentences_of(text: str, language: str, policy: Policy) -> tuple[Sentence, ...]:
    """The sentences with what each does: a line break ends one too."""
    found: list[Sentence] = []
    start = 0
    for line in text.splitlines(keepends=True):
        for first, last in spans(line, policy.text):
            if len(found) == policy.language.sentences_most:
                return tuple(found)
            said = line[first:last]
            found.append(_sentence(said, start + first, start + last, language, policy))
        start += len(line)
    return tuple(found)


def _sentence(said: str, start: int, end: int, language: str, policy: Policy) -> Sentence:
    spoken = pack(language)
    act = spoken.act(said, policy) if spoken else None
    if act is None and is_question(normal(said), policy):
        act = Act.QUESTION
    return Sentence(
        start=start,
        end=end,
        text=said,
        act=act or Act.STATEMENT,
        negated=spoken.negated(said, policy) if spoken else False,
    )
