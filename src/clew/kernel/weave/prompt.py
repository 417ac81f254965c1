"""The rules as text for any model, rendered from the table that the reconciler enforces.

Prompt and reconciler cannot drift: a rule without a row is never reported, a row without a place on
the page is never said, and every example is a fixture (prompt-side changes).
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.weave.ages import is_overdue, pressing
from clew.model.thread import Form, PageKind, Payoff, Thread, ThreadType, Urgency
from clew.policy.weave import LoopExample, WeavePolicy

SECTIONS = ("loop", "refine", "shape", "state")


def page_rules(page: PageKind, policy: WeavePolicy) -> tuple[str, ...]:
    """The rules that can bite on this kind of page, in the order of the table."""
    return tuple(name for name, rule in policy.rules.items() if page in rule.pages)


def contract_prompt(page: PageKind, policy: WeavePolicy, threads: Sequence[Thread] = ()) -> str:
    """Definition, phrasing, rules, refinement, examples; and the open threads on a continuation."""
    words, headings = policy.words, policy.headings
    parts = [words["definition"], words[page.value], _heading(policy, "forms"), _forms(policy)]
    fill = _values(policy)
    for section in SECTIONS:
        parts.append(_heading(policy, section))
        if section == "refine" and page is PageKind.CONTINUATION:
            parts.append(words["refine"])
        lines = [
            f"- {policy.rules[name].prompt.format_map(fill)} [weave.{name} {policy.rules[name].code}]"
            for name in page_rules(page, policy)
            if policy.rules[name].section == section
        ]
        parts.append("\n".join(lines))
    parts += [_heading(policy, "good"), _examples(policy, page, good=True)]
    parts += [_heading(policy, "bad"), _examples(policy, page, good=False)]
    if page is PageKind.CONTINUATION and threads:
        parts += [f"## {headings['open']}", "\n".join(thread_lines(threads, policy))]
    return "\n\n".join(p for p in parts if p) + "\n"


def thread_lines(threads: Sequence[Thread], policy: WeavePolicy) -> list[str]:
    """One line a thread, the pressing ones first."""
    return [thread_line(t, policy) for t in pressing(threads, policy)]


def thread_line(thread: Thread, policy: WeavePolicy) -> str:
    late = f", {policy.words['overdue']}" if is_overdue(thread, policy) else ""
    return f"- {thread.id} {thread.type.value} {thread.urgency.value}{late}: {thread.text}"


def _heading(policy: WeavePolicy, name: str) -> str:
    return f"## {policy.headings[name]}"


def _forms(policy: WeavePolicy) -> str:
    return "\n".join(f"- {k.value} ({policy.forms[k].value}): {policy.templates[k]}" for k in ThreadType)


def _examples(policy: WeavePolicy, page: PageKind, *, good: bool) -> str:
    said = set(page_rules(page, policy))
    shown = [e for e in policy.examples if (not e.rule) == good and (good or e.rule in said)]
    return "\n".join(_example(e, policy) for e in shown)


def _example(example: LoopExample, policy: WeavePolicy) -> str:
    line = f"- {example.type.value}: {example.text}"
    if not example.rule:
        return line
    rule = policy.rules[example.rule]
    beside = f" beside the open thread {example.beside!r}" if example.beside else ""
    return f"{line}{beside} → {rule.code}{'. ' + rule.hint if rule.hint else ''}"


def _values(policy: WeavePolicy) -> dict[str, str]:
    """What the sentences quote, from the same numbers that the reconciler compares with."""
    by_number: dict[str, list[str]] = {}
    for kind in ThreadType:
        by_number.setdefault(f"{float(policy.thresholds[kind]):g}", []).append(kind.value)
    thresholds = ", ".join(f"{n} for {'/'.join(kinds)}" for n, kinds in by_number.items())
    prefixes = [f"{policy.thread_prefix} threads"]
    prefixes += [f"{prefix} {kind.value.replace('_', ' ')}" for kind, prefix in policy.entry_prefixes.items()]

    def of_form(form: Form) -> str:
        return ", ".join(k.value for k in ThreadType if policy.forms[k] is form)

    return {
        "thresholds": thresholds,
        "stop_phrases": ", ".join(f'"{p}"' for p in policy.stop_phrases),
        "prefix": policy.thread_prefix,
        "prefixes": ", ".join(prefixes),
        "question_types": of_form(Form.QUESTION),
        "goal_types": of_form(Form.GOAL),
        "prevention_types": of_form(Form.PREVENTION),
        "types": ", ".join(ThreadType),
        "urgencies": ", ".join(Urgency),
        "default_urgency": policy.default_urgency.value,
        "high_per_page": str(policy.high_per_page),
        "promises_max": str(policy.promises_max),
        "payoffs": ", ".join(Payoff),
    }
