"""A yes with a sentence of its own behind it tells of something else, and takes nothing (ruling G24).

"Yes, it's me again", 네 면접 잘 봤어요. "Yes, put me down for it" and 네 두 명이에요 answer what was asked.
"""

from __future__ import annotations

from itertools import pairwise

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.cards import card, fit
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.counts import counts_pieces
from clew.kernel.ground.endings import endings_of, was
from clew.kernel.ground.fit import foreign
from clew.kernel.ground.lexicon import Words, words
from clew.kernel.ground.marks import marked
from clew.kernel.ground.options import Positions
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.praise import SHORT
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.whole import counting, number
from clew.policy.ground import EndingWords, GroundPolicy

# A contraction holds subject and verb.
_CONTRACTED = "'"
_PAST = "ed"


def tells_besides(turn: Turn, reading: Reading, policy: GroundPolicy) -> bool:
    """Nothing of it speaks of the list, asks for anything or says how it is liked."""
    agreed, *rest = reading.clauses
    if agreed.kind is not Kind.ACCEPT or not rest or any(c.kind is not Kind.FRAGMENT for c in rest):
        return False
    lists = words(policy)
    if len(rest) == 1 and _praises_talk(agreed.tokens, rest[0].tokens, turn, policy):
        return True
    if _of_the_list(tuple(t for c in rest for t in c.tokens), turn, policy):
        return False
    if turn.said.asks:
        return False
    chooses = any(c.is_a("chooses") for c in marked(turn.text, policy.marks))
    return all(_tells(c.body or c.tokens, chooses, turn, lists, policy) for c in rest)


def speaks_of_number(
    turn: Turn, pointed: Pointed, offered: int | None, meant: Positions, policy: GroundPolicy
) -> bool:
    """ "we're three today", "make it three", "two secs", 저희 네 명이에요: how many, and nothing that is taken.

    "We're three, so the big one" chooses, and a yes beside a number agrees. Where nothing is on offer it tells which.
    """
    said, lists = turn.said.words, words(policy)
    clauses = marked(turn.text[: policy.reader.characters], policy.marks)
    if turn.said.asks or any(c.is_a("agrees") for c in clauses):
        return False
    own = endings_of(said[-1], lists)
    if own is not None and said[0] in own.selves and not pointed.positions:
        # 우리 언니도 그거 있어
        return said[-1].startswith(own.not_past) or was(said[-1], own)
    if counts_pieces(said, policy) and not _named_otherwise(said, turn, meant, policy):
        return True
    if not any(_numbered(w, policy) for w in said) or _named_otherwise(said, turn, meant, policy):
        return False
    if _a_while(said, policy):
        return True
    if own is not None and was(said[-1], own):
        return not said[-1].startswith((*own.wishing, *policy.pointing.prefers))
    takes = lists.grammar["settled"] | lists.verbs | policy.pointing.small.one
    if not takes.isdisjoint(said) or (own is not None and any(c.is_a("chooses") for c in clauses)):
        return False
    heads = lists.grammar["heads"] if own is None else frozenset(own.selves)
    return offered is not None and pointed.how != "place" and said[0] in heads


def _numbered(word: str, policy: GroundPolicy) -> bool:
    return word[0].isdigit() or word in policy.pointing.number_words or counting(word, policy.pointing)


def _a_while(said: Tokens, policy: GroundPolicy) -> bool:
    """ "give me two minutes"."""
    moments = words(policy).grammar["moments"]
    counted = any(_numbered(a, policy) and b in moments for a, b in pairwise(said))
    return counted and len(said) < SHORT and policy.pointing.small.one.isdisjoint(said)


def _named_otherwise(said: Tokens, turn: Turn, meant: Positions, policy: GroundPolicy) -> bool:
    """Some other word than a number fits what would be taken."""
    cards = [card(turn.options.candidates[p], policy.pointing) for p in meant]
    nothing = (*policy.pointing.empty, *policy.grammar["occasion"])
    plain = [w for w in said if w not in nothing and not _numbered(w, policy)]
    return any(fit(w, own, policy.pointing) for w in plain for own in cards)


def _of_the_list(said: Tokens, turn: Turn, policy: GroundPolicy) -> bool:
    cards = [card(c, policy.pointing) for c in turn.options.candidates[: policy.choice_window]]
    telling = [t for t in said if t not in policy.pointing.empty]
    return any(fit(t, own, policy.pointing) for t in telling for own in cards)


def _praises_talk(praise: Tokens, behind: Tokens, turn: Turn, policy: GroundPolicy) -> bool:
    """ "good point", "fine weather today": what is praised is no offer; "good idea" agrees."""
    lists = words(policy).grammar
    if not behind[0].isalpha() or praise[-1] not in lists["praising_adjectives"] or behind[0] in lists["agreed_nouns"]:
        return False
    together = f"{praise[-1]} {behind[0]}" in " ".join(turn.text.casefold().split())
    return together and bool(foreign(behind[:1], turn, None, policy)) and not _of_the_list(behind[:1], turn, policy)


def _tells(body: Tokens, chooses: bool, turn: Turn, lists: Words, policy: GroundPolicy) -> bool:
    if own := endings_of(body[-1], lists):
        return _told_last(body, chooses, own, policy)
    grammar = lists.grammar
    # "my daughter's called that"
    at = 1 if body[0] in grammar["owned"] and len(body) > 1 else 0
    subject, verb = body[at], body[at + 1] if len(body) > at + 1 else ""
    if not (at or subject in grammar["telling_subject"]) or not grammar["settled"].isdisjoint(body):
        return False
    if _CONTRACTED not in subject and verb not in grammar["telling"] and not verb.endswith(_PAST):
        return False
    return not grammar["own"].isdisjoint(body[1:]) or bool(foreign(body[1:], turn, None, policy))


def _told_last(body: Tokens, chooses: bool, own: EndingWords, policy: GroundPolicy) -> bool:
    """Where the verb comes last: what has been, one's own, or a topic of its own."""
    pointing = policy.pointing
    if any(w[0].isdigit() or number((w,), pointing) for w in body[:-1]):
        # 네 두 명이에요
        return False
    if any(w.startswith((*own.praise, *own.wishing)) or w.endswith(own.request) for w in body):
        return False
    if any(was(w, own) for w in body) or any(part in " ".join(body) for part in own.under_way):
        return True
    if chooses or not body[-1].endswith(own.telling):
        return False
    return any(w in own.selves or w in own.before or w.startswith(own.knowing) or _topic(w, own, policy) for w in body)


def _topic(word: str, own: EndingWords, policy: GroundPolicy) -> bool:
    return len(word) > 2 and word.endswith(own.topics) and not word.startswith(policy.deictic_words)
