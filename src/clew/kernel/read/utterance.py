"""Reading a message: once, at the start of a turn. Every room decides from what is found here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.kernel.language.packs import pack
from clew.kernel.language.shapes import act_by_shape
from clew.kernel.read.asks import chances, only_asks, read_asks
from clew.kernel.read.change_words import says
from clew.kernel.read.need import Vectors
from clew.kernel.read.questions import is_question
from clew.kernel.read.signals import hear
from clew.kernel.read.wording import wording
from clew.kernel.statements.belief import believed
from clew.kernel.statements.by_name_alone import by_name_alone
from clew.kernel.statements.checked_asks import checked_asks
from clew.kernel.statements.checks import checked_statements, may_return
from clew.kernel.statements.clarified import UNRELATED, Clarified, in_own_words
from clew.kernel.statements.clause_owners import of_last_named
from clew.kernel.statements.frames import framed_from
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import (
    Called,
    Known,
    last_spoken_of,
    named_anew,
    names_those,
    points_back,
    spoken_of,
    with_names,
)
from clew.kernel.statements.reader import likely, read_statements
from clew.kernel.statements.short_questions import carried
from clew.kernel.statements.subjects import speaks
from clew.kernel.statements.whole_values import with_denials
from clew.kernel.text.normalize import normal
from clew.kernel.text.sentences import spans
from clew.model.utterance import Act, Sentence, Statement, TokenVectors, Utterance
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
    names: Mapping[str, str] | None = None,
    clear: Clarified | None = None,
) -> Utterance:
    """The whole reading. `spoken` is the conversation's language, for a text too short to tell its own.

    vectors: those of the sentences of a longer message, where they were made.
    names: what the user's people are called, lower-cased, and who each is.
    clear: the text with the word for who is meant by a name or "she", where there is one, with its vectors.
    """
    signals = hear(text, policy, previous, vector, spoken, vectors, tokens)
    whole_text, text = text, text[: policy.language.read_characters]
    sentences = sentences_of(text, signals.language, policy)
    language = signals.language
    known = Known(names or {}, last_spoken_of(previous, language, names or {}, policy, text))
    asked_of = called = spoken_of(text, language, known, policy)
    if not (points_back(text, language, policy) or names_those(text, language, previous, policy)):
        called = [c for c in called if c.start >= 0]
    stated = _stated(text, language, sentences, vector, tokens, policy, known, called, clear)
    proposed = with_names(stated, called)
    stated = tuple(s for s in proposed if likely(s, sentences, policy.reader))
    told = checked_statements(
        text, language, sentences, stated or _behind_opener(text, language, policy), policy, called
    )
    own = framed_from(text, policy)
    proposed = may_return(text, language, [s for s in proposed if s.end <= own], policy)
    # 12*14 tells nothing of anybody.
    told = believed(text, sentences, told, policy, proposed) if any(c.isalpha() for c in text) else ()
    told = by_name_alone(text, language, told, called, policy)
    told = of_last_named(text, language, told, called, policy)
    told = with_denials(text, language, sentences, told, policy)
    asking, asked_for = _asked(text, sentences, vector, vectors, policy)
    doubted = len(sentences) == 1 and sentences[0].act is Act.QUESTION and asked_for.get("", 1.0) < policy.reader.ask_at
    if clear is not None and doubted:
        # "does ola live there?" asks of whoever is called so.
        asked_for = chances(clear.text, clear.vector, policy.reader) or asked_for
    softly = len(sentences) == 1 and _asks_softly(sentences[0], language, asked_for.get("", 0.0), policy)
    if softly and not any(s.certainty == 1 for s in told):
        sentences, told = (replace(sentences[0], act=Act.QUESTION),), ()
    asked = read_asks(asking, signals.language, sentences, asked_for, policy)
    asked = checked_asks(asking, language, asked, policy, asked_of, known)
    asked = carried(asking, language, asked, previous, asked_of, known, policy)
    if (len(sentences) == 1 and asked_for.get("", 0.0) >= policy.reader.ask_sure) or only_asks(sentences):
        # "my dog's name again" tells nothing.
        told = tuple(s for s in told if s.certainty == 1)
    # What plainly states is no question, however it is worded.
    plainly = any(s.certainty == 1 for s in told) and "?" not in text
    named = plainly and any(s.attribute == "called" and s.certainty == 1 for s in told)
    if plainly and (named or all(s.act is Act.STATEMENT for s in sentences)):
        asked = ()
    return Utterance(
        text=whole_text,
        language=signals.language,
        signals=signals,
        sentences=sentences,
        statements=told,
        asks=asked,
        asked_for=tuple(sorted(asked_for.items())),
        need=signals.need,
        vector=vector,
        tokens=tokens,
        wording=wording(whole_text, policy),
        of_others=_of_others(text, called, policy),
    )


def _stated(
    text: str,
    language: str,
    sentences: Sequence[Sentence],
    vector: Sequence[float] | None,
    tokens: TokenVectors | None,
    policy: Policy,
    known: Known,
    called: Sequence[Called],
    clear: Clarified | None,
) -> tuple[Statement, ...]:
    """What the reader finds in the message itself, or in the text that makes plain who is meant.

    "Our client is Jonah, he's 24": who is named before the "he" is the one it means.
    """
    below = policy.reader.proposed_below
    plainer = clear if clear is not None and clear.tokens is not None else None
    own: tuple[Statement, ...] = ()
    if plainer is None or not plainer.by_name(text):
        others = [c.mention for c in called if c.name or c.start < 0]
        found = read_statements(text, language, sentences, vector, tokens, policy, others, below)
        own = named_anew(found, known, called)
    if plainer is None:
        return own
    new = (s for s in own if s.attribute == "name" and s.subject in UNRELATED and s.value.lower() not in known.names)
    if any(s.start < plainer.start for s in new):
        return own
    whole = sentences_of(plainer.text, language, policy)
    read_so = read_statements(plainer.text, language, whole, plainer.vector, plainer.tokens, policy, below=below)
    return in_own_words(read_so, plainer, text, sentences, policy)


# Somebody's name opens a message, or a short word stands before it: "so Len's not selling".
_OPENS = 8


def _of_others(text: str, called: Sequence[Called], policy: Policy) -> bool:
    named = any(c.name and 0 <= c.start <= _OPENS for c in called)
    return named and not speaks(text, 0, len(text), policy.reader)


def _asked(
    text: str, sentences: Sequence[Sentence], vector: Sequence[float] | None, vectors: Vectors | None, policy: Policy
) -> tuple[str, dict[str, float]]:
    """What asks, and the chance of each thing to be asked for: the whole message, or the question in it.

    "Tell me what I said. I only want to hear it." is a question with something beside it.
    """
    whole = (text, chances(text, vector, policy.reader))
    if len(sentences) < 2 or not vectors:
        return whole
    alone = [s.text for s in sentences if s.act is Act.QUESTION and s.text in vectors]
    read_alone = [(said, chances(said, vectors[said], policy.reader)) for said in alone]
    return max((whole, *read_alone), key=lambda one: one[1].get("", 0.0))


def _asks_softly(sentence: Sentence, language: str, asked: float, policy: Policy) -> bool:
    """ "내 법명이 뭐라 했소": no ending of a question, yet words and likelihood of one."""
    return sentence.act is Act.STATEMENT and act_by_shape(language, sentence.text, policy, asked) is Act.QUESTION


def _behind_opener(text: str, language: str, policy: Policy) -> tuple[Statement, ...]:
    """ "That's not true, I'm 30": what stands behind a denial, read by plain shapes."""
    words = policy.checks.languages.get(language)
    openers = compiled(tuple(words.opener.values())) if words else ()
    match = next((m for shape in openers if (m := shape.match(text))), None)
    if match is None or match.end() >= len(text):
        return ()
    rest, shift = text[match.end() :], match.end()
    found = read_statements(rest, language, sentences_of(rest, language, policy), None, None, policy)
    return tuple(replace(s, start=s.start + shift, end=s.end + shift) for s in found)


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


def stated_in(text: str, language: str, policy: Policy) -> str:
    """The sentences of it that state something, also before a question that is one only in form."""

    def states(one: Sentence) -> bool:
        return one.act is Act.STATEMENT or (one.act is Act.QUESTION and says(one.text, "exclaims", policy))

    return " ".join(s.text for s in sentences_of(text, language, policy) if states(s))


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
