"""What a language has to offer to the rest of the house. A new language is one room that keeps this promise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from clew.kernel.language.comparing import Comparing
from clew.kernel.language.gathering import Bearer
from clew.kernel.language.telling import Telling
from clew.kernel.language.told import Told
from clew.model.inquiry import NamedDate
from clew.model.language import HOUSE as HOUSE
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy

if TYPE_CHECKING:
    from clew.kernel.statements.items import Item, Liking

T = TypeVar("T")


def words_in(language: str, table: Mapping[str, T]) -> T:
    """The words of a language, or those of the house."""
    return table.get(language) or table[HOUSE]


class Rules(Protocol):
    """What a language reads by rule in a sentence where somebody tells of himself."""

    @property
    def reads_accounts(self) -> bool:
        """Is a long account read as a whole? Then its sentences are not read for likings one by one."""
        ...

    def stands_in(self, sentence: str) -> bool:
        """May a sentence of another language state a liking in words of this one?"""
        ...

    def facts(self, sentence: str, policy: Policy) -> Iterable[tuple[str, str]]:
        """(field, value) of every fact stated; a field may come twice, the last wins."""
        ...

    def likings(self, sentence: str, policy: Policy, unknown: str | None) -> Iterable[Liking]:
        """Every liking stated outright; `unknown` is the category of a thing that no list knows."""
        ...

    def avoided(self, sentence: str, policy: Policy) -> Iterable[Liking]:
        """What is not eaten and not drunk."""
        ...

    def moods(self, sentence: str, policy: Policy, eventful: bool) -> Iterable[tuple[str, str]]:
        """(pattern, value) of every habit of feeling; `eventful`: something happened, so a feeling may pass."""
        ...

    def events(self, sentence: str, policy: Policy) -> Iterable[tuple[str, str]]:
        """(domain, what) of every event told."""
        ...

    def deed(self, sentence: str, policy: Policy) -> Item | None:
        """What a sentence of a long account tells of doing, the first of it."""
        ...

    def pastimes(self, sentence: str, policy: Policy) -> Iterable[tuple[int, Item]]:
        """(where, what) of every pastime that the user says they do."""
        ...

    def taken_up(self, sentence: str, policy: Policy) -> Iterable[tuple[int, Item]]:
        """(where, what) of every known thing that the user tried or joined."""
        ...

    def month(self, low: str, policy: Policy) -> tuple[int, int | None] | None:
        """The month that a text in lower case names, and its year if that is said."""
        ...


class Pack(Protocol):
    """One language. Its words stand in policy/data/<code>/, its rules in kernel/language/<code>/."""

    @property
    def code(self) -> str:
        """Two letters: en, ko."""
        ...

    @property
    def rules(self) -> Rules:
        """Its readings by rule."""
        ...

    @property
    def comparing(self) -> Comparing:
        """How two of its statements are compared."""
        ...

    def writes(self, word: str) -> bool:
        """Is a word written in letters by which the language is known? The language of the house takes the rest."""
        ...

    def owns(self, text: str, policy: Policy) -> bool:
        """Is this text written in the language? Asked in order; the first that says yes is taken."""
        ...

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        """Do these words ask, without a question mark to tell it? `tokens` are the words of `no_punct`."""
        ...

    def act(self, sentence: str, policy: Policy) -> Act | None:
        """What the sentence does by its shape; None when its shape does not tell."""
        ...

    def negated(self, sentence: str, policy: Policy) -> bool:
        """Is the main claim of the sentence denied?"""
        ...

    def join(self, word: str, ending: str) -> str:
        """The word with an ending that depends on it: a Korean particle, an English article or plural."""
        ...

    def closed(self, clause: str) -> str:
        """A clause that another one follows, as a sentence of its own."""
        ...

    def finished(self, told: str) -> str:
        """A sentence put together from a template, with every mark in it that depends on a word chosen."""
        ...

    def polite(self, text: str) -> bool | None:
        """Does the writer use polite speech? None where the language or the text does not tell."""
        ...

    def run_on(self, told: Sequence[str], policy: Policy) -> Sequence[str]:
        """Sentences on one side of the user's life, those that can in one."""
        ...

    def gathered(self, bearers: Sequence[Bearer], policy: Policy) -> Sequence[str]:
        """All that is told of those who stand to the user in one relation, by person."""
        ...

    def fragment(self, told: str, bearer: Bearer | None, policy: Policy) -> str:
        """What of a sentence stands in a longer one too; empty where it is always told by itself."""
        ...

    def spoken(self, told: str, polite: bool) -> str:
        """A memory told in a full sentence, as one says it aloud: polite or plain."""
        ...

    def by_person(self, facts: Sequence[Told], polite: bool) -> Sequence[str]:
        """What is known of one person in a sentence or two, without full stops; none where the language has no way of
        its own to gather it."""
        ...

    def value_end(self, text: str, start: int, end: int, policy: Policy) -> int:
        """Where a value that a reader cut at `end` ends as whole words, without an ending that is no part of it."""
        ...

    def value_start(self, text: str, start: int, end: int, policy: Policy) -> int:
        """Where the noun of a value begins: what says when, how or why before it is no part of it."""
        ...

    def value_tail(self, value: str, parted: Collection[int], phrase: bool, policy: ReaderPolicy) -> int:
        """How many letters of an ending to take off a value. `parted`: where a token ends in it; `phrase`: it keeps
        its verb."""
        ...

    def bare_name(self, name: str) -> str:
        """A name without what is hung behind it in speech."""
        ...

    def hails(self, name: str, said: str) -> bool:
        """It is the name with only what is hung behind it in speech."""
        ...

    def tells_when(self, words: str, policy: Policy) -> bool:
        """They say when something is, and not who it is of."""
        ...

    def topic(self, sentence: str) -> str | None:
        """The word that the sentence opens with and speaks of, if it may be a name."""
        ...

    def doing(self, verb: str) -> str:
        """A verb as the name of what is done: cook, cooking. As it stands where the language has no such form."""
        ...

    def names_doing(self, word: str) -> bool:
        """Is the word such a name by its form?"""
        ...

    def singular(self, word: str) -> str:
        """The word for one of what a word names several of: berries, berry. As it stands where it names one."""
        ...

    def plural(self, word: str) -> bool:
        """Does the word name several by its form?"""
        ...

    def as_listed(self, word: str) -> Sequence[str]:
        """Other forms in which a list writes a word that describes: 쉬운 is 쉬움."""
        ...

    def tellings(self, sentence: str) -> Sequence[Telling]:
        """Plain shapes of telling about oneself; none where the sentence holds no letter of the language."""
        ...

    def plan(self, value: str, policy: Policy) -> str:
        """The thing that is planned, without its time and its verb."""
        ...

    def as_noun(self, value: str) -> str:
        """What shall be done, as a noun: 자료 만들어야 해 is 자료 만들기; a noun as it is."""
        ...

    def exchanged(self, text: str, old: str, new: str) -> str:
        """The text with one word in the place of another, and what hangs on to it as the new one wants it: 솔밭을, 길을
        for 바닷가를. As it stands where the old one is no whole word of it."""
        ...

    def noun_phrase(self, value: str) -> str:
        """The value as a noun that a sentence can be built around: 순천에서 is 순천; empty where it holds a verb."""
        ...

    def bare(self, word: str, policy: Policy) -> str:
        """A word, in lower case, without a possessive or a particle; one of another language as it is."""
        ...

    def stem(self, word: str, policy: Policy) -> str:
        """What the forms of a word share; a word of another language as it is."""
        ...

    def dates(self, text: str, policy: Policy) -> tuple[tuple[NamedDate, ...], str]:
        """The dates that a text in lower case names in this language's own way, and the text without them."""
        ...

    def happened(self, padded: str, policy: Policy) -> bool:
        """Does a question, without marks and between spaces, ask for something that happened once?"""
        ...
