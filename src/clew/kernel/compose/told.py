"""What was found, each in a sentence: a memory as it is told, the user's own words as a quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.naming import joined, quotable, who_is
from clew.kernel.keep.keys import STANCES, bare_value, stance_of
from clew.kernel.keep.telling import words_of
from clew.kernel.language.packs import pack
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_QUOTED = re.compile(r"“([^”]+)”")
_ENDS = (".", "!", "?", "…", "”", '"')


def told_of(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    """One sentence each; tastes of one kind in a single sentence."""
    out: list[str] = []
    done: set[tuple[str, str]] = set()
    for finding in findings:
        stance = _stance(finding)
        if stance is None:
            out.append(sentence(finding, words, choice, policy))
        elif (finding.subject, stance) not in done:
            done.add((finding.subject, stance))
            alike = [f for f in findings if _stance(f) == stance and f.subject == finding.subject]
            out.append(_tastes(alike, stance, words, choice, policy))
    return _quoted_once(list(dict.fromkeys(out)))


def _quoted_once(told: Sequence[str]) -> list[str]:
    """The same words are quoted once, however many things are held in them."""
    out: list[str] = []
    quoted: set[str] = set()
    for sentence in told:
        said = {q.strip().lower() for q in _QUOTED.findall(sentence)}
        if not said or not said <= quoted:
            out.append(sentence)
        quoted |= said
    return out


def _stance(finding: Finding) -> str | None:
    if finding.source != "memory" or finding.past:
        return None
    # A taste kept as a note has no stance before its words.
    return stance if (stance := stance_of(finding.value)) in STANCES else None


def _tastes(
    alike: Sequence[Finding], stance: str, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    if len(alike) == 1:
        return sentence(alike[0], words, choice, policy)
    items = [bare_value(f.value).replace("_", " ") for f in alike]
    kind = stance if alike[0].subject == "self" else f"their_{stance}"
    who = who_is(alike[0].subject, choice, policy)
    return choice.pick(words.answers[kind], kind, {"values": joined(items, words), "who": who})


def sentence(finding: Finding, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A memory as it is told; the user's own words as a quotation."""
    if finding.source == "turn":
        return choice.pick(words.answers["turn"], finding.id, {"said": finding.told.strip().rstrip(".")})
    if planned := _planned(finding, words, choice, policy):
        return planned
    if dated := _quoted_with_day(finding, words, choice):
        return dated
    told = _own_words(finding, words, choice, policy) or finding.told.strip()
    spoken = pack(choice.language)
    if spoken is not None:
        told = spoken.spoken(told, choice.polite)
    return told if told.endswith(_ENDS) else f"{told}."


def _planned(finding: Finding, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A plan told as a whole clause is quoted beside its day, not built into a sentence."""
    ways, value = words.answers.get("planned", ()), finding.value.strip()
    if not ways or finding.attribute != "plan" or "“" in finding.told or quotable(value, choice.language, policy):
        return ""
    before, held, _ = finding.told.partition(value)
    day = _bare_day(before, words)
    dated = bool(held) and any(c.isalnum() for c in day)
    return choice.pick(ways, finding.id, {"when": day, "said": value}) if dated else ""


def _quoted_with_day(finding: Finding, words: ComposeWords, choice: Choice) -> str:
    """Words that say "next Saturday", or nothing of when, beside the day that is held."""
    ways, quoted = words.answers.get("planned", ()), _QUOTED.search(finding.told)
    if not ways or quoted is None or not finding.day or finding.source != "memory":
        return ""
    day = _bare_day(finding.day, words)
    return "" if day in quoted[1] else choice.pick(ways, finding.id, {"when": day, "said": quoted[1]})


def _bare_day(before: str, words: ComposeWords) -> str:
    """Without the particle behind it, where the language has one."""
    found = re.search(words.bare_day, before.strip()) if words.bare_day else None
    return found.group(1) if found else before.strip()


def _own_words(finding: Finding, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A few sides of a life read better in a sentence than as a label."""
    ways = words.tells.get(finding.attribute, ())
    if not ways or finding.past or finding.subject != "self":
        return ""
    value = quotable(bare_value(finding.value), choice.language, policy)
    if value and re.match(rf"\w+\s+{re.escape(value)}", finding.told, re.I):
        return ""  # "You run a café": the value is what they do
    row = words_of(choice.language, policy).told.get(finding.attribute)
    if row and row.you and not finding.told.startswith(row.you.partition("{")[0]):
        return ""  # "You work in payroll": nobody is a payroll
    return choice.pick(ways, finding.id, {"value": value}).rstrip(".")
