"""Something on the table is taken, refused or passed over without its name."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.canonical import Plain, polite
from clew.kernel.ground.clause import Clause, Kind
from clew.kernel.ground.consent import consents
from clew.kernel.ground.fit import foreign, strays
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.noise import is_noise
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.refer import ordinal_inside
from clew.kernel.ground.resolution import Resolution, counted, pointed
from clew.kernel.ground.telling import tells_besides
from clew.kernel.ground.turn import Turn, after_deed, after_failure, focus
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

_MANNERS = frozenset({Kind.ACCEPT, Kind.CLOSE, Kind.FRAGMENT})


def by_act(turn: Turn, plain: Plain, reading: Reading, policy: GroundPolicy) -> Resolution:
    match reading.act:
        case Act.SELECT:
            return _taken(turn, plain, reading, policy)
        case Act.ALTERNATIVES if reading.rule == "ground.act.searches":
            return _searched(turn, plain, reading, policy)
        case Act.ALTERNATIVES | Act.NEGATE:
            gone = _refused(turn, reading, policy)
            return Resolution(reading.act, reading.rule, rejected=gone)
        case Act.QUESTION:
            return Resolution(reading.act, reading.rule, blocked="question_intent")
        case _:
            return _agreed(turn, plain, policy) or _unread(turn, plain, reading.rule, policy)


def _agreed(turn: Turn, plain: Plain, policy: GroundPolicy) -> Resolution | None:
    """ "by all means", 그럽시다: nothing but a yes, to what was put forward."""
    agreed, here = words(policy).affirmation.whole, focus(turn, policy)
    if not here.offered or agreed.isdisjoint((plain.tokens, polite(plain.tokens, policy))):
        return None
    if after_failure(turn, policy) or after_deed(turn, policy):
        return None
    return pointed(turn, here, "ground.acceptance", offered_only=True)


def _refused(turn: Turn, reading: Reading, policy: GroundPolicy) -> tuple[str, ...]:
    """ "not the second one" turns down the second, "no" whatever is in view."""
    tokens = tuple(t for c in reading.clauses for t in c.tokens)
    if reading.act is Act.NEGATE and (number := ordinal_inside(tokens, policy)):
        position = counted(turn, number).winner
    else:
        position = focus(turn, policy).position
    return () if position is None else (turn.options.candidates[position].id,)


def _searched(turn: Turn, plain: Plain, reading: Reading, policy: GroundPolicy) -> Resolution:
    """A command that finds nothing here must not leave early; a search may."""
    lists = words(policy)
    soft = turn.options.soft(plain.rest, policy)
    command = any(c.body[:1] and c.body[0] in lists.command_verbs for c in reading.clauses)
    if soft or command:
        return _unread(turn, plain, "ground.command", policy)
    return Resolution(Act.ALTERNATIVES, reading.rule)


def _unread(turn: Turn, plain: Plain, rule: str, policy: GroundPolicy) -> Resolution:
    if is_noise(turn.text, plain.tokens, policy):
        return Resolution(Act.OTHER, "ground.noise", blocked="noise")
    if soft := turn.options.soft(plain.rest, policy):
        return Resolution(Act.OTHER, rule, None, soft, "soft_match_only")
    if near := turn.options.near(plain.rest, policy):
        return Resolution(Act.OTHER, rule, None, near, "typo_ambiguous")
    return Resolution(Act.OTHER, rule, None, (), "no_deterministic_match")


def _taken(turn: Turn, plain: Plain, reading: Reading, policy: GroundPolicy) -> Resolution:
    """Something on offer is taken up without its name."""
    here = focus(turn, policy)
    accepts = [c for c in reading.clauses if c.kind in (Kind.ACCEPT, Kind.CLOSE)]
    if accepts:
        first = next((c for c in reading.clauses if not c.weak), accepts[0])
        subject = _subject(first, policy) if first in accepts else ()
        if foreign(subject, turn, here.position, policy):
            soft = turn.options.soft(subject, policy)
            if here.position not in soft or not here.offered:
                return Resolution(Act.SELECT, "ground.named_subject", None, soft, "soft_match_only")
        if after_failure(turn, policy):
            return Resolution(Act.OTHER, "ground.confirms_retry", blocked="confirms_retry")
        if after_deed(turn, policy):
            return Resolution(Act.OTHER, "ground.manners", blocked="nothing_offered")
        if _parting(reading, policy) or (not here.offered and _manners(accepts, policy)):
            return Resolution(Act.OTHER, "ground.manners", blocked="nothing_offered")
        found = pointed(turn, here, "ground.acceptance", offered_only=True)
        if found.winner is None:
            return found
        if reading.rule == "ground.act.qualified":
            return replace(found, winner=None, rule="ground.consent", blocked="qualified")
        if consents(turn, found.winner, reading, policy):
            return replace(found, winner=None, rule="ground.consent", blocked="unheard_consent")
        if strays(turn, found.winner, reading, policy):
            return replace(found, winner=None, rule="ground.consent", blocked="stray_words")
        if tells_besides(turn, reading, policy):
            return replace(found, winner=None, rule="ground.consent", blocked="tells_besides")
        return found
    if reading.rule == "ground.act.presupposes":
        if here.offered and not after_failure(turn, policy):
            return pointed(turn, here, "ground.presupposed", offered_only=True)
        return _searched(turn, plain, reading, policy)
    takes = [c for c in reading.clauses if c.kind in (Kind.TAKE, Kind.REFERENCE)]
    if any(_points(c, policy) for c in takes):
        if foreign(_before_pointer(reading, policy), turn, here.position, policy):
            # "i'm out of apples, add that to my list": the pointer has its own antecedent.
            return _unread(turn, plain, "ground.inner_antecedent", policy)
        if after_failure(turn, policy):
            return Resolution(Act.OTHER, "ground.confirms_retry", blocked="confirms_retry")
        return pointed(turn, here, "ground.deictic_inside", offered_only=False)
    qualified = any(c.but for c in reading.clauses)
    fits = any(_transaction(c, policy) and not foreign(c.body, turn, here.position, policy) for c in takes)
    if fits and here.offered and not qualified:
        return pointed(turn, here, "ground.transaction", offered_only=True)
    return _unread(turn, plain, "ground.command", policy)


def _parting(reading: Reading, policy: GroundPolicy) -> bool:
    """ "thanks for your help", "have a good day": praise of the talk, not of what is on offer."""
    talk, thanks = words(policy).grammar["talk"], frozenset(policy.thanks)
    said = [not talk.isdisjoint(c.tokens) for c in reading.clauses]
    lists = words(policy)
    takes = lists.praise_verbs | lists.grammar["liking"] | lists.grammar["agreeing"]
    if any(c.kind not in _MANNERS or not takes.isdisjoint(c.tokens) for c in reading.clauses):
        return False
    return any(said) and all(
        t or not thanks.isdisjoint(c.tokens) for t, c in zip(said, reading.clauses, strict=True)
    )


def _manners(accepts: list[Clause], policy: GroundPolicy) -> bool:
    """Thanks and goodbyes take something up only when something was put forward."""
    thanks = frozenset(policy.thanks)
    return all(c.weak for c in accepts) or any(
        c.kind is Kind.CLOSE or not thanks.isdisjoint(c.tokens) for c in accepts
    )


def _points(clause: Clause, policy: GroundPolicy) -> bool:
    """ "play it", "grab that one"; but "open that report" names a report."""
    return _pointer(clause.body, policy) is not None


def _pointer(body: Tokens, policy: GroundPolicy) -> int | None:
    """Where an object is pointed at: not "it is possible", not "the song that goes like this"."""
    lists = words(policy)
    for i, token in enumerate(body):
        if token not in lists.deictic_words or token in lists.grammar["vague_pronoun"]:
            continue
        after = body[i + 1 : i + 2]
        if token in lists.grammar["pronoun"]:
            if i and body[i - 1] not in lists.auxiliaries:
                return i
        elif not after or after[0] in lists.grammar["after_pointer"] or after[0] in _nouns(policy):
            return i
    return None


def _before_pointer(reading: Reading, policy: GroundPolicy) -> Tokens:
    """Everything said before something is pointed at."""
    out: list[str] = []
    pointers = words(policy).deictic_words - words(policy).grammar["vague_pronoun"]
    for clause in reading.clauses:
        at = _pointer(clause.body, policy) if clause.kind in (Kind.TAKE, Kind.REFERENCE) else None
        if at is not None:
            return (*out, *clause.body[:at])
        if not pointers.isdisjoint(clause.tokens):
            break
        out.extend(clause.tokens)
    return tuple(out)


@lru_cache(maxsize=8)
def _nouns(policy: GroundPolicy) -> frozenset[str]:
    return frozenset((*policy.kind_nouns, *policy.item_nouns))


def _transaction(clause: Clause, policy: GroundPolicy) -> bool:
    lists = words(policy)
    for i, token in enumerate(clause.body):
        if token in lists.transaction_verbs:
            after = clause.body[i + 1 : i + 2]
            return not after or after[0] in lists.indefinite
    return False


def _subject(clause: Clause, policy: GroundPolicy) -> Tokens:
    """ "delhi sounds good" praises something by name; "that sounds good" does not."""
    lists = words(policy)
    place = lists.acceptance.at(clause.body)
    if place is None:
        before = _before_copula(clause.body, policy)
    elif place[0] == 0 or clause.body[place[0]] not in lists.praise_verbs:
        return ()
    else:
        before = clause.body[: place[0]]
    if any(t in lists.plain_subjects or t in lists.acceptance_words or t in lists.verbs for t in before):
        return ()
    return before


def _before_copula(body: Tokens, policy: GroundPolicy) -> Tokens:
    """ "a volume of 4 is ideal": the subject of plain praise."""
    copula = words(policy).grammar["being"]
    at = next((i for i, t in enumerate(body) if t in copula), 0)
    return body[:at]
