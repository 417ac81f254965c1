"""The embedded writer: renders a ResponsePlan in the persona's voice, in English and Korean.

It knows nothing but the plan: no facts of the world, no weights, no clock. The same plan gives the
same words. It also stands in when a model fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.adapters.llm.measure import Measured, measured, opener, sentences, similarity
from clew.adapters.llm.phrases import Pools, connected, fill, gaps, is_question, pools, stem
from clew.adapters.llm.stock import Stock
from clew.adapters.llm.voice import Dice, claims, dress, led, lowered, second_thought, situation
from clew.errors import ModelGarbage
from clew.model.persona import Humor, Length
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.ports.llm import WriterAnswer, WriterRequest

_TRIES = 32
_ALIKE = 0.5
_GOOD = 2
# These begin well enough by themselves.
_SOCIAL = ("greeting", "how_are_you", "onboarding")
# Where a joke cannot land on a sore spot.
_JOKING = (
    "event_plain",
    "event_good",
    "like",
    "dislike",
    "laugh",
    "amused",
    "praise",
    "success",
)
_TAKES_UP = ("event_plain", "statement", "short")
# Short voices leave out the body beside a question; these are nothing without it.
_TELLS = ("story", "joke")
_LINKS = ("so ", "but ", "because ", "and ", "though ")


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
    again: int = 0


def compose(plan: ResponsePlan, said: tuple[str, ...] = (), *, lean: bool = False) -> str:
    """Tries its phrases in an order of this plan's own until one reply fits every limit it knows."""
    words = pools(plan.language)
    heard = plan.recent_replies or said
    heard = heard if not said or said[-1] in heard else (*heard, *said[-1:])
    best: tuple[int, str] | None = None
    for attempt in range(_TRIES):
        dice = Dice(plan.variation, attempt + (_TRIES if lean else 0))
        draft = _write(plan, words, dice, lean, heard)
        cost = _cost(draft, plan, heard)
        if cost <= _GOOD:
            return draft.text
        if best is None or cost < best[0]:
            best = (cost, draft.text)
    assert best is not None
    return best[1]


def _write(plan: ResponsePlan, words: Pools, dice: Dice, lean: bool, said: Sequence[str]) -> _Draft:
    if plan.crisis:
        return _crisis(words, dice)
    kind, mood = situation(plan, words)
    if plan.recall:
        kind, mood = ("recall" if claims(plan, words, dice) else "recall_none"), "plain"
    stock = Stock(plan, words, dice, kind, said)
    question = ""
    if plan.followup_question is not None and not plan.narrow and not plan.recall:
        question = _question(plan, stock, kind, mood)
    if kind in _TELLS and plan.constraints.length is Length.SHORT:
        question = ""
    opening = _opening(plan, stock, kind, mood, lean)
    beats = _beats(plan, stock, kind, mood, lean)
    if plan.constraints.length is Length.LONG:
        packed = _at_length(plan, stock, kind, mood, opening, beats, question)
    else:
        packed = _packed(plan, dice, opening, beats, question, lean)
    text = dress(packed, plan, words, dice, mood)
    again = sum(1 for t in (*stock.taken, *opening) if stock.age(t) is not None)
    return _Draft(text, tuple(stock.taken), again)


def _crisis(words: Pools, dice: Dice) -> _Draft:
    head = fill(dice.pick(words.of("heads", "crisis"), "head"), {})
    body = dice.pick(words.of("bodies", "crisis"), "body")
    ask = dice.pick(words.of("questions", "crisis"), "ask")
    return _Draft(f"{head}. {ask} {body}.", (head, body))


def _opening(plan: ResponsePlan, stock: Stock, kind: str, mood: str, lean: bool) -> list[str]:
    """What is said in any case: a boundary, the taking up, the memory that is due."""
    words, dice = stock.words, stock.dice
    if plan.recall:
        return _recalled(plan, stock)
    out = [stock.pick(words.of("heads", "boundary"), "boundary", must=True)] if plan.boundary else []
    if plan.pipeline is Pipeline.ONBOARDING_CHAT and kind != "onboarding":
        out.append(stock.pick(words.of("heads", "onboarding"), "hello", must=True))
    if kind in words.of("moods", "asked") and not is_question(plan.focus.echo) and not lean:
        felt = "bad" if plan.focus.negative else "good" if plan.focus.positive else "plain"
        out.append(stock.pick(words.of("heads", f"echo_{felt}"), "beside"))
    head = _head(plan, stock, kind, mood)
    out.append(head if lean or kind not in _TAKES_UP else led(head, plan, words, dice))
    if plan.callback and not lean:
        told = claims(plan, words, dice, only=plan.callback)
        if told:
            out.append(fill(dice.pick(words.of("memory", "weave"), "weave"), {"claim": told[0]}))
    return out


def _head(plan: ResponsePlan, stock: Stock, kind: str, mood: str) -> str:
    words, dice = stock.words, stock.dice
    pool = words.of("heads", kind, "statement")
    if kind == "feeling_bad" and plan.pipeline.value == "EMOTIONAL_SUPPORT":
        pool = (*pool, *words.of("heads", "support"))
    told_back = words.of("heads", f"echo_{'amused' if kind == 'amused' else mood}")
    always, some = kind in words.of("moods", "echoes"), kind in words.of("moods", "echoes_some")
    if (always or (some and dice.roll(2, "echo"))) and (told := stock.pick(told_back, "echo")):
        return told
    # Taking up what was said beats a stock phrase, most of the time.
    telling = tuple(t for t in pool if any(stem(g) != "name" for g in gaps(t)))
    if not dice.roll(5, "stock") and (told := stock.pick(telling, "told")):
        return told
    if kind in _TAKES_UP and (seen := stock.scenic(mood, "head")):
        return seen
    general = tuple(t for t in pool if t not in telling)
    return (
        stock.pick(general, "head")
        or stock.pick(telling, "told")
        or stock.pick(words.of("heads", f"event_{mood}"), "other")
        or stock.pick(general or words.of("heads", "statement"), "again", must=True)
    )


def _beats(plan: ResponsePlan, stock: Stock, kind: str, mood: str, lean: bool) -> Iterator[str]:
    """What may follow, best first: what the message touches, what its act calls for, then company."""
    words, dice = stock.words, stock.dice
    own = words.of("bodies", "statement" if kind == "event_plain" and not stock.past else kind)
    joke = plan.humor is not Humor.NONE and not plan.focus.negative and dice.roll(2, "joke")
    aside = not lean and plan.constraints.length is Length.SHORT
    for seen in (True, False) if dice.roll(2, "order") else (False, True):
        said = stock.scenic(mood, "one") if seen else stock.pick(own, "own")
        yield second_thought(said, plan, words, dice) if said and aside else said
    yield stock.pick(own, "own1")
    if joke and not lean and kind in _JOKING:
        yield stock.pick(words.of("jokes", plan.humor.value), "joke")
    yield stock.scenic(mood, "two")
    for turn in range(3):
        yield stock.pick(own, f"own{turn + 2}")
    tail = "social" if kind in _SOCIAL else mood
    company = "supportive" if mood == "bad" else "calm"
    for pool in (words.of("medium", kind), words.of("medium", tail), words.of("bodies", company)):
        for turn in range(4):
            yield stock.pick(pool, f"fill{turn}")
    for turn in range(8):
        yield stock.pick(words.of("medium", tail, "plain"), f"last{turn}", must=True)


def _recalled(plan: ResponsePlan, stock: Stock) -> list[str]:
    words, dice = stock.words, stock.dice
    told = claims(plan, words, dice)
    if not told:
        whole = any(re.search(cue, plan.user_text) for cue in words.of("memory", "all_cues"))
        row = "recall_none_all" if whole else "recall_none"
        none = stock.pick(words.of("memory", row), "none", must=True)
        return [none, stock.pick(words.of("memory", f"{row}_after"), "after", must=True)]
    first = fill(dice.pick(words.of("memory", "recall"), "recall"), {"claim": told[0]})
    if len(told) == 1:
        return [first]
    more = fill(dice.pick(words.of("memory", "recall_more"), "more"), {"claim": told[1]})
    return [f"{first}, {more[:1].lower() + more[1:]}"]


def _question(plan: ResponsePlan, stock: Stock, kind: str, mood: str) -> str:
    words, dice = stock.words, stock.dice
    own = words.of("questions", kind)
    seen = stock.scene.true_of("ask", plan.user_text) if stock.scene and kind not in _SOCIAL else ()
    seen = () if mood == "bad" else seen
    about = words.of("questions", "thing") if kind == "event_plain" and not plan.focus.echo else ()
    near = "mild" if mood == "bad" and kind not in words.of("moods", "deep") else mood
    pools_ = [own, seen] if dice.roll(2, "asked") else [seen, own]
    for at, pool in enumerate((about, *pools_, words.of("questions", near), words.of("questions", "plain"))):
        if text := stock.pick(pool, f"question{at}"):
            break
    else:
        return ""
    length = plan.constraints.length
    if length is Length.SHORT or (
        length is not Length.LONG and (plan.language == "ko" or dice.roll(3, "lead"))
    ):
        return text
    lead = dice.pick(words.of("questions", "leads_social" if kind in _SOCIAL else "leads"), "lead")
    return lead[:1].upper() + lead[1:] + lowered(text, plan)


def _packed(
    plan: ResponsePlan, dice: Dice, opening: list[str], beats: Iterator[str], question: str, lean: bool
) -> list[str]:
    """As many statements as the band asks for, and no more, joined into its number of sentences."""
    low = plan.constraints.sentences[0]
    few = plan.constraints.words_per_sentence[0]
    said = [s for s in opening if s]
    if plan.constraints.length is Length.SHORT:
        brief = lean or plan.narrow or bool(question) or len(said) > 1
        if not brief or (plan.boundary and len(said) < 2):
            said += [s for s in (next((b for b in beats if b), ""),) if s]
        return [*said, question][: plan.constraints.sentences[1]] if question else said
    rooms = max(1, low - (1 if question else 0))
    for beat in beats:
        tried = measured(". ".join([*said, question] if question else said) + ".")
        if len(said) >= rooms and tried.words >= few * low:
            break
        if beat:
            said.append(beat)
    # More sentences only where their average stays in the band.
    spoken = measured(". ".join([*said, question] if question else said) + ".").words
    rooms = max(rooms, min(len(said) // 2, spoken // few - bool(question)))
    packed = _joined(said, rooms, plan, dice)
    return [*packed, question] if question else packed


_ROOM = 8


def _at_length(
    plan: ResponsePlan,
    stock: Stock,
    kind: str,
    mood: str,
    opening: list[str],
    beats: Iterator[str],
    question: str,
) -> list[str]:
    """A long voice says few things in full: what was said, a thought on it, then room for more."""
    low, few = plan.constraints.sentences[0], plan.constraints.words_per_sentence[0]
    tail = "social" if kind in _SOCIAL else mood
    if mood == "bad" and kind not in stock.words.of("moods", "deep"):
        tail = "mild"
    told = (b for b in beats if b)
    first, *rest = [s for s in opening if s]
    for more in rest:
        first = _join(first, more, plan, stock.dice)
    said = [_grown(first, told, few + (0 if question else -2), plan, stock.dice)]
    closer = kind not in stock.words.of("moods", "thin") and stock.dice.roll(2, "closer")
    for turn in range(low - 1 - bool(question)):
        if closer and turn == 0:
            said.append(_grown(next(told), told, few, plan, stock.dice))
        else:
            said.append(stock.at_length(kind, tail, f"long{turn}"))
    said = [*said, question] if question else said
    if measured(". ".join(said) + ".").words < few * len(said):
        said[0] = _join(said[0], next(told), plan, stock.dice)
    return said


def _grown(text: str, more: Iterator[str], words: int, plan: ResponsePlan, dice: Dice) -> str:
    """Joined with its next neighbour, twice at most, until it is long enough."""
    for _ in range(2):
        if measured(text).words >= words:
            break
        text = _join(text, next(more), plan, dice)
    return text


def _joined(said: list[str], rooms: int, plan: ResponsePlan, dice: Dice) -> list[str]:
    """Neighbours share a sentence; the earlier sentences take the extra ones."""
    out: list[str] = []
    at = 0
    for room in range(rooms):
        size = -(-(len(said) - at) // (rooms - room))
        group, at = said[at : at + size], at + size
        text = group[0] if group else ""
        for more in group[1:]:
            text = _join(text, more, plan, dice)
        if text:
            out.append(text)
    return out


def _join(left: str, right: str, plan: ResponsePlan, dice: Dice) -> str:
    left, right = left.rstrip("."), right.rstrip(".")
    if plan.language == "ko":
        return f"{connected(left)} {right}"
    low = lowered(right, plan)
    if low.startswith(_LINKS):
        return f"{left}, {low}"
    plain = ", " not in left and ", " not in right
    return f"{left}, and {low}" if plain or " – " in left else f"{left} – {low}"


def _cost(draft: _Draft, plan: ResponsePlan, said: Sequence[str]) -> int:
    """How badly a draft misses: bands, then openers, then phrases used a moment ago."""
    found: Measured = measured(draft.text)
    low, high = plan.constraints.sentences
    few, many = plan.constraints.words_per_sentence
    cost = 0 if plan.crisis else 40 * (not low <= found.sentences <= high)
    if not plan.crisis and not few * found.sentences <= found.words <= many * found.sentences:
        cost += 20
    if plan.constraints.length is Length.LONG and not plan.crisis:
        # Long enough is enough.
        cost += max(0, found.words - few * low - _ROOM) // 2
    start = opener(draft.text)
    if start in plan.avoid_openers:
        cost += 60
    begun = " ".join(start.split()[:2])
    cost += 2 * sum(1 for o in plan.avoid_openers[-8:] if o.startswith(begun))
    for earlier in said[-20:]:
        if similarity(draft.text, earlier) >= _ALIKE:
            cost += 30
    heard = "\n".join(said).lower()
    cost += 25 * sum(1 for s in sentences(draft.text) if s.lower() in heard)
    return cost + 10 * draft.again
