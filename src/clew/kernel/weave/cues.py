"""Listed phrases as patterns: whole words in spaced Latin text, plain runs in other scripts."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.scripts import is_spaced
from clew.kernel.read.loop import without_template
from clew.kernel.read.questions import is_question
from clew.kernel.text.normalize import normal, normalize
from clew.model.thread import ThreadAdd, ThreadType
from clew.policy import Policy
from clew.policy.weave import Cues
from clew.programs import program

_EDGE = r"[\s\"'“”‘’()\[\]«».!…]*"


def phrases(*lists: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all phrases, longest first; the word edge is tested once for all of them."""
    every = sorted({normalize(p) for one in lists for p in one}, key=lambda p: (-len(p), p))
    latin = "|".join(re.escape(p) for p in every if is_spaced(p))
    other = "|".join(re.escape(p) for p in every if not is_spaced(p))
    # A hyphen makes another word: carry-on is nothing that somebody carries.
    edged = rf"(?<![a-z0-9_'])(?:{latin})(?![a-z0-9_]|-[a-z])" if latin else ""
    return program("|".join(filter(None, (edged, other))) or r"(?!)")


def starting(words: tuple[str, ...]) -> re.Pattern[str]:
    return program(rf"^{_EDGE}(?:{phrases(words).pattern})")


@dataclass(frozen=True, slots=True)
class ThreadReading:
    """A thread's text as its detectors read it: lower-cased, nothing else removed (ruling T2)."""

    kind: ThreadType
    low: str
    body: str
    prefixed: bool
    asks: bool


def read(add: ThreadAdd, policy: Policy) -> ThreadReading:
    weave = policy.weave
    low = normalize(add.text)
    if len(low) > weave.read_head + weave.read_tail:
        # A loop is one sentence; of an overlong text the head says what it is and the tail whether it asks.
        low = f"{low[: weave.read_head]} {low[-weave.read_tail :]}"
    body = without_template(low, add.type, weave)
    asks = has_question_form(body, weave.cues)
    if not asks and not is_spaced(body):
        # What asks by an ending alone is known best by the ear of a conversation.
        asks = is_question(normal(body), policy)
    return ThreadReading(add.type, low, body, body != low, asks)


@lru_cache(maxsize=4)
def _questions(cues: Cues) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    marks = "".join(map(re.escape, cues.question_marks))
    ends = re.compile(rf"[{marks}]{_EDGE}$")
    return ends, starting(cues.interrogatives), phrases(cues.question_words)


def has_question_form(body: str, cues: Cues) -> bool:
    """Does the text ask: plainly, or by an ending or a question word that may stand anywhere in the sentence?"""
    bare = body.rstrip(" .!…\"'”’")
    return asks_plainly(body, cues) or bare.endswith(cues.question_endings) or bool(_questions(cues)[2].search(body))


def asks_plainly(body: str, cues: Cues) -> bool:
    """Ends with a question mark, starts with an interrogative, or holds a word that asks wherever it stands."""
    ends, starts, _ = _questions(cues)
    return bool(ends.search(body) or starts.search(body)) or not frozenset(cues.asking_inside).isdisjoint(body.split())
