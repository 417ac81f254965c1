"""What is left of a message when politeness is peeled off.

Heads and tails are peeled to a fixpoint, every form on the way is kept: a label may itself
begin with a verb or an article, so the least peeled form that names something wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from clew.kernel.ground.phrases import Phrases, Tokens
from clew.kernel.read.follow_up import follow_up
from clew.kernel.text.tokens import split
from clew.policy.ground import GroundPolicy


@dataclass(frozen=True, slots=True)
class Plain:
    tokens: Tokens
    stages: tuple[Tokens, ...]
    rest: Tokens
    verb: str | None

    @property
    def text(self) -> str:
        return " ".join(self.rest)


@dataclass(frozen=True, slots=True, eq=False)
class _Peel:
    polite_heads: Phrases
    polite_tails: Phrases
    verbs: Phrases
    actions: frozenset[str]
    receivers: frozenset[str]
    hortatives: frozenset[str]
    articles: frozenset[str]
    verbs_last: dict[Tokens, str]
    tails: tuple[str, ...]
    pairs: dict[tuple[str, ...], str]


@lru_cache(maxsize=8)
def _peel(policy: GroundPolicy) -> _Peel:
    last = {form: verb for own in policy.languages.values() for form, verb in own.verbs_last.items()}
    return _Peel(
        Phrases(policy.polite_heads),
        Phrases(policy.polite_tails),
        Phrases((*policy.verbs, *policy.verb_phrases)),
        frozenset(policy.verbs),
        frozenset(policy.grammar["receiver"]),
        frozenset(policy.grammar["hortative"]),
        frozenset(policy.articles),
        {split(k): v for k, v in sorted(last.items(), key=lambda kv: -len(kv[0]))},
        tuple(sorted((t for own in policy.languages.values() for t in own.tails), key=len, reverse=True)),
        {tuple(pair.split()): verb for pair, verb in policy.verb_pairs.items()},
    )


@lru_cache(maxsize=1024)
def canonical(text: str, policy: GroundPolicy) -> Plain:
    """The whole message, peeled. Peeling what is left again changes nothing."""
    return peel(follow_up(text).words, policy)


def peel(tokens: Tokens, policy: GroundPolicy) -> Plain:
    words = _peel(policy)
    stages: list[Tokens] = [tokens] if tokens else []
    verb: str | None = None
    rest = tokens
    for _ in range(policy.peel_steps):
        shorter, found = _once(rest, words)
        if not shorter or shorter == rest:
            break
        verb = verb or found
        rest = shorter
        stages.append(rest)
    return Plain(tokens, tuple(stages), rest, verb)


def polite(tokens: Tokens, policy: GroundPolicy) -> Tokens:
    """Only politeness peeled: what a whole-utterance phrase is compared with."""
    words = _peel(policy)
    for _ in range(policy.peel_steps):
        head = words.polite_heads.head(tokens)
        tail = words.polite_tails.tail(tokens[head:]) if head < len(tokens) else 0
        shorter = tokens[head : len(tokens) - tail]
        if not shorter or shorter == tokens:
            break
        tokens = shorter
    return tokens


def _once(tokens: Tokens, words: _Peel) -> tuple[Tokens, str | None]:
    if not tokens:
        return tokens, None
    if head := words.polite_heads.head(tokens):
        return tokens[head:], None
    if tail := words.polite_tails.tail(tokens):
        return tokens[:-tail], None
    if tokens[0] in words.hortatives and words.verbs.head(tokens[1:]) and not words.verbs.head(tokens):
        return tokens[1:], None
    if (verb := _around(tokens, words)) is not None:
        return tokens[1:-1], verb
    if head := words.verbs.head(tokens):
        return tokens[head:], _verb(tokens[:head], words)
    if tokens[0] in words.articles:
        return tokens[1:], None
    return _from_behind(tokens, words)


def _around(tokens: Tokens, words: _Peel) -> str | None:
    """ "take the blue one out": a verb around its object."""
    return words.pairs.get((tokens[0], tokens[-1])) if len(tokens) > 2 else None


def _verb(head: Tokens, words: _Peel) -> str | None:
    """ "show me" is show, "opening" is open; "i want" and "how about" frame a choice and name no action."""
    if head[0] not in words.actions:
        return None
    stem = head[0].removesuffix("ing")
    first = next((v for v in (stem, stem + "e") if stem != head[0] and v in words.actions), head[0])
    return " ".join((first, *(t for t in head[1:] if t not in words.receivers)))


def _from_behind(tokens: Tokens, words: _Peel) -> tuple[Tokens, str | None]:
    last = tokens[-1]
    for form, verb in words.verbs_last.items():
        if len(form) < len(tokens) and tokens[-len(form) :] == form:
            return tokens[: -len(form)], verb
    for tail in words.tails:
        # A particle may hang on a Latin label: "sample2를".
        if last.endswith(tail) and len(last) > len(tail):
            return (*tokens[:-1], last[: -len(tail)]), None
    return tokens, None


def verb_alone(tokens: Tokens, policy: GroundPolicy) -> str | None:
    """ "delete", 지워줘: what is to be done, and its object is left out."""
    words = _peel(policy)
    if tokens in words.verbs_last:
        return words.verbs_last[tokens]
    rest = polite(tokens, policy)
    alone = len(rest) == 1 and rest[0] in words.actions and rest[0] in policy.act_verbs
    return rest[0] if alone else None


def key(tokens: Tokens) -> str:
    """Spacing and punctuation do not tell labels apart: "Sample 2" = "sample2" (ruling G14)."""
    return "".join(tokens)


def label_key(label: str) -> str:
    return key(split(label))
