"""The built-in writer: answers what can be answered, then shows in a few words that it was understood."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from clew.kernel.care.support import after_pain, pain_of
from clew.kernel.compose.acknowledging import acknowledged, scene_of, touches
from clew.kernel.compose.amid import guessed_from_talk, hurt_lately, only_tells, settled, taken_up
from clew.kernel.compose.answering import answer, asks_whole
from clew.kernel.compose.caring import cares_for, doubted_care, faint_care, to_danger
from clew.kernel.compose.choosing import Choice, fillable
from clew.kernel.compose.deeds import FIRST, LAST, to_deed
from clew.kernel.compose.everyday import (
    ASK,
    GLAD,
    HARD,
    IRK,
    mood_of,
    only_quoted,
    situation_of,
    surely_told,
    to_everyday,
    to_topic,
)
from clew.kernel.compose.moments import moment_of, thanked, tidied, worked_out
from clew.kernel.compose.naming import stranger_asked
from clew.kernel.compose.occasions import (
    BESIDE,
    TELL,
    as_occasion,
    goes_on,
    leaning,
    met,
    occasion_of,
    of_the_heart,
    states_fact,
    surely,
    takes_up,
    to_occasion,
    wants_answer,
    wants_done,
)
from clew.kernel.compose.odd_forms import odd_form
from clew.kernel.compose.outcomes import tells_outcome, was_asked
from clew.kernel.compose.plain import laughs, of_any_kind
from clew.kernel.compose.signs import with_sign
from clew.kernel.compose.stories import glad_story, story_mood
from clew.kernel.compose.suggesting import food
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import pack
from clew.kernel.text.passage import passage
from clew.model.memory import SELF
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Act, Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Moment

_ASKED = re.compile("[?？]")
_WORDY = re.compile(r"\w")
# Odd in form, and yet they may tell something.
_TELLING = ("poem", "long", "code")


def compose(plan: ResponsePlan, policy: Policy) -> str:
    """The reply in the plan's language; a language without words here gets one honest English sentence."""
    table = policy.compose.languages
    words = table.get(plan.language) or table[HOUSE]
    choice = choice_for(plan, policy)
    if plan.line:
        return with_sign(plan.line, plan, words, choice, policy)
    if plan.language not in table and _WORDY.search(plan.user_text):
        return choice.pick(words.plain["other_language"], "other")
    plan = _sobered(plan, words, policy)
    return with_sign(_reply(plan, words, choice, policy), plan, words, choice, policy)


def _sobered(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> ResponsePlan:
    """ "failed my exam lol" is no good news; "I cried a bit" amid good news is no bad one."""
    if plan.focus.negative and glad_story(plan, policy) and _light(plan):
        return replace(plan, focus=replace(plan.focus, negative=False))
    if plan.focus.negative and doubted_care(plan, policy):
        return replace(plan, focus=replace(plan.focus, negative=False))
    if not plan.focus.positive:
        return plan
    if words.setback and re.search(words.setback, tidied(plan.user_text, words), re.I):
        return replace(plan, focus=replace(plan.focus, positive=False, negative=True))
    # Who laughs is amused; that is no good news yet.
    if laughs(plan, words) and not touches("joy", plan, words):
        return replace(plan, focus=replace(plan.focus, positive=False))
    return plan


def _light(plan: ResponsePlan) -> bool:
    """No need of care was read, or only from the talk as a whole."""
    return plan.utterance is None or plan.utterance.need is Need.NONE or guessed_from_talk(plan)


def choice_for(plan: ResponsePlan, policy: Policy) -> Choice:
    language = plan.language if plan.language in policy.compose.languages else HOUSE
    last = plan.recent_replies[-1] if plan.recent_replies else ""
    asked = "?" in last or "？" in last
    choice = Choice(
        plan.variation,
        language,
        plan.said or plan.recent_replies,
        polite=_polite(plan, language),
        values={"name": plan.preferred_name or "", "me": plan.called or "Clew", "said": plan.user_text},
        settled=settled(plan, policy.compose.languages[language]),
    )
    limits = plan.constraints
    may = limits.followup_allowed or (not asked and not choice.roll(policy.compose.ask_every, "ask"))
    return replace(choice, ask=may and plan.questions, again_after=policy.compose.again_after)


def _polite(plan: ResponsePlan, language: str) -> bool:
    """As the user wants it, else as they write now, else as we wrote before."""
    spoken = pack(language)
    if plan.formal is not None or spoken is None:
        return bool(plan.formal)
    now = spoken.polite(plan.user_text)
    if now is not None:
        return now
    for said in reversed(plan.recent_replies):
        if (before := spoken.polite(said)) is not None:
            return before
    return False


def _reply(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    found = moment_of(plan, words)
    if plan.boundary and (found is None or found[0] != "insult"):
        return choice.pick(words.plain["boundary"], "boundary")
    if by_clock := worked_out(plan, words, choice):
        return by_clock
    if said := to_danger(found[0] if found else "", plan, words, choice, policy):
        return said
    if plan.repeated >= policy.compose.repeated_from:
        return choice.pick(words.plain["repeated"], "repeated")
    for_another = any(f.source == "memory" and f.subject != SELF for f in plan.findings)
    if idea := _idea(plan, words, choice, policy):
        return idea
    if found and found[0] == "food" and not for_another:
        return food(plan, words, choice, policy)
    own_matter = of_the_heart(plan, words, policy) or only_quoted(plan, words, policy)
    held = "" if own_matter else answer(plan, words, choice, policy)
    if found and found[0] == "else" and asks_whole(plan):
        return held
    # "누나 뭐 해?" is put like small talk, and asks for what is known of her.
    of_another = bool(held) and for_another and not asks_whole(plan)
    if found and found[0] in policy.compose.light and not of_another:
        name, row = found
        return _with_loop(_to_moment(name, row, plan, words, choice, policy), plan, words, choice)
    known = bool(held) and plan.findings[0].source != "none"
    if known and (of_another or plan.findings[0].named == 1 or found is None or found[1].whole):
        return held
    if found and not (found[1].whole and held and asks_whole(plan)):
        name, row = found
        lead = _lead(name, plan, words, choice, policy)
        said = as_occasion(name, plan, words, choice, policy)
        said = said or _to_moment(name, row, plan, words, choice, policy)
        return f"{lead} {said}" if lead else said
    if held:
        return held
    if not only_tells(plan) and (stranger := stranger_asked(plan, words, choice)):
        return stranger
    if plan.narrow:
        return choice.pick(words.plain["narrow"], "narrow")
    return _to_what_was_said(plan, words, choice, policy)


def _to_moment(
    name: str, row: Moment, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    """With the user's name where the row wants it; thanks before a goodbye are not passed over."""
    named = [way for way in row.replies if "{name" in way and fillable(way, choice.values)] if row.by_name else []
    said = choice.pick(named or row.replies, name)
    thanks = thanked(plan, words) if name in policy.compose.leaving else None
    return f"{choice.pick(thanks.replies, 'thanks')} {said}" if thanks is not None else said


def _idea(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A nudge for who asks what to watch, do or give, or may I ask: where nothing that is known answers it."""
    name = situation_of(plan, words, policy)
    known = any(f.source != "none" for f in plan.findings)
    idea = name in policy.everyday.ideas and mood_of(name, plan, policy) == ASK
    if known or not (idea or name in policy.everyday.asked):
        return ""
    return to_everyday(plan, words, choice, policy, cares=False)


def _to_what_was_said(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    cares = cares_for(plan, words, policy)
    if was_asked(plan, words) and tells_outcome(plan, words, policy) and not cares:
        mood = "_bad" if plan.focus.negative else "_good" if plan.focus.positive else ""
        return choice.pick(words.plain[f"outcome{mood}"], "outcome")
    thing = bool(words.thing_died) and bool(re.search(words.thing_died, tidied(plan.user_text, words), re.I))
    pain = pain_of(passage(plan.user_text, policy), plan.language, policy) if cares and not thing else None
    if pain is not None:
        asked = choice.pick(pain.asks, "pain_asks") if choice.ask else ""
        return f"{choice.pick(pain.heard, 'pain')} {asked}".strip()
    said_now = {"told": bool(plan.told), "glad": plan.focus.positive}
    later = None if plan.utterance is None else after_pain(plan.utterance, **said_now, policy=policy)
    light = later is not None and later is policy.care.languages[plan.language].later.get("care")
    danger = later is not None and not light
    light = light and not cares
    lost = bool(policy.compose.grave_scene) and touches(policy.compose.grave_scene, plan, words)
    lost = lost and situation_of(plan, words, policy) not in policy.everyday.lifeless
    asks_us = policy.occasions.moods.get(occasion_of(plan, words, policy)) == ASK
    asks_us = asks_us and mood_of(situation_of(plan, words, policy), plan, policy) != ASK
    opens = later is None or (light and not re.search(later.pattern, plan.user_text, re.I))
    plain = opens and not lost and not asks_us
    if plain and not cares and (said := taken_up(plan, words, choice, first=True)):
        return said
    # To pain that is only guessed, a question about what was told says more than words of comfort.
    if plain and cares and faint_care(plan, policy):
        ranks = (to_deed(plan, words, choice, policy, rank=rank, hard=True) for rank in (FIRST, ""))
        if said := next(filter(None, ranks), ""):
            return said
    if plain and not cares and (said := _to_deed(plan, words, choice, policy)):
        return _with_loop(said, plan, words, choice)
    beside_pain = light and not lost and not asks_us
    if beside_pain and (said := to_deed(plan, words, choice, policy, hard=True)):
        return said
    if plain and (said := to_everyday(plan, words, choice, policy, cares=cares)):
        return said if cares else _with_loop(said, plan, words, choice)
    if later is not None and (danger or not plan.focus.positive) and not (light and story_mood(plan, policy)):
        asked = choice.pick(later.asks, "later_asks") if choice.ask else ""
        return f"{choice.pick(later.heard, 'later')} {asked}".strip()
    odd = odd_form(plan, policy)
    if odd and not (odd in _TELLING and plan.told):
        return choice.pick(words.plain[odd], odd)
    if plain and not cares and (said := _to_laughter(plan, words, choice)):
        return said
    unread = occasion_of(plan, words, policy) in ("", TELL, *policy.occasions.unmarked)
    tells = plain and unread and not cares and not states_fact(plan, policy)
    if tells and (said := taken_up(plan, words, choice) or to_topic(plan, choice, policy)):
        return _with_loop(said, plan, words, choice)
    hard = leaning(plan, words, policy) == HARD
    if tells and (said := to_deed(plan, words, choice, policy, rank=LAST, hard=hard)):
        return _with_loop(said, plan, words, choice)
    if not lost and (said := to_occasion(plan, words, choice, policy, cares=cares)):
        return said if cares else _with_loop(said, plan, words, choice)
    told = acknowledged(plan, words, choice, policy, cares=cares)
    if told and (cares or takes_up(told, plan, policy)):
        return told if cares else _with_loop(told, plan, words, choice)
    asking = _act(plan, words)
    if cares:
        return scene_of(plan, words, choice, policy, gentle=True) or met("care", plan, choice, policy)
    if asking is Act.REQUEST and wants_done(plan, policy):
        return choice.pick(words.plain["request"], "request")
    if asking is Act.QUESTION and plan.focus.negative and (felt := scene_of(plan, words, choice, policy, feels=True)):
        return felt
    asks = asking is Act.QUESTION or (plan.pipeline is Pipeline.INFO_QA and not words.asking)
    if asks and wants_answer(plan, policy):
        of_heart = bool(words.heart) and bool(re.search(words.heart, plan.user_text, re.I))
        return choice.pick(words.plain["question_heart" if of_heart else "question"], "question")
    return _with_loop(_to_the_rest(plan, words, choice, policy), plan, words, choice)


def _to_deed(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """What was done in the user's own words, unless a fact, a situation or a mood is told that is surer than those."""
    table = policy.compose
    hard = leaning(plan, words, policy) == HARD
    if said := to_deed(plan, words, choice, policy, rank=FIRST, hard=hard):
        return said
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


def _lead(name: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Who tells of a hard day and asks for advice is heard first."""
    more = plan.utterance is not None and len(plan.utterance.sentences) > 1
    cares = plan.utterance is not None and plan.utterance.need is not Need.NONE
    if name not in policy.compose.after_scene or not more or not (cares or plan.focus.negative):
        return ""
    quiet = replace(choice, ask=False)
    said = scene_of(plan, words, quiet, policy, gentle=cares)
    return "" if "?" in said else said


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


def _with_loop(said: str, plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """What a day held is asked for once that day has passed: at a greeting, or behind a light reply."""
    if not plan.loop or not words.loops or not plan.questions or plan.focus.negative:
        return said
    opened = said.partition("?")[0] if "?" not in said else said.split(". ")[0].rstrip(".") + "."
    first = opened if "?" not in opened else ""
    return f"{first} {choice.pick(words.loops, 'loop', {'loop': plan.loop})}".strip()
