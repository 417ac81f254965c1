"""Pain told in few words over several turns: none of them says it, together they do (ruling S5).

The last turns are read as one text. Turns that were heard by themselves are left out: what was answered as pain is
not raised again by the talk that follows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.kernel.read.hashed import odds, words_of
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.listen import NeedMarks
from clew.policy.weights import Scorer

TOGETHER = "listen.need.together"
_CARE, _CRISIS = "care", "crisis"
_CLOSED = ".!?…"
Vectors = Mapping[str, Sequence[float]]


def together(turns: Sequence[str]) -> str:
    """Turns as the sentences of one text."""
    bare = (turn.strip() for turn in turns)
    return " ".join(turn if turn[-1] in _CLOSED else turn + "." for turn in bare if turn)


def joined(text: str, previous: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """What has to be embedded for the turns to be read together: each on its own, and the ways to join them.

    Nothing where their words alone are far from pain: an encoder's reading costs more than all the rest of it.
    """
    lately = _lately(text, previous, policy)
    ways = (together((*lately[i:], text)) for i in range(len(lately)))
    close = tuple(whole for whole in ways if _near(whole, policy))
    return (*lately, *close) if close else ()


def _near(whole: str, policy: Policy) -> bool:
    scores = policy.listen.need_scores
    marks = [words.marks.together for words in policy.listen.languages.values()]
    if not scores or not marks:
        return False
    return odds(scores[_CARE], words_of(whole), None) >= min(marks) - policy.listen.together_words


def pain_together(
    text: str,
    language: str,
    previous: Sequence[str],
    vectors: Vectors,
    policy: Policy,
    vector: Sequence[float] | None = None,
) -> tuple[Reason, ...]:
    """Why the last turns together ask for care; empty where they do not. Without vectors they never do.

    vector: of the text by itself, which has to lean to pain a little ("guess what" adds nothing to a bad day).
    """
    words, scores = policy.listen.languages.get(language), policy.listen.need_scores
    if words is None or not scores:
        return ()
    marks = words.marks
    lately = _lately(text, previous, policy)
    heard = [i for i, said in enumerate(lately, 1) if _heard(said, vectors.get(said), scores, marks)]
    silent = lately[max(heard, default=0) :]
    if vector is not None and odds(scores[_CARE], words_of(text), vector) < policy.listen.together_own:
        return ()
    for i in range(len(silent)):
        whole = together((*silent[i:], text))
        if (read := vectors.get(whole)) is None:
            continue
        if (felt := odds(scores[_CARE], words_of(whole), read)) >= marks.together:
            return (Reason(TOGETHER, f"{felt:.2f}"),)
    return ()


def _lately(text: str, previous: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """A long message tells what it has to tell by itself."""
    most, long = policy.listen.together_turns, policy.listen.together_characters
    if len(text) > long or not text.strip():
        return ()
    return tuple(said for said in previous[-most:] if said.strip() and len(said) <= long) if most else ()


def _heard(
    said: str, vector: Sequence[float] | None, scores: Mapping[str, Scorer], marks: NeedMarks
) -> bool:
    words = words_of(said)
    return odds(scores[_CARE], words, vector) >= marks.care or odds(scores[_CRISIS], words, vector) >= marks.crisis
