"""A time that lies behind, in a draft, of which nobody told anything: "작년에도 그랬잖아", "like last summer"."""

from __future__ import annotations

from clew.kernel.gate.claims import claimless, clauses, playing, unknowing
from clew.kernel.gate.contradictions import spoken_of
from clew.kernel.read.past_times import lies_behind, names_a_day
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.policy import Policy


def untold_past(sentence: str, frame: Frame, policy: Policy) -> bool:
    """The sentence speaks of a past, and neither the user nor any memory of what is spoken of gives one."""
    words = policy.gate.languages[frame.language]
    named = tuple(words.past.values())
    said = (frame.user_text, *frame.previous, *frame.recent_replies[-2:])
    if frame.reviewed or unknowing(sentence, words) or playing((frame.user_text, *frame.previous), words):
        return False
    asked = passage(sentence, policy).read.no_punct.split()
    if sentence.rstrip().endswith("?") and any(word in policy.ground.wh_words for word in asked):
        # Who asks what it was claims nothing of it.
        return False
    parts = [c for c in clauses(sentence, words) if not claimless(c, words)]
    if not any(lies_behind(part, named, policy) for part in parts):
        return False
    known, near = frame.known or (), f"{sentence} {frame.user_text}"
    of_it = [k for k in known if spoken_of(k, near, frame.language, policy)] or known
    return not any(lies_behind(text, named, policy) or names_a_day(text, policy) for text in (*said, *of_it))
