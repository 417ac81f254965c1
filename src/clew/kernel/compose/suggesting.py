"""What to eat, from what the user told: an allergy first, then how they eat, then what they like."""

from __future__ import annotations

import re

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.naming import joined, quotable
from clew.kernel.keep.keys import bare_value, stance_of
from clew.kernel.keep.values import affirmed, is_clause
from clew.kernel.language.packs import singular
from clew.model.memory import SELF
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_FOOD, _DRINK = "pref:food:", "pref:drink:"
_BARRED = ("allergy",)
_WAY = ("diet",)
_ILL = ("condition",)


def for_another(plan: ResponsePlan) -> bool:
    """엄마 뭐 사드릴까: only somebody else eats; 준호랑 뭐 먹지 is for both."""
    asks = plan.utterance.asks if plan.utterance else ()
    needed = [a.subject for a in asks if a.attribute in (*_BARRED, *_WAY)]
    if needed:
        return SELF not in needed
    return any(f.source == "memory" and f.subject != SELF for f in plan.findings)


def food(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A suggestion that keeps what must be kept, for whoever eats; without a known taste no dish is invented."""
    every = [f for f in plan.findings if f.source == "memory" and not f.past]
    own = [f for f in every if f.subject == SELF]
    drinks = _holds(words.drinks, plan.user_text)
    kind = _DRINK if drinks else _FOOD
    barred = _values([f for f in every if f.attribute in _BARRED], choice, policy)
    ways = [f for f in every if f.attribute in _WAY]
    # What is not eaten is left out like what must not be.
    barred += [affirmed("diet", f.value, policy)[0] for f in ways if affirmed("diet", f.value, policy)[1]]
    kept = [f for f in ways if not affirmed("diet", f.value, policy)[1] and not is_clause(f.value, policy)]
    wary = [f for f in kept if _holds(words.wary, f.told)]
    barred += _values(wary, choice, policy)
    # "Coeliac" is what somebody has, not what a dish is like.
    ill = [f for f in every if f.attribute in (*_ILL, *_WAY) and _holds(words.food_bearing, f.value)]
    diet = _values([f for f in kept if f not in wary and f not in ill], choice, policy)
    tasted = [f for f in every if f.key.startswith(kind) and _fits(f.value, plan.user_text, words, drinks)]
    barred += _values([f for f in tasted if stance_of(f.value) == "dislike"], choice, policy)
    never = words.no_drink if drinks else words.no_food
    # Nobody orders without cat hair, and no coffee holds prawns.
    barred = [b for b in dict.fromkeys(barred) if not _holds(words.no_food, b) and not _holds(never, b)]
    liked = _values([f for f in own if f in tasted and stance_of(f.value) != "dislike"], choice, policy)
    known = [s.words for s in plan.snippets if s.key.startswith(kind) and s.stance == "like"]
    liked += [v for v in known if _fits(v, plan.user_text, words, drinks)]
    vague = {word for kind in words.kinds.values() for word in kind}
    named = [v for v in dict.fromkeys(liked) if v.lower() not in vague and not _taste(v, vague)]
    # Peanut sauce is no dish for somebody allergic to peanuts.
    safe = [v for v in named if not any(singular(b.lower()) in v.lower() for b in barred)]
    fresh = [v for v in safe if not any(v.lower() in said.lower() for said in plan.recent_replies[-2:])] or safe
    out: list[str] = []
    tastes = [t for v in dict.fromkeys(liked) if (t := _taste(v, vague))]
    if tastes and (not fresh or choice.roll(2, "taste")):
        taste = tastes[choice.roll(len(tastes), "which")]
        out.append(choice.pick(words.food["taste"], "taste", {"value": taste}))
    elif fresh:
        dish = fresh[choice.roll(len(fresh), "dish")]
        out.append(choice.pick(words.food["liked"], "liked", {"value": dish}))
    if barred:
        kind = "barred_too" if out else "barred"
        out.append(choice.pick(words.food[kind], kind, {"value": joined(barred, words)}))
    if diet:
        kind = "diet_too" if out else "diet"
        out.append(choice.pick(words.food[kind], kind, {"value": joined(diet, words)}))
    if (suffers := _values(ill, choice, policy)) and "ill" in words.food:
        out.append(choice.pick(words.food["ill"], "ill", {"value": joined(suffers, words)}))
    unknown = words.food.get("no_drink", ()) if drinks else ()
    return " ".join(out) if out else choice.pick(unknown or words.food["unknown"], "food")


def _fits(value: str, asked: str, words: ComposeWords, drinks: bool) -> bool:
    """Wine is for who asks for wine."""
    return not drinks or _holds(words.alcohol, value) == _holds(words.alcohol_asked, asked)


def _holds(pattern: str, value: str) -> bool:
    return bool(pattern) and re.search(pattern, value) is not None


def _taste(value: str, vague: set[str]) -> str:
    """spicy food → spicy, 매운 음식 → 매운: how it should be, no dish."""
    lead, _, last = value.rpartition(" ")
    return lead if lead and last.lower() in vague else ""


def _values(findings: list[Finding], choice: Choice, policy: Policy) -> list[str]:
    said = (quotable(bare_value(f.value), choice.language, policy) for f in findings)
    return [v for v in dict.fromkeys(said) if v]
