"""What was found, as an answer; and an honest word when nothing was."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_ENDS = (".", "!", "?", "…", "”", '"')


def answer(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Empty when nothing was asked."""
    if not plan.findings:
        return ""
    if plan.findings[0].source == "none":
        return unknown(plan.findings[0], words, choice)
    sure = [f for f in plan.findings if f.named == 1] or list(plan.findings)
    whole = plan.utterance is not None and any(a.attribute == "any" for a in plan.utterance.asks)
    most = policy.compose.page if whole else policy.compose.findings_most
    shown, rest = sure[:most], len(sure) - most
    said = " ".join(_sentence(f, words, choice) for f in shown)
    if rest > 0:
        said += " " + choice.pick(words.answers.get("more", ()), "more", {"count": str(rest)})
    return said


def unknown(finding: Finding, words: ComposeWords, choice: Choice) -> str:
    ways = words.unknown.get(finding.attribute) or words.unknown.get("any", ())
    return choice.pick(ways, "unknown")


def _sentence(finding: Finding, words: ComposeWords, choice: Choice) -> str:
    """A memory as it is told; the user's own words as a quotation."""
    if finding.source == "turn":
        return choice.pick(words.answers.get("turn", ()), finding.id, {"said": finding.told.strip()})
    told = finding.told.strip()
    return told if told.endswith(_ENDS) else f"{told}."


def grouped(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """By subject, the user first, in order of appearance."""
    out: dict[str, list[Finding]] = {"self": []}
    for finding in findings:
        out.setdefault(finding.subject, []).append(finding)
    return {subject: found for subject, found in out.items() if found}
