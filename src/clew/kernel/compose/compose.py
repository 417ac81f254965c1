"""The built-in writer: answers what can be answered, then shows in a few words that it was understood."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.kernel.compose.amid import guessed_from_talk, only_tells, settled
from clew.kernel.compose.answering import answer, asks_whole
from clew.kernel.compose.caring import doubted_care, of_another, to_danger, to_harm
from clew.kernel.compose.choosing import Choice, fillable
from clew.kernel.compose.everyday import ASK, mood_of, only_quoted, relieved, situation_of, to_everyday
from clew.kernel.compose.fitting import listening
from clew.kernel.compose.hardships import hardship_told, to_counsel
from clew.kernel.compose.moments import moment_of, thanked, tidied, worked_out
from clew.kernel.compose.naming import stranger_asked
from clew.kernel.compose.occasions import as_occasion, of_the_heart
from clew.kernel.compose.plain import laughs
from clew.kernel.compose.responding import to_what_was_said, with_loop
from clew.kernel.compose.scenes import scene_of, touches
from clew.kernel.compose.signs import with_sign
from clew.kernel.compose.stories import glad_story
from clew.kernel.compose.suggesting import food, for_another
from clew.kernel.compose.surely import surely_answered
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import pack, writer
from clew.kernel.read.change_words import says
from clew.model.memory import SELF
from clew.model.plan import Finding, ResponsePlan
from clew.model.utterance import Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Moment

_WORDY = re.compile(r"\w")


def compose(plan: ResponsePlan, policy: Policy) -> str:
    """The reply in the plan's language; a language without words here gets one honest sentence in ours."""
    table = policy.compose.languages
    words = table[_ours(plan, policy)]
    choice = choice_for(plan, policy)
    if plan.line:
        return with_sign(plan.line, plan, words, choice, policy)
    if plan.language not in table and _WORDY.search(plan.user_text):
        return choice.pick(words.plain["other_language"], "other")
    plan = _sobered(plan, words, policy)
    return with_sign(_reply(plan, words, choice, policy), plan, words, choice, policy)


def _ours(plan: ResponsePlan, policy: Policy) -> str:
    """The language of the reply: the plan's, else that in which we spoke last, else that of the house."""
    table = policy.compose.languages
    if plan.language in table:
        return plan.language
    spoken = (writer(said).code for said in reversed(plan.recent_replies))
    return next((code for code in spoken if code in table), HOUSE)


def _sobered(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> ResponsePlan:
    """ "failed my exam lol" is no good news; "I cried a bit" amid good news is no bad one."""
    if _light(plan) and relieved(plan, policy):
        return replace(plan, focus=replace(plan.focus, positive=True, negative=False))
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
    language = _ours(plan, policy)
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
    if plan.boundary and of_another(plan, words, policy):
        return listening(plan, words, choice, policy)
    if plan.boundary and (found is None or found[0] != "insult"):
        return choice.pick(words.plain["boundary"], "boundary")
    if by_clock := worked_out(plan, words, choice):
        return by_clock
    if said := to_danger(found[0] if found else "", plan, words, choice, policy):
        return said
    if said := to_harm(found[0] if found else "", plan, choice, policy):
        return said
    if plan.repeated >= policy.compose.repeated_from:
        return choice.pick(words.plain["repeated"], "repeated")
    if surely_answered(plan, policy) and (held := answer(plan, words, choice, policy)):
        return held
    if said := to_counsel(plan, choice, policy):
        return said
    if hardship_told(plan) is not None and only_tells(plan) and not (found and found[0] in policy.compose.leaving):
        return to_what_was_said(plan, words, choice, policy)
    of_others = any(_of_another(f, plan) for f in plan.findings)
    own_fact = says(plan.user_text, "own_fact", policy)
    if not own_fact and (idea := _idea(plan, words, choice, policy)):
        return idea
    if found and found[0] == "food" and not for_another(plan):
        return food(plan, words, choice, policy)
    own_matter = not own_fact and (of_the_heart(plan, words, policy) or only_quoted(plan, words, policy))
    held = "" if own_matter else answer(plan, words, choice, policy)
    if (found and found[0] == "else" and asks_whole(plan)) or (own_fact and held):
        return held
    # "누나 뭐 해?" is put like small talk, and asks for what is known of her.
    about_another = bool(held) and of_others and not asks_whole(plan)
    # So is 나 알바 뭐 해?, which names the one who asks.
    of_oneself = bool(held) and _names_themself(plan, words) and not asks_whole(plan)
    if found and found[0] in policy.compose.light and not (about_another or of_oneself):
        name, row = found
        return with_loop(_to_moment(name, row, plan, words, choice, policy), plan, words, choice)
    known = bool(held) and plan.findings[0].source != "none"
    if known and (about_another or plan.findings[0].named == 1 or found is None or found[1].whole):
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
    return to_what_was_said(plan, words, choice, policy)


def _names_themself(plan: ResponsePlan, words: ComposeWords) -> bool:
    """Something of theirs surely answers, and the words say that it is asked of them, and not of us."""
    first = plan.findings[0]
    if first.source == "none" or first.named != 1 or first.subject != SELF or not words.asked_of:
        return False
    ours = bool(words.to_us) and re.search(words.to_us, plan.user_text, re.I) is not None
    return not ours and re.search(words.asked_of, plan.user_text, re.I) is not None


def _of_another(finding: Finding, plan: ResponsePlan) -> bool:
    """It tells of somebody else, or surely answers what was asked of somebody else in the user's own words."""
    if finding.source == "memory":
        return finding.subject != SELF
    asked = plan.utterance is not None and any(a.subject != SELF for a in plan.utterance.asks)
    return asked and finding.source != "none" and finding.named == 1


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


def _lead(name: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Who tells of a hard day and asks for advice is heard first."""
    more = plan.utterance is not None and len(plan.utterance.sentences) > 1
    cares = plan.utterance is not None and plan.utterance.need is not Need.NONE
    if name not in policy.compose.after_scene or not more or not (cares or plan.focus.negative):
        return ""
    quiet = replace(choice, ask=False)
    said = scene_of(plan, words, quiet, policy, gentle=cares)
    return "" if "?" in said else said
