"""Labels named inside a longer message: "let's go with High Life, please"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from clew.kernel.ground.acts import Reading
from clew.kernel.ground.clause import Clause, Kind
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import Mention, Positions, plain_words, stop_words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.refer import ordinal_inside
from clew.kernel.ground.resolution import Resolution, counted, named
from clew.kernel.ground.turn import Turn, focus
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

_NAMING = frozenset(
    {
        Kind.ACCEPT,
        Kind.TAKE,
        Kind.CONSTRAINT,
        Kind.ABOUT,
        Kind.FRAGMENT,
        Kind.ERRAND,
        Kind.REFERENCE,
    }
)
_NOT_NAMING = frozenset({Kind.REFUSE, Kind.ALTERNATIVES})


def mentioned(turn: Turn, reading: Reading, policy: GroundPolicy) -> Resolution | None:
    """A label, or "the second one", inside a longer message."""
    options = turn.options
    tokens = tuple(t for c in reading.clauses for t in c.tokens)
    if (number := ordinal_inside(tokens, policy)) and reading.act is Act.SELECT and _bare(tokens, policy):
        return counted(turn, number)
    mentions = options.mentions(tokens, policy)
    if several := _several(mentions, reading, tokens, policy):
        return several
    refused: list[str] = []
    standing: list[tuple[Mention, tuple[Clause, ...]]] = []
    for mention in mentions:
        around = _around(reading.clauses, mention.start, mention.end)
        kinds = {c.kind for c in around}
        if len(mention.positions) > 1 or _prefers(around, policy) or not kinds & _NOT_NAMING:
            standing.append((mention, around))
        elif Kind.ALTERNATIVES in kinds:
            return None
        else:
            refused.append(options.candidates[mention.positions[0]].id)
    for mention, around in standing:
        kinds = {c.kind for c in around}
        if _indefinite(mention, reading.clauses, tokens, policy):
            continue
        if not _names(around, mention.start, reading, tokens, policy):
            continue
        leftover = _leftover(reading.clauses, mention.start, mention.end, policy)
        accepts = Kind.ACCEPT in kinds
        praised = kinds == {Kind.ACCEPT} and _praised(mention, tokens, policy)
        if found := _told(turn, mention.positions, leftover, praised, accepts, reading, policy):
            return replace(found, rejected=tuple(refused))
    if refused:
        return Resolution(Act.NEGATE, "ground.refused_label", rejected=tuple(refused))
    return _part_of_offer(turn, reading, policy)


def _indefinite(mention: Mention, clauses: tuple[Clause, ...], tokens: Tokens, policy: GroundPolicy) -> bool:
    """ "a family outing" is no choice of "Family"."""
    starts = {0}
    for clause in clauses:
        starts.add(max(starts) + len(clause.tokens))
    article = words(policy).grammar["indefinite_article"]
    return mention.start not in starts and tokens[mention.start - 1] in article


def _bare(tokens: Tokens, policy: GroundPolicy) -> bool:
    """Nothing is said beside the ordinal: "i used the last one of my checks" counts nothing."""
    nouns = frozenset((*policy.item_nouns, *policy.kind_nouns))
    stops = stop_words(policy)
    if not words(policy).grammar["relative"].isdisjoint(tokens[2:]):
        # "the last number that called me" is told by more than its place.
        return False
    return all(t in stops or t in nouns or t in policy.ordinals or t.isdigit() for t in tokens)


def _several(
    mentions: tuple[Mention, ...], reading: Reading, tokens: Tokens, policy: GroundPolicy
) -> Resolution | None:
    """ "sample1 and sample2": two names in one clause are no unique choice."""
    for clause in reading.clauses:
        named_here = [
            m
            for m in mentions
            if (around := _around(reading.clauses, m.start, m.end))[0] is clause
            and _names(around, m.start, reading, tokens, policy)
        ]
        both = tuple(dict.fromkeys(p for m in named_here for p in m.positions))
        if len({m.positions for m in named_here}) > 1:
            return named(both, "ground.label_inside")
    return None


def _around(clauses: tuple[Clause, ...], start: int, end: int) -> tuple[Clause, ...]:
    out, at = [], 0
    for clause in clauses:
        if at < end and start < at + len(clause.tokens):
            out.append(clause)
        at += len(clause.tokens)
    return tuple(out)


def _leftover(clauses: tuple[Clause, ...], start: int, end: int, policy: GroundPolicy) -> Tokens:
    """Content words of the same clauses that the label does not explain.

    A verb before the label says what to do with it; the same word after it may be part of
    another name ("sample2 archive"). A joiner ends what belongs to the label.
    """
    kinds = frozenset((*policy.kind_nouns, *policy.grammar["preference"]))
    before, after = stop_words(policy) | kinds, plain_words(policy) | kinds
    grammar = words(policy).grammar
    joiners = grammar["joiner"]
    out: list[str] = []
    at = 0
    for clause in clauses:
        if at < end and start < at + len(clause.tokens):
            stop = at + len(clause.tokens)
            rest = [clause.tokens[i - at] for i in range(max(end, at), stop)]
            joined = next((i for i, t in enumerate(rest) if t in joiners), len(rest))
            said = [clause.tokens[i - at] for i in range(at, min(start, stop))]
            # "remove this event from my calendar": the calendar is only where the event is.
            pointed_at = {b for a, b in pairwise(said) if a in grammar["demonstrative"]}
            out.extend(t for t in said if t not in before or t in pointed_at & kinds)
            out.extend(t for t in rest[:joined] if t not in after)
            if rest[joined : joined + 1] and rest[joined] in grammar["coordinating"]:
                # "the roadmap and the logo" asks for two things.
                out.extend(
                    t
                    for t in rest[joined + 2 :]
                    if rest[joined + 1] in grammar["definite"] and t not in after
                )
        at += len(clause.tokens)
    return tuple(out)


def _names(
    around: tuple[Clause, ...], start: int, reading: Reading, tokens: Tokens, policy: GroundPolicy
) -> bool:
    """Does this clause take the thing it names, and does nothing later take it back?"""
    lists = words(policy)
    first = around[0]
    if reading.act is Act.NEGATE and not lists.grammar["past_wish"].isdisjoint(first.tokens):
        return False
    if any(c.but and c.kind in (Kind.ALTERNATIVES, Kind.QUESTION) for c in reading.clauses):
        return False
    if any(c.kind is Kind.ALTERNATIVES and not c.moving_on for c in reading.clauses if c not in around):
        return False
    if (
        first.kind in _NAMING
        or _prefers(around, policy)
        or (first.kind is Kind.SEARCH and tokens[start] == first.tokens[0])
    ):
        return True
    if first.kind is Kind.SEARCH:
        return first.body[:1] != ("find",) and first.body[0] in lists.verbs
    # "how about Hackers?", "why not Hackers?", "can I have Hackers?"
    before = tokens[:start]
    asks = lists.wh_words.isdisjoint(before) and lists.polite_openings.at(before)
    ends = lists.about.tail(before) or " ".join(before[-2:]) in policy.grammar["why_not"] or asks
    return first.kind is Kind.QUESTION and bool(ends)


def _prefers(around: tuple[Clause, ...], policy: GroundPolicy) -> bool:
    """ "I'd rather have High Life", "High Life instead": others are named, not asked for."""
    lists = words(policy)
    asking = (lists.alternative_words | lists.open_nouns | lists.wh_words) - lists.grammar["preference"]
    return all(
        c.kind is Kind.ALTERNATIVES
        and not lists.grammar["preference"].isdisjoint(c.tokens)
        and asking.isdisjoint(c.tokens)
        for c in around
    )


def _praised(mention: Mention, tokens: Tokens, policy: GroundPolicy) -> bool:
    """ "High Life is fine with me", "let's go with High Life": the praise stands right beside the label."""
    lists = words(policy)
    after = tokens[mention.end : mention.end + 1]
    if after and (after[0] in lists.praise_verbs or after[0] in lists.grammar["copula"]):
        return True
    before = tokens[: mention.start]
    return bool(lists.acceptance.tail(before) or lists.verb_phrases.tail(before) > 1)


def _told(
    turn: Turn,
    hits: Positions,
    leftover: Tokens,
    praised: bool,
    accepts: bool,
    reading: Reading,
    policy: GroundPolicy,
) -> Resolution | None:
    options = turn.options
    if leftover and (apart := options.told_apart(hits, leftover)):
        return named(apart, "ground.label_told_apart")
    if len(hits) > 1:
        return named(hits, "ground.label")
    if not leftover or (praised and reading.act is Act.SELECT):
        return Resolution(Act.SELECT, "ground.label_inside", hits[0], hits, exact=1)
    here = focus(turn, policy)
    if reading.act is Act.SELECT and here.position == hits[0] and here.offered:
        return Resolution(Act.SELECT, "ground.label_offered", hits[0], hits, exact=1)
    # What is praised first stands; a later clause that happens to hold a label takes nothing from it.
    elsewhere = reading.rule == "ground.act.accepts" and not accepts
    if reading.act in (Act.OTHER, Act.SELECT) and not elsewhere:
        return Resolution(Act.SELECT, "ground.label_inside", None, hits, "soft_match_only")
    return None


def _part_of_offer(turn: Turn, reading: Reading, policy: GroundPolicy) -> Resolution | None:
    """ "Yeah, Family Funeral": after praise, a run of words out of the offered label names the offer."""
    if len(reading.clauses) < 2 or reading.clauses[0].kind is not Kind.ACCEPT:
        return None
    here = focus(turn, policy)
    if here.position is None or not here.offered:
        return None
    said, label = reading.clauses[1].body, turn.options.words[here.position]
    runs = (label[i : i + len(said)] for i in range(len(label) - len(said) + 1))
    if len(said) > 1 and said in runs:
        return Resolution(Act.SELECT, "ground.label_offered", here.position, (here.position,))
    return None
