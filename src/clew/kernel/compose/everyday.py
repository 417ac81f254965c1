"""Plain everyday messages: which situation is told, and a reply that fits it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from clew.kernel.compose.amid import answers_us, goes_on_with_it, hurt_lately, only_tells
from clew.kernel.compose.choosing import Choice, levelled, longest
from clew.kernel.compose.moments import tidied
from clew.kernel.read.linear import shares
from clew.model.memory import SELF, Candidate
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.once import once
from clew.pattern_table import NamedPatterns
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.everyday import EverydayWords

HARD, IRK, GLAD, ASK = "hard", "irk", "glad", "ask"
# No situation: what the reader says of a message that tells none of them.
_NONE = ""
_NAMES = ("name", "called")
_CONDITION, _PLAN = "condition", "plan"
# A reply shorter than this may have been said to anything.
_TELLTALE = 6


def to_everyday(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, cares: bool) -> str:
    """A reply to the situation that is told, if one is told surely; "" otherwise, or where all of them were used."""
    spoken = policy.everyday.languages.get(plan.language)
    name = situation_of(plan, words, policy)
    if spoken is None or (name and cares and mood_of(name, plan, policy) != HARD):
        return ""
    if name:
        another = re.search(spoken.of_another, tidied(plan.user_text, words), re.I)
        ways = [way for way in spoken.situations[name].says if not another or not re.search(spoken.to_user, way, re.I)]
        return choice.fresh(ways, f"everyday:{name}") if ways else ""
    going_on = "" if cares else _going_on(plan, policy)
    # Whoever asks again within one story sounds like a form.
    quiet = replace(choice, ask=False)
    return quiet.fresh(spoken.situations[going_on].says, f"everyday:{going_on}") if going_on else ""


def _going_on(plan: ResponsePlan, policy: Policy) -> str:
    """The situation that our last reply met, where this message only adds to it; "" where it leads away from it."""
    table = policy.everyday
    if not plan.recent_replies or not only_tells(plan) or not _plain(plan, policy):
        return _NONE
    name = met_situation(plan.recent_replies[-1].lower(), plan.language, policy)
    before = plan.recent_replies[-table.same_most :]
    long = all(met_situation(said.lower(), plan.language, policy) == name for said in before)
    if not name or (long and len(before) == table.same_most):
        return _NONE
    least = table.same_answer if answers_us(plan, policy) else table.same_story
    near = situation_chances(plan, policy).get(name, 0.0) >= least
    return name if near and _fits(name, 0.0, plan, policy) else _NONE


def to_topic(plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """What it is about, where no situation is sure: their chances taken together."""
    table, spoken = policy.everyday, policy.everyday.languages.get(plan.language)
    if spoken is None or not only_tells(plan) or not _plain(plan, policy):
        return ""
    # The rest of another message is hardly read right, and who is hurting wants no small talk.
    if goes_on_with_it(plan, policy) or hurt_lately(plan):
        return ""
    chances = {name: c for name, c in situation_chances(plan, policy).items() if not name or bears(name, plan, policy)}
    about = {topic: sum(chances.get(name, 0.0) for name in names) for topic, names in table.topics.items()}
    best = max(about, key=lambda topic: about[topic], default="")
    if not best or about[best] < table.topic_sure.get(plan.language, 1):
        return ""
    return choice.fresh(spoken.topics[best], f"topic:{best}")


@once()
def situation_of(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """By its key words where the reader does not doubt them, else by the reader alone; "" for neither."""
    table = policy.everyday
    spoken = table.languages.get(plan.language)
    if spoken is None or not _plain(plan, policy):
        return _NONE
    text = tidied(plan.user_text, words)
    chances = situation_chances(plan, policy)
    if told := next(_keys(spoken, "tells").names(text), _NONE):
        return _NONE if _asks(plan) else told
    if chances and words.thing_died and re.search(words.thing_died, text, re.I) and not _asks(plan):
        # A plant, a battery or the van: which of them, the reader may guess.
        things = sorted(table.lifeless & spoken.situations.keys())
        return max(things, key=lambda name: chances.get(name, 0.0), default=_NONE)
    keyed = list(_keys(spoken).names(text))
    if chances:
        keyed = [name for name in keyed if chances.get(name, 0.0) >= table.by_key]
    best = max(keyed, key=lambda name: chances.get(name, 0.0), default=_NONE)
    if best == _NONE and chances:
        best = max(chances, key=lambda name: chances[name])
        if best not in spoken.situations or chances[best] < _least(plan, policy):
            return _NONE
    if best and not bears(best, plan, policy):
        return _NONE
    if best and not _beside_facts(best, plan, policy):
        return _NONE
    if re.search(spoken.of_another, text, re.I) and chances.get(best, 0.0) < table.of_another_sure:
        return _NONE
    if _asks(plan) and not (best in table.asked and best in keyed):
        sure = chances.get(best, 0.0) >= table.against
        return best if sure and mood_of(best, plan, policy) == ASK else _NONE
    return best if best and _fits(best, chances.get(best, 1.0), plan, policy) else _NONE


def _beside_facts(name: str, plan: ResponsePlan, policy: Policy) -> bool:
    """Who tells what they suffer from tells of their body; what has a day to come has not happened yet."""
    table = policy.everyday
    suffers = any(c.attribute == _CONDITION and c.subject == SELF for c in plan.told)
    if suffers and not any(name in table.topics.get(topic, ()) for topic in table.bodily):
        return False
    return name in table.ahead or not any(c.attribute == _PLAN and c.when_text for c in plan.told)


def bears(name: str, plan: ResponsePlan, policy: Policy) -> bool:
    """No word of the message says that it is another thing, or that it went the other way."""
    spoken, words = policy.everyday.languages[plan.language], policy.compose.languages[plan.language]
    if _keys(spoken, "unless").has(name, tidied(plan.user_text, words)):
        return False
    return not turned(spoken.situations[name].mood, plan, policy)


def turned(mood: str, plan: ResponsePlan, policy: Policy) -> bool:
    """The words turn this mood round: a forgotten anniversary is no good news, who finally wrote no trouble."""
    spoken, words = policy.everyday.languages.get(plan.language), policy.compose.languages.get(plan.language)
    if spoken is None or words is None:
        return False
    turns = spoken.turns_bad if mood == GLAD else spoken.turns_good if mood in (HARD, IRK) else None
    return turns is not None and _says(turns, plan, words)


@once(4)
def _says(shape: str, plan: ResponsePlan, words: ComposeWords) -> bool:
    """Asked for every kind of message that it may be."""
    return bool(re.search(shape, tidied(plan.user_text, words), re.I))


def relieved(plan: ResponsePlan, policy: Policy) -> bool:
    """ "I'm so proud I cried", "she finally texted": the words say themselves that it is well."""
    return turned(HARD, plan, policy) and not turned(GLAD, plan, policy) and only_tells(plan)


def surely_told(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """A situation is told so surely that the words of the message need not be taken up."""
    name = situation_of(plan, words, policy)
    chances = situation_chances(plan, policy)
    return bool(name) and chances.get(name, 1.0) >= policy.everyday.over_words.get(plan.language, 1)


def told_by_words(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """The situation is known by its key words, and not by the reader alone."""
    name, spoken = situation_of(plan, words, policy), policy.everyday.languages.get(plan.language)
    if not name or spoken is None:
        return False
    text = tidied(plan.user_text, words)
    stopped = name in policy.everyday.lifeless and bool(words.thing_died) and re.search(words.thing_died, text, re.I)
    return bool(stopped) or any(_keys(spoken, kind).has(name, text) for kind in ("keys", "tells"))


def _least(plan: ResponsePlan, policy: Policy) -> Fraction | int:
    """How sure the reader must be: it learned from messages that stand alone, so it errs on the rest of another one."""
    table = policy.everyday
    if hurt_lately(plan):
        return table.sure_after_pain
    amid = table.sure_amid if plan.recent_replies else table.sure
    return (table.sure_going_on if goes_on_with_it(plan, policy) else amid).get(plan.language, 1)


@once()
def situation_chances(plan: ResponsePlan, policy: Policy) -> Mapping[str, float]:
    """What the reader of everyday messages makes of it; nothing without a vector or weights."""
    table, heard = policy.everyday, plan.utterance
    file = table.weights.get(plan.language, "")
    if heard is None or heard.vector is None or not file:
        return {}
    return shares(heard.text, heard.vector, file, table.weights_sha256[plan.language])


def sounds_otherwise(moods: frozenset[str], plan: ResponsePlan, policy: Policy) -> bool:
    """The message is like everyday ones, and hardly any of those is told in one of these moods."""
    table, chances = policy.everyday, situation_chances(plan, policy)
    if not chances or chances.get(_NONE, 0.0) >= table.unlike:
        return False
    return sounds_so(moods, plan, policy) < table.mood_least


def sounds_so(moods: frozenset[str], plan: ResponsePlan, policy: Policy) -> float:
    """How likely the message tells some everyday thing in one of these moods."""
    spoken = policy.everyday.languages.get(plan.language)
    if spoken is None:
        return 0.0
    told = situation_chances(plan, policy).items()
    return sum(chance for name, chance in told if name and spoken.situations[name].mood in moods)


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
    """Good news is nothing that was told in pain, however sure the reader; pain told gladly needs a sure one."""
    mood = mood_of(name, plan, policy)
    if mood == GLAD and (plan.focus.negative or (name in policy.everyday.felt and not plan.focus.positive)):
        return False
    return chance >= policy.everyday.against or not (mood == HARD and plan.focus.positive)


def told_mood(said: str, language: str, policy: Policy) -> str:
    """The mood of the situation to which this was said; "" where it was said to none."""
    name = met_situation(said, language, policy)
    return policy.everyday.languages[language].situations[name].mood if name else ""


def met_situation(said: str, language: str, policy: Policy) -> str:
    """The situation to which this was said, in small letters; "" where it was said to none."""
    spoken = policy.everyday.languages.get(language)
    ways = () if spoken is None else _said(spoken).get(said[:_TELLTALE], ())
    return next((name for way, name in ways if said.startswith(way)), "")


@lru_cache(maxsize=8)
def _said(spoken: EverydayWords) -> Mapping[str, Sequence[tuple[str, str]]]:
    """By its first letters every reply's longest stretch, and its situation; the longest first."""
    ways = {
        longest(levelled(way, polite=polite)): name
        for name, row in spoken.situations.items()
        for way in row.says
        for polite in (False, True)
    }
    told = {way: name for way, name in ways.items() if len(way) >= _TELLTALE}
    opened: dict[str, list[tuple[str, str]]] = {}
    for way, name in sorted(told.items(), key=lambda found: (-len(found[0]), found[0])):
        opened.setdefault(way[:_TELLTALE], []).append((way, name))
    return opened


@lru_cache(maxsize=8)
def _keys(spoken: EverydayWords, kind: str = "keys") -> NamedPatterns:
    """A key's words stand at the beginnings of words, in their order."""
    found = {}
    for name, row in spoken.situations.items():
        ways = [r".*?".join(rf"(?<!\w){re.escape(part)}" for part in key.split()) for key in getattr(row, kind)]
        if ways:
            found[name] = "|".join(ways)
    return NamedPatterns(found, re.I | re.S)


def only_quoted(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """Nothing but old words was found, and the message plainly tells an everyday thing."""
    asks = plan.utterance is not None and (plan.utterance.asks or plan.utterance.asks_surely)
    if asks or not plan.findings or any(f.source != "turn" or f.named == 1 for f in plan.findings):
        return False
    asking = bool(words.asking) and bool(re.search(words.asking, tidied(plan.user_text, words), re.I))
    return not asking and bool(situation_of(plan, words, policy))
