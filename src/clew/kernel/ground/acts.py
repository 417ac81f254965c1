"""What a follow-up does to the list on the table: select, question, alternatives, negate, other.

Each clause is read by itself; then the clauses are weighed against each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.kernel.ground.clause import Clause, Kind
from clew.kernel.ground.endings import concedes, endings_of, kind_by_ending
from clew.kernel.ground.lexicon import Words, laughter, words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.praise import SHORT, accepts, unpraised
from clew.kernel.ground.weigh import weigh
from clew.kernel.read.follow_up import FollowUp, follow_up
from clew.kernel.text.tokens import split
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy


@dataclass(frozen=True, slots=True)
class Reading:
    act: Act
    rule: str
    clauses: tuple[Clause, ...]


@lru_cache(maxsize=1024)
def read_act(text: str, policy: GroundPolicy) -> Reading:
    clauses = tuple(clauses_of(follow_up(text), policy))
    act, rule = weigh(clauses)
    return Reading(act, f"ground.act.{rule}", clauses)


@lru_cache(maxsize=8)
def _between(policy: GroundPolicy) -> re.Pattern[str]:
    """Clauses end at commas, dashes and before contrasts; where the verb comes last, after "not this but"."""
    contrasts = "|".join((*policy.grammar["contrast"], *policy.grammar["concession"]))
    rather_than = [word for own in words(policy).endings.values() for word in own.rather_than]
    after = "".join(rf"|(?<=\S{word})\s+|(?<=\s{word})\s+" for word in rather_than)
    return re.compile(rf",\s+|\s-+\s|\s(?=(?:{contrasts})\s){after}")


def clauses_of(said: FollowUp, policy: GroundPolicy) -> list[Clause]:
    lists = words(policy)
    out: list[Clause] = []
    for sentence, mark in said.sentences(policy.sentence_openers):
        pieces = [t for p in _between(policy).split(sentence) if (t := _without_laughter(split(p), policy))]
        but = False
        for i, tokens in enumerate(pieces):
            asked = "?" in mark and i == len(pieces) - 1
            but = but or tokens[0] in lists.grammar["contrast"]
            out.extend(_clause(tokens, asked, but, i == 0 or out[-1].kind is Kind.ACCEPT, lists))
            if i == len(pieces) - 1 and mark and not asked:
                out[-1] = replace(out[-1], full=True)
            but = but or tokens[0] in lists.grammar["concession"] or concedes(tokens[-1], lists)
    return out


def _without_laughter(tokens: Tokens, policy: GroundPolicy) -> Tokens:
    """ "lol ok" is "ok"."""
    return tuple(t for t in tokens if not laughter(t, policy)) or tokens


def _clause(tokens: Tokens, asked: bool, but: bool, leads: bool, lists: Words) -> list[Clause]:
    body = tokens[1:] if tokens[0] in lists.grammar["contrast"] | lists.grammar["concession"] else tokens
    out: list[Clause] = []
    if len(body) > 1 and body[0] in lists.refusal_words and _goes_on(body, lists):
        # "no open sample2": the refusal stands for itself, the request follows.
        taken = len(tokens) - len(body) + 1
        out.append(Clause(tokens[:taken], Kind.REFUSE, but, body=body[:1]))
        tokens, body = tokens[taken:], body[1:]
    praised = 0
    while not lists.acceptance.head(body[praised:]) and (opener := lists.openers.head(body[praised:])):
        praised += opener
    if 0 < praised < len(body) and " ".join(body[praised:]) not in lists.grammar["bare_not"]:
        taken = len(tokens) - len(body) + praised
        out.append(Clause(tokens[:taken], Kind.ACCEPT, but, weak=body[:praised] in lists.weak_openers))
        tokens, body = tokens[taken:], body[praised:]
    moving_on = body[:1] == ("now",) or lists.moving_on.inside(body)
    while (
        len(body) > 1
        and not lists.polite_openings.head(body)
        and (head := lists.polite_heads.head(body)) > lists.acceptance.head(body)
    ):
        body = body[head:] or body[-1:]
    kind = _kind(body, asked, leads and tokens[0] not in lists.grammar["joiner"], lists)
    if kind is Kind.FRAGMENT and (body[0] in lists.open_nouns or (leads and body[0] == "any")):
        kind = Kind.ALTERNATIVES
    elif kind is Kind.FRAGMENT and leads and asked:
        kind = Kind.QUESTION
    out.append(Clause(tokens, kind, but, moving_on, body, weak=body in lists.weak_openers))
    return out


def _goes_on(body: Tokens, lists: Words) -> bool:
    """A verb starts anew after "no"; where the verb comes last, a refusal stands by itself: 아니."""
    return body[1] in lists.verbs or any(endings_of(token, lists) for token in body)


def _kind(body: Tokens, asked: bool, leads: bool, lists: Words) -> Kind:
    if not body:
        return Kind.ACCEPT
    if body in lists.hesitation:
        return Kind.FRAGMENT
    if (head := lists.stop.head(body)) and lists.grammar["parting"].issuperset(body[head:]):
        return Kind.ALTERNATIVES if not lists.alternative_words.isdisjoint(body) else Kind.REFUSE
    if (own := endings_of(body[-1], lists)) and (kind := kind_by_ending(body, asked, own)):
        return kind
    if more := lists.more_about.at(body):
        others = not lists.alternative_words.isdisjoint((*body[: more[0]], *body[more[1] :]))
        return Kind.ALTERNATIVES if others else Kind.QUESTION
    if lists.instruction_cues.inside(body):
        return Kind.QUESTION
    if _wants_others(body, lists):
        return Kind.ALTERNATIVES
    if _refuses(body, lists):
        return Kind.REFUSE
    if not asked and lists.acceptance.head(body) and accepts(body, lists):
        return Kind.ACCEPT
    if head := lists.about.head(body):
        return _about(body[head:], lists)
    if lists.tell.head(body) or lists.know.inside(body[:7]):
        return Kind.INQUIRY if _mine(body, lists) else Kind.QUESTION
    if request := lists.polite_openings.head(body):
        asks = _request(body[:request], body[request:], asked, lists)
        if asks is not None:
            return asks
    if body[0] in lists.wh_words:
        return Kind.QUESTION
    if not asked and lists.act_verbs.head(body) > 1:
        return Kind.TAKE
    if _inverted(body, leads, lists):
        return Kind.ALTERNATIVES if _asks_for_any(body, lists) else Kind.QUESTION
    return _statement(body, asked, lists)


def _wants_others(body: Tokens, lists: Words) -> bool:
    if lists.alternatives.inside(body):
        return True
    if lists.alternative_words.isdisjoint(body) or lists.not_others.inside(body):
        return False
    adds = "another" in body or "additional" in body
    return not (adds and lists.adding_verbs & set(body))


def _asks_for_any(body: Tokens, lists: Words) -> bool:
    """ "are there any events", "is there a bus at nine", "do you have one with a view"; "any parking" asks a fact."""
    if not lists.open_nouns.isdisjoint(body[1:5]):
        return True
    if _attribute(body, lists):
        return False
    if any(" ".join(body[:n]) in lists.grammar["offering"] for n in (2, 3)):
        # "do you have candles" asks whoever shows the list for another thing.
        return True
    if " ".join(body[:2]) in lists.grammar["existing"] and not lists.grammar["such"].isdisjoint(body[2:4]):
        # "is there a pool" asks about the one on offer, "is there a bus at nine" wants another bus.
        return not lists.grammar["one"].isdisjoint(body[2:4]) or not lists.grammar["such_things"].isdisjoint(body[3:6])
    plural = any(" ".join(body[:n]) in lists.grammar["several"] for n in (1, 2))
    return plural and not lists.grammar["any_of_them"].isdisjoint(body[1:4])


def _refuses(body: Tokens, lists: Words) -> bool:
    if lists.not_refusals.head(body):
        return False
    starts = body[0] in lists.refusal_words or lists.prohibition.head(body)
    taken_back = body[-1] in lists.grammar["bare_not"] and 1 < len(body) < SHORT and not lists.acceptance.inside(body)
    return bool(starts) or taken_back or lists.refusal.inside(body) or unpraised(body, lists)


def _mine(body: Tokens, lists: Words) -> bool:
    return not lists.grammar["mine"].isdisjoint(body)


def _about(rest: Tokens, lists: Words) -> Kind:
    """ "what about the wind" asks; "what about friday" or "something cheaper" wants another."""
    if not rest or _attribute(rest, lists):
        return Kind.QUESTION
    if rest[0] in lists.grammar["definite"] and not _mine(rest, lists):
        return Kind.QUESTION if not {"in", "on"} & set(rest[1:]) else Kind.ABOUT
    return Kind.ABOUT


def _request(asking: Tokens, rest: Tokens, asked: bool, lists: Words) -> Kind | None:
    """Polite requests: the verb decides (ruling G13)."""
    while len(rest) > 1 and rest[0] in lists.request_adverbs:
        rest = rest[1:]
    if not rest:
        return Kind.QUESTION if asked else None
    if lists.tell.head(rest) or lists.know.inside(rest[:4]):
        return Kind.INQUIRY if _mine(rest, lists) else Kind.QUESTION
    if _attribute(rest, lists):
        return Kind.QUESTION
    first_person = asking[-1] in lists.grammar["first_person"]
    if lists.search_verbs.head(rest):
        return Kind.QUESTION if first_person and rest[0] not in lists.grammar["receiving"] else Kind.SEARCH
    takes = rest[0] in lists.transaction_verbs or not lists.deictic_words.isdisjoint(rest[1:3])
    if lists.act_verbs.head(rest) and (takes or not first_person):
        return Kind.SEARCH if _searches(rest, lists) else Kind.TAKE
    if first_person:
        receives = Kind.INQUIRY if _mine(rest, lists) else Kind.CONSTRAINT
        return receives if rest[0] in lists.grammar["receiving"] else Kind.QUESTION
    if rest[0] in lists.verbs:
        return Kind.SEARCH if _searches(rest, lists) else Kind.TAKE
    return Kind.QUESTION if lists.wh_words & set(rest) else Kind.ERRAND


def _searches(rest: Tokens, lists: Words) -> bool:
    return not lists.grammar["search_stems"].isdisjoint(rest)


def _attribute(tokens: Tokens, lists: Words) -> bool:
    """A fact about the thing on offer: "their number", "the address", "more details"."""
    return not _mine(tokens, lists) and any(
        t in lists.attribute_nouns
        # "number 5" is a place in a list, not a telephone number.
        and not (t in lists.grammar["number_noun"] and any(n.isdigit() for n in tokens[i + 1 : i + 2]))
        and (i <= 2 or not lists.attribute_owners.isdisjoint(tokens[max(0, i - 3) : i]))
        for i, t in enumerate(tokens[:7])
    )


def _inverted(body: Tokens, leads: bool, lists: Words) -> bool:
    plain = lists.label_stop_words | lists.acceptance_words
    if leads and body[0] in lists.grammar["asking"] and len(body) > 2 and body[1] not in plain:
        return True
    return body[0] in lists.auxiliaries and len(body) > 1 and body[1] in lists.subjects


def _statement(body: Tokens, asked: bool, lists: Words) -> Kind:
    if body[0] in lists.grammar["hortative"] and lists.search_verbs.head(body[1:]):
        return Kind.SEARCH
    if lists.closing.inside(body):
        return Kind.CLOSE
    if lists.search_verbs.head(body):
        return Kind.QUESTION if _attribute(body, lists) else Kind.SEARCH
    if lists.act_verbs.head(body):
        return Kind.TAKE
    if head := lists.desire.head(body):
        return _desire(body[head:], lists)
    if accepts(body, lists):
        return Kind.ACCEPT
    if lists.desire.inside(body[:5]):
        return Kind.TAKE if lists.pointers.inside(body) else Kind.CONSTRAINT
    if body[0] in lists.verbs and len(body) > 1:
        return Kind.QUESTION if _attribute(body, lists) else Kind.TAKE
    if body in lists.deictics:
        return Kind.REFERENCE
    return Kind.FRAGMENT


def _desire(rest: Tokens, lists: Words) -> Kind:
    if not rest:
        return Kind.FRAGMENT
    if rest[0] in lists.grammar["infinitive"]:
        rest = rest[1:]
        if lists.search_verbs.head(rest):
            return Kind.SEARCH
        if lists.act_verbs.head(rest) or lists.deictic_words & set(rest):
            return Kind.TAKE
        return Kind.ERRAND
    if _attribute(rest, lists):
        return Kind.QUESTION
    if rest[0] in lists.deictic_words or lists.pointers.inside(rest):
        return Kind.TAKE
    return Kind.CONSTRAINT
