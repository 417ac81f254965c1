"""What was found, as an answer; and an honest word when nothing was."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice, longest
from clew.kernel.compose.naming import joined, quotable, who_is
from clew.kernel.keep.keys import STANCES, bare_value, stance_of
from clew.kernel.language.packs import pack
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_ENDS = (".", "!", "?", "…", "”", '"')
_WHOLE = ("any",)


def answer(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Empty when nothing was asked."""
    if not plan.findings:
        return ""
    if plan.findings[0].source == "none":
        return unknown(plan.findings[0], plan, words, choice, policy)
    if asks_whole(plan):
        return everything(plan, words, choice, policy)
    sure = [f for f in plan.findings if f.named == 1] or list(plan.findings)
    shown = sure[: policy.compose.findings_most]
    said = " ".join(told_of(shown, plan, words, choice, policy))
    rest = len(sure) - len(shown)
    return f"{said} {_more(rest, words, choice)}" if rest > 0 else said


def asks_whole(plan: ResponsePlan) -> bool:
    return plan.utterance is not None and any(a.attribute in _WHOLE for a in plan.utterance.asks)


def everything(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """All that is held, in pages: the user first, then each of their people; "what else" goes on."""
    already = plan.recent_replies[-policy.compose.page_memory :]
    going_on = bool(already) and _paged(already[-1], words)
    groups = list(policy.attributes.languages["en"].groups)
    ordered = sorted(
        plan.findings, key=lambda f: (f.subject != "self", f.subject, _place(f, groups, policy), f.told)
    )
    if going_on:
        ordered = [f for f in ordered if not any(f.told in said for said in already)]
    page, rest = ordered[: policy.compose.page], len(ordered) - policy.compose.page
    if not page:
        return choice.pick(words.answers["all_told"], "all_told")
    lines: dict[str, list[Finding]] = {}
    for finding in page:
        lines.setdefault(finding.subject, []).append(finding)
    said = "\n".join(" ".join(told_of(group, plan, words, choice, policy)) for group in lines.values())
    return f"{said}\n{_more(rest, words, choice)}" if rest > 0 else said


def _place(finding: Finding, groups: Sequence[str], policy: Policy) -> int:
    row = policy.attributes.rows.get(finding.attribute)
    return groups.index(row.group) if row is not None and row.group in groups else len(groups)


def _paged(reply: str, words: ComposeWords) -> bool:
    return any(longest(way) in reply.lower() for way in words.answers["more"])


def _more(rest: int, words: ComposeWords, choice: Choice) -> str:
    return choice.pick(words.answers["more"], "more", {"count": str(rest)})


def told_of(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    """One sentence each; tastes of one kind in a single sentence."""
    out: list[str] = []
    done: set[tuple[str, str]] = set()
    for finding in findings:
        stance = _stance(finding)
        if stance is None:
            out.append(_sentence(finding, words, choice, policy))
        elif (finding.subject, stance) not in done:
            done.add((finding.subject, stance))
            alike = [f for f in findings if _stance(f) == stance and f.subject == finding.subject]
            out.append(_tastes(alike, stance, words, choice, policy))
    return list(dict.fromkeys(out))


def _stance(finding: Finding) -> str | None:
    if finding.source != "memory" or finding.past:
        return None
    # A taste kept as a note has no stance before its words.
    return stance if (stance := stance_of(finding.value)) in STANCES else None


def _tastes(
    alike: Sequence[Finding], stance: str, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    if len(alike) == 1:
        return _sentence(alike[0], words, choice, policy)
    items = [bare_value(f.value).replace("_", " ") for f in alike]
    kind = stance if alike[0].subject == "self" else f"their_{stance}"
    who = who_is(alike[0].subject, choice, policy)
    return choice.pick(words.answers[kind], kind, {"values": joined(items, words), "who": who})


def _sentence(finding: Finding, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A memory as it is told; the user's own words as a quotation."""
    if finding.source == "turn":
        return choice.pick(words.answers["turn"], finding.id, {"said": finding.told.strip().rstrip(".")})
    told = _own_words(finding, words, choice, policy) or finding.told.strip()
    spoken = pack(choice.language)
    if choice.polite and spoken is not None:
        told = spoken.politely(told)
    return told if told.endswith(_ENDS) else f"{told}."


def _own_words(finding: Finding, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """A few sides of a life read better in a sentence than as a label."""
    ways = words.tells.get(finding.attribute, ())
    if not ways or finding.past or finding.subject != "self":
        return ""
    value = quotable(bare_value(finding.value), choice.language, policy)
    return choice.pick(ways, finding.id, {"value": value}).rstrip(".")


def unknown(
    finding: Finding, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    """Nothing is held: said plainly, and with the thing's own name where it has one."""
    who = who_is(finding.subject, choice, policy)
    pair = words.things.get(finding.attribute, ())
    what = ""
    if pair:
        what = pair[0] if not who else pair[1].replace("{who}", who) if len(pair) > 1 else ""
    if asks_whole(plan):
        return choice.pick(words.unknown["all"], "unknown")
    return choice.pick(words.unknown["named" if what else "any"], "unknown", {"what": what})
