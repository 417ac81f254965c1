"""Who somebody is: first whose, then what is known of them, each told by the name alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.gathered import line_of, without_repeated
from clew.kernel.compose.naming import who_is
from clew.kernel.compose.told import told_of
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.telling import words_of
from clew.kernel.language.gathering import Bearer
from clew.kernel.language.packs import pack
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.features import mentions
from clew.model.memory import SELF
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_SOMEBODY = "person:person"


def introduced(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    """ "Isla is your grandchild. Isla is 12."; empty where somebody was not asked for by a name that is held."""
    asks = plan.utterance.asks if plan.utterance else ()
    name = next((a.name for a in asks if a.attribute == "who" and a.name), None)
    ways = words.answers.get("who_is", ())
    named = [f for f in findings if f.source == "memory" and f.attribute == "name"]
    held = [f for f in named if f.subject not in (SELF, _SOMEBODY)]
    mine = next((f for f in held if name and bare_value(f.value).lower() == name.lower()), None)
    who = _as_told(mine, choice, policy) if mine is not None else ""
    others = {m.subject for m in mentions(plan.user_text, policy.reader)} - {mine.subject if mine else ""}
    if mine is None or not ways or not who or mine.past or others:
        return ""
    spelt = bare_value(mine.value)
    called = spelt[:1].upper() + spelt[1:]
    rest = [f for f in findings if f is not mine][: policy.compose.findings_most - 1]
    is_who = choice.pick(ways, "who_is", {"name": called, "who": who})
    if all(f.source == "memory" for f in rest) and (line := line_of(without_repeated([mine, *rest]), choice, policy)):
        line = line.removeprefix(line_of([mine], choice, policy)).strip()
        known = re.sub(rf"^{re.escape(who)} {re.escape(called)}\w? ", "", line)
        return f"{is_who} {known}".strip()
    told = [_by_name(said, who, called) for said in told_of(rest, plan, words, choice, policy)]
    said = (is_who, *told)
    spoken = pack(choice.language)
    if spoken is not None:
        said = tuple(spoken.gathered([Bearer(mine.subject, called, called, said)], policy))
    return " ".join(said)


def _as_told(name: Finding, choice: Choice, policy: Policy) -> str:
    """By the user's own word for them: your tutor, not your teacher."""
    row = words_of(choice.language, policy).told.get("name")
    before, _, after = row.they.partition("{who}") if row else ("", "", "")
    behind = after.partition("{value}")[0]
    lead = name.told.removeprefix(before).partition(behind)[0] if behind and behind in name.told else ""
    return f"{lead[:1].lower()}{lead[1:]}" or who_is(name.subject, choice, policy)


def _by_name(said: str, who: str, name: str) -> str:
    """ "Your grandchild Isla is 12": who that is was just said."""
    lead, found, rest = said.partition(f" {name}")
    # Where words are written in syllables a particle hangs on to the name: 누나 한별은.
    own = lead.lower() == who.lower() if has_syllables(name) else lead.lower().startswith("your ")
    whole = has_syllables(name) or not rest[:1].isalpha()
    return f"{name}{rest}" if found and own and whole and len(lead.split()) <= 3 else said
