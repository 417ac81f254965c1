"""What a message asks of the one who reads it: nothing, care, or help in a crisis (rulings S5–S7).

A plain first-person statement decides by itself. A listed phrase stands unless the learned reading is sure that it
is idiom, fiction, news or past. What no list knows is found by the learned reading, sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from clew.frozen import dataclass
from clew.kernel.read.gist import Gists, gists
from clew.kernel.read.hashed import odds, words_of
from clew.kernel.text.passage import Passage
from clew.model.signals import Need, Safety, SafetyClass, Signals
from clew.model.utterance import TokenVectors, Utterance
from clew.model.verdict import Reason
from clew.pattern_table import PatternGroups
from clew.policy import Policy
from clew.policy.listen import NeedMarks, NeedWords
from clew.policy.weights import Scorer

_FELT = "listen.safety.felt_danger"
_RULE = "listen.safety."
SUFFERED = "listen.need.suffered"
AFTER_CRISIS = "listen.need.after_crisis"
# With how many turns ago it was.
AFTER_CARE = "listen.need.after_care"
# Grave news or harm was told in one of the last turns.
AFTER_GRAVE = "listen.need.after_grave"
CARE = "listen.need.care"
# Met with care only, though it reads like danger.
DANGER, HINTED = "listen.need.danger", "listen.need.hinted"
UNSAFE = "listen.need.unsafe"
# A listed phrase of danger that the reading found to be none.
OVERRULED = "listen.need.overruled"
_CARE, _CRISIS = "care", "crisis"
_UNHEARD = -99.0
# Rows of `lowering` that also make a sentence harmless.
_OF_THINGS = ("thing", "portion")
_UNREAL = ("told", "past")
_NO_HARDSHIP = ("harmless", "fine", "behind", "unreal")
# Pain that says by itself what it is about.
_EXPLAINED = ("afraid", "hardship")
# Beside these, weariness is not only that.
_UNWEARY = ("certain", "hinting", "pointing", "parting")
Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class _Felt:
    """The vector of the message, those of its sentences, and the gist of each by its text."""

    vector: Sequence[float] | None
    vectors: Vectors
    gists: Gists


@dataclass(frozen=True, slots=True)
class _Odds:
    """Log-odds of the whole message, and the highest of any of its sentences."""

    care: float
    crisis: float


class Needed(NamedTuple):
    """What a message asks for, why, and how strongly it reads of pain where nothing but that score speaks."""

    need: Need
    reasons: tuple[Reason, ...] = ()
    care: float | None = None


def read_need(
    text: str,
    language: str,
    sentences: Sequence[str],
    vector: Sequence[float] | None,
    listed: Safety,
    policy: Policy,
    vectors: Vectors | None = None,
    distressed: bool = False,
    tokens: TokenVectors | None = None,
) -> Needed:
    """`listed`: what the rules heard. `vectors`: of single sentences, where they were made. `distressed`: a listed word
    of distress stands in it; that is care, unless the whole reads far from it ("the train is a hard one to catch").
    `tokens`: of the text, where the embedder has any to show.
    """
    table = policy.listen
    words = table.languages.get(language)
    scores = table.need_scores
    if words is None or not scores:
        return Needed((Need.CRISIS if listed.crisis else Need.CARE if listed.concern or distressed else Need.NONE), ())
    shapes = _shapes(words)
    parts = tuple(sentences) or (text,)
    if said := next((s for s in parts if _plainly(shapes, "certain", s, shapes_not="unsaid")), None):
        return Needed(Need.CRISIS, (Reason("listen.need.plain_crisis", said[:80]),))
    if _plainly(shapes, "emergency", text, shapes_not="unreal"):
        return Needed(Need.CRISIS, (Reason("listen.need.emergency", text[:80]),))
    if _plainly(shapes, "weary", text):
        # Said alone it may be a job or a life: it is met with care, and is danger soon after a crisis.
        return Needed(Need.CARE, (Reason(HINTED, text[:80]),))
    if _wearied(text, shapes, scores, words.marks):
        return Needed(Need.CARE, (Reason(HINTED, text[:80]),))
    rules = [r.rule for r in listed.reasons if r.rule.startswith(_RULE) and r.rule != _FELT]
    ruled = listed.crisis and bool(rules)
    felt = listed.crisis and not ruled
    harmless = _plainly(shapes, "harmless", text)
    felt_by = _Felt(vector, vectors or {}, gists(text, parts, tokens) if vector is not None else {})
    heard = _odds(text, parts, felt_by, scores, words.marks)
    if harmless and (rest := tuple(p for p in parts if not _plainly(shapes, "harmless", p))):
        # One harmless sentence does not silence the others.
        harmless, heard = False, _odds_of(rest, felt_by, scores, words.marks)
    marks = words.marks
    dangerous = ruled or heard.crisis >= marks.crisis_near
    if dangerous and _plainly(shapes, "another", text):
        # Somebody else's danger asks for care; where it happens now, for help.
        if not _plainly(shapes, "present", text):
            return Needed(Need.CARE, (Reason("listen.need.another"),))
        if not _plainly(shapes, "past", text):
            return Needed(Need.CRISIS, (Reason("listen.need.another_now"),))
    if ruled and not _overruled(heard, shapes, text, marks, vector is not None):
        return Needed(Need.CRISIS, ())
    pointed = ruled or _plainly(shapes, "pointing", text)
    hinted = not harmless and _plainly(shapes, "hinting", text, shapes_not="lowering")
    suffered = next((s for s in parts if _plainly(shapes, "suffered", s, shapes_not="fine")), None)
    pained = heard.care >= marks.pained and not any(_plainly(shapes, name, text) for name in _EXPLAINED)
    bar = _bar(marks, near=felt or ruled, pointed=pointed, pained=pained)
    if suffered is not None and not hinted:
        # What is plainly grave news is no danger by a score alone, unless that is sure.
        bar = max(bar, marks.crisis_suffered)
    if not harmless and heard.crisis >= bar and heard.care >= marks.crisis_care:
        return Needed(Need.CRISIS, (Reason("listen.need.crisis", f"{heard.crisis:.2f}"),))
    if hinted and heard.crisis >= marks.crisis_hinted:
        return Needed(Need.CRISIS, (Reason("listen.need.hinted_crisis", f"{heard.crisis:.2f}"),))
    if suffered is not None:
        return Needed(Need.CARE, (Reason(SUFFERED, suffered[:80]),))
    if not harmless and heard.care >= (marks.care_near if listed.concern or listed.crisis else marks.care):
        return Needed(Need.CARE, (Reason(CARE, f"{heard.care:.2f}"),), round(heard.care, 2))
    if hinted and heard.crisis >= marks.hinted:
        return Needed(Need.CARE, (Reason(HINTED, f"{heard.crisis:.2f}"),))
    if not harmless and _may_be_danger(heard, marks, listed=listed.crisis):
        return Needed(Need.CARE, (Reason(DANGER, f"{heard.crisis:.2f}"),))
    if distressed and not harmless and (vector is None or heard.care >= marks.distressed):
        return Needed(Need.CARE, (Reason("listen.need.distress", f"{heard.care:.2f}"),))
    return Needed(Need.NONE, ((Reason(OVERRULED),) if listed.crisis else ()))


def _wearied(text: str, shapes: _Shapes, scores: Mapping[str, Scorer], marks: NeedMarks) -> bool:
    """ "I can't do this anymore", and beside it only what wears one out: nothing that points to danger or reads so."""
    rest = text
    for weary in shapes["wearied"]:
        rest = weary.sub(" ", rest)
    if rest == text or any(_plainly(shapes, name, rest) for name in _UNWEARY):
        return False
    return odds(scores[_CRISIS], words_of(rest), None) < marks.wearied


def grave(said: Passage, language: str, policy: Policy) -> bool:
    """Told in plain words: danger, harm done to the speaker, or grave news."""
    words = policy.listen.languages.get(language)
    if words is None:
        return False
    shapes = _shapes(words)
    return _plainly(shapes, "emergency", said.text, shapes_not="unreal") or any(
        _plainly(shapes, "certain", s, shapes_not="unsaid") or _plainly(shapes, "suffered", s, shapes_not="fine")
        for s in said.sentences or (said.text,)
    )


def harmless(text: str, language: str, policy: Policy) -> bool:
    """Its words say plainly that it only sounds like pain, or that it is over, told of a film, or a game."""
    words = policy.listen.languages.get(language)
    return words is not None and any(_plainly(_shapes(words), name, text) for name in _NO_HARDSHIP)


def danger_odds(message: Utterance, policy: Policy) -> float:
    """How far a message reads of danger, as log-odds, whatever else is in it; where nothing can tell, not at all."""
    words, scores = policy.listen.languages.get(message.language), policy.listen.need_scores
    if words is None or not scores or message.vector is None:
        return _UNHEARD
    parts = tuple(s.text for s in message.sentences) or (message.text,)
    felt = _Felt(message.vector, {}, gists(message.text, parts, message.tokens))
    return _odds(message.text, parts, felt, scores, words.marks).crisis


def after_crisis(
    heard: Signals, policy: Policy | None = None, danger: float = _UNHEARD, *, eased: bool = False
) -> Signals:
    """A message soon after a crisis is met with care, whatever is said in it (ruling S1).

    What may be danger, and by itself would be met with care only, is danger so soon; so is an answer that nothing is
    better: "no, I'm not safe". `danger`: the odds of it; so soon, far less of it tells. `eased`: somebody has come, or
    the means were put away; who says so is believed.
    """
    words = policy.listen.languages.get(heard.language) if policy else None
    unsafe = words is not None and _plainly(_shapes(words), "unsafe", heard.norm)
    own = heard.need_reasons if heard.need is not Need.NONE else ()
    own = (*own, Reason(UNSAFE, heard.norm[:80])) if unsafe else own
    if words is not None and danger >= words.marks.after_crisis:
        own = (*own, Reason(DANGER, f"{danger:.2f}"))
    why = (*own, Reason(AFTER_CRISIS))
    if eased or not any(r.rule in (DANGER, HINTED, UNSAFE) for r in own):
        return replace(heard, need=Need.CARE, need_reasons=why)
    safety = Safety(SafetyClass.SELF_HARM, True, (*heard.safety.reasons, *own), True)
    return replace(heard, need=Need.CRISIS, need_reasons=why, safety=safety)


def _bar(marks: NeedMarks, *, near: bool, pointed: bool, pained: bool) -> float:
    """From where a score makes a crisis: surer where no word points to danger, less so beside great pain.

    Fear says by itself what it is about (needles, a flight, Monday), and so does a hardship told in so many words: such
    pain lowers nothing.
    """
    if not pointed:
        return min(marks.crisis_pained, marks.crisis_unpointed) if pained else marks.crisis_unpointed
    return marks.crisis_near if near else marks.crisis


def _may_be_danger(heard: _Odds, marks: NeedMarks, *, listed: bool) -> bool:
    """By the score of danger alone, by pain and danger together, or beside a listed phrase that was overruled."""
    bar = min(marks.care_danger, marks.overruled_care) if listed else marks.care_danger
    return heard.crisis >= bar or heard.care + marks.danger_share * heard.crisis >= marks.summed


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
    felt: _Felt,
    scores: Mapping[str, Scorer],
    marks: NeedMarks,
) -> _Odds:
    """One long message is not one average: each sentence is heard too, a bar higher."""
    whole = words_of(text)
    best = {name: odds(scores[name], whole, felt.vector, felt.gists.get(text)) for name in (_CARE, _CRISIS)}
    if felt.vector is None:
        best = {name: best[name] - marks.alone for name in best}
    if len(parts) > 1:
        each = _odds_of(parts, felt, scores, marks)
        return _Odds(max(best[_CARE], each.care), max(best[_CRISIS], each.crisis))
    return _Odds(best[_CARE], best[_CRISIS])


def _odds_of(parts: Sequence[str], felt: _Felt, scores: Mapping[str, Scorer], marks: NeedMarks) -> _Odds:
    """The highest of any of these sentences."""
    best = {_CARE: _UNHEARD, _CRISIS: _UNHEARD}
    for part in parts[: marks.sentences_most]:
        said = words_of(part)
        if len(said) < marks.sentence_words:
            continue
        own = felt.vectors.get(part)
        bar = marks.sentence if own is not None else marks.sentence_alone
        for name in best:
            best[name] = max(best[name], odds(scores[name], said, own, felt.gists.get(part)) - bar)
    return _Odds(best[_CARE], best[_CRISIS])


_Shapes = PatternGroups


@lru_cache(maxsize=8)
def _shapes(words: NeedWords) -> _Shapes:
    rows = {"certain": words.certain, "lowering": words.lowering, "harmless": words.harmless}
    rows |= {"suffered": words.suffered, "fine": words.fine, "present": words.present, "pointing": words.pointing}
    rows |= {"hinting": words.hinting, "weary": words.weary, "wearied": words.wearied}
    rows |= {"parting": words.parting, "unsafe": words.unsafe, "afraid": words.afraid, "behind": words.behind}
    # A film in the same sentence does not take back what is said of oneself.
    rows["unsaid"] = {name: row for name, row in words.lowering.items() if name != "told"}
    rows["another"] = {name: row for name, row in words.lowering.items() if name == "another"}
    # What is said of a thing, or of a slice of bread, is no danger and no pain either.
    rows["harmless"] = {**words.harmless, **{n: r for n, r in words.lowering.items() if n in _OF_THINGS}}
    # A deed that may kill is no joke for being laughed at; in a film or long ago it is none.
    rows["hardship"] = words.hardship_plain
    rows |= {"emergency": words.emergency, "unreal": {n: r for n, r in words.lowering.items() if n in _UNREAL}}
    rows["past"] = {name: row for name, row in words.lowering.items() if name == "past"}
    return PatternGroups({name: tuple(s.pattern for s in row.values()) for name, row in rows.items()})


def _plainly(shapes: _Shapes, name: str, text: str, shapes_not: str = "") -> bool:
    return shapes.any(name, text) and not (shapes_not and shapes.any(shapes_not, text))
