"""Everything one message tells (rulings P1, P2, P4, P5, P72)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.language.packs import language_of
from clew.kernel.read.emotion import emotion
from clew.kernel.read.hardship import HARDSHIP, hardship_of, tells_hardship
from clew.kernel.read.heads import checked
from clew.kernel.read.need import SUFFERED, Vectors, harmless, read_need
from clew.kernel.read.phrases import Folded, fold
from clew.kernel.read.questions import is_question
from clew.kernel.read.safety import safety
from clew.kernel.read.together import TOGETHER, pain_together
from clew.kernel.read.topics import initiated, mentioned, topics
from clew.kernel.text.match import Hit, Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.sentences import sentences
from clew.kernel.text.tokens import token_estimate
from clew.model.signals import Flags, Need, Safety, SafetyClass, Signals
from clew.model.utterance import TokenVectors
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.listen import ListenPolicy

_CLAUSE = re.compile(r"[.!?,;:…\n]+|\s[-–—]\s")
_FAMILY, _IDIOM = "family:", "idiom:"
_QUIET = (SafetyClass.NONE, SafetyClass.SELF_HARM)
# How many words behind the verb still belong to it.
_OBJECT = 4


@lru_cache(maxsize=8)
def _lexicon(policy: Policy) -> Lexicon:
    listen = policy.listen
    entries: dict[str, tuple[str, ...]] = {
        "distress": listen.distress,
        "cannot": listen.cannot,
        "comfort": listen.comfort,
        "preference": listen.preference,
        "fact": listen.fact,
        "event": listen.event,
        "correction": listen.correction_clauses,
    }
    entries |= {_FAMILY + name: phrases for name, phrases in listen.emotion.families.items()}
    entries |= {_IDIOM + worth: phrases for worth, phrases in listen.emotion.idioms.items()}
    return Lexicon(entries, policy.text)


@lru_cache(maxsize=8)
def pronouns(policy: ListenPolicy) -> frozenset[str]:
    """Words with which a speaker speaks of themself, of all languages."""
    return frozenset(policy.pronouns).union(*(words.pronouns for words in policy.languages.values()))


def hear(
    text: str,
    policy: Policy,
    previous: Sequence[str] = (),
    vector: Sequence[float] | None = None,
    spoken: str | None = None,
    vectors: Vectors | None = None,
    tokens_of: TokenVectors | None = None,
) -> Signals:
    """What was said, and how; a vector of the text and its tokens sharpen emotion, safety and need.

    spoken: the conversation's language, for a text too short to tell its own. vectors: those of its sentences, and of
    what read/together.py joins.
    """
    listen = policy.listen
    read = normal(text)
    folded = fold(read, listen.fold)
    vector = checked(vector, listen.heads)
    found = topics(read, policy)
    spotted = _spotted(read, policy)
    tokens = tuple(read.no_punct.split())
    estimate = token_estimate(read.norm, policy.text)
    language = language_of(read.norm, policy, spoken)
    listed = safety(folded, listen, vector)
    distressed = _distressed(read, spotted, listen)
    parts = sentences(text, policy.text)
    need, why, care = read_need(
        text, language, parts, vector, listed, policy, vectors, distressed, tokens_of
    )
    if need is Need.CARE and listed.kind not in _QUIET and not any(r.rule == SUFFERED for r in why):
        # An insult or a lewd word is answered as that; a score does not turn it into pain.
        need, why, care = Need.NONE, (), None
    felt = emotion(
        folded,
        [label[len(_FAMILY) :] for label in spotted if label.startswith(_FAMILY)] if spotted else (),
        [label[len(_IDIOM) :] for label in spotted if label.startswith(_IDIOM)] if spotted else (),
        listen.emotion,
        listen.heads,
        vector,
    )
    hard = hardship_of(text, language, parts, vector, policy, vectors, cares=need is Need.CARE)
    quiet = listed.kind in _QUIET and not is_question(read, policy, tokens)
    told = quiet and felt.valence < listen.hardship.glad and tells_hardship(hard, language, policy)
    if need is Need.NONE and told and not harmless(text, language, policy):
        need, why = Need.CARE, (Reason(HARDSHIP, hard.kind),)
    elif need is Need.CARE and hard.kind:
        why = (*why, Reason(HARDSHIP, hard.kind))
    # "i can't make it tonight": what follows "i can't" is weighed by its own rule (ruling P5).
    concern = need is Need.CARE and (vector is not None or "cannot" not in spotted)
    found_flags = _flags(read, tokens, estimate, spotted, policy, concern)
    if need is Need.NONE and quiet:
        why = pain_together(text, language, previous, vectors or {}, policy, vector) or why
        need = Need.CARE if any(r.rule == TOGETHER for r in why) else need
    return Signals(
        norm=read.norm,
        no_punct=read.no_punct,
        tokens=tokens,
        token_estimate=estimate,
        language=language,
        topics=found,
        initiated=initiated(found, listen),
        mentioned=mentioned(found, previous, policy),
        flags=found_flags,
        emotion=felt,
        safety=_agreed(listed, need, why, folded, listen, vector),
        need=need,
        need_reasons=why,
        care=care,
    )


def _agreed(
    listed: Safety,
    need: Need,
    why: tuple[Reason, ...],
    folded: Folded,
    policy: ListenPolicy,
    vector: Sequence[float] | None,
) -> Safety:
    """The class with the reading of need: one message is never a crisis in one room and none in the next."""
    if need is Need.CRISIS and not listed.crisis:
        first = any(r.rule.removeprefix("listen.safety.") in policy.safety.above_crisis for r in listed.reasons)
        kind = listed.kind if first else SafetyClass.SELF_HARM
        return Safety(kind, True, (*listed.reasons, *why), True)
    if need is not Need.CRISIS and listed.crisis:
        left = safety(folded, policy, vector, self_harm=False)
        return Safety(left.kind, False, (*left.reasons, *why), need is Need.CARE)
    if listed.kind in policy.safety.suffered and any(r.rule == SUFFERED for r in why):
        # Telling of harm is not doing it: whoever was hit is not refused.
        return Safety(SafetyClass.NONE, False, why, True)
    return Safety(listed.kind, listed.crisis, (*listed.reasons, *why), need is not Need.NONE)


def _spotted(read: Normal, policy: Policy) -> dict[str, list[Hit]]:
    found: dict[str, list[Hit]] = {}
    for hit in _lexicon(policy).hits(read):
        found.setdefault(hit.label, []).append(hit)
    return found


def flags(read: Normal, policy: Policy) -> Flags:
    """The booleans that routing reads."""
    estimate = token_estimate(read.norm, policy.text)
    return _flags(read, read.no_punct.split(), estimate, _spotted(read, policy), policy)


def _flags(
    read: Normal,
    tokens: Sequence[str],
    estimate: int,
    found: dict[str, list[Hit]],
    policy: Policy,
    concern: bool = False,
) -> Flags:
    listen = policy.listen
    asks = is_question(read, policy, tokens)
    distress = concern or _distressed(read, found, listen)
    comfort = "comfort" in found
    return Flags(
        is_question=asks,
        has_personal_pronoun=not pronouns(listen).isdisjoint(tokens),
        has_distress=distress,
        asks_for_comfort=comfort,
        is_pure_fact_q=asks and not distress and not comfort and estimate <= listen.fact_question_tokens,
        has_preference="preference" in found,
        has_fact="fact" in found,
        has_event="event" in found,
        has_correction=_corrects(read, listen, "correction" in found),
    )


def _distressed(read: Normal, found: dict[str, list[Hit]], policy: ListenPolicy) -> bool:
    """A listed word of distress, or "i can't" as a cry."""
    return "distress" in found or any(
        not _everyday(read.variants[h.variant][h.end :].lstrip(), policy) for h in found.get("cannot", ())
    )


def _everyday(rest: str, policy: ListenPolicy) -> bool:
    """What follows "i can't" and makes it no cry for help (ruling P5)."""
    if rest.startswith(policy.cannot_idioms):
        return True
    if rest and not rest.startswith(policy.cannot_cries):
        return not any(phrase in rest for phrase in policy.cannot_too_long)
    verb = next((v for v in policy.cannot_everyday if rest.startswith(v)), None)
    if verb is None:
        return False
    after = rest[len(verb) :].split(maxsplit=_OBJECT)[:_OBJECT]
    return set(after[:2]).isdisjoint(policy.cannot_despite) and not any(
        phrase in " ".join(after) for phrase in policy.cannot_too_long
    )


def _corrects(read: Normal, policy: ListenPolicy, spotted: bool) -> bool:
    """A correction begins a clause; "i don't remember that movie" and "what's wrong" are none."""
    if read.no_punct in policy.correction_whole or read.no_punct.startswith(policy.correction_openings):
        return True
    if not spotted:
        return False
    for clause in _CLAUSE.split(read.norm):
        words = clause.split()
        while words and words[0] in policy.correction_softeners:
            words = words[1:]
        start = " ".join(words)
        if start.startswith(policy.correction_clauses):
            return True
    return False
