"""The persona as explicit dos and don'ts, never as a mood (turn-pipeline §9)."""

from __future__ import annotations

from clew.model.persona import Expression
from clew.model.plan import ResponsePlan
from clew.policy import Policy


def rule_lines(plan: ResponsePlan, policy: Policy) -> tuple[str, ...]:
    table = policy.plan
    spoken = table.language_names.get(plan.language) or table.language_names["other"]
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
    if plan.preferred_name:
        # A name is typed by the user: it is data, so it may not carry a line break or a delimiter.
        name = " ".join(plan.preferred_name.split()).replace("<", "").replace(">", "")
        out.append(table.lines["name"].format(name=name))
    return tuple(f"- {line}" for line in out)


def stage_line(plan: ResponsePlan, policy: Policy) -> str:
    return f"- {policy.plan.stage_rules[plan.stage]}"
