"""What a message is about: its kind, the thing worth taking up, the feeling in it."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from clew.kernel.plan.acts import act_of
from clew.kernel.plan.things import thing_en, thing_ko, topic_ko
from clew.kernel.read.questions import is_question
from clew.kernel.relate.preferences import stated_preferences
from clew.kernel.statements.own_words import statements
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.model.plan import Focus, PlanAsk
from clew.model.topic import TopicId
from clew.policy import Policy
from clew.policy.plan import FocusWords

_STRETCH = re.compile(r"(.)\1{2,}")
_LISTS = (
    "greetings", "farewells", "thanks", "luck", "laughs", "apologies", "how_are_you", "about_you", "advice",
    "good_news", "bad_news",
)  # fmt: skip


_TELLING = ("event", "feeling", "statement", "short", "question", "advice", "preference")


@lru_cache(maxsize=16)
def _lexicons(language: str, policy: Policy) -> dict[str, Lexicon]:
    words = words_of(language, policy)
    return {name: Lexicon({name: getattr(words, name)}, policy.text) for name in _LISTS}


def words_of(language: str, policy: Policy) -> FocusWords:
    return policy.plan.focus.get(language) or policy.plan.focus["en"]


@lru_cache(maxsize=16)
def _normal_list(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """As the text itself is read: NFKC takes single Hangul letters apart from their keyboard form."""
    return tuple(normal(p).no_punct for p in phrases)


def focus(ask: PlanAsk, policy: Policy) -> Focus:
    read = normal(ask.text)
    spoken = ask.signals.language
    kind = _kind(read, ask, spoken, policy)
    feeling = _feeling(read, spoken, policy)
    lexicons = _lexicons(spoken, policy)
    valence = Fraction(str(ask.valence))
    bad = valence <= -policy.plan.leaning or lexicons["bad_news"].any(read)
    glad = lexicons["good_news"].any(read) or lexicons["laughs"].any(read)
    if kind in ("statement", "short") and lexicons["laughs"].any(read):
        bad = False
    good = not bad and (glad or valence >= policy.plan.leaning)
    bad = bad or (kind == "feeling" and not good)
    stance: str | None = None
    thing = ""
    if kind == "preference":
        thing, stance = _preferred(read, policy)
    if not thing and kind in _TELLING:
        thing = thing_ko(ask.text, policy) if spoken == "ko" else thing_en(ask.text, policy)
    if not thing and kind == "question" and spoken == "ko":
        thing = topic_ko(ask.text, policy)
    if thing and ask.signals.flags.has_fact and kind in ("statement", "short", "event"):
        kind = "fact"
    elif kind in ("statement", "short"):
        laughs = lexicons["laughs"].any(read)
        if good and laughs:
            kind = "amused"
        elif thing or (kind == "short" and (bad or good)):
            kind = "event"
    asks = is_question(read, policy)
    done = act_of(ask.text, spoken, asks, policy)
    if done.name in policy.plan.doubt_acts and hurts(ask.text, spoken, policy):
        done, bad, good = replace(done, name="self_doubt"), True, False
    return Focus(kind, thing, stance, feeling, good, bad, _topic(ask), done.name, done.value, done.when)


def hurts(text: str, language: str, policy: Policy) -> bool:
    """Does the speaker speak ill of themself, or of how little they matter?"""
    said = text.replace("’", "'")
    return any(p.search(said) for p in _compiled(words_of(language, policy).hurtful))


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.I) for p in patterns)


def _kind(read: Normal, ask: PlanAsk, spoken: str, policy: Policy) -> str:
    """The first row that fits."""
    plan, lexicons, words = policy.plan, _lexicons(spoken, policy), words_of(spoken, policy)
    tokens = read.no_punct.split()
    small = len(tokens) <= plan.greeting_tokens
    flags = ask.signals.flags
    asks = is_question(read, policy)
    if lexicons["how_are_you"].any(read):
        return "how_are_you"
    if lexicons["about_you"].any(read) and asks:
        return "about_you"
    for kind, name in (("farewell", "farewells"), ("luck", "luck"), ("thanks", "thanks"), ("apology", "apologies")):
        if len(tokens) <= plan.greeting_tokens + 3 and not asks and lexicons[name].any(read):
            return kind
    if small and _starts(read, words.greetings):
        return "greeting"
    if small and not asks and _laughs(tokens, words):
        return "laugh"
    if _is_all(read, words.unsure):
        return "unsure"
    if _is_all(read, words.agreement):
        return "agreement"
    if asks and not flags.has_distress and lexicons["advice"].any(read):
        return "advice"
    if flags.has_distress or flags.asks_for_comfort or _speaks_feeling(read, spoken, policy):
        return "feeling"
    # "Do I like sushi?" tells no liking; "I love sushi, do you?" does.
    if stated_preferences(read, policy) and (not asks or statements(ask.text, policy)):
        return "preference"
    if ask.strong:
        return "feeling"
    if lexicons["advice"].any(read):
        return "advice"
    if asks:
        return "question"
    if flags.has_event:
        return "event"
    return "short" if len(tokens) <= plan.short_tokens else "statement"


def _starts(read: Normal, phrases: tuple[str, ...]) -> bool:
    text = _STRETCH.sub(r"\1", read.no_punct) + " "
    known = _normal_list(phrases)
    return any(text.startswith(f"{p} ") or (not p.isascii() and text.startswith(p)) for p in known)


def _laughs(tokens: list[str], words: FocusWords) -> bool:
    return bool(tokens) and tokens[0].startswith(_normal_list(words.laughs))


def _is_all(read: Normal, phrases: tuple[str, ...]) -> bool:
    """Nothing but these: "ok ok", "yeah sure"."""
    tokens = [_STRETCH.sub(r"\1", t) for t in read.no_punct.split()]
    known = _normal_list(phrases)
    return " ".join(tokens) in known or (bool(tokens) and all(t in known for t in tokens))


def _feeling(read: Normal, spoken: str, policy: Policy) -> str | None:
    """The last one named: in "excited and scared" the second half weighs more."""
    words = words_of(spoken, policy)
    for token in reversed(read.no_punct.split()):
        if spoken == "ko":
            found = next((f for stem, f in words.feelings.items() if token.startswith(stem)), None)
        else:
            found = words.feelings.get(token)
        if found:
            return found
    return None


def _speaks_feeling(read: Normal, spoken: str, policy: Policy) -> bool:
    if _feeling(read, spoken, policy) is None:
        return False
    if spoken == "ko":
        return True
    words = words_of(spoken, policy)
    tokens = read.no_punct.split()
    for at, token in enumerate(tokens):
        near = tokens[max(0, at - policy.relate.feeling_reach) : at]
        own = any(t in words.feeling_cues for t in near)
        if own and token in words.feelings and not any(t in words.not_own_feeling for t in near):
            return True
    return False


def _preferred(read: Normal, policy: Policy) -> tuple[str, str | None]:
    thing, liked = stated_preferences(read, policy)[0]
    return thing, "like" if liked else "dislike"


def _topic(ask: PlanAsk) -> TopicId | None:
    best = max(ask.signals.topics, key=lambda m: m.confidence, default=None)
    return best.topic if best else None
