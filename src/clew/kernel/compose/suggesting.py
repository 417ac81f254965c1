"""What to eat, from what the user told: an allergy first, then how they eat, then what they like."""

from __future__ import annotations

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.naming import joined, quotable
from clew.kernel.keep.keys import bare_value, stance_of
from clew.kernel.keep.values import affirmed
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_FOOD = "pref:food:"
_BARRED = ("allergy",)
_WAY = ("diet",)


def food(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A suggestion that keeps what must be kept; without a known taste no dish is invented."""
    own = [f for f in plan.findings if f.source == "memory" and f.subject == "self" and not f.past]
    barred = _values([f for f in own if f.attribute in _BARRED], choice, policy)
    ways = [f for f in own if f.attribute in _WAY]
    # What is not eaten is left out like what must not be.
    barred += [affirmed("diet", f.value, policy)[0] for f in ways if affirmed("diet", f.value, policy)[1]]
    diet = _values([f for f in ways if not affirmed("diet", f.value, policy)[1]], choice, policy)
    liked = _values([f for f in own if f.key.startswith(_FOOD) and stance_of(f.value) != "dislike"], choice, policy)
    liked += [s.words for s in plan.snippets if s.key.startswith(_FOOD) and s.stance == "like"]
    vague = {word for kind in words.kinds.values() for word in kind}
    named = [v for v in dict.fromkeys(liked) if v.lower() not in vague and not _taste(v, vague)]
    # Peanut sauce is no dish for somebody allergic to peanuts.
    safe = [v for v in named if not any(b.lower().removesuffix("s") in v.lower() for b in barred)]
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
    return " ".join(out) if out else choice.pick(words.food["unknown"], "food")


def _taste(value: str, vague: set[str]) -> str:
    """spicy food → spicy, 매운 음식 → 매운: how it should be, no dish."""
    lead, _, last = value.rpartition(" ")
    return lead if lead and last.lower() in vague else ""


def _values(findings: list[Finding], choice: Choice, policy: Policy) -> list[str]:
    said = (quotable(bare_value(f.value), choice.language, policy) for f in findings)
    return [v for v in dict.fromkeys(said) if v]
