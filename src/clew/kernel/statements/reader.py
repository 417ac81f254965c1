"""What a message tells of its author: the learned tagger proposes, rules check and trim (ruling M3).

A plain shape is read by rule alone and is certain; without the encoder's tokens it is all that is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.frozen import dataclass
from clew.kernel.statements.features import Mention, mentions
from clew.kernel.statements.plain import plain_statements
from clew.kernel.statements.subjects import speaks, subject_of
from clew.kernel.statements.tagger import Span, Tagged, tag
from clew.kernel.statements.values import trimmed, whole_words
from clew.model.memory import SELF
from clew.model.utterance import Act, Evidence, Sentence, Statement, Status, TokenVectors
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy

NOTE = "note"
# Of whom the name is all that is known.
_NAMED_ALONE = {"person": "person:person", "pet": "pet:pet"}


def read_statements(
    text: str,
    language: str,
    sentences: Sequence[Sentence],
    vector: Sequence[float] | None,
    tokens: TokenVectors | None,
    policy: Policy,
    more: Sequence[Mention] = (),
    below: float = 0.0,
) -> tuple[Statement, ...]:
    """In the order of the text. `language` is "en", "ko" or another; the tagger knows sixteen, shapes two.

    more: people known by other words than their relation. below: what is this much below its mark is given too.
    """
    table = policy.reader
    sentences = sentences or (Sentence(0, len(text), text),)
    if vector is None or tokens is None or not len(tokens.spans) or not any(vector):
        return named(plain_statements(text, language, sentences, mentions(text, table), table))
    found = tag(text, vector, tokens, table, breaks(tokens, sentences, table), more)
    names = names_given(text, found, sentences, table, tokens)
    alone = tuple(Mention(*c.at, c.subject) for c in names.values() if c.subject in _NAMED_ALONE.values())
    found = _with_mentions(found, alone)
    plain = [s for s in plain_statements(text, language, sentences, found.mentions, table) if agreed(s, found, table)]
    learned = [
        made
        for span in found.spans
        if (made := checked(text, span, found, sentences, tokens, table, names, below))
        and not any(_overlap(made, p) for p in plain)
    ]
    learned = [_of_name(text, s, alone) for s in learned]
    return named(sorted([*plain, *learned], key=lambda s: (s.start, s.end, s.attribute)))


def _with_mentions(found: Tagged, more: Sequence[Mention]) -> Tagged:
    return replace(found, mentions=tuple(sorted({*found.mentions, *more}, key=lambda m: (m.start, -m.end))))


@dataclass(frozen=True, slots=True)
class Given:
    """A name that the message gives to one of the user's people or pets."""

    subject: str
    name: str
    at: tuple[int, int]


def names_given(
    text: str, found: Tagged, sentences: Sequence[Sentence], policy: ReaderPolicy, tokens: TokenVectors | None = None
) -> dict[tuple[int, int], Given]:
    """By the place of each name, whose it is.

    "Emre, the guy I share a desk with": of some the message gives a name and no relation.
    """
    out: dict[tuple[int, int], Given] = {}
    for span in found.spans:
        name, chance = span.attributes[0]
        if name != "name" or chance < policy.alone_at or span.kind == SELF or span.kind_score < policy.kind_sure:
            continue
        start, end = whole_words(text, span.start, span.end)
        # 한나고 승무원이야: the ending that the tokens part from a name is no part of it.
        cuts = {s for s, _ in tokens.spans if start < s < end} if tokens is not None else ()
        start, end = trimmed(text, start, end, cuts, False, policy)
        if start >= end:
            continue
        subject, _ = owner_of(text, span, found, sentences, {}, policy)
        whose = subject if subject not in (None, SELF) else _NAMED_ALONE[span.kind]
        out[span.start, span.end] = Given(whose, text[start:end], (start, end))
    return out


def owner_of(
    text: str,
    span: Span,
    found: Tagged,
    sentences: Sequence[Sentence],
    names: Mapping[tuple[int, int], Given],
    policy: ReaderPolicy,
) -> tuple[str | None, str | None]:
    """Whose a value is, and what that one is called if it was the name that told; nobody where that is unknown."""
    start, end = whole_words(text, span.start, span.end)
    sentence = next((s for s in sentences if s.start <= start < s.end), sentences[-1])
    place, guess = (sentence.start, sentence.end), (span.kind, span.kind_score)
    by_rule = subject_of(text, start, end, place, found.mentions, guess, policy)
    if len(span.owners) < 2 or by_rule is None:
        return by_rule, None
    chances: dict[str, float] = {}
    called: dict[str, str] = {}
    # "I'm not allergic to nuts, my sister is": what one says of oneself is nobody's who is named behind it.
    mine = by_rule == SELF and speaks(text, sentence.start, start, policy)
    for owner in span.owners:
        if mine and owner.at is not None and owner.at[0] >= end:
            continue
        given = names.get(owner.at) if owner.subject is None and owner.at else None
        subject = given.subject if given else owner.subject
        if subject is not None:
            chances[subject] = chances.get(subject, 0.0) + owner.chance
            if given and given.name:
                called.setdefault(subject, given.name)
    if by_rule not in chances:  # whoever was spoken of before the message
        return by_rule, None
    # The learned reading and the rule err in different places.
    chances[by_rule] *= policy.owner_by_rule
    best = max(chances, key=lambda subject: chances[subject])
    return best, called.get(best)


def _of_name(text: str, told: Statement, alone: Sequence[Mention]) -> Statement:
    """What is told of somebody known by name alone stands with the name before it, else with the first."""
    theirs = [m for m in alone if m.subject == told.subject]
    if not theirs or told.attribute == "name" or told.name:
        return told
    before = [m for m in theirs if m.start <= told.start]
    mine = before[-1] if before else theirs[0]
    return replace(told, name=text[mine.start : mine.end])


def agreed(shape: Statement, found: Tagged, policy: ReaderPolicy) -> bool:
    """A shape in a message that the tagger takes for ordinary talk is a turn of phrase."""
    return found.told >= policy.shape_at


def breaks(tokens: TokenVectors, sentences: Sequence[Sentence], policy: ReaderPolicy) -> list[int]:
    """Long messages are read in parts of whole sentences, as long as the tagger has seen."""
    ends = [s.end for s in sentences]
    out: list[int] = []
    part, k = 0, 0
    for i, (start, _) in enumerate(tokens.spans):
        new = False
        while k < len(ends) - 1 and start >= ends[k]:
            k += 1
            new = True
        if i - part >= policy.part_max or (new and i - part >= policy.part_min):
            out.append(i)
            part = i
    return out


def checked(
    text: str,
    span: Span,
    found: Tagged,
    sentences: Sequence[Sentence],
    tokens: TokenVectors,
    policy: ReaderPolicy,
    names: Mapping[tuple[int, int], Given],
    below: float = 0.0,
) -> Statement | None:
    """The statement that a span makes, or none: too unsure, in a sentence that states nothing, of a stranger, empty."""
    start, end = whole_words(text, span.start, span.end)
    sentence = next((s for s in sentences if s.start <= start < s.end), sentences[-1])
    certainty = span.told
    if certainty < _mark(sentence, span.attributes[0][0], policy) - below:
        return None
    subject, called = owner_of(text, span, found, sentences, names, policy)
    if (span.start, span.end) in names:
        subject = names[span.start, span.end].subject
    if subject is None:
        return None
    span = fitting(span, subject, policy)
    attribute, score = span.attributes[0]
    if score < policy.name_at:
        attribute = NOTE
    cuts = {s for s, _ in tokens.spans if start < s < end}
    start, end = trimmed(text, start, end, cuts, attribute in policy.phrases, policy)
    value = text[start:end]
    if not any(c.isalnum() for c in value):
        return None
    status = span.status if span.status == Status.ENDED else policy.statuses.get(attribute, span.status)
    stance = {"like": "like", "dislike": "dislike"}.get(attribute, span.stance)
    beside = span.attributes[1][1] if len(span.attributes) > 1 else 0.0
    seen = Evidence(certainty, span.inside, score, beside, span.kind_score)
    return Statement(
        subject, attribute, value, sentence.text, start, end, stance, Status(status), called, round(certainty, 4), seen
    )


def fitting(span: Span, subject: str, policy: ReaderPolicy) -> Span:
    """Without the attributes that nobody of this kind has: who speaks is not dead, and a cat has no employer."""
    none = policy.never.get(subject.split(":")[0], ())
    left = tuple(pair for pair in span.attributes if pair[0] not in none)
    chance = sum(odds for _, odds in left)
    if len(left) == len(span.attributes) or not chance:
        return span
    gone = sum(odds for _, odds in span.attributes) - chance
    # What is left shares the chance of what cannot be.
    shares = ((name, round(odds / max(chance, 1 - gone), 4)) for name, odds in left)
    return replace(span, attributes=tuple(shares))


def _mark(sentence: Sentence, attribute: str, policy: ReaderPolicy) -> float:
    """How sure the tagger must be: more so in a sentence that asks, wishes, supposes or quotes."""
    if sentence.act is Act.REQUEST and attribute in policy.requested:
        return policy.at
    return max(policy.at, policy.at_act.get(sentence.act.value, policy.at))


def likely(told: Statement, sentences: Sequence[Sentence], policy: ReaderPolicy) -> bool:
    """Proposed surely enough for the rules to look at; the others count only where something speaks for them."""
    sentence = next((s for s in sentences if s.start <= told.start < s.end), Sentence(0, told.end, told.sentence))
    return told.certainty >= _mark(sentence, told.attribute, policy)


def named(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """A person's or pet's name told in the message stands with everything told of them."""
    names: dict[str, dict[str, None]] = {}
    for s in statements:
        if s.attribute == "name" and s.subject != "self":
            names.setdefault(s.subject, {})[s.value] = None
    alone = {subject: next(iter(given)) for subject, given in names.items() if len(given) == 1}

    def with_name(s: Statement) -> Statement:
        mine = s.value if s.attribute == "name" and s.subject != "self" else alone.get(s.subject)
        return replace(s, name=mine) if mine and not s.name else s

    return tuple(with_name(s) for s in statements)


def _overlap(a: Statement, b: Statement) -> bool:
    return a.start < b.end and b.start < a.end
