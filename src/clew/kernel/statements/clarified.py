"""A message about somebody told before, with the word for who that is in place of the name or "she".

"She's a dentist" is read as "my sister's a dentist"; what is found is told in the user's own words again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.frozen import dataclass
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import SOMEBODY, Called, Known, introduced, spoken_of
from clew.model.key import KeyKind, relation_of
from clew.model.memory import SELF
from clew.model.utterance import Sentence, Statement, TokenVectors
from clew.policy import Policy

# Of whom the message gives a name and no relation.
UNRELATED = (SOMEBODY, "pet:pet")


@dataclass(frozen=True, slots=True)
class Clarified:
    """`text` has `word` where the user's own words, from `start` to `end`, had a name or a pronoun."""

    text: str
    start: int
    end: int
    word: str
    subject: str
    name: str | None
    vector: Sequence[float] | None = None
    tokens: TokenVectors | None = None

    def by_name(self, text: str) -> bool:
        """The user's own words name them, rather than only point back."""
        return self.name is not None and text[self.start : self.end].lower() == self.name.lower()

    @property
    def stand_in(self) -> int:
        """Where the inserted words end."""
        return self.start + len(self.word)

    def back(self, place: int) -> int:
        return place if place <= self.start else place - len(self.word) + (self.end - self.start)


def clarified(text: str, language: str, known: Known, policy: Policy) -> Clarified | None:
    """None when everybody in the text is named by their relation, or nobody is."""
    words = policy.checks.languages.get(language)
    table = policy.attributes.languages.get(language)
    if words is None or table is None or not words.stands_for:
        return None
    given = {(c.start, c.end) for c in introduced(text, language, policy)}
    called = spoken_of(text, language, known, policy)
    told = (c for c in called if c.name and c.start >= 0 and c.name.lower() in known.names)
    named = [c for c in told if (c.start, c.end) not in given]
    meant: Called | None = named[0] if named else None
    if meant is None and not any(c.start >= 0 for c in called) and known.last is not None:
        match = next((found for _, found in compiled(tuple(words.pronoun.values())).matches(text)), None)
        meant = Called(match.start("word"), match.end("word"), *known.last) if match else None
    if meant is None:
        return None
    kind, relation = relation_of(meant.subject) or (KeyKind.PERSON, "")
    spoken = (table.pets if kind is KeyKind.PET else table.relations).get(relation, (relation,))[0]
    word = words.stands_for.format(relation=words.stranger if meant.subject == SOMEBODY else spoken)
    whole = text[: meant.start] + word + text[meant.end :]
    return Clarified(whole, meant.start, meant.end, word, meant.subject, meant.name)


def in_own_words(
    found: Sequence[Statement], clear: Clarified, text: str, sentences: Sequence[Sentence], policy: Policy
) -> tuple[Statement, ...]:
    """The statements of the clarified text where they stand in the text itself; the stand-in is no value.

    "We have a budgie, Nelson. Maureen talks to him": what is told of others who stand in the text stays theirs.
    """
    out = []
    meant = {m.subject for m in mentions(clear.word, policy.reader)} | {clear.subject}
    others = {m.subject for m in mentions(text, policy.reader)} - meant
    for told in found:
        around = told.start < clear.start and told.end >= clear.stand_in  # "flying to Rome to see Klaus"
        if told.start < clear.stand_in and told.end > clear.start and not around:
            continue
        start, end = clear.back(told.start), clear.back(told.end)
        sentence = next((s.text for s in sentences if s.start <= start < s.end), text)
        subject, name = told.subject, told.name
        if subject != SELF and subject not in others and not (subject in UNRELATED and clear.subject not in UNRELATED):
            subject, name = clear.subject, clear.name
        out.append(
            replace(told, subject=subject, name=name, value=text[start:end], start=start, end=end, sentence=sentence)
        )
    return tuple(out)
