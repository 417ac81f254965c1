"""Which clauses of a draft say something of the user that nothing holds (ruling S9).

A wish, a suggestion, a general sentence and "you haven't told me" claim nothing, whatever words stand in them. An
answer to "what is my …?" claims all that it names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from clew.kernel.gate.grounded import held_in, knows_of, named_in, new_in, people_in, shape
from clew.kernel.text.passage import Passage
from clew.policy import Policy
from clew.policy.gate import GateWords

_NAMED_MOST = 2
_Shapes = Mapping[str, tuple[re.Pattern[str], ...]]


def claims(said: Passage, held: frozenset[str], language: str, policy: Policy) -> bool:
    """Whether some clause may claim what nothing holds; where none does, no learned reading finds a false memory."""
    words = policy.gate.languages[language]
    return any(
        new_in(shape(clause, held, language, policy)) and not claimless(clause, words)
        for sentence in said.sentences or (said.text,)
        if not unknowing(sentence, words)
        for clause in clauses(sentence, words)
    )


def recalled(sentence: str, held: frozenset[str], language: str, policy: Policy) -> bool:
    """A past or a person is spoken of as known, and the very words that name it are held by nothing."""
    found = (m for s in _shapes(policy.gate.languages[language])["recalls"] for m in s.finditer(sentence))
    # A dash before it: what opens a sentence may be a capital without being a name.
    return any(new_in(shape(f"- {_named(m)}", held, language, policy)) for m in found)


def _named(found: re.Match[str]) -> str:
    """The words of a match that have to be held: those of its group, else all."""
    return next((words for words in found.groupdict().values() if words), found[0])


def brought(
    sentence: str, asked: Passage, before: Sequence[str], held: frozenset[str], language: str, policy: Policy
) -> bool:
    """A name that nobody told, though the message wants nothing that could bring one; in a game or tale it may.

    `before`: what the user said lately.
    """
    words = policy.gate.languages[language]
    shapes = _shapes(words)
    if wants(asked, words) or playing((asked.text, *before), words):
        return False
    if _any(shapes["advising"], sentence):
        return False
    found = [m["what"] for s in shapes["names"] for m in s.finditer(sentence)]
    new = [name for name in found if new_in(shape(f"- {name}", held, language, policy))]
    # Many names are a list of things.
    return 0 < len(new) <= _NAMED_MOST


def strangers(
    sentence: str, asked: Passage, before: Sequence[str], held: frozenset[str], language: str, policy: Policy
) -> bool:
    """One of the user's people is spoken of, though nobody told of them or of anybody of their circle.

    `before`: what the user said lately.
    """
    words = policy.gate.languages[language]
    shapes = _shapes(words)
    if playing((asked.text, *before), words):
        return False
    for (start, end), relation in people_in(sentence, policy):
        circle = {name for near in policy.gate.circles if relation in near for name in near}
        if not circle or relation in policy.gate.everybodys or any(knows_of(name, held) for name in circle):
            continue
        if shapes["whose"] and not _any(shapes["whose"], sentence[:start]):
            continue
        if not _any(shapes["anyones"], sentence[end:]):
            return True
    return False


def made_up(sentence: str, asked: Passage, held: frozenset[str], language: str, policy: Policy) -> bool:
    """The message asks for a fact of the user's own, and the sentence names one that nothing holds."""
    words = policy.gate.languages[language]
    shapes = _shapes(words)
    if not _any(shapes["asked"], asked.text) or unknowing(sentence, words):
        return False
    return any(
        (named_in(marked) or (new_in(marked) > held_in(marked) and _any(shapes["answering"], clause)))
        and not claimless(clause, words)
        for clause in clauses(sentence, words)
        for marked in (shape(clause, held, language, policy),)
    )


def claimless(clause: str, words: GateWords) -> bool:
    """A wish, a suggestion, a general sentence: nothing of the user is claimed."""
    return _any(_shapes(words)["claimless"], clause)


def unknowing(sentence: str, words: GateWords) -> bool:
    """It says that something was not told or is not known."""
    return _any(_shapes(words)["unknowing"], sentence)


def playing(texts: Sequence[str], words: GateWords) -> bool:
    """A game is played or a tale is told: what is said in it is of nobody's life."""
    return any(_any(_shapes(words)["playing"], said) for said in texts)


def wants(asked: Passage, words: GateWords) -> bool:
    """The message wants something that the friend brings."""
    return _any(_shapes(words)["wants"], asked.text)


def clauses(sentence: str, words: GateWords) -> tuple[str, ...]:
    parts = [sentence]
    for cut in _shapes(words)["cuts"]:
        parts = [piece for part in parts for piece in cut.split(part)]
    return tuple(part for part in parts if any(c.isalnum() for c in part)) or (sentence,)


def _any(shapes: Sequence[re.Pattern[str]], part: str) -> bool:
    return any(s.search(part) for s in shapes)


@lru_cache(maxsize=8)
def _shapes(words: GateWords) -> _Shapes:
    rows = {"asked": words.asked, "unknowing": words.unknowing, "claimless": words.claimless}
    rows |= {"answering": words.answering, "recalls": words.recalls, "cuts": words.cuts}
    rows |= {"names": words.names, "wants": words.wants, "playing": words.playing}
    rows |= {"advising": words.advising, "whose": words.whose, "anyones": words.anyones}
    return {name: tuple(re.compile(s.pattern, re.I) for s in row.values()) for name, row in rows.items()}
