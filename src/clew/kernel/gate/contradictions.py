"""Which memory a sentence of a draft contradicts: the same thing with another day, date, hour, number, side or job.

A figure is compared with the memories that the sentence or the message speaks of; what one of them gives, or the user
gave, or what follows from that, is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from clew.kernel.compare.wording import bare_of
from clew.kernel.gate.claims import claimless, clauses, playing, unknowing, wants
from clew.kernel.gate.grounded import held_words, people_in
from clew.kernel.read.comparable import saying
from clew.kernel.read.questions import is_question
from clew.kernel.read.told_figures import CLOCK, COUNT, JOB, ONE_OF, SPAN, Given, told_figures
from clew.kernel.text.passage import Passage, passage
from clew.model.plan import Frame
from clew.policy import Policy

_HOUR = 60


def contradicted(sentence: str, frame: Frame, policy: Policy) -> str:
    """The memory that the sentence contradicts, or ""; reviewed sentences are made from what is held."""
    known, language, asked = frame.known or (), frame.language, passage(frame.user_text, policy)
    said = (*frame.previous, *frame.recent_replies[-2:])
    words = policy.gate.languages[language]
    if frame.reviewed or unknowing(sentence, words) or playing((asked.text, *said), words):
        return ""
    for clause in clauses(sentence, words):
        for kind, given in _figures(clause, language, policy).items():
            near = sentence if kind == JOB else f"{sentence} {asked.text}"
            spoken = [k for k in known if _shared(k, near, kind, given, language, policy)]
            lines = spoken or ([] if kind == JOB or kind.startswith((SPAN, ONE_OF)) else known)
            given_by = [k for k in lines if kind in _figures(k, language, policy)]
            # One of the user's people may have the work that is told of another; a day of another thing is no slip.
            texts = (asked.text, *said, *(spoken if kind == JOB else known))
            if not given_by or _told(kind, given, texts, asked, language, policy):
                continue
            if not spoken and (len(given_by) > 1 or claimless(clause, words) or wants(asked, words)):
                # Only where nothing else is spoken of can it be of the one memory that has its like.
                continue
            whole = _figures(sentence, language, policy)[kind]
            if not any(whole & _figures(k, language, policy)[kind] for k in given_by):
                return given_by[0]
    return ""


def _figures(text: str, language: str, policy: Policy) -> dict[str, Given]:
    return told_figures(text, policy.gate.languages[language].contrasts, policy)


def _shared(known: str, near: str, kind: str, given: Given, language: str, policy: Policy) -> bool:
    """Both speak of the same thing: a telling word in common besides the figure and what it counts."""
    if kind == JOB and not people_in(known, policy):
        # Anybody's doctor or teacher may be spoken of; somebody's own work is told of one of the user's people.
        return False
    unit = kind.partition(":")[2]
    if kind.startswith(COUNT) and unit not in policy.remember.contrast.counters:
        # Two sons and three sons: what is counted is what is spoken of.
        return kind in _figures(known, language, policy) or spoken_of(known, near, language, policy)
    figure = {unit, *(bare_of(word, policy) for word in given if isinstance(word, str))}
    return spoken_of(known, near, language, policy, frozenset(figure))


def spoken_of(
    known: str, near: str, language: str, policy: Policy, but: frozenset[str] = frozenset()
) -> bool:
    """A telling word in common: no grammar, no figure, none of `but`."""
    ours, theirs = ({w.bare for w in saying(t, policy).words} for t in (known, near))
    common = (ours & theirs) - _common(language, policy) - but
    return any(not any(c.isdigit() for c in word) for word in common)


@lru_cache(maxsize=8)
def _common(language: str, policy: Policy) -> frozenset[str]:
    """What makes no two sentences speak of the same thing: words without a claim, names of days and months."""
    listed = (*policy.gate.languages[language].grammar, *policy.text.weekdays, *policy.text.months)
    return frozenset(bare_of(word, policy) for word in listed)


def _told(kind: str, given: Given, texts: Sequence[str], asked: Passage, language: str, policy: Policy) -> bool:
    """One of the texts gives it, or it is worked out from what they give."""
    if any(_agree(kind, given, _figures(t, language, policy).get(kind, frozenset())) for t in texts):
        return True
    if not kind.startswith((COUNT, SPAN)) and kind != CLOCK:
        return False
    if is_question(asked.read, policy) and any(c.isdigit() for c in asked.read.norm):
        # A question with a figure in it wants another one.
        return True
    told = {int(word) for word in held_words(texts, policy) if word.isdecimal()}
    told |= {int(n) for t in texts for k, v in _figures(t, language, policy).items() if k.startswith(COUNT) for n in v}
    worked_out = {n for a, b in combinations(sorted(told), 2) for n in (a + b, b - a)}
    # One of several, one each, once: that is said of any number.
    return kind != CLOCK and not given.isdisjoint({1} | told | worked_out)


def _agree(kind: str, given: Given, own: Given) -> bool:
    if kind != CLOCK:
        return not given.isdisjoint(own)
    # "At six" is at 6:10.
    return any(float(a) // _HOUR == float(b) // _HOUR for a in given for b in own)
