"""The user's own words as an answer: who somebody is, and what a sentence leans on (ruling M10).

People tell in pieces: "gran fell again", then "she's 91". The second is told with the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.frozen import dataclass
from clew.kernel.recall.narrowing import held, wanted
from clew.kernel.statements.features import lexicon, mentions
from clew.kernel.text.terms import bare_word
from clew.kernel.text.tokens import words as words_of
from clew.model.memory import SELF
from clew.policy import Policy

_PAUSES = tuple(",.!?;:")


@dataclass(frozen=True, slots=True)
class OwnMessage:
    """A message of the user's: what it states, and what they said just before it."""

    id: str
    words: str
    before: str = ""


def introducing(name: str, said: Sequence[OwnMessage], policy: Policy) -> OwnMessage | None:
    """The message that says who this is: with a word for it (sister, boss) before any other, the earliest first.

    `said` is in the order of time.
    """
    for called in (name, bare_word(name, policy)):
        holds = [one for one in said if called and _names(called, one.words, policy)]
        if holds:
            return next((one for one in holds if explained(one.words, policy)), holds[0])
    return None


def without_old(words: str, old: Sequence[str], new: Sequence[str], language: str, policy: Policy) -> str:
    """ "Left the mill, I bake now": what is told of the new, without the clause that only names the old.

    Where the words tell no value of their own, a clause must name the whole of the old, and something must be left.
    """
    breaks = policy.checks.languages[language].quote_breaks if language in policy.checks.languages else ""
    gone = [terms for value in old if (terms := held(value, policy))]
    fresh = frozenset(t for value in new for t in held(value, policy)) - frozenset(t for terms in gone for t in terms)
    if not breaks or not gone:
        return words
    parts = [p for p in re.split(breaks, words) if p.strip()]

    def names_old(part: str) -> bool:
        said = held(part, policy)
        return any(terms & said and not fresh & said if fresh else terms <= said for terms in gone)

    left = [p for p in parts if not names_old(p)]
    kept = frozenset(t for p in left for t in held(p, policy))
    if len(left) == len(parts) or not (kept & fresh if fresh else kept):
        return words
    return ", ".join(p.strip(" ,;:") for p in left)


def plainly_told(words: str, policy: Policy) -> bool:
    """ "my husband Arjun": a word for somebody that nothing narrows; "my study buddy" and "host mum" say more."""
    mine = lexicon(policy.reader)[2]
    for m in mentions(words, policy.reader):
        before = words[: m.start].split()
        if not before or before[-1].lower() in mine or before[-1][-1:] in _PAUSES:
            return True
    return False


def leaning(one: OwnMessage, asked: str, language: str, policy: Policy) -> bool:
    """Nobody is named in it who was meant, and the words before it name them, or what the question asks about."""
    if not one.before:
        return False
    people = {m.subject for m in mentions(asked, policy.reader)}
    here = {m.subject for m in mentions(one.words, policy.reader)}
    there = {m.subject for m in mentions(one.before, policy.reader)}
    if people & there and not people & here:
        return True
    # Words with which a question is put lead nowhere: "which one is it?"
    terms = wanted(asked, (), language, policy).all
    if terms & held(one.words, policy):
        # It names what is asked for; "she's leaving and I'm getting her room" leaves open whose.
        return bool(there) and not here and points_back(one.words, language, policy)
    spoken = set(one.words.lower().replace("’", "'").split())
    if there and not here and spoken & set(policy.reader.they):
        return True
    return bool(terms & held(one.before, policy))


def points_back(words: str, language: str, policy: Policy) -> bool:
    """ "The oldest is Duchess", "she's called Ray": it opens with a word for what was spoken of before."""
    known = policy.attributes.languages.get(language)
    first = words.lower().replace("’", "'").split()[:1]
    return bool(first) and first[0] in (*policy.reader.they, *(known.definite if known else ()))


def explained(words: str, policy: Policy) -> bool:
    """Does the text say who the named one is: a word for a relation or a pet stands in it, and more than one word?"""
    return any(m.subject != SELF for m in mentions(words, policy.reader)) and len(words.split()) > 1


def only_greets(said: str, policy: Policy) -> bool:
    """ "hi", 안녕하세요, ㅋㅋㅋ: a message of nothing but greetings and laughter answers no question."""
    known = {*policy.relate.greeting_words, *policy.gate.greetings}
    return all(word in known or len(word) > len(set(word)) == 1 for word in words_of(said.lower()))


def _names(name: str, said: str, policy: Policy) -> bool:
    """One letter or syllable begins too many words: there it stands alone, but for its particle."""
    if len(name) == 1:
        return any(bare_word(word, policy) == name for word in words_of(said))
    return re.search(rf"(?<!\w){re.escape(name)}(?![a-z0-9])", said, re.IGNORECASE) is not None
