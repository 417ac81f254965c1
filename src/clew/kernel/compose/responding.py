"""What is said to a message that tells something, from pain to words that fit anything."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from clew.frozen import dataclass
from clew.kernel.care.support import after_pain
from clew.kernel.compose.acknowledging import acknowledged, plainly_told
from clew.kernel.compose.amid import (
    amid_grave_news,
    answers_us,
    guessed_from_talk,
    hurt_lately,
    only_tells,
    taken_up,
)
from clew.kernel.compose.caring import cares_for, faint_care, told_pain, trouble_in
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.deeds import FIRST, LAST, to_deed
from clew.kernel.compose.everyday import (
    ASK,
    GLAD,
    HARD,
    IRK,
    mood_of,
    relieved,
    situation_of,
    surely_told,
    to_everyday,
    to_topic,
    told_by_words,
)
from clew.kernel.compose.fitting import fittest, listening
from clew.kernel.compose.frames import only_a_thing, to_happening
from clew.kernel.compose.hardships import amid_hardship, to_hardship
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.occasions import (
    BESIDE,
    CARE,
    TELL,
    US,
    by_cue,
    exults,
    goes_on,
    leaning,
    met,
    occasion_of,
    states_fact,
    surely,
    takes_up,
    to_occasion,
)
from clew.kernel.compose.odd_forms import odd_form
from clew.kernel.compose.outcomes import tells_outcome, was_asked
from clew.kernel.compose.plain import laughs, of_any_kind
from clew.kernel.compose.scenes import scene_of, touches
from clew.kernel.compose.stories import story_mood
from clew.kernel.compose.wants import wants_answer, wants_done
from clew.kernel.correct.commands import is_explicit
from clew.model.memory import SELF
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_ASKED = re.compile("[?？]")
# Odd in form, and yet they may tell something.
# What is kept of good news does not stand before it.
_IN_PASSING = ("event", "note")
_TELLING = ("poem", "long", "code")


@dataclass(frozen=True, slots=True)
class Response:
    """free: a mere reaction, for which another may fit better; sure: only one that fits far better, for the words tell
    this plainly; firm: by the shape of a fact, the key words of a situation or a deed of the first rank. loops: what a
    day held may be asked for behind it.
    """

    text: str
    free: bool = False
    sure: bool = False
    firm: bool = False
    loops: bool = False


def to_what_was_said(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """As the rules choose; where that is a mere reaction, what fits best of all that could be said."""
    chosen = by_rules(plan, words, choice, policy)
    said = chosen.text
    if chosen.free and not _asks(plan, words, policy):
        said = fittest(said, plan, words, choice, policy, sure=chosen.sure, firm=chosen.firm)
    return with_loop(said, plan, words, choice) if chosen.loops else said


def by_rules(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> Response:
    """Pain first, then what was done, the situation, the occasion, the fact; words that fit anything come last."""
    cares = cares_for(plan, words, policy)
    if was_asked(plan, words) and tells_outcome(plan, words, policy) and not cares:
        mood = "_bad" if plan.focus.negative else "_good" if plan.focus.positive else ""
        return Response(choice.pick(words.plain[f"outcome{mood}"], "outcome"))
    thing = bool(words.thing_died) and bool(re.search(words.thing_died, tidied(plan.user_text, words), re.I))
    thing = thing or only_a_thing(plan, words, policy)
    if cares and not thing and (said := to_hardship(plan, choice, policy)):
        return Response(said)
    if said := amid_hardship(plan, words, choice, policy, cares=cares):
        return Response(said)
    pain = told_pain(plan, policy) if cares and not thing else None
    if pain is not None:
        asked = choice.pick(pain.asks, "pain_asks") if choice.ask else ""
        return Response(f"{choice.pick(pain.heard, 'pain')} {asked}".strip())
    said_now = {"told": bool(plan.told), "glad": plan.focus.positive}
    later = None if plan.utterance is None else after_pain(plan.utterance, **said_now, policy=policy)
    light = later is not None and later is policy.care.languages[plan.language].later.get("care")
    danger = later is not None and not light
    light = light and not cares
    weighs = _weighs_more(plan, policy)
    lost = bool(policy.compose.grave_scene) and touches(policy.compose.grave_scene, plan, words)
    asks_us = policy.occasions.moods.get(occasion_of(plan, words, policy)) == ASK
    asks_us = asks_us and mood_of(situation_of(plan, words, policy), plan, policy) != ASK
    opens = later is None or (light and not re.search(later.pattern, plan.user_text, re.I))
    plain = opens and not lost and not asks_us
    # Who is so proud that they cried is met in that, whatever else stands in the sentence.
    glad = plain and not cares and not situation_of(plan, words, policy)
    glad = glad and (relieved(plan, policy) or exults(plan, words, policy))
    if glad and all(c.attribute in _IN_PASSING for c in plan.told):
        ranks = (to_deed(plan, words, choice, policy, rank=rank, hard=False) for rank in (FIRST, ""))
        if said := next(filter(None, ranks), "") or met(GLAD, plan, replace(choice, ask=False), policy):
            return Response(said, free=not exults(plan, words, policy))
    if plain and not cares and (said := taken_up(plan, words, choice, first=True)):
        return Response(said, free=not answers_us(plan, policy), sure=True)
    if plain and not cares and plan.told and _to_be_kept(plan, policy):
        return Response(choice.pick(words.told["remembered"], "remembered"))
    hard = leaning(plan, words, policy) == HARD
    # To pain that is only guessed, a question about what was told says more than words of comfort.
    faint = cares and faint_care(plan, policy)
    likely = trouble_in(plan, policy) >= policy.everyday.trouble_likely
    if plain and faint:
        ranks = (to_deed(plan, words, choice, policy, rank=rank, hard=likely) for rank in (FIRST, ""))
        if said := next(filter(None, ranks), ""):
            return Response(said, free=not likely)
    grave = any(c.attribute in policy.compose.grave for c in plan.told)
    if plain and faint and not likely and not grave and (said := listening(plan, words, choice, policy)):
        return Response(said)
    if plain and not cares and (said := to_deed(plan, words, choice, policy, rank=FIRST, hard=hard)):
        return Response(said, free=True, sure=True, firm=True, loops=True)
    if plain and not cares and not weighs:
        # A situation that is told by its words is the user's own, unless the words name another.
        of_others = told_by_words(plan, words, policy)
        if said := to_happening(plan, words, choice, policy, of_others=of_others):
            return Response(said, loops=True)
    if plain and not cares and (said := _to_deed(plan, words, choice, policy)):
        return Response(said, free=True, loops=True)
    beside_pain = light and not lost and not asks_us
    if beside_pain and (said := to_deed(plan, words, choice, policy, hard=True)):
        return Response(said)
    firm = told_by_words(plan, words, policy)
    sure = firm or surely_told(plan, words, policy)
    if plain and (sure or not faint) and (said := to_everyday(plan, words, choice, policy, cares=cares)):
        return Response(said, free=not cares, sure=sure, firm=firm, loops=not cares)
    if later is not None and (danger or not plan.focus.positive) and not (light and story_mood(plan, policy)):
        asked = choice.pick(later.asks, "later_asks") if choice.ask else ""
        return Response(f"{choice.pick(later.heard, 'later')} {asked}".strip())
    odd = odd_form(plan, policy)
    if odd and not (odd in _TELLING and plan.told):
        return Response(choice.pick(words.plain[odd], odd))
    if plain and not cares and (said := _to_laughter(plan, words, choice)):
        return Response(said, free=True)
    unread = occasion_of(plan, words, policy) in ("", TELL, *policy.occasions.unmarked)
    tells = plain and unread and not cares and not states_fact(plan, policy)
    if tells and (said := taken_up(plan, words, choice)):
        return Response(said, free=not answers_us(plan, policy), loops=True)
    if tells and (said := to_topic(plan, choice, policy)):
        return Response(said, free=True, loops=True)
    if tells and (said := to_deed(plan, words, choice, policy, rank=LAST, hard=hard)):
        return Response(said, free=True, loops=True)
    cued = by_cue(plan, words, policy)
    if not lost and (said := to_occasion(plan, words, choice, policy, cares=cares)):
        return Response(said, free=not cares, sure=cued, firm=cued, loops=not cares)
    told = acknowledged(plan, words, choice, policy, cares=cares)
    if told and (cares or lost or takes_up(told, plan, policy)):
        firm = plainly_told(plan, words, policy)
        greets = firm and any(c.attribute == "name" and c.subject == SELF for c in plan.told)
        free, sure = not (cares or lost or greets), states_fact(plan, policy)
        return Response(told, free=free, sure=sure, firm=firm, loops=not cares)
    asking = _act(plan, words)
    if cares:
        if faint and not likely:
            return Response(listening(plan, words, choice, policy))
        said = scene_of(plan, words, choice, policy, gentle=True) or met(CARE, plan, choice, policy)
        return Response(said or listening(plan, words, choice, policy))
    if asking is Act.REQUEST and wants_done(plan, policy):
        return Response(choice.pick(words.plain["request"], "request"))
    if asking is Act.QUESTION and plan.focus.negative and (felt := scene_of(plan, words, choice, policy, feels=True)):
        return Response(felt)
    asks = asking is Act.QUESTION or (plan.pipeline is Pipeline.INFO_QA and not words.asking)
    if asks and wants_answer(plan, policy):
        of_heart = amid_grave_news(plan) or (bool(words.heart) and bool(re.search(words.heart, plan.user_text, re.I)))
        return Response(choice.pick(words.plain["question_heart" if of_heart else "question"], "question"))
    asked_mark = not only_tells(plan) and bool(_ASKED.search(plan.user_text))
    return Response(_to_the_rest(plan, words, choice, policy), free=not asked_mark and not lost, loops=True)


def _asks(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """An answer of ours, that we have none, or a word about us, is no mere reaction."""
    marked = bool(_ASKED.search(plan.user_text)) and not only_tells(plan)
    return marked or policy.occasions.moods.get(occasion_of(plan, words, policy)) in (ASK, US)


def _to_be_kept(plan: ResponsePlan, policy: Policy) -> bool:
    """ "Remember that my hoodie is at Zara's": who asks for it wants to hear that it is kept."""
    return plan.utterance is not None and is_explicit(plan.utterance.wording, policy)


def _weighs_more(plan: ResponsePlan, policy: Policy) -> bool:
    """A fact was told that is acknowledged before what was done: an allergy, somebody's death."""
    table = policy.compose
    return any(
        c.attribute in (table.before_frames if c.subject == SELF else table.before_deeds_of_others) for c in plan.told
    )


def _to_deed(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """What was done in the user's own words, unless a fact, a situation or a mood is told that is surer than those."""
    table = policy.compose
    hard = leaning(plan, words, policy) == HARD
    of_others = table.before_deeds_of_others
    if any(c.attribute in (table.before_deeds if c.subject == SELF else of_others) for c in plan.told):
        return ""
    told = occasion_of(plan, words, policy)
    mood = policy.occasions.moods.get(told, told)
    if surely_told(plan, words, policy) or mood == GLAD:
        return ""
    trouble = told != mood and mood in (HARD, IRK) and surely(told, plan, words, policy)
    return "" if trouble else to_deed(plan, words, choice, policy, hard=hard)


def _to_laughter(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """Who laughs about a thing is not pitied for it."""
    amused = laughs(plan, words) and not plan.focus.negative and only_tells(plan)
    amused = amused and not any(c.subject == SELF for c in plan.told)
    return choice.fresh(words.plain["laugh"], "laugh") if amused else ""


def _to_the_rest(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """What is no situation, no fact and no question: by its own words where they are few, else by its mood."""
    if not only_tells(plan) and _ASKED.search(plan.user_text):
        return choice.pick(words.plain["question"], "question")
    beside = guessed_from_talk(plan) or (hurt_lately(plan) and not plan.focus.positive)
    if beside and (said := met(BESIDE, plan, replace(choice, ask=False), policy)):
        return said
    scene = "" if _of_others(plan, words) else scene_of(plan, words, choice, policy)
    wide = leaning(plan, words, policy) or TELL
    said = scene or (goes_on if plan.recent_replies and wide == TELL else partial(met, wide))(plan, choice, policy)
    return said or of_any_kind(plan, words, choice)


def _of_others(plan: ResponsePlan, words: ComposeWords) -> bool:
    """In the middle of a talk, what tells of somebody else is no scene of the user's life."""
    return bool(plan.recent_replies) and bool(words.speaker) and not re.search(words.speaker, plan.user_text, re.I)


def _act(plan: ResponsePlan, words: ComposeWords) -> Act:
    """What the last sentence does; a question must also look like one where the language has words for it."""
    said = plan.utterance.sentences if plan.utterance else ()
    act, text = said[-1].act if said else Act.STATEMENT, tidied(plan.user_text, words)
    if act is Act.QUESTION and words.asking and not re.search(words.asking, text, re.I):
        return Act.STATEMENT
    if act is Act.REQUEST and words.wishing and not re.search(words.wishing, plan.user_text):
        return Act.STATEMENT
    if act is Act.STATEMENT and not plan.told and said and said[0].act is Act.QUESTION and "?" in said[0].text:
        return Act.QUESTION
    return act


def with_loop(said: str, plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """What a day held is asked for once that day has passed: at a greeting, or behind a light reply."""
    if not plan.loop or not words.loops or not plan.questions or plan.focus.negative:
        return said
    opened = said.partition("?")[0] if "?" not in said else said.split(". ")[0].rstrip(".") + "."
    first = opened if "?" not in opened else ""
    return f"{first} {choice.pick(words.loops, 'loop', {'loop': plan.loop})}".strip()
