"""The persona as explicit dos and don'ts, never as a mood."""

from __future__ import annotations

from clew.model.persona import Expression
from clew.model.plan import ResponsePlan
from clew.policy import Policy

_NOT_IN_NAMES = str.maketrans(dict.fromkeys('"“”„«»<>{}[]`#*|\\', " "))


def rule_lines(plan: ResponsePlan, policy: Policy) -> tuple[str, ...]:
    table = policy.plan
    spoken = table.language_names.get(plan.language) or table.language_names["other"]
    if plan.formal:
        spoken = table.language_names.get(f"{plan.language}_formal", spoken)
    out = [f"- {rule}" for rule in table.rules]
    out.append(f"- {table.pipeline_rules[plan.pipeline]}")
    if plan.crisis:
        out.append(f"- {table.safety_rules['crisis']}")
    if plan.boundary:
        out.append(f"- {table.safety_rules['SOFT_REFUSE']}")
    out.append("- " + table.lines["language"].format(language=spoken))
    return tuple(out)


def persona_lines(plan: ResponsePlan, policy: Policy) -> tuple[str, ...]:
    table, limits = policy.plan, plan.constraints
    out = [
        table.length_rules[limits.length],
        table.emoji_rules[limits.emoji_freq],
        table.lexicon_rules[limits.lexicon],
        table.humor_rules[plan.humor],
        table.directness_rules[plan.directness],
        table.expression_rules[plan.expression or Expression.NORMAL],
    ]
    if limits.punctuation_quirks:
        out.append(table.lines["quirks"].format(quirks=" ".join(limits.punctuation_quirks)))
    else:
        out.append(table.lines["no_quirks"])
    if plan.hint_tokens:
        out.append(table.lines["hints"].format(hints=", ".join(plan.hint_tokens)))
    if plan.called:
        out.append(table.lines["called"].format(name=quoted_name(plan.called, policy)))
    out += [table.lines["wish"].format(wish=quoted_name(wish, policy)) for wish in plan.wishes]
    if plan.preferred_name:
        out.append(table.lines["name"].format(name=quoted_name(plan.preferred_name, policy)))
    return tuple(f"- {line}" for line in out)


def quoted_name(name: str, policy: Policy) -> str:
    """A name is typed by the user: data in quotation marks that it cannot close, on one line, and short."""
    held = "".join(c for c in name if c.isprintable() or c.isspace()).translate(_NOT_IN_NAMES)
    return f'"{" ".join(held.split())[: policy.plan.name_characters].strip()}"'


def stage_line(plan: ResponsePlan, policy: Policy) -> str:
    return f"- {policy.plan.stage_rules[plan.stage]}"
