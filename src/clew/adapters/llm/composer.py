"""The embedded writer: renders a ResponsePlan in the persona's voice, in English and Korean.

It knows nothing but the plan: no facts of the world, no weights, no clock. The same plan gives the
same words. It also stands in when a model fails.
"""

from __future__ import annotations

from dataclasses import dataclass

from clew.adapters.llm.measure import Measured, measured, opener, similarity
from clew.adapters.llm.phrases import Pools, fill, fits, gaps, pools
from clew.adapters.llm.voice import Dice, claims, dress, led, second_thought, situation
from clew.errors import ModelGarbage
from clew.model.persona import Humor, Length
from clew.model.plan import ResponsePlan
from clew.ports.llm import WriterAnswer, WriterRequest

_TRIES = 48
_REMEMBERED = 6
# A whole sentence is recognised for longer than a clause.
_LONG_REMEMBERED = 14
_WHOLE_WORDS = 8
_ALIKE = 0.5
# These begin well enough by themselves.
_SOCIAL = ("greeting", "how_are_you", "onboarding")
# Where a joke cannot land on a sore spot.
_JOKING = ("event_plain", "event_good", "like", "dislike", "laugh", "amused", "agreement")
_UNLED = (*_SOCIAL, "farewell", "luck", "thanks", "apology", "about_you", "info", "narrow")


class Composer:
    """A writer without a model."""

    @property
    def name(self) -> str:
        return "composer"

    def write(self, request: WriterRequest) -> WriterAnswer:
        if request.purpose not in ("reply", "rewrite") or request.plan is None:
            raise ModelGarbage(f"the composer writes replies from a plan; it cannot {request.purpose}")
        said = tuple(m.content for m in request.messages if m.role == "assistant")
        return WriterAnswer(compose(request.plan, said, lean=request.purpose == "rewrite"), self.name)


@dataclass(frozen=True, slots=True)
class _Draft:
    text: str
    pieces: tuple[str, ...]


def compose(plan: ResponsePlan, said: tuple[str, ...] = (), *, lean: bool = False) -> str:
    """Tries its phrases in an order of this plan's own until one reply fits every limit it knows."""
    words = pools(plan.language)
    best: tuple[int, str] | None = None
    for attempt in range(_TRIES):
        dice = Dice(plan.variation, attempt + (_TRIES if lean else 0))
        draft = _write(plan, words, dice, lean)
        cost = _cost(draft, plan, said)
        if cost == 0:
            return draft.text
        if best is None or cost < best[0]:
            best = (cost, draft.text)
    assert best is not None
    return best[1]


def _write(plan: ResponsePlan, words: Pools, dice: Dice, lean: bool) -> _Draft:
    if plan.crisis:
        return _crisis(plan, words, dice)
    kind, mood = situation(plan)
    if plan.recall:
        kind, mood = ("recall" if claims(plan, words, dice) else "recall_none"), "plain"
        sentences = _recalled(plan, words, dice)
    else:
        sentences = [_first(plan, words, dice, kind, lean)]
        if plan.boundary:
            sentences.insert(0, dice.pick(words.of("heads", "boundary"), "boundary"))
    pieces = list(sentences)
    length = plan.constraints.length
    tail_kind = "social" if kind in _SOCIAL else mood
    asks = plan.followup_question is not None and not plan.narrow and not plan.recall
    extra = _second(plan, words, dice, kind, lean)
    if length is Length.SHORT:
        brief = lean or plan.narrow or (asks and dice.roll(2, "brief"))
        if not brief or plan.boundary:
            sentences += extra[:1]
            pieces += extra[:1]
    else:
        tails = dice.some(words.of("tails", kind, tail_kind, "plain"), 2, "tail")
        # Korean counts syllables, so its longest sentences need one more clause.
        grown = tails if length is Length.LONG and plan.language == "ko" else tails[:1]
        sentences[-1] = ", ".join([sentences[-1], *grown])
        whole = words.of(length.value, kind, tail_kind, "plain")
        wanted = 1 if length is Length.MEDIUM else 2
        if plan.callback and not lean and extra:
            sentences.append(f"{extra[0]}, {tails[-1]}" if len(grown) < len(tails) else extra[0])
            pieces.append(extra[0])
            wanted -= 1
        rest = dice.some(whole, wanted, "whole")
        if rest and not lean:
            rest[0] = second_thought(rest[0], plan, words, dice)
        sentences += rest
        pieces += [*tails, *rest]
    if asks:
        question = _question(plan, words, dice, kind, mood)
        if length is Length.LONG and plan.language == "ko":
            # Alone it would be too short a sentence for the longest Korean voice.
            question = f"{sentences.pop().rstrip('.')}, {question}"
        sentences.append(question)
    most = plan.constraints.sentences[1]
    if len(sentences) > most:
        # The question, if one is planned, is kept: it was asked for.
        sentences = [*sentences[: most - 1], sentences[-1]]
    return _Draft(dress(sentences, plan, words, dice, mood), tuple(pieces))


def _crisis(plan: ResponsePlan, words: Pools, dice: Dice) -> _Draft:
    head = fill(dice.pick(words.of("heads", "crisis"), "head"), {})
    body = dice.pick(words.of("bodies", "crisis"), "body")
    ask = dice.pick(words.of("questions", "crisis"), "ask")
    return _Draft(f"{head}. {ask} {body}.", (head, body))


def _values(plan: ResponsePlan, dice: Dice, kind: str) -> dict[str, str]:
    named = kind in ("greeting", "farewell", "onboarding", "thanks", "luck") and dice.roll(2, "name")
    name = plan.preferred_name or ""
    return {
        "thing": plan.focus.thing,
        "feeling": plan.focus.feeling or "",
        "name": name if named or kind == "onboarding" else "",
    }


def _first(plan: ResponsePlan, words: Pools, dice: Dice, kind: str, lean: bool) -> str:
    pool = words.of("heads", kind, "statement")
    if kind == "feeling_bad" and plan.pipeline.value == "EMOTIONAL_SUPPORT":
        pool = (*pool, *words.of("heads", "support"))
    thing, feeling = plan.focus.thing, plan.focus.feeling or ""
    usable = tuple(t for t in pool if fits(t, thing, feeling))
    telling = tuple(t for t in usable if any(g.lower().startswith(("thing", "feeling")) for g in gaps(t)))
    # Taking up what was said beats a stock phrase, most of the time.
    chosen = telling if telling and not dice.roll(4, "stock") else usable
    head = fill(dice.pick(chosen or pool, "head"), _values(plan, dice, kind))
    return head if lean or kind in _UNLED else led(head, plan, words, dice)


def _second(plan: ResponsePlan, words: Pools, dice: Dice, kind: str, lean: bool) -> list[str]:
    """What may follow the first sentence, best first."""
    out: list[str] = []
    if not lean and plan.callback and not plan.recall:
        told = claims(plan, words, dice, only=plan.callback)
        if told:
            out.append(fill(dice.pick(words.of("memory", "weave"), "weave"), {"claim": told[0]}))
    joke = plan.humor is not Humor.NONE and not plan.focus.negative and dice.roll(2, "joke")
    if joke and not lean and kind in _JOKING:
        out.append(dice.pick(words.of("jokes", plan.humor.value), "joke"))
    body = dice.pick(words.of("bodies", kind, plan.emotional_tone), "body")
    out.append(body if lean else second_thought(body, plan, words, dice))
    return out


def _recalled(plan: ResponsePlan, words: Pools, dice: Dice) -> list[str]:
    told = claims(plan, words, dice)
    if not told:
        none = dice.pick(words.of("memory", "recall_none"), "none")
        return [none, dice.pick(words.of("memory", "recall_none_after"), "after")]
    first = fill(dice.pick(words.of("memory", "recall"), "recall"), {"claim": told[0]})
    if len(told) == 1:
        return [first]
    more = fill(dice.pick(words.of("memory", "recall_more"), "more"), {"claim": told[1]})
    return [f"{first}, {more[:1].lower() + more[1:]}"]


def _question(plan: ResponsePlan, words: Pools, dice: Dice, kind: str, mood: str) -> str:
    pool: tuple[str, ...] = words.of("questions", kind, mood)
    if kind.startswith(("event", "question", "statement")) and mood != "bad":
        pool = (*words.of("questions", "thing"), *pool)
    if kind.startswith("feeling") or mood == "bad":
        pool = words.of("questions", mood)
    usable = tuple(t for t in pool if fits(t, plan.focus.thing, "")) or words.of("questions", "plain")
    text = fill(dice.pick(usable, "question"), {"thing": plan.focus.thing})
    if plan.constraints.length is Length.SHORT:
        return text
    leads = "leads_social" if kind in (*_SOCIAL, "about_you") else "leads"
    lead = dice.pick(words.of("questions", leads), "lead")
    lowered = text if text.startswith("I ") else text[:1].lower() + text[1:]
    return lead[:1].upper() + lead[1:] + lowered


def _cost(draft: _Draft, plan: ResponsePlan, said: tuple[str, ...]) -> int:
    """How badly a draft misses: bands, then openers, then phrases used a moment ago."""
    found: Measured = measured(draft.text)
    low, high = plan.constraints.sentences
    few, many = plan.constraints.words_per_sentence
    cost = 0 if plan.crisis else 40 * (not low <= found.sentences <= high)
    if not plan.crisis and not few * found.sentences <= found.words <= many * found.sentences:
        cost += 20
    start = opener(draft.text)
    if start in plan.avoid_openers:
        cost += 60
    begun = " ".join(start.split()[:3])
    cost += 4 * sum(1 for o in plan.avoid_openers[-8:] if o.startswith(begun))
    for earlier in said[-20:]:
        if similarity(draft.text, earlier) >= _ALIKE:
            cost += 30
    lately = " ".join(said[-_REMEMBERED:]).lower()
    before = " ".join(said[-_LONG_REMEMBERED:]).lower()
    bare = [p.rstrip(".!?").lower() for p in draft.pieces]
    cost += 3 * sum(1 for p in bare if p in lately)
    return cost + 2 * sum(1 for p in bare if p.count(" ") > _WHOLE_WORDS and p in before)
