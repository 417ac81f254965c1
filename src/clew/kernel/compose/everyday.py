"""Plain everyday messages: which situation is told, and a reply that fits it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from clew.kernel.compose.choosing import Choice, levelled, longest
from clew.kernel.compose.moments import tidied
from clew.kernel.read.linear import shares
from clew.model.memory import SELF, Candidate
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.everyday import EverydayWords
from clew.programs import program

HARD, GLAD, ASK = "hard", "glad", "ask"
# No situation: what the reader says of a message that tells none of them.
_NONE = ""
_NAMES = ("name", "called")


def to_everyday(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, cares: bool) -> str:
    """A reply to the situation that is told, if one is told surely; "" otherwise, or where all of them were used."""
    spoken = policy.everyday.languages.get(plan.language)
    name = situation_of(plan, words, policy)
    if spoken is None or not name or (cares and mood_of(name, plan, policy) != HARD):
        return ""
    return choice.fresh(spoken.situations[name].says, f"everyday:{name}")


def situation_of(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """By its key words where the reader does not doubt them, else by the reader alone; "" for neither."""
    table = policy.everyday
    spoken = table.languages.get(plan.language)
    if spoken is None or not _plain(plan, policy):
        return _NONE
    text = tidied(plan.user_text, words)
    chances = _chances(plan, policy)
    keyed = [name for name, keys in _keys(spoken) if keys.search(text)]
    if chances:
        keyed = [name for name in keyed if chances.get(name, 0.0) >= table.by_key]
    best = max(keyed, key=lambda name: chances.get(name, 0.0), default=_NONE)
    if best == _NONE and chances:
        best = max(chances, key=lambda name: chances[name])
        if best not in spoken.situations or chances[best] < table.sure.get(plan.language, 1):
            return _NONE
    if re.search(spoken.of_another, text, re.I) and chances.get(best, 0.0) < table.of_another_sure:
        return _NONE
    if _asks(plan) and not (best in table.asked and best in keyed):
        sure = chances.get(best, 0.0) >= table.against
        return best if sure and mood_of(best, plan, policy) == ASK else _NONE
    return best if best and _fits(best, chances.get(best, 1.0), plan, policy) else _NONE


def _chances(plan: ResponsePlan, policy: Policy) -> Mapping[str, float]:
    table, heard = policy.everyday, plan.utterance
    file = table.weights.get(plan.language, "")
    if heard is None or heard.vector is None or not file:
        return {}
    return shares(heard.text, heard.vector, file, table.weights_sha256[plan.language])


def sounds_otherwise(moods: frozenset[str], plan: ResponsePlan, policy: Policy) -> bool:
    """The message is like everyday ones, and hardly any of those is told in one of these moods."""
    table, chances = policy.everyday, _chances(plan, policy)
    spoken = table.languages.get(plan.language)
    if spoken is None or not chances or chances.get(_NONE, 0.0) >= table.unlike:
        return False
    so = sum(chance for name, chance in chances.items() if name and spoken.situations[name].mood in moods)
    return so < table.mood_least


def mood_of(name: str, plan: ResponsePlan, policy: Policy) -> str:
    spoken = policy.everyday.languages.get(plan.language)
    return spoken.situations[name].mood if spoken is not None and name else ""


def _plain(plan: ResponsePlan, policy: Policy) -> bool:
    """A short message that tells something, and no plain fact of who somebody is."""
    table = policy.everyday
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    return (
        len(plan.user_text.split()) <= table.words_most
        and 0 < len(acts) <= table.sentences_most
        and not any(c.attribute in table.facts and not _in_passing(c, plan) for c in plan.told)
    )


def _in_passing(told: Candidate, plan: ResponsePlan) -> bool:
    """ "My husband Sam lost his job" tells of the job; the name comes with it."""
    return told.attribute in _NAMES and told.subject not in (SELF, None) and len(plan.told) > 1


def _asks(plan: ResponsePlan) -> bool:
    """A question, a wish or a supposition is no telling."""
    return plan.utterance is not None and any(s.act is not Act.STATEMENT for s in plan.utterance.sentences)


def _fits(name: str, chance: float, plan: ResponsePlan, policy: Policy) -> bool:
    """Good news is nothing that was told in pain, and the other way round, unless the reader is sure."""
    mood = mood_of(name, plan, policy)
    if chance >= policy.everyday.against:
        return True
    return not (mood == GLAD and plan.focus.negative) and not (mood == HARD and plan.focus.positive)


def told_mood(said: str, language: str, policy: Policy) -> str:
    """The mood of the situation to which this was said; "" where it was said to none."""
    spoken = policy.everyday.languages.get(language)
    if spoken is None:
        return ""
    name = next((name for way, name in _said(spoken).items() if way in said), "")
    return spoken.situations[name].mood if name else ""


@lru_cache(maxsize=8)
def _said(spoken: EverydayWords) -> Mapping[str, str]:
    """Every reply by its longest stretch, and its situation; the longest first."""
    ways = {
        longest(levelled(way, polite=polite)): name
        for name, row in spoken.situations.items()
        for way in row.says
        for polite in (False, True)
    }
    return dict(sorted(ways.items(), key=lambda found: (-len(found[0]), found[0])))


@lru_cache(maxsize=8)
def _keys(spoken: EverydayWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A key's words stand at the beginnings of words, in their order."""
    found = []
    for name, row in spoken.situations.items():
        ways = [r".*?".join(rf"(?<!\w){re.escape(part)}" for part in key.split()) for key in row.keys]
        if ways:
            found.append((name, program("|".join(ways), re.I | re.S)))
    return tuple(found)


def only_quoted(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Nothing but old words was found, and the message plainly tells an everyday thing."""
    asks = plan.utterance is not None and (plan.utterance.asks or plan.utterance.asks_surely)
    if asks or not plan.findings or any(f.source != "turn" for f in plan.findings):
        return False
    asking = bool(words.asking) and bool(re.search(words.asking, tidied(plan.user_text, words), re.I))
    return not asking and bool(situation_of(plan, words, policy))
