"""What a message asks of the one who reads it: nothing, care, or help in a crisis (rulings S5–S7).

A plain first-person statement decides by itself. A listed phrase stands unless the learned reading is sure that it
is idiom, fiction, news or past. What no list knows is found by the learned reading, sentence by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.read.hashed import odds, words_of
from clew.kernel.text.passage import Passage
from clew.model.signals import Need, Safety
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.listen import NeedMarks, NeedWords
from clew.policy.weights import Scorer
from clew.programs import program

_FELT = "listen.safety.felt_danger"
_RULE = "listen.safety."
SUFFERED = "listen.need.suffered"
AFTER_CRISIS = "listen.need.after_crisis"
# With how many turns ago it was.
AFTER_CARE = "listen.need.after_care"
CARE = "listen.need.care"
_CARE, _CRISIS = "care", "crisis"
Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class _Odds:
    """Log-odds of the whole message, and the highest of any of its sentences."""

    care: float
    crisis: float


def read_need(
    text: str,
    language: str,
    sentences: Sequence[str],
    vector: Sequence[float] | None,
    listed: Safety,
    policy: Policy,
    vectors: Vectors | None = None,
) -> tuple[Need, tuple[Reason, ...]]:
    """`listed`: what the rules heard. `vectors`: of single sentences, where they were made."""
    table = policy.listen
    words = table.languages.get(language)
    scores = table.need_scores
    if words is None or not scores:
        return (Need.CRISIS if listed.crisis else Need.CARE if listed.concern else Need.NONE), ()
    shapes = _shapes(words)
    parts = tuple(sentences) or (text,)
    if said := next((s for s in parts if _plainly(shapes, "certain", s, shapes_not="unsaid")), None):
        return Need.CRISIS, (Reason("listen.need.plain_crisis", said[:80]),)
    rules = [r.rule for r in listed.reasons if r.rule.startswith(_RULE) and r.rule != _FELT]
    ruled = listed.crisis and bool(rules)
    felt = listed.crisis and not ruled
    harmless = _plainly(shapes, "harmless", text)
    heard = _odds(text, parts, vector, vectors or {}, scores, words.marks)
    marks = words.marks
    dangerous = ruled or heard.crisis >= marks.crisis_near
    if dangerous and _plainly(shapes, "another", text, shapes_not="present"):
        return Need.CARE, (Reason("listen.need.another"),)
    if ruled and not _overruled(heard, shapes, text, marks, vector is not None):
        return Need.CRISIS, ()
    pointed = ruled or _plainly(shapes, "pointing", text)
    bar = _bar(marks, near=felt or ruled, pointed=pointed)
    if not harmless and heard.crisis >= bar and heard.care >= marks.crisis_care:
        return Need.CRISIS, (Reason("listen.need.crisis", f"{heard.crisis:.2f}"),)
    hinted = not harmless and _plainly(shapes, "hinting", text, shapes_not="lowering")
    if hinted and heard.crisis >= marks.crisis_hinted:
        return Need.CRISIS, (Reason("listen.need.hinted_crisis", f"{heard.crisis:.2f}"),)
    if said := next((s for s in parts if _plainly(shapes, "suffered", s, shapes_not="fine")), None):
        return Need.CARE, (Reason(SUFFERED, said[:80]),)
    if not harmless and heard.care >= (marks.care_near if listed.concern or listed.crisis else marks.care):
        return Need.CARE, (Reason(CARE, f"{heard.care:.2f}"),)
    if hinted and heard.crisis >= marks.hinted:
        return Need.CARE, (Reason("listen.need.hinted", f"{heard.crisis:.2f}"),)
    if not harmless and heard.crisis >= marks.care_danger:
        return Need.CARE, (Reason("listen.need.danger", f"{heard.crisis:.2f}"),)
    return Need.NONE, ((Reason("listen.need.overruled"),) if listed.crisis else ())


def grave(said: Passage, language: str, policy: Policy) -> bool:
    """Told in plain words: danger, harm done to the speaker, or grave news."""
    words = policy.listen.languages.get(language)
    if words is None:
        return False
    shapes = _shapes(words)
    return any(
        _plainly(shapes, "certain", s, shapes_not="unsaid") or _plainly(shapes, "suffered", s, shapes_not="fine")
        for s in said.sentences or (said.text,)
    )


def _bar(marks: NeedMarks, *, near: bool, pointed: bool) -> float:
    """From where a score makes a crisis: surer where no word points to danger."""
    if not pointed:
        return marks.crisis_unpointed
    return marks.crisis_near if near else marks.crisis


def _overruled(heard: _Odds, shapes: _Shapes, text: str, marks: NeedMarks, felt: bool) -> bool:
    """Reported, fictional, past or laughed at, and nothing in the message reads like danger (ruling S6).

    Without such company a listed phrase stands, unless a longer message plainly reads like something else.
    """
    if _plainly(shapes, "lowering", text):
        return heard.crisis < marks.overruled_lowered
    return felt and len(text.split()) >= marks.overruled_words and heard.crisis < marks.overruled


def _odds(
    text: str,
    parts: Sequence[str],
    vector: Sequence[float] | None,
    vectors: Vectors,
    scores: Mapping[str, Scorer],
    marks: NeedMarks,
) -> _Odds:
    """One long message is not one average: each sentence is heard too, a bar higher."""
    whole = words_of(text)
    best = {name: odds(scores[name], whole, vector) for name in (_CARE, _CRISIS)}
    if vector is None:
        best = {name: best[name] - marks.alone for name in best}
    if len(parts) > 1:
        for part in parts[: marks.sentences_most]:
            said = words_of(part)
            if len(said) < marks.sentence_words:
                continue
            own = vectors.get(part)
            bar = marks.sentence if own is not None else marks.sentence_alone
            for name in best:
                best[name] = max(best[name], odds(scores[name], said, own) - bar)
    return _Odds(best[_CARE], best[_CRISIS])


_Shapes = Mapping[str, tuple[re.Pattern[str], ...]]


@lru_cache(maxsize=8)
def _shapes(words: NeedWords) -> _Shapes:
    rows = {"certain": words.certain, "lowering": words.lowering, "harmless": words.harmless}
    rows |= {"suffered": words.suffered, "fine": words.fine, "present": words.present, "pointing": words.pointing}
    rows["hinting"] = words.hinting
    # A film in the same sentence does not take back what is said of oneself.
    rows["unsaid"] = {name: row for name, row in words.lowering.items() if name != "told"}
    rows["another"] = {name: row for name, row in words.lowering.items() if name == "another"}
    return {name: tuple(program(s.pattern, re.I) for s in row.values()) for name, row in rows.items()}


def _plainly(shapes: _Shapes, name: str, text: str, shapes_not: str = "") -> bool:
    if not any(s.search(text) for s in shapes[name]):
        return False
    return not shapes_not or not any(s.search(text) for s in shapes[shapes_not])
