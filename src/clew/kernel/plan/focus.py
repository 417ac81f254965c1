"""How a message stands: what kind it is, the feeling in it, and whether it is good news or bad."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from clew.kernel.language.pack import words_in
from clew.kernel.read.questions import is_question
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.model.plan import Focus, PlanAsk
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.plan import FocusWords

_LISTS = ("laughs", "good_news", "bad_news")


@lru_cache(maxsize=16)
def _lexicons(language: str, policy: Policy) -> dict[str, Lexicon]:
    words = words_of(language, policy)
    return {name: Lexicon({name: getattr(words, name)}, policy.text) for name in _LISTS}


def words_of(language: str, policy: Policy) -> FocusWords:
    return words_in(language, {code: words.focus for code, words in policy.plan.languages.items() if words.focus})


def focus(ask: PlanAsk, policy: Policy) -> Focus:
    read, spoken = normal(ask.text), ask.signals.language
    lexicons = _lexicons(spoken, policy)
    feeling = _feeling(read, spoken, policy)
    kind = _kind(read, ask, feeling is not None and _own(read, spoken, policy), policy)
    leaning, laughs = Fraction(str(ask.valence)), lexicons["laughs"].any(read)
    # Who is so proud that they cried tells good news: a word for bad news weighs only where the whole is not glad.
    hurts = lexicons["bad_news"].any(read)
    bad = not laughs and (leaning <= -policy.plan.leaning or (leaning < policy.plan.leaning and hurts))
    glad = laughs or lexicons["good_news"].any(read) or leaning >= policy.plan.leaning
    good = glad and not bad
    return Focus(kind, feeling, good, bad or (kind == "feeling" and not good))


def _kind(read: Normal, ask: PlanAsk, feels: bool, policy: Policy) -> str:
    flags = ask.signals.flags
    acts = [s.act for s in ask.utterance.sentences] if ask.utterance else []
    if flags.has_distress or flags.asks_for_comfort or feels or (ask.strong and ask.valence < 0):
        return "feeling"
    if Act.QUESTION in acts or is_question(read, policy):
        return "question"
    if Act.REQUEST in acts:
        return "request"
    return "short" if len(read.no_punct.split()) <= policy.plan.short_tokens else "statement"


def _feeling(read: Normal, spoken: str, policy: Policy) -> str | None:
    """The last one named: in "excited and scared" the second half weighs more."""
    words = words_of(spoken, policy)
    for token in reversed(read.no_punct.split()):
        if words.by_stem:
            found = next((f for stem, f in words.feelings.items() if token.startswith(stem)), None)
        else:
            found = words.feelings.get(token)
        if found:
            return found
    return None


def _own(read: Normal, spoken: str, policy: Policy) -> bool:
    """Is it the speaker who feels so? Korean leaves out the speaker; English names them."""
    words = words_of(spoken, policy)
    if not words.feeling_cues:
        return True
    tokens = read.no_punct.split()
    for at, token in enumerate(tokens):
        near = tokens[max(0, at - policy.relate.feeling_reach) : at]
        own = any(t in words.feeling_cues for t in near)
        if own and token in words.feelings and not any(t in words.not_own_feeling for t in near):
            return True
    return False
