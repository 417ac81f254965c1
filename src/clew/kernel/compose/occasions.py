"""What kind of everyday message this is, and the words it is met with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from clew.kernel.compose.amid import guessed_from_talk, hurt_lately, occasion_chances, only_tells
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import ASK, GLAD, HARD, IRK, sounds_otherwise, sounds_so, turned
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.stories import ON, glad_story, story_mood
from clew.kernel.keep.keys import bare_value
from clew.model.memory import SELF
from clew.model.persona import Length
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.once import once
from clew.pattern_table import NamedPatterns
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.occasions import OccasionWords

_ASKED = re.compile("[?？]")
_EXULTS = re.compile(r"[!！]{2}\W*$")
_EXCLAIMS = re.compile(r"[!！]\W*$")
TELL, MORE, US = "tell", "more", "us"
# A row that fits pain and plain talk alike.
BESIDE = "beside"
# A row that asks on, whether it was pain or not.
OPEN, CARE = "open", "care"
_ABOUT_US = "own_life"
_FOOD = ("diet", "allergy")
# Rows for a mood alone, and the moods they take together.
_WIDE = {HARD: (HARD, IRK), GLAD: (GLAD,), TELL: (TELL,)}


@once()
def occasion_of(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """The occasion that words tell surely, else the one the reader is sure of, else its mood; "" for neither."""
    table = policy.occasions
    spoken = table.languages.get(plan.language)
    if spoken is None:
        return ""
    story = story_mood(plan, policy)
    text = tidied(plan.user_text, words)
    named = _cues(spoken).names(text)
    if found := next((name for name in named if _fits(name, 1.0, story, plan, policy)), ""):
        return found
    chances = told_chances(plan, policy)
    fitting = {n: c for n, c in chances.items() if _fits(n, c, story, plan, policy)}
    best = max(fitting, key=lambda name: fitting[name], default="")
    sure = table.sure_tell if best and (table.moods[best] == TELL or hurt_lately(plan)) else table.sure
    if best and fitting[best] >= sure.get(plan.language, 1) and not _denied(table.moods[best], plan, policy):
        return best
    for row, moods in _WIDE.items():
        together = sum(c for n, c in fitting.items() if table.moods[n] in moods and n not in table.unmarked)
        if together >= table.mood_sure.get(plan.language, 1) and not _denied(row, plan, policy):
            return row
        if row != TELL and _both_say(row, together, plan, policy):
            return row
    return ""


def by_cue(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """The words themselves tell how the user is."""
    name, spoken = occasion_of(plan, words, policy), policy.occasions.languages.get(plan.language)
    text = tidied(plan.user_text, words)
    if spoken is None or name not in policy.occasions.by_cue:
        return False
    return _cues(spoken).has(name, text)


def _both_say(row: str, together: float, plan: ResponsePlan, policy: Policy) -> bool:
    """Neither reader is sure, and both mean the same mood."""
    table, other = policy.occasions, sounds_so(frozenset(_WIDE[row]), plan, policy)
    return min(together, other) >= table.both_least and together + other >= table.both_together


def _denied(mood: str, plan: ResponsePlan, policy: Policy) -> bool:
    """Trouble that was not heard, or good news, in a message that sounds like everyday ones of another mood."""
    if mood not in (HARD, IRK, GLAD) or plan.focus.negative or plan.focus.positive:
        return False
    return sounds_otherwise(frozenset((GLAD,) if mood == GLAD else (HARD, IRK)), plan, policy)


@once()
def told_chances(plan: ResponsePlan, policy: Policy) -> Mapping[str, float]:
    """What the reader makes of the message; one that only asks is some kind of question."""
    chances = occasion_chances(plan, policy)
    if not _only_asks(plan):
        return chances
    asks = {n: c for n, c in chances.items() if policy.occasions.moods[n] == ASK}
    whole = sum(asks.values())
    return {n: c / whole for n, c in asks.items()} if whole else {}


@once()
def _only_asks(plan: ResponsePlan) -> bool:
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    return len(acts) == 1 and acts[0] is Act.QUESTION and bool(_ASKED.search(plan.user_text))


def leaning(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """Hard or glad: as it was heard, else as the reader leans; "" where neither knows."""
    if plan.focus.negative or plan.focus.positive:
        return HARD if plan.focus.negative else GLAD
    read = occasion_of(plan, words, policy)
    mood = policy.occasions.moods.get(read, read)
    if mood in (HARD, IRK, GLAD):
        return GLAD if mood == GLAD else HARD
    chances = told_chances(plan, policy)
    sums = {row: sum(c for n, c in chances.items() if policy.occasions.moods[n] in _WIDE[row]) for row in (HARD, GLAD)}
    if _EXULTS.search(plan.user_text) and chances and sums[HARD] < policy.occasions.exults_below:
        return "" if _denied(GLAD, plan, policy) else GLAD
    if _EXCLAIMS.search(plan.user_text) and sums[GLAD] >= policy.occasions.leans_exclaiming:
        return "" if _denied(GLAD, plan, policy) else GLAD
    leans = (row for row, chance in sums.items() if chance >= policy.occasions.leans and not _denied(row, plan, policy))
    return next(leans, "")


def exults(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """ "Chapter 1 DONE!!!": told with several marks, and it leans to joy."""
    few = len(plan.user_text.split()) <= policy.occasions.exults_words
    return few and bool(_EXULTS.search(plan.user_text)) and only_tells(plan) and leaning(plan, words, policy) == GLAD


@lru_cache(maxsize=8)
def _cues(spoken: OccasionWords) -> NamedPatterns:
    return NamedPatterns(spoken.cues)


def _fits(name: str, chance: float, story: str, plan: ResponsePlan, policy: Policy) -> bool:
    """Good news is nothing that was told in pain; a story does not turn at a word; a question is answered as one."""
    table = policy.occasions
    mood, spoken = table.moods[name], table.languages[plan.language]
    if name == table.moments.get(_ABOUT_US) and not re.search(spoken.to_us, plan.user_text, re.I):
        return False
    if turned(mood, plan, policy):
        return False
    if mood == GLAD and plan.focus.negative:
        return False
    if mood == GLAD and story == HARD and (name in table.of_others or chance < table.against):
        return False
    if mood in (HARD, IRK) and (plan.focus.positive or story == GLAD) and chance < table.against:
        return False
    if _only_asks(plan):
        return mood not in (GLAD, TELL)
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    return mood != ASK or chance >= table.asks_unmarked or bool(acts and acts[-1] is not Act.STATEMENT)


def met(name: str, plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """What shows that it was heard, and often a question behind it; "" where all of it was used just now."""
    spoken = policy.occasions.languages.get(plan.language)
    row = spoken.met.get(name) if spoken is not None else None
    if row is None:
        return ""
    table = policy.occasions
    heard, asked = choice.fresh(row.heard, f"heard:{name}"), choice.fresh(row.asks, f"asks:{name}")
    brief = plan.constraints.length is Length.SHORT or name in (MORE, *ON.values())
    if heard and asked and name not in table.answered_first and not choice.roll(table.asks_alone, "asks_alone"):
        return asked
    if heard and not choice.roll(2 if brief else table.heard_alone, "heard_alone"):
        return heard
    return heard if "?" in heard else f"{heard} {asked}".strip()


def goes_on(plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """To what only goes on with a story: as its mood is, now and then with its last word said back."""
    mood = story_mood(plan, policy) or (GLAD if glad_story(plan, policy) else "")
    row = ON.get(mood, MORE)
    if mood in ON and not _still(mood, plan, policy):
        row = BESIDE if mood == HARD else MORE
    # Few words want no question behind them.
    choice = replace(choice, ask=choice.ask and len(plan.user_text.split()) > policy.occasions.asked_from)
    quiet = met(row, plan, replace(choice, ask=False), policy)
    echo = _echo(plan, choice, policy) if mood != HARD and quiet and "?" not in quiet else ""
    return f"{echo} {quiet}" if echo else met(row, plan, choice, policy)


def _still(mood: str, plan: ResponsePlan, policy: Policy) -> bool:
    """A story goes on in its mood where that was heard, or where either reader finds some of it in the message."""
    moods, chances = frozenset(_WIDE[mood]), told_chances(plan, policy)
    felt = sum(chance for name, chance in chances.items() if policy.occasions.moods[name] in moods)
    heard = plan.focus.negative if mood == HARD else plan.focus.positive
    return heard or not chances or max(felt, sounds_so(moods, plan, policy)) >= policy.occasions.still[mood]


def _echo(plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """ "a magician?" to "I hear he's a magician": how a listener shows that a word was caught."""
    spoken = policy.occasions.languages[plan.language]
    told = plan.utterance.sentences if plan.utterance is not None else ()
    if len(told) != 1 or not choice.ask or choice.roll(policy.occasions.echo_every, "echo"):
        return ""
    found = re.search(spoken.echo, told[0].text, re.I)
    if found is None:
        return ""
    said = " ".join(spoken.turned.get(word.lower(), word) for word in found.group(1).split())
    return choice.fresh(spoken.echo_as, "echo", {"echo": said})


def as_occasion(name: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A question for advice or a view is met as what it is: who doubts, who wants to be reassured."""
    table = policy.occasions
    if name not in table.moments:
        return ""
    read = occasion_of(plan, words, policy)
    # A question about us is no trouble of the user's.
    fitting = (ASK,) if name in table.about_us else (ASK, HARD, IRK)
    sure = table.moods.get(read) in fitting and read not in table.answered
    sure = sure and (read != table.moments.get(_ABOUT_US) or name in table.about_us)
    if name == "opinion" and words.heart and re.search(words.heart, plan.user_text, re.I):
        return choice.pick(words.plain["question_heart"], "question")  # "do you think she still loves me"
    return met(read if sure else table.moments[name], plan, choice, policy)


def to_occasion(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, cares: bool) -> str:
    """The kind of message that it is, unless it tells a plain fact; who needs care gets no cheer."""
    table = policy.occasions
    name = occasion_of(plan, words, policy)
    mood = table.moods.get(name, name)
    facts = states_fact(plan, policy)
    if name in table.answered or (facts and mood not in (HARD, IRK)) or (cares and mood != HARD):
        return ""
    if mood == TELL and _of_another(plan):
        return ""
    # A mood alone, in a message that is hard neither by its words nor by what it tells.
    if name == HARD and not cares and not plan.focus.negative and guessed_from_talk(plan):
        return ""
    plain = plan.told and not cares and not plan.focus.negative
    if plain and (facts or (mood in (HARD, IRK) and not surely(name, plan, words, policy))):
        return ""  # what was kept is taken up as what it is
    if name in table.named and any(c.attribute in table.named for c in plan.told) and choice.roll(2, "named"):
        return ""
    if name == MORE and plan.focus.positive and only_tells(plan):
        return met(GLAD, plan, choice, policy)
    if name == MORE:
        return goes_on(plan, choice, policy) if plan.recent_replies and only_tells(plan) else ""
    if not name and not cares and not facts and story_mood(plan, policy) == HARD and only_tells(plan):
        return goes_on(plan, choice, policy)
    hers = name in table.of_oneself and _of_another(plan) and not any(c.subject == SELF for c in plan.told)
    return met(table.of_another if hers else name, plan, choice, policy)  # the wife's morning sickness is hers


def surely(name: str, plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """An allergy that is told is no bad luck, unless the words say so."""
    spoken = policy.occasions.languages[plan.language]
    text = tidied(plan.user_text, words)
    if _cues(spoken).has(name, text):
        return True
    return told_chances(plan, policy).get(name, 0.0) >= policy.occasions.against


def _of_another(plan: ResponsePlan) -> bool:
    """What is told of the daughter is taken up as hers."""
    return any(c.subject not in (SELF, None) for c in plan.told)


def states_fact(plan: ResponsePlan, policy: Policy) -> bool:
    """Does the message state a plain fact of the user, or who one of their people is?"""
    table = policy.occasions
    return any(
        c.attribute in table.facts and (c.subject == SELF or c.attribute in table.facts_of_others) for c in plan.told
    )


def of_food(plan: ResponsePlan) -> bool:
    """ "I can't do dairy": only "I can't" sounds like need, and what one cannot is a food."""
    heard = plan.utterance
    return heard is not None and not heard.signals.need_reasons and any(c.attribute in _FOOD for c in plan.told)


def takes_up(said: str, plan: ResponsePlan, policy: Policy) -> bool:
    """It takes up a plain fact, or names a word of what was told; a mere "noted" stops a talk."""
    values = (bare_value(c.value).replace("_", " ").lower() for c in plan.told)
    told = {c.attribute for c in plan.told}
    return states_fact(plan, policy) or (
        bool(told & policy.occasions.shown) and any(value in said.lower() for value in values if value)
    )


def of_the_heart(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """A doubt, or a wish to be reassured or comforted: nothing that was told before is the answer."""
    if not plan.findings or any(f.source == "memory" and f.named == 1 for f in plan.findings):
        return False
    spoken, heart = policy.occasions.languages.get(plan.language), policy.occasions.heart
    text = tidied(plan.user_text, words)
    if plan.findings[0].named == 1 and plan.utterance is not None and plan.utterance.asks:
        heart = heart - policy.occasions.counsel  # 나 주말에 뭐 하지: what surely answers it was asked for
    if spoken is not None and any(name in heart for name in _cues(spoken).names(text)):
        return True
    # Old words are only quoted to who asks for them.
    if (plan.utterance and plan.utterance.asks_surely) or any(f.source != "turn" for f in plan.findings):
        return False
    of_user = not words.asked_of or bool(re.search(words.asked_of, text, re.I)) or plan.findings[0].subject != SELF
    told = only_tells(plan) and plan.findings[0].named < 1
    return told or (_only_asks(plan) and not of_user and occasion_of(plan, words, policy) in heart)
