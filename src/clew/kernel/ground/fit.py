"""Words of a follow-up that nothing on offer explains: they may be about something else."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.clause import Clause, Kind
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import stop_words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import split
from clew.model.evidence import DISAMBIGUATORS
from clew.policy.ground import GroundPolicy

_TALKING = (Kind.ACCEPT, Kind.CLOSE, Kind.FRAGMENT)


def foreign(tokens: Tokens, turn: Turn, position: int | None, policy: GroundPolicy) -> Tokens:
    """Content words that are neither of the candidate, nor of its kind, nor a number, day or party size."""
    known = _known(policy)
    own: frozenset[str] = frozenset()
    if position is not None:
        candidate = turn.options.candidates[position]
        told = (candidate.label, *(getattr(candidate, name) or "" for name in DISAMBIGUATORS))
        own = frozenset(w for text in told for w in split(text))
    return tuple(t for t in tokens if t not in known and t not in own and not t[0].isdigit())


def strays(turn: Turn, position: int, reading: Reading, policy: GroundPolicy) -> bool:
    """Praise inside talk about something else: "your comment made me smile because it's great"."""
    # A message that goes on to ask for something is at work; one that goes on talking is not.
    talk = tuple(takewhile(lambda c: c.kind in _TALKING, reading.clauses))
    praise = [t for c in talk if c.kind is not Kind.FRAGMENT for t in c.tokens]
    if _stray(praise, turn, position, policy) >= policy.stray_words:
        return True
    if len(talk) < len(reading.clauses) or any(_says_it(c, turn, position, policy) for c in talk):
        return False
    return _stray([t for c in talk for t in c.tokens], turn, position, policy) >= policy.stray_words


def _stray(tokens: list[str], turn: Turn, position: int, policy: GroundPolicy) -> int:
    praise = _praise(policy)
    return len(foreign(tuple(t for t in tokens if t not in praise), turn, position, policy))


def _says_it(clause: Clause, turn: Turn, position: int, policy: GroundPolicy) -> bool:
    """ "that sounds great", "it is perfect": the thing on offer is what is praised, and nothing else is said."""
    lists = words(policy)
    about = not (lists.grammar["subject"] | lists.praise_verbs).isdisjoint(clause.tokens)
    return clause.kind is Kind.ACCEPT and about and not _stray(list(clause.tokens), turn, position, policy)


@lru_cache(maxsize=8)
def _praise(policy: GroundPolicy) -> frozenset[str]:
    phrases = (policy.acceptance, policy.affirmation_openers, policy.closing, policy.affirmation)
    said = frozenset(t for entries in phrases for entry in entries for t in split(entry))
    return said | frozenset(policy.acceptance_words) | frozenset(policy.grammar["talk"])


@lru_cache(maxsize=8)
def _known(policy: GroundPolicy) -> frozenset[str]:
    lists = (policy.kind_nouns, policy.item_nouns, policy.grammar["occasion"], tuple(policy.ordinals))
    more = (policy.transaction_verbs, policy.deictic_words, policy.request_adverbs, policy.indefinite)
    return stop_words(policy) | frozenset(w for words in (*lists, *more) for w in words)
