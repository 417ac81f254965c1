"""Does someone speak of a strong feeling of their own? (ruling P67)"""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.language.scripts import has_syllables
from clew.kernel.relate.preferences import has_preference
from clew.kernel.text.emoji import emoji_clusters
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import Normal
from clew.model.signals import Emotion
from clew.policy import Policy
from clew.policy.relate import RelatePolicy, RelateWords


@lru_cache(maxsize=8)
def _lexicons(policy: Policy) -> dict[str, Lexicon]:
    relate = policy.relate
    lists = {
        "cues": relate.feeling_cues,
        "deep": relate.deep_cues,
        "disclosures": relate.disclosures,
        "feelings": relate.feelings,
        "mild": relate.mild_feelings,
    }
    return {name: Lexicon({name: words}, policy.text) for name, words in lists.items()}


@lru_cache(maxsize=8)
def _spoken(policy: Policy) -> tuple[tuple[RelateWords, Lexicon, Lexicon], ...]:
    """The words of each language that leaves out the speaker: all of them, its feelings, the mild ones."""

    def found(listed: tuple[str, ...]) -> Lexicon:
        return Lexicon({"feelings": listed}, policy.text)

    return tuple((w, found(w.feelings), found(w.mild_feelings)) for w in policy.relate.languages.values())


def discloses(read: Normal, policy: Policy) -> bool:
    """By the words alone: a listed disclosure, or a cue and then a feeling."""
    relate, lexicons = policy.relate, _lexicons(policy)
    tokens = read.no_punct.split()
    mine = any(t in relate.first_person for t in tokens)
    if mine and _undenied(read, lexicons["disclosures"], relate):
        return True
    if _cue_then_feeling(read, policy):
        return True
    return has_syllables(read.norm) and _without_speaker(read, policy)


def speaks_of_self(read: Normal, policy: Policy, felt: Emotion) -> bool:
    """Beside a strong reading: a plain cue, or a self-state that is no mere liking.

    "i'm a student and i love sushi" is warm in words, yet it tells a preference (P67).
    """
    if _lexicons(policy)["deep"].any(read):
        return True
    mine = any(t in policy.relate.first_person for t in read.no_punct.split())
    return felt.self_state and mine and not has_preference(read, policy)


def intense(read: Normal, policy: Policy) -> bool:
    """Beside the emotion reading: a feeling word, or an emoji that carries one."""
    if any(e in policy.relate.strong_emoji for e in emoji_clusters(read.norm)):
        return True
    if any(feelings.any(read) for _, feelings, _ in _spoken(policy)):
        return True
    return discloses(read, policy) or _undenied(read, _lexicons(policy)["feelings"], policy.relate)


def _undenied(read: Normal, lexicon: Lexicon, policy: RelatePolicy) -> bool:
    for hit in lexicon.hits(read):
        before = read.variants[hit.variant][: hit.start].split()
        if not any(t in policy.denials for t in before[-3:]):
            return True
    return False


def _cue_then_feeling(read: Normal, policy: Policy) -> bool:
    relate, lexicons = policy.relate, _lexicons(policy)
    cues = [h for h in lexicons["cues"].hits(read) if h.variant == 0]
    if not cues:
        return False
    text = read.no_punct
    for name in ("feelings", "mild"):
        for hit in lexicons[name].hits(read):
            if hit.variant:
                continue
            for cue in cues:
                if cue.end > hit.start:
                    continue
                between = text[cue.end : hit.start].split()
                if len(between) >= relate.feeling_reach or any(t in relate.denials for t in between):
                    continue
                joined = f" {' '.join(between)} "
                if any(f" {w} " in joined for w in relate.downtoners):
                    continue
                if name == "feelings" or any(t in relate.intensifiers for t in between):
                    return True
    return False


def _without_speaker(read: Normal, policy: Policy) -> bool:
    """Where the speaker is left out, a feeling is one's own unless someone else is named as its subject."""
    return any(_own(read, words, strong, mild, policy) for words, strong, mild in _spoken(policy))


def _own(read: Normal, spoken: RelateWords, strong: Lexicon, mild: Lexicon, policy: Policy) -> bool:
    loud = any(t in spoken.intensifiers for t in read.no_punct.split())
    for hit in (*strong.hits(read), *(mild.hits(read) if loud else ())):
        text = read.variants[hit.variant]
        before, after = text[: hit.start].split(), text[hit.start :].split()
        if any(w.startswith(spoken.denied_after) for w in after[1:2]):
            continue
        if before and any(before[-1] in words.negative_prefixes for words in policy.text.languages.values()):
            continue
        if before and _someone_else(before[-2:], spoken):
            continue
        return True
    return False


def _someone_else(words: list[str], spoken: RelateWords) -> bool:
    return any(
        w not in spoken.own_subjects and len(w) > 1 and w.endswith(spoken.subject_particles)
        for w in words
        if w not in spoken.intensifiers
    ) and not any(w in spoken.own_subjects for w in words)
