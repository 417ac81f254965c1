"""Who is spoken of: the user's people and pets by relation, by a name told before, or by "he" and "she" (ruling M2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.statements.features import Mention, mentions
from clew.kernel.statements.genders import disagrees
from clew.kernel.statements.patterns import compiled, one
from clew.kernel.text.terms import terms
from clew.model.memory import SELF
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.programs import program

# Somebody known by name alone.
SOMEBODY = "person:person"
_WORD = re.compile(r"\w+")
# Whoever writes "I" and "Ines" means no name by an ordinary word: "my granddaughter put it here, so I am".
SPELLS = re.compile(r"(?<=[a-zà-ÿ,;] )(?:I(?!\w)|[A-ZÀ-Þ][a-zà-ÿ])")
_NAME = re.compile(r"(?<!\w)[A-ZÀ-Þ][\wÀ-ÿ-]*")


@dataclass(frozen=True, slots=True)
class Known:
    """What was told before. names: lower-cased name → subject. last: whom the messages before spoke of last."""

    names: Mapping[str, str] = field(default_factory=dict)
    last: tuple[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """A word for one of the user's people or pets, and what that one is called, if that is known."""

    start: int
    end: int
    subject: str
    name: str | None = None

    @property
    def mention(self) -> Mention:
        return Mention(self.start, self.end, self.subject)


def spoken_of(text: str, language: str, known: Known, policy: Policy) -> list[Called]:
    """Everybody in the text, in order; whoever was spoken of last before it stands in front."""
    # Whoever is known already is not somebody else because another word for people stands before the name.
    given = [
        c
        for c in introduced(text, language, policy)
        if known.names.get((c.name or "").lower(), c.subject) in (c.subject, SOMEBODY)
    ]
    # "my little sister Zara" needs no other mark than her name.
    named = {(c.subject, c.start - 1) for c in given}
    found = [
        Called(m.start, m.end, m.subject) if (m.subject, m.end) in named else _ranked(text, language, m, policy)
        for m in mentions(text, policy.reader)
    ]
    names = {**known.names, **{c.name.lower(): c.subject for c in given if c.name}}
    taken = {(c.start, c.end) for c in given}
    low = text.lower()
    for name, subject in names.items():
        if name.lower() not in low:  # a name's shape is made only where the name stands
            continue
        # Will and Rose are words too: those count only as they are written.
        spelt, flags = (name.title(), 0) if name in policy.reader.word_names else (name, re.I)
        behind = _hangs_on(policy.reader.name_endings)
        for m in re.finditer(rf"(?<!\w){re.escape(spelt)}{behind}", text, flags):
            if (m.start(), m.end()) not in taken:
                found.append(Called(m.start(), m.end(), subject, m.group()))
    words = policy.checks.languages.get(language)
    if words is not None and words.titles_follow:
        found = _titled(text, found)
    found += [*given, *_strangers(text, language, names, policy)]
    if known.last is not None:
        found.append(Called(-1, -1, *known.last))
    return sorted(found, key=lambda c: (c.start, -c.end))


def _titled(text: str, found: Sequence[Called]) -> list[Called]:
    """민재 오빠는: a word for kin right behind somebody's own name is how they are addressed, and nobody else."""
    named = {c.end: c for c in found if c.name and text[c.start : c.end] == c.name}
    out = []
    for c in found:
        own = named.get(c.start - 1) if c.name is None and text[c.start - 1 : c.start] == " " else None
        out.append(c if own is None else Called(own.start, c.end, own.subject, own.name))
    return out


def _ranked(text: str, language: str, mention: Mention, policy: Policy) -> Called:
    """ "my older sister", 첫째, 둘째: whoever has no name is told apart by the word for which one it is."""
    words = policy.checks.languages.get(language)
    if words is not None and mention.subject.startswith("person:"):
        for _, match in compiled(tuple(words.ranked.values())).matches(text[: mention.end]):
            return Called(match.start(), mention.end, mention.subject, match.group().lower())
    return Called(mention.start, mention.end, mention.subject)


def introduced(text: str, language: str, policy: Policy) -> list[Called]:
    """Names told beside the word for the relation: my husband Tom, two kids, Ella and Noah, Raj is my colleague."""
    words = policy.checks.languages.get(language)
    if words is None:
        return []
    out: list[Called] = []
    spoken = mentions(text, policy.reader)
    for m in spoken:
        if compiled(tuple(words.theirs.values())).any(text[: m.start]):
            continue
        if match := compiled(tuple(words.named_after.values())).opening(text[m.end :]):
            at = m.end + match.start("name")
            out += [
                Called(at + n.start(), at + n.end(), m.subject, n.group())
                for n in list(_NAME.finditer(match["name"])) or _WORD.finditer(match["name"])
                if n.group().lower() not in policy.reader.not_names and n.group().lower() not in words.adjectives
                if not any(other.start <= at + n.start() < other.end for other in spoken)
                if match.groupdict().get("said") or not (SPELLS.search(text) and _ordinary(n.group(), policy))
            ]
        # "two daughters, Susan who lives in Perth, and Linda, who teaches"
        if words.plural_end and text[m.start : m.end].endswith(words.plural_end):
            out += [
                Called(n.start("name"), n.end("name"), m.subject, n["name"])
                for n in program(words.each_named).finditer(text, m.end)
                if n["name"].lower() not in policy.reader.not_names
            ]
        for _, match in compiled(tuple(words.named_before.values())).matches(text[: m.start]):
            if match["name"].lower() not in policy.reader.not_names:
                out.append(Called(match.start("name"), match.end("name"), m.subject, match["name"]))
    return out


def _ordinary(word: str, policy: Policy) -> bool:
    """A small word that everybody says, in whatever form: "put", "dropped"."""
    stems = [term for term, _ in terms(word, policy)]
    return word.islower() and (not stems or min(rarity(t, policy) for t in stems) < policy.checks.name_rarity)


def _strangers(text: str, language: str, names: Mapping[str, str], policy: Policy) -> list[Called]:
    """ "Olu's in the navy": somebody of whom the name is all that is known."""
    words = policy.checks.languages.get(language)
    out: list[Called] = []
    if words is None:
        return out
    labels = _labels(language, policy)
    for name, shape in words.somebody.items():
        for match in one(shape.pattern).finditer(text):
            low = match["name"].lower()
            plain = low in names or low in policy.reader.not_names or low in labels
            plain = plain or ("opens" in name and rarity(low, policy) < policy.checks.name_rarity)
            if not plain and low not in words.empty and low not in words.adjectives:
                out.append(Called(match.start("name"), match.end("name"), SOMEBODY, match["name"]))
    return out


@lru_cache(maxsize=8)
def _labels(language: str, policy: Policy) -> frozenset[str]:
    """What is asked for by its name is nobody: a home town, a budget."""
    words = policy.attributes.languages.get(language)
    return frozenset(label for asked in words.asked.values() for label in asked) if words else frozenset()


@lru_cache(maxsize=4)
def _common(policy: Policy) -> dict[str, float]:
    """Words that everybody says, by how rare they are: what is said often is nobody's name."""
    out: dict[str, float] = {}
    for level, listed in policy.recall.words.items():
        for entry in listed.split():
            term, _, word = entry.partition("=")
            out[term] = out[word or term] = float(level)
    return out


def rarity(term: str, policy: Policy) -> float:
    """How seldom a word is said; one that no list holds is the rarest."""
    return _common(policy).get(term, 99.0)


def points_back(text: str, language: str, policy: Policy) -> bool:
    """A "she" or "their" means whoever was spoken of before; some languages leave even that out."""
    words = policy.checks.languages.get(language)
    if words is None or not words.names_its_people:
        return True
    return _they(policy.reader.they, policy.reader.they_with).search(text) is not None


def names_those(text: str, language: str, previous: Sequence[str], policy: Policy) -> bool:
    """ "I share with 3 mates" – "Ed, Rafe and Lou": a message that opens with a name, after several without any."""
    words = policy.checks.languages.get(language)
    first = _NAME.match(text.lstrip())
    low = first.group().lower() if first else ""
    if words is None or not words.plural_end or not low or low in policy.reader.not_names:
        return False
    if rarity(low, policy) < policy.checks.name_rarity and not _in_row(text.lstrip(), words.name_row):
        return False  # "Tea is ready"
    for said in reversed(previous[-policy.checks.messages :]):
        if found := mentions(said, policy.reader):
            end = found[-1].end
            return words.plural_end in (said[end - 1 : end], said[end : end + 1])
    return False


def _in_row(text: str, joins: str) -> bool:
    """ "Ed, Rafe": two names stand where the text begins."""
    one, *more = _NAME.finditer(text)
    return bool(more) and program(joins, re.I).search(text[one.end() : more[0].start()]) is not None


@lru_cache(maxsize=8)
def _they(words: tuple[str, ...], behind: tuple[str, ...]) -> re.Pattern[str]:
    """The words for somebody named before, also run together with a verb: shes, theyre."""
    listed = "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
    verbs = "|".join(map(re.escape, behind))
    return program(rf"(?<![\w'’])(?:{listed})(?:{verbs})?(?!\w)", re.I)


def named_anew(found: Sequence[Statement], known: Known, here: Sequence[Called]) -> tuple[Statement, ...]:
    """ "New client: Jonah, he's 24": no other name of whoever was spoken of before; what follows it is Jonah's.

    here: everybody in the message itself.
    """
    if known.last is None or any(c.subject == known.last[0] for c in here if c.start >= 0 and c.name is None):
        return tuple(found)
    subject, called = known.last
    other = SOMEBODY if subject.startswith("person:") else "pet:pet"
    names = [s for s in found if (s.subject, s.attribute) == (subject, "name")]
    new = [s for s in names if called and s.value.lower() != called.lower() and s.value.lower() not in known.names]

    def whose(told: Statement) -> Statement:
        ahead = [n for n in new if n.start <= told.start or n.value == told.name]
        if told.subject != subject or not ahead:
            return told
        return replace(told, subject=other, name=told.name if told.name and told.name != called else ahead[-1].value)

    return tuple(whose(s) for s in found)


def last_spoken_of(
    previous: Sequence[str], language: str, names: Mapping[str, str], policy: Policy, now: str = ""
) -> tuple[str, str | None] | None:
    """Whom the "he" or "she" of `now` means: the last such one in the messages before, the newest first."""
    for text in reversed(previous[-policy.checks.messages :]):
        found = spoken_of(text, language, Known(names), policy)
        found = [c for c in found if not disagrees(c.subject, now, policy)]
        if found:
            last = found[-1]
            name = next((c.name for c in reversed(found) if c.name and c.subject == last.subject), None)
            return last.subject, name
    return None


def with_names(found: Sequence[Statement], called: Sequence[Called]) -> tuple[Statement, ...]:
    """Each statement of another with the name that stands before it."""
    out = []
    for told in found:
        if told.subject == SELF or told.attribute == "name" or told.name:
            out.append(told)
            continue
        before = [c for c in called if c.name and c.subject == told.subject and c.start <= told.start]
        out.append(replace(told, name=before[-1].name) if before else told)
    return tuple(out)


@lru_cache(maxsize=4)
def _hangs_on(endings: tuple[str, ...]) -> str:
    """A name may carry a particle or a possessive: 민재는, "craigs a plumber"."""
    listed = "|".join(map(re.escape, sorted(endings, key=lambda e: (-len(e), e))))
    return rf"(?=(?:{listed})?(?:\W|$))"
