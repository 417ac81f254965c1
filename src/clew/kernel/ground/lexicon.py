"""The word lists of the policy, compiled once per policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from clew.kernel.ground.phrases import Phrases
from clew.kernel.text.tokens import split
from clew.policy.ground import EndingWords, GroundPolicy


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    stop: Phrases
    hesitation: Phrases
    repair: Phrases
    other_one: Phrases
    list_rejection: Phrases
    affirmation: Phrases
    acceptance: Phrases
    acceptance_words: frozenset[str]
    openers: Phrases
    weak_openers: Phrases
    request_adverbs: frozenset[str]
    adding_verbs: frozenset[str]
    not_others: Phrases
    closing: Phrases
    refusal: Phrases
    prohibition: Phrases
    not_refusals: Phrases
    negations: frozenset[str]
    refusal_words: frozenset[str]
    alternatives: Phrases
    alternative_words: frozenset[str]
    more_about: Phrases
    open_nouns: frozenset[str]
    moving_on: Phrases
    desire: Phrases
    know: Phrases
    wh_words: frozenset[str]
    auxiliaries: frozenset[str]
    subjects: frozenset[str]
    tell: Phrases
    about: Phrases
    instruction_cues: Phrases
    polite_openings: Phrases
    polite_heads: Phrases
    deictics: Phrases
    pointers: Phrases
    deictic_words: frozenset[str]
    attribute_nouns: frozenset[str]
    attribute_owners: frozenset[str]
    act_verbs: Phrases
    verb_phrases: Phrases
    search_verbs: Phrases
    command_verbs: frozenset[str]
    verbs: frozenset[str]
    failure: Phrases
    grammar: Mapping[str, frozenset[str]]
    transaction_verbs: frozenset[str]
    indefinite: frozenset[str]
    plain_subjects: frozenset[str]
    label_stop_words: frozenset[str]
    praise_verbs: frozenset[str]
    # By language, of those whose verb comes last.
    endings: Mapping[str, EndingWords]


@lru_cache(maxsize=8)
def words(policy: GroundPolicy) -> Words:
    own = {name: getattr(policy, name) for name in Words.__annotations__ if hasattr(policy, name)}
    own["openers"] = policy.affirmation_openers
    grammar = own.pop("grammar")
    kinds = Words.__annotations__
    compiled: dict[str, Any] = {
        name: Phrases(entries) if kinds[name] == "Phrases" else _flat(entries)
        for name, entries in own.items()
    }
    compiled["grammar"] = {name: _flat(entries) for name, entries in grammar.items()}
    compiled["endings"] = {code: it.endings for code, it in policy.languages.items() if it.endings is not None}
    return Words(**compiled)


@lru_cache(maxsize=8)
def _laughter(policy: GroundPolicy) -> tuple[str, ...]:
    return tuple(sorted(words(policy).grammar["laughing"]))


def laughter(token: str, policy: GroundPolicy) -> bool:
    """ "hahaha", ㅋㅋㅋ."""
    return token.startswith(_laughter(policy))


def _flat(entries: tuple[str, ...]) -> frozenset[str]:
    """Also without apostrophes, and as the reader writes them (ㅇㅋ has two spellings in Unicode)."""
    plain = (" ".join(split(e)) for e in entries)
    return frozenset((*entries, *(e.replace("'", "") for e in entries), *(p for p in plain if p)))
