"""The structured prompt, and what did not make it in.

Memory is quoted data: every delimiter inside it is escaped, so that it cannot end its own quotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.language.scripts import syllables
from clew.kernel.plan.voice import persona_lines, rule_lines, stage_line
from clew.model.plan import (
    LeftOut,
    Prompt,
    PromptLine,
    ResponsePlan,
    Section,
    Snippet,
    Spoken,
    Violation,
)
from clew.policy import Policy
from clew.policy.plan import PlanPolicy

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def render(
    plan: ResponsePlan,
    turns: Sequence[Spoken],
    policy: Policy,
    *,
    budget: int | None = None,
    loops: Sequence[str] = (),
) -> Prompt:
    """Rules, persona, stage, plan and the message itself always stand; memory and older turns share
    what is left of the budget, best and newest first. `loops` are open threads, already budgeted."""
    table = policy.plan
    fixed = [
        _section("rules", rule_lines(plan, policy), table),
        _section("persona", persona_lines(plan, policy), table),
        _section("relationship", (stage_line(plan, policy),), table),
        _section("plan", _plan_lines(plan, policy), table),
    ]
    open_loops = [_section("threads", [quote(line) for line in loops], table)] if loops else []
    fixed += open_loops
    room = (table.prompt_tokens if budget is None else budget) - sum(s.tokens for s in fixed)
    room -= token_count(plan.user_text, table)
    left = list(plan.left_out)
    memory, used, missed = _memory(plan.snippets, room, plan.constraints.max_personal_facts, table)
    left += missed
    kept, skipped = _recent(_before(turns, plan), room - used, table)
    left += skipped
    sections = [*fixed[:3], *([memory] if memory else []), *open_loops, fixed[3]]
    system = "\n\n".join(s.text for s in sections)
    said = [PromptLine(t.role, t.text) for t in kept]
    messages = (PromptLine("system", system), *said, PromptLine("user", plan.user_text))
    recent = Section("turns", sum(token_count(t.text, table) for t in kept), f"{len(kept)} messages")
    message = Section("message", token_count(plan.user_text, table), plan.user_text)
    everything = (*sections, recent, message)
    return Prompt(messages, everything, tuple(left), sum(s.tokens for s in everything))


def rewrite(plan: ResponsePlan, draft: str, violations: Sequence[Violation], policy: Policy) -> Prompt:
    """The one constrained rewrite: all violations at once (ruling P51)."""
    table = policy.plan
    points = (table.lines["rewrite_head"], *(f"- {v.code}: {quote(v.told)}" for v in violations))
    sections = (
        _section("rules", rule_lines(plan, policy), table),
        _section("persona", persona_lines(plan, policy), table),
        _section("relationship", (stage_line(plan, policy),), table),
        _section("plan", points, table),
    )
    shown = f"<draft>{quote(draft[: policy.gate.max_characters])}</draft>"
    message = Section("draft", token_count(shown, table), shown)
    messages = (
        PromptLine("system", "\n\n".join(s.text for s in sections)),
        PromptLine("user", shown),
    )
    everything = (*sections, message)
    return Prompt(messages, everything, (), sum(s.tokens for s in everything))


def quote(text: str) -> str:
    """One line, no control characters, no live delimiter."""
    shown = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return " ".join(shown.split()).translate(_ESCAPES)


@lru_cache(maxsize=4096)
def token_count(text: str, policy: PlanPolicy) -> int:
    """A deterministic estimate: by letters, or by syllables where a character is one."""
    whole = syllables(text)
    exact = (len(text) - whole) / policy.characters_per_token + whole / policy.syllables_per_token
    return -(-exact.numerator // exact.denominator)


def _section(name: str, lines: Sequence[str], policy: PlanPolicy) -> Section:
    text = f"## {name.capitalize()}\n" + "\n".join(lines)
    return Section(name, token_count(text, policy), text)


def _plan_lines(plan: ResponsePlan, policy: Policy) -> tuple[str, ...]:
    lines = policy.plan.lines
    out = [lines["plan_head"], "- " + lines["tone"].format(tone=plan.emotional_tone)]
    if plan.ack_style == "brief":
        out.append("- " + lines["ack"])
    out += [f"- {quote(line)}" for line in plan.answer_outline]
    out.append("- " + (quote(plan.followup_question) if plan.followup_question else lines["no_ask"]))
    if plan.avoid_openers:
        out.append("- " + lines["opener"])
    return tuple(out)


def _memory(
    snippets: Sequence[Snippet], room: int, most: int, policy: PlanPolicy
) -> tuple[Section | None, int, list[LeftOut]]:
    head = policy.lines["memory_head"].format(most=most)
    kept: list[str] = []
    left: list[LeftOut] = []
    section: Section | None = None
    for snippet in snippets:
        line = f'<memory key="{quote(snippet.key)}">{quote(snippet.value)}</memory>'
        tried = _section("memory", (head, *kept, line), policy)
        if tried.tokens > room:
            left.append(LeftOut("memory", snippet.memory_id, policy.lines["left_budget"]))
            continue
        kept.append(line)
        section = tried
    return section, section.tokens if section else 0, left


def _before(turns: Sequence[Spoken], plan: ResponsePlan) -> Sequence[Spoken]:
    """The message being answered stands at the end of the prompt, once."""
    if turns and turns[-1].role == "user" and turns[-1].text == plan.user_text:
        return turns[:-1]
    return turns


def _recent(turns: Sequence[Spoken], room: int, policy: PlanPolicy) -> tuple[list[Spoken], list[LeftOut]]:
    kept: list[Spoken] = []
    lines = policy.lines
    for back, turn in enumerate(reversed(turns)):
        cost = token_count(turn.text, policy)
        why = "left_turns" if back >= policy.prompt_turns else "left_budget" if cost > room else ""
        if why:
            # A talk with holes misleads, so everything older goes with it.
            older = len(turns) - back
            return kept[::-1], [LeftOut("turns", f"{older} older messages", lines[why])]
        room -= cost
        kept.append(turn)
    return kept[::-1], []
