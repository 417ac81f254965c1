"""Whether a reply has to care for pain, and who was in danger a moment ago."""

from __future__ import annotations

import re

from clew.kernel.care.support import after_danger, after_harm, pain_of
from clew.kernel.compose.amid import guessed_from_talk, occasion_chances, only_tells
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import HARD, IRK, mood_of, situation_of, sounds_so
from clew.kernel.compose.occasions import occasion_of, of_food, surely
from clew.kernel.compose.plain import laughs
from clew.kernel.compose.stories import glad_story
from clew.kernel.read.need import CARE
from clew.kernel.read.together import TOGETHER
from clew.kernel.text.passage import passage
from clew.model.plan import ResponsePlan
from clew.model.utterance import Need
from clew.policy import Policy
from clew.policy.care import Danger
from clew.policy.compose import ComposeWords


def cares_for(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """The message needs care, and it is neither well, nor a matter of food, nor only guessed to be in pain."""
    if plan.utterance is None or plan.utterance.need is Need.NONE or of_food(plan):
        return False
    well = bool(words.fine) and bool(re.search(words.fine, plan.user_text, re.I)) and not plan.focus.negative
    return not well and not _only_guessed(plan, words, policy)


def _only_guessed(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Pain is only guessed: from several turns, and this one is not hard itself; or faintly, and it tells otherwise."""
    mood = mood_of(situation_of(plan, words, policy), plan, policy)
    if guessed_from_talk(plan):
        if mood != HARD and (glad_story(plan, policy) or laughs(plan, words)):
            return True
        told = occasion_of(plan, words, policy)
        hard = policy.occasions.moods.get(told, "") in (HARD, IRK) and surely(told, plan, words, policy)
        return not plan.focus.negative and mood != HARD and not hard
    if doubted_care(plan, policy):
        return True
    return faint_care(plan, policy) and mood not in ("", HARD)


def faint_care(plan: ResponsePlan, policy: Policy) -> bool:
    """Pain was read from several turns together, or with a low score."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    below = policy.everyday.care_below
    return bool(why) and all(r.rule == TOGETHER or (r.rule == CARE and _scored_below(plan, below)) for r in why)


def _scored_below(plan: ResponsePlan, mark: float) -> bool:
    score = plan.utterance.signals.care if plan.utterance is not None else None
    return score is not None and score < mark


def doubted_care(plan: ResponsePlan, policy: Policy) -> bool:
    """Nothing but a low score speaks of pain, and neither reader of everyday messages finds trouble in it."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    table, chances = policy.everyday, occasion_chances(plan, policy)
    low = bool(why) and all(r.rule == CARE for r in why) and _scored_below(plan, table.care_doubted)
    if not low or not chances or (named_pain(plan, policy) is not None and not _by_a_word(plan, policy)):
        return False
    return trouble_in(plan, policy) < table.trouble_least


def named_pain(plan: ResponsePlan, policy: Policy) -> Danger | None:
    """The kind of pain that is named."""
    return pain_of(passage(plan.user_text, policy), plan.language, policy)


def told_pain(plan: ResponsePlan, policy: Policy) -> Danger | None:
    """As it is named, unless one word is all that speaks of it: who was at the hospital is not always in pain."""
    likely = trouble_in(plan, policy) >= policy.everyday.trouble_likely
    if faint_care(plan, policy) and not likely and _by_a_word(plan, policy):
        return None
    return named_pain(plan, policy)


def _by_a_word(plan: ResponsePlan, policy: Policy) -> bool:
    """Its row knows it by words that are used of other things too."""
    row, words = named_pain(plan, policy), policy.care.languages.get(plan.language)
    return words is not None and any(words.support.get(name) is row for name in policy.compose.pain_by_word)


def trouble_in(plan: ResponsePlan, policy: Policy) -> float:
    """The chance of trouble in this message alone, by whichever reader of everyday messages finds more."""
    chances = occasion_chances(plan, policy)
    hard = sum(chance for name, chance in chances.items() if policy.occasions.moods[name] in (HARD, IRK))
    return max(hard, sounds_so(frozenset((HARD, IRK)), plan, policy))


def of_another(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Harsh words, and nothing in them is for us: somebody else is told of, or a pig."""
    why = plan.utterance.signals.safety.reasons if plan.utterance is not None else ()
    heard = policy.compose.harsh
    if not words.aimed or not why or not all(f"{r.rule} {r.detail}".strip() in heard for r in why):
        return False
    return len(plan.user_text.split()) > words.brief_harsh and not re.search(words.aimed, plan.user_text, re.I)


def to_danger(name: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Who was in danger a moment ago is not sent off with a goodbye, nor chatted with, nor given ideas; their "yeah" or
    "sorry" is no small talk."""
    if plan.utterance is None:
        return ""
    leaving = name in policy.compose.leaving
    small = policy.compose.light | policy.compose.playful
    chatting = leaving or name in small or (bool(name) and only_tells(plan))
    chatting = chatting or situation_of(plan, words, policy) in policy.everyday.ideas
    row = after_danger(plan.utterance, leaving=leaving, chatting=chatting, policy=policy)
    return f"{choice.pick(row.heard, 'later')} {choice.pick(row.asks, 'later_asks')}" if row else ""


def to_harm(name: str, plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """Who told of harm a moment ago is neither given advice nor asked to be brave. `name`: of the moment, if any."""
    if plan.utterance is None or plan.focus.positive or name in (*policy.compose.leaving, *policy.compose.light):
        return ""
    if of_food(plan) or pain_of(passage(plan.user_text, policy), plan.language, policy) is not None:
        return ""
    row = after_harm(plan.utterance, [passage(said, policy) for said in plan.previous], policy)
    return f"{choice.pick(row.heard, 'harm')} {choice.pick(row.asks, 'harm_asks')}" if row else ""
