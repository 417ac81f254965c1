"""What kind of care a message needs (rulings P24–P27, P34, P35).

Word boundaries and company, never substrings: `says` in the policy fires, `not_over` is a phrase that
means something else, `unless` is company that turns the words into news, games or figures of speech.
Missing a person in danger is worse than a false alarm.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from clew.kernel.read.heads import loaded, score, stem_score, word_score
from clew.kernel.read.phrases import Folded, PhraseHit, Phrases
from clew.model.signals import Safety, SafetyClass
from clew.model.verdict import Reason
from clew.policy.listen import HeadRule, ListenPolicy, SafetyPolicy, SafetyRule

_SAFE = Safety(SafetyClass.NONE, False)
_SAYS, _NOT_OVER, _CONTEXT = "says:", "not_over:", "context:"
_SURE, _CONCERN = "sure", "concern"


@lru_cache(maxsize=8)
def _telling(policy: ListenPolicy) -> Phrases:
    """What fires."""
    table = policy.safety
    return Phrases({_SAYS + name: rule.says for name, rule in table.rules.items()}, table.slots, policy.fold)


@lru_cache(maxsize=8)
def _company(policy: ListenPolicy) -> Phrases:
    """What is only looked for once something fired."""
    table = policy.safety
    company = {_NOT_OVER + name: rule.not_over for name, rule in table.rules.items()}
    company |= {_CONTEXT + name: words for name, words in table.contexts.items()}
    return Phrases(company, table.slots, policy.fold)


def safety(
    text: Folded, policy: ListenPolicy, vector: Sequence[float] | None = None, *, self_harm: bool = True
) -> Safety:
    """`self_harm` false: what is left once the reading of need has said that nobody is in danger."""
    table = policy.safety
    felt = _felt(text, vector, policy)
    said = _by_label(_telling(policy).find(text))
    if not said and not felt:
        return _SAFE
    around = _by_label(_company(policy).find(text))
    fired: dict[str, tuple[PhraseHit, ...]] = {}
    near: dict[str, tuple[PhraseHit, ...]] = {}
    for name, rule in table.rules.items():
        if hits := _fires(name, rule, said, around, table.reach):
            if len({h.template for h in hits}) >= rule.at_least:
                fired[name] = hits
            elif rule.care:
                near[name] = hits
    for name, odds in felt.items():
        if heard := _felt_stands(odds, table.heads[name], fired, around):
            (fired if heard is _SURE else near)[name] = ()
    if not self_harm:
        kinds = {n: r.kind for n, r in table.rules.items()} | {n: h.kind for n, h in table.heads.items()}
        fired = {name: hits for name, hits in fired.items() if kinds[name] is not SafetyClass.SELF_HARM}
        near = {}
    return _decide(fired, near, table)


def _felt(text: Folded, vector: Sequence[float] | None, policy: ListenPolicy) -> dict[str, float]:
    """Heads that recognise by meaning what no listed word says: log-odds above the rule's mark."""
    out: dict[str, float] = {}
    if vector is None and not text.tight and not _of_self(text.spaced, policy.safety):
        return out
    for name, rule in policy.safety.heads.items():
        head = policy.heads.get(rule.head)
        if head is None:
            continue
        if vector is None and rule.words and rule.at_care is not None:
            # Words alone are never sure: at most a concern.
            words = policy.heads[rule.words]
            if not text.tight and loaded(words, rule.loaded, rule.common).isdisjoint(text.marked):
                continue
            if word_score(words, text.spaced) >= rule.at_care_words:
                out[name] = rule.at_care
            continue
        mark = min(rule.at, rule.at_near, rule.at if rule.at_care is None else rule.at_care)
        if head.stems:
            if not text.tight or (vector is None and rule.at_words is None):
                continue
            odds = stem_score(head, text.marked, rule.insult)
            if vector is not None:
                odds += score(head, vector)
            elif rule.at_words is not None:
                # Words alone say less: the mark is another, the scale of what follows is the same.
                odds += rule.at - rule.at_words
        elif vector is None:
            continue
        else:
            odds = score(head, vector)
        if odds >= mark:
            out[name] = odds
    return out


def _of_self(spaced: str, policy: SafetyPolicy) -> bool:
    return any(f" {word} " in spaced for word in policy.speakers)


def _felt_stands(
    odds: float, rule: HeadRule, fired: Container[str], around: dict[str, list[PhraseHit]]
) -> str:
    """Sure, a concern, or nothing."""
    if any(_CONTEXT + context in around for context in rule.unless):
        return ""
    if any(name in fired or _NOT_OVER + name in around for name in rule.hidden_by):
        return ""
    if odds >= rule.at:
        return _SURE
    if odds >= rule.at_near and any(_CONTEXT + context in around for context in rule.near):
        return _SURE
    return _CONCERN if rule.at_care is not None and odds >= rule.at_care else ""


def _decide(
    fired: dict[str, tuple[PhraseHit, ...]], near: dict[str, tuple[PhraseHit, ...]], table: SafetyPolicy
) -> Safety:
    if not fired:
        return Safety(SafetyClass.NONE, False, (), True) if near else _SAFE
    kinds = {(table.rules.get(name) or table.heads[name]).kind for name in fired}
    crisis = SafetyClass.SELF_HARM in kinds
    first = next((table.rules[n].kind for n in table.above_crisis if n in fired), None)
    kind = first or next(k for k in table.severity if k in kinds)
    reasons = tuple(
        Reason(f"listen.safety.{name}", ", ".join(dict.fromkeys(h.template for h in hits)))
        for name, hits in fired.items()
    )
    return Safety(kind, crisis, reasons, crisis or bool(near))


def _fires(
    name: str, rule: SafetyRule, said: dict[str, list[PhraseHit]], around: dict[str, list[PhraseHit]], reach: int
) -> tuple[PhraseHit, ...]:
    hits = said.get(_SAYS + name)
    if not hits:
        return ()
    hidden = around.get(_NOT_OVER + name, ())
    silencing = [f for context in rule.unless for f in around.get(_CONTEXT + context, ())]
    left = [
        h
        for h in hits
        if not any(_overlap(h, other) for other in hidden)
        and not any(_close(h, other, reach) for other in silencing)
    ]
    return _apart(left)


def _close(a: PhraseHit, b: PhraseHit, reach: int) -> bool:
    """Company counts near the words, not at the other end of a long letter."""
    return a.tight != b.tight or (a.start - b.end <= reach and b.start - a.end <= reach)


def _apart(hits: Iterable[PhraseHit]) -> tuple[PhraseHit, ...]:
    """Keeps one of several templates that match the same words: they count once."""
    kept: list[PhraseHit] = []
    for hit in sorted(hits, key=lambda h: (h.tight, h.start, -h.end, h.template)):
        # In this order only the last one kept can reach into the next.
        if not kept or not _overlap(hit, kept[-1]):
            kept.append(hit)
    return tuple(kept)


def _overlap(a: PhraseHit, b: PhraseHit) -> bool:
    return a.tight == b.tight and a.start < b.end and b.start < a.end


def _by_label(found: Sequence[PhraseHit]) -> dict[str, list[PhraseHit]]:
    out: dict[str, list[PhraseHit]] = {}
    for hit in found:
        out.setdefault(hit.label, []).append(hit)
    return out
