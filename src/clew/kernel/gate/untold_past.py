"""A time that lies behind, in a draft, of which nobody told anything: "작년에도 그랬잖아", "like last summer"."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.gate.claims import claimless, clauses, playing, unknowing
from clew.kernel.gate.contradictions import spoken_of
from clew.kernel.keep.times import resolve
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.policy import Policy
from clew.programs import program

# "Last week" lies behind whatever day it is; a bare month or weekday may lie ahead, and counts as such.
_ANY_DAY = datetime(2026, 6, 17, tzinfo=UTC)
_ANYWHERE = ZoneInfo("UTC")
_AHEAD = 1


def untold_past(sentence: str, frame: Frame, policy: Policy) -> bool:
    """The sentence speaks of a past, and neither the user nor any memory of what is spoken of gives one."""
    words = policy.gate.languages[frame.language]
    said = (frame.user_text, *frame.previous, *frame.recent_replies[-2:])
    if frame.reviewed or unknowing(sentence, words) or playing((frame.user_text, *frame.previous), words):
        return False
    if sentence.rstrip().endswith("?") and any(w in policy.ground.wh_words for w in normal(sentence).no_punct.split()):
        # Who asks what it was claims nothing of it.
        return False
    parts = [c for c in clauses(sentence, words) if not claimless(c, words)]
    if not any(_behind(part, frame.language, policy) for part in parts):
        return False
    known = frame.known or ()
    near = f"{sentence} {passage(frame.user_text, policy).text}"
    near_by = [k for k in known if spoken_of(k, near, frame.language, policy)] or known
    return not any(_behind(text, frame.language, policy) or _dated(text, policy) for text in (*said, *near_by))


@lru_cache(maxsize=1024)
def _behind(text: str, language: str, policy: Policy) -> bool:
    """It names a time that lies behind."""
    if any(s.search(text) for s in _shapes(language, policy)):
        return True
    when = _when(text, policy)
    return when is not None and when[0] < _ANY_DAY and when[1] <= _ANY_DAY


def _dated(text: str, policy: Policy) -> bool:
    """It names any time but today: what was ahead when it was told may lie behind now."""
    when = _when(text, policy)
    return when is not None and not when[0] <= _ANY_DAY < when[1]


def _when(text: str, policy: Policy) -> tuple[datetime, datetime] | None:
    """From when to when; figures are read elsewhere (contradictions.py): "100일 전" may be a year of one's life."""
    when = resolve(text, _ANY_DAY, _ANYWHERE, policy, _AHEAD)
    if when is None or when.start is None or when.end is None or any(c.isdigit() for c in when.text):
        return None
    return when.start, when.end


@lru_cache(maxsize=8)
def _shapes(language: str, policy: Policy) -> tuple[re.Pattern[str], ...]:
    return tuple(program(s.pattern, re.I) for s in policy.gate.languages[language].past.values())
