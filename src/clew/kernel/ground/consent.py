"""An answer to something the assistant asked: without its words nobody knows what was agreed to."""

from __future__ import annotations

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import stop_words
from clew.kernel.ground.turn import Turn
from clew.model.continuity import PendingClarifier
from clew.policy.ground import GroundPolicy


def consents(turn: Turn, position: int, reading: Reading, policy: GroundPolicy) -> bool:
    """ "yes, that will work" settles for something; "sounds lovely" and a plain "yes" take the offer."""
    if turn.last_assistant_text is not None or turn.continuity.pending is PendingClarifier.CONFIRMATION:
        return False
    lists = words(policy)
    grammar = lists.grammar
    tokens = tuple(t for c in reading.clauses for t in c.tokens)
    further = [c for c in reading.clauses if c.kind is not Kind.ACCEPT]
    if not grammar["praising"].isdisjoint(tokens):
        return False
    if any(not grammar["carry_on"].issuperset(c.tokens) for c in further):
        return False
    if not set(turn.options.words[position]).isdisjoint(set(tokens) - stop_words(policy)):
        # "sure, Blue Lotus is fine" says what is meant.
        return False
    if tokens[0] in grammar["answering"]:
        settled = grammar["settling"] | grammar["settling_after_yes"]
        return not settled.isdisjoint(tokens[1:])
    return tokens[0] in lists.plain_subjects and not grammar["settling"].isdisjoint(tokens)
