"""Is this a value of that field? A bare word after a correction must be what the field holds (ruling P74)."""

from __future__ import annotations

from clew.kernel.language.packs import house
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.slug import slug
from clew.model.key import Key
from clew.policy import Policy


def _field(key: str) -> str:
    parsed = Key.parse(key)
    return (parsed.field if parsed else None) or ""


def fits(key: str, value: str, policy: Policy) -> bool:
    """The value stated in full must be read as that fact; fields without a frame take any."""
    words = policy.remember.correct
    field = _field(key)
    frame = words.frames.get(field)
    if frame is None:
        return True
    if has_syllables(value):
        return field not in words.closed or _known(field, value, policy)
    stated = [v for f, v in house().rules.facts(frame.format(value), policy) if f == field]
    whole = any(slug(v, policy.text) == slug(value, policy.text) for v in stated)
    return _is_job(value, whole, policy) if field == "occupation" else whole


def names_itself(key: str, value: str, policy: Policy) -> bool:
    """Said alone, without "I live in": a listed value, or a name by its capital letters."""
    field = _field(key)
    if has_syllables(value) or field in policy.remember.correct.closed:
        return _known(field, value, policy)
    spelt = value.replace("-", " ").split()
    return all(w[:1].isupper() for w in spelt) and not pattern("amend_no_name", policy).search(value)


def _known(field: str, value: str, policy: Policy) -> bool:
    say = policy.remember.say
    low = value.lower()
    match field:
        case "occupation":
            return low in say.jobs or any(low.endswith(f" {j}") for j in say.jobs)
        case "language_primary":
            return low in say.languages
        case "home_country":
            return low in say.countries
        case "current_city" | "home_city":
            return low in policy.remember.said("places")
        case _:
            return False


def _is_job(value: str, stated: bool, policy: Policy) -> bool:
    """A listed job, or one who does something: a falconer, a nurse practitioner; a hospital is none."""
    if _known("occupation", value, policy):
        return True
    agent = pattern("stated_agent", policy).search(value) is not None
    return agent and (stated or value.lower().split()[0] in policy.remember.say.jobs)
