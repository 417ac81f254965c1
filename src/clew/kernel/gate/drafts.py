"""What a draft claims, promises and does to the one who reads it (rulings S1, S9, general ruling 6).

Plain shapes decide first; learned scores of the whole draft and of each sentence add what no list knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from clew.kernel.gate.grounded import held_words, new_words, shape
from clew.kernel.read.hashed import odds, words_of
from clew.kernel.text.sentences import sentences
from clew.model.plan import Frame, Violation
from clew.model.turn import Pipeline
from clew.policy import Policy
from clew.policy.gate import GateWords

MEMORY, IDENTITY, PROMISE = "FALSE_MEMORY", "FALSE_IDENTITY", "EMPTY_PROMISE"
HOSTILE, LEAK = "SAFETY_HOSTILE", "SAFETY_SYSTEM_LEAK"
# Among the events: a reminder of this user is set, and a job will keep it.
REMINDER = "reminder"
CODES = (MEMORY, IDENTITY, PROMISE, HOSTILE, LEAK)
_SCORES = {IDENTITY: "identity", PROMISE: "promise", HOSTILE: "hostile", LEAK: "leak"}
_QUOTED = re.compile(r"[\"“][^\"”]{2,}[\"”]")
_Shapes = Mapping[str, tuple[re.Pattern[str], ...]]


def wrongs(reply: str, frame: Frame, policy: Policy) -> list[Violation]:
    """Each code once, with the sentence that shows it."""
    words = policy.gate.languages.get(frame.language)
    if frame.kind != "reply" or words is None:
        return []
    # Words that the user may send to somebody else are no words of the friend's.
    bare = _QUOTED.sub(" ", reply)
    parts = sentences(bare if any(c.isalnum() for c in bare) else reply, policy.text) or [reply]
    held = held_words((*(frame.known or ()), frame.user_text, *frame.previous, *_own_past(frame)))
    out: dict[str, str] = {}
    for part in parts:
        for code in _wrong(part, held, frame, words, policy, alone=len(parts) > 1):
            out.setdefault(code, part)
    if len(parts) > 1:
        for code in _learned(reply, held, frame, words, policy, 0.0) if bare == reply else ():
            out.setdefault(code, _worst(parts, code, held, frame, policy))
    return [Violation(code, said[:120]) for code, said in out.items()]


def wrong_sentence(sentence: str, code: str, reply_detail: str, frame: Frame, policy: Policy) -> bool:
    """Whether leaving this sentence out answers the violation."""
    if sentence[:120] == reply_detail:
        return True
    words = policy.gate.languages.get(frame.language)
    held = held_words((*(frame.known or ()), frame.user_text, *frame.previous, *_own_past(frame)))
    return words is not None and code in _wrong(sentence, held, frame, words, policy, alone=True)


def _own_past(frame: Frame) -> tuple[str, ...]:
    """What the friend itself said lately may be taken up again."""
    return frame.recent_replies[-2:]


def _wrong(
    part: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy, *, alone: bool
) -> list[str]:
    found = _plain(part, held, frame, words, policy)
    bar = words.marks.get("sentence", 0.0) if alone else 0.0
    return [*found, *(c for c in _learned(part, held, frame, words, policy, bar) if c not in found)]


def _plain(part: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> list[str]:
    shapes = _shapes(words)
    found: list[str] = []
    if (
        frame.known is not None
        and _any(shapes["memory"], part)
        and new_words(part, held, frame.language, policy) >= 1
    ):
        found.append(MEMORY)
    if _any(shapes["identity"], part) and not _any(shapes["honest"], part):
        found.append(IDENTITY)
    if _any(shapes["promise"], part) and not _kept(part, frame, shapes):
        found.append(PROMISE)
    if _any(shapes["hostile"], part):
        found.append(HOSTILE)
    return found


def _learned(
    part: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy, bar: float
) -> list[str]:
    scores, marks, shapes = policy.gate.draft_scores, words.marks, _shapes(words)
    if not scores or frame.reviewed:
        return []
    vector = frame.vectors.get(part)
    more = bar + (0.0 if vector is not None else marks.get("alone", 0.0))
    caring = frame.crisis or frame.pipeline is Pipeline.EMOTIONAL_SUPPORT
    said = words_of(part)
    found: list[str] = []
    for code, name in _SCORES.items():
        mark = marks[f"care_{name}" if caring and f"care_{name}" in marks else name]
        if odds(scores[name], said, vector) < mark + more:
            continue
        if code == IDENTITY and _any(shapes["honest"], part):
            continue
        if code == PROMISE and _kept(part, frame, shapes):
            continue
        found.append(code)
    if frame.known is not None and new_words(part, held, frame.language, policy) >= 1:
        marked = shape(part, held, frame.language, policy)
        if odds(scores["memory"], marked, vector) >= marks["memory"] + more:
            found.append(MEMORY)
    return found


def _kept(part: str, frame: Frame, shapes: _Shapes) -> bool:
    """A promise to listen or to be brief is kept by itself; one to remember, by what this turn stores; one to remind,
    by a reminder that is set."""
    if _any(shapes["kept"], part):
        return True
    if REMINDER in frame.events and _any(shapes["reminding"], part):
        return True
    return any(e != REMINDER for e in frame.events) and _any(shapes["remembering"], part)


def _worst(parts: Sequence[str], code: str, held: frozenset[str], frame: Frame, policy: Policy) -> str:
    name = _SCORES.get(code, "memory")
    scorer = policy.gate.draft_scores[name]

    def odds_of(part: str) -> float:
        said = shape(part, held, frame.language, policy) if code == MEMORY else words_of(part)
        return odds(scorer, said, frame.vectors.get(part))

    return max(parts, key=odds_of)


def _any(shapes: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(s.search(text) for s in shapes)


@lru_cache(maxsize=8)
def _shapes(words: GateWords) -> _Shapes:
    rows = {
        "memory": words.memory, "identity": words.identity, "honest": words.honest, "promise": words.promise,
        "kept": words.kept, "hostile": words.hostile, "remembering": words.remembering,
        "reminding": words.reminding,
    }  # fmt: skip
    return {name: tuple(re.compile(s.pattern, re.I) for s in row.values()) for name, row in rows.items()}
