"""The built-in writer: answers what can be answered, then shows in a few words that it was understood."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from clew.kernel.care.support import after_danger, after_pain, pain_of
from clew.kernel.compose.acknowledging import acknowledged, scene_of, touches
from clew.kernel.compose.answering import answer, asks_whole
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import mood_of, only_quoted, situation_of, to_everyday
from clew.kernel.compose.moments import moment_of, tidied, worked_out
from clew.kernel.compose.naming import stranger_asked
from clew.kernel.compose.occasions import (
    ASK,
    HARD,
    TELL,
    as_occasion,
    goes_on,
    leaning,
    met,
    occasion_of,
    of_food,
    of_the_heart,
    story_mood,
    takes_up,
    to_occasion,
    wants_answer,
    wants_done,
)
from clew.kernel.compose.odd_forms import odd_form
from clew.kernel.compose.outcomes import tells_outcome, was_asked
from clew.kernel.compose.signs import with_sign
from clew.kernel.compose.suggesting import food
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import pack
from clew.kernel.read.need import CARE
from clew.kernel.read.together import TOGETHER
from clew.kernel.text.passage import passage
from clew.model.memory import SELF
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Act, Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords

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
    plan = _sobered(plan, words)
    return with_sign(_reply(plan, words, choice, policy), plan, words, choice, policy)


def _sobered(plan: ResponsePlan, words: ComposeWords) -> ResponsePlan:
    """ "failed my exam lol" is no good news."""
    if not plan.focus.positive:
        return plan
    if words.setback and re.search(words.setback, tidied(plan.user_text, words), re.I):
        return replace(plan, focus=replace(plan.focus, positive=False, negative=True))
    # Who laughs is amused; that is no good news yet.
    if _laughs(plan, words) and not touches("joy", plan, words):
        return replace(plan, focus=replace(plan.focus, positive=False))
    return plan


def _laughs(plan: ResponsePlan, words: ComposeWords) -> bool:
    return bool(words.laughs) and bool(re.search(words.laughs, tidied(plan.user_text, words), re.I))


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
    if said := _after_danger(found[0] if found else "", plan, words, choice, policy):
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
        return _with_loop(choice.pick(row.replies, name), plan, words, choice)
    known = bool(held) and plan.findings[0].source != "none"
    if known and (of_another or plan.findings[0].named == 1 or found is None or found[1].whole):
        return held
    if found and not (found[1].whole and held and asks_whole(plan)):
        name, row = found
        lead = _lead(name, plan, words, choice, policy)
        said = as_occasion(name, plan, words, choice, policy) or choice.pick(row.replies, name)
        return f"{lead} {said}" if lead else said
    if held:
        return held
    if stranger := stranger_asked(plan, words, choice):
        return stranger
    if plan.narrow:
        return choice.pick(words.plain["narrow"], "narrow")
    return _to_what_was_said(plan, words, choice, policy)


def _idea(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A nudge for who asks what to watch, do or give, where nothing that is known answers it."""
    name = situation_of(plan, words, policy)
    known = any(f.source != "none" for f in plan.findings)
    if known or name not in policy.everyday.ideas or mood_of(name, plan, policy) != ASK:
        return ""
    return to_everyday(plan, words, choice, policy, cares=False)


def _after_danger(name: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Who was in danger a moment ago is not sent off with a goodbye, nor chatted with, nor given ideas."""
    if plan.utterance is None:
        return ""
    leaving = name in policy.compose.leaving
    chatting = leaving or name in policy.compose.light or situation_of(plan, words, policy) in policy.everyday.ideas
    row = after_danger(plan.utterance, leaving=leaving, chatting=chatting, policy=policy)
    return f"{choice.pick(row.heard, 'later')} {choice.pick(row.asks, 'later_asks')}" if row else ""


def _to_what_was_said(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    well = bool(words.fine) and bool(re.search(words.fine, plan.user_text, re.I)) and not plan.focus.negative
    needs = plan.utterance is not None and plan.utterance.need is not Need.NONE
    cares = needs and not well and not of_food(plan) and not _only_guessed(plan, words, policy)
    if was_asked(plan, words) and tells_outcome(plan, words, policy) and not cares:
        mood = "_bad" if plan.focus.negative else "_good" if plan.focus.positive else ""
        return choice.pick(words.plain[f"outcome{mood}"], "outcome")
    if cares and (pain := pain_of(passage(plan.user_text, policy), plan.language, policy)):
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
    if plain and (said := to_everyday(plan, words, choice, policy, cares=cares)):
        return said if cares else _with_loop(said, plan, words, choice)
    if later is not None and (danger or not plan.focus.positive) and not (light and story_mood(plan, policy)):
        asked = choice.pick(later.asks, "later_asks") if choice.ask else ""
        return f"{choice.pick(later.heard, 'later')} {asked}".strip()
    odd = odd_form(plan, policy)
    if odd and not (odd in _TELLING and plan.told):
        return choice.pick(words.plain[odd], odd)
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
    scene = "" if _of_others(plan, words) else scene_of(plan, words, choice, policy)
    wide = leaning(plan, words, policy) or TELL
    said = scene or (goes_on if plan.recent_replies and wide == TELL else partial(met, wide))(plan, choice, policy)
    return _with_loop(said or _plain(plan, words, choice), plan, words, choice)


def _only_guessed(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Pain is only guessed, from several turns or faintly by the reader, and this message plainly tells otherwise."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    faint = (r.rule == TOGETHER or (r.rule == CARE and float(r.detail) < policy.everyday.care_below) for r in why)
    if not why or not all(faint):
        return False
    return mood_of(situation_of(plan, words, policy), plan, policy) not in ("", HARD)


def _of_others(plan: ResponsePlan, words: ComposeWords) -> bool:
    """In the middle of a talk, what tells of somebody else is no scene of the user's life."""
    return bool(plan.recent_replies) and bool(words.speaker) and not re.search(words.speaker, plan.user_text, re.I)


def _plain(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """A row that was used up lately gives way to a wider one."""
    mood = _mood(plan, words)
    wider = () if mood in ("bad", "good") else ("neutral", "short")
    fresh = (choice.fresh(words.plain[row], "plain") for row in dict.fromkeys((mood, *wider)))
    return next((said for said in fresh if said), "") or choice.pick(words.plain[mood], "plain")


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


def _mood(plan: ResponsePlan, words: ComposeWords) -> str:
    """Which row of plain replies fits what is left: how it sounds, then when it happens."""
    if plan.focus.negative:
        return "bad"
    if plan.focus.positive:
        return "good"
    text = tidied(plan.user_text, words)
    if _laughs(plan, words):
        return "laugh"
    if words.ahead and re.search(words.ahead, text, re.I):
        return "ahead"
    if words.past and re.search(words.past, text, re.I):
        return "past"
    return "short" if len(text.split()) <= 3 else "neutral"
