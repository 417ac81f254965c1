"""What the reply should do, before anyone writes it."""

from __future__ import annotations

from clew.kernel.cast.library import template
from clew.kernel.gate.repetition import opener
from clew.kernel.plan.choose import asks_memory, choose_snippets, fresh, kin
from clew.kernel.plan.constraints import constrain, narrow_topics, style_of, with_style
from clew.kernel.plan.focus import focus
from clew.kernel.plan.wishes import manner
from clew.kernel.text.passage import passage
from clew.model.canonical import sha256
from clew.model.persona import Directness, Expression, Humor
from clew.model.plan import Constraints, Focus, LeftOut, PlanAsk, ResponsePlan, Snippet
from clew.model.turn import Pipeline, SafetyPolicy, Source
from clew.model.verdict import Reason
from clew.policy import Policy


def outline(ask: PlanAsk, policy: Policy) -> ResponsePlan:
    wanted = manner(style_of(ask), ask.rules, ask.told, policy)
    ask = with_style(ask, wanted.style)
    about = focus(ask, policy)
    known = template(ask.assignment.template_id, policy) if ask.assignment else None
    params = style_of(ask)
    narrow = bool(narrow_topics(ask))
    asks, why = wants_followup(ask, about, narrow, policy)
    if not wanted.questions:
        asks, why = False, Reason("plan.followup.wish", "the user wants no questions")
    limits = constrain(ask, asks, policy)
    snippets, left = choose_snippets(ask, policy)
    recall = asks_memory(ask, policy)
    # Out of the blue a memory is a non sequitur; an event's wording ages too fast to be woven in.
    told = (s for s in fresh(snippets, ask, policy) if not s.key.startswith("event:"))
    new = tuple(s for s in told if kin(s, passage(ask.text, policy), policy))
    weave = bool(new) and not recall and _due(ask, policy.plan.callback_period, salt="callback")
    tone = tone_of(ask, about, known.emotional_expression_level if known else Expression.NORMAL)
    hints = tuple(h.replace("_", " ") for h in known.hint_tokens) if known else ()
    return ResponsePlan(
        pipeline=ask.pipeline,
        language=ask.signals.language,
        ack_style="none" if about.kind == "question" else "brief",
        answer_outline=_lines(ask, about, limits, snippets, recall, weave, policy),
        followup_question=policy.plan.lines["ask"] if asks else None,
        emotional_tone=tone,
        humor=Humor.NONE if tone == "supportive" else params.humor_mode,
        directness=params.directness_level,
        constraints=limits,
        style=params,
        snippets=snippets,
        hint_tokens=hints,
        preferred_name=name_of(ask, policy),
        user_text=ask.text,
        utterance=ask.utterance,
        findings=ask.findings,
        told=ask.told,
        at=ask.at,
        avoid_openers=_openers(ask, policy),
        recent_replies=ask.recent_replies[-policy.plan.avoid_openers :],
        said=ask.said,
        previous=ask.previous[-policy.compose.settled_turns :] if policy.compose.settled_turns else (),
        variation=int(sha256(ask.message_id or ask.text)[:8], 16) + ask.turn,
        repeated=_repeated(ask),
        wishes=wanted.others,
        formal=wanted.formal,
        called=wanted.called,
        questions=wanted.questions,
        loop=None if ask.crisis or narrow else ask.loop,
        focus=about,
        stage=ask.stage,
        crisis=ask.crisis,
        narrow=narrow,
        source=ask.source,
        callback=new[0].memory_id if weave else None,
        recall=recall,
        expression=known.emotional_expression_level if known else None,
        left_out=left,
        boundary=ask.safety is SafetyPolicy.SOFT_REFUSE,
        reasons=_reasons(about, tone, why, left),
    )


def _repeated(ask: PlanAsk) -> int:
    """How many of the messages just before say exactly this."""
    count = 0
    for said in reversed(ask.previous):
        if said.strip().lower() != ask.text.strip().lower():
            break
        count += 1
    return count


def name_of(ask: PlanAsk, policy: Policy) -> str | None:
    """A login or a stand-in is no name to be called by."""
    name = (ask.preferred_name or "").strip()
    return name if name and name.lower() not in policy.plan.no_names else None


def wants_followup(ask: PlanAsk, about: Focus, narrow: bool, policy: Policy) -> tuple[bool, Reason]:
    """About one reply in three or four, never twice in a row, never into a suppressed topic."""
    if narrow:
        return False, Reason("plan.followup.narrow", "a suppressed topic is not re-opened")
    if ask.crisis or ask.pipeline is Pipeline.REFUSAL or ask.source is Source.RETENTION:
        return False, Reason("plan.followup.none", ask.pipeline.value)
    last = ask.recent_replies[-1] if ask.recent_replies else ""
    if "?" in last or "？" in last:
        return False, Reason("plan.followup.just_asked", "the last reply asked already")
    if not ask.recent_replies:
        return True, Reason("plan.followup.opening", "a question opens the talk")
    period = policy.plan.followup_period[style_of(ask).followup_question_rate]
    due = about.kind in policy.plan.followup_kinds and _due(ask, period, salt="followup")
    return due, Reason("plan.followup.due" if due else "plan.followup.rate", f"one in {period}")


def _due(ask: PlanAsk, period: int, *, salt: str) -> bool:
    """Every `period`-th turn from an offset of this friend's own; without a turn count, by the message."""
    if period <= 1:
        return True
    if ask.turn:
        seed = ask.assignment.seed if ask.assignment else 0
        return (ask.turn + seed + len(salt)) % period == 0
    return int(sha256(f"{salt}:{ask.message_id or ask.text}")[:8], 16) % period == 0


def tone_of(ask: PlanAsk, about: Focus, expression: Expression) -> str:
    """supportive, playful, calm or blunt, bounded by the persona."""
    params = style_of(ask)
    if ask.crisis or ask.pipeline is Pipeline.EMOTIONAL_SUPPORT or about.negative:
        return "supportive"
    if ask.pipeline is Pipeline.INFO_QA:
        return "blunt" if params.directness_level is Directness.BLUNT else "calm"
    jokes = params.humor_mode in (Humor.FREQUENT_JOKES, Humor.LIGHT_SARCASM)
    if jokes and expression is not Expression.RESTRAINED:
        return "playful"
    if params.directness_level is Directness.BLUNT:
        return "blunt"
    return "calm"


def _lines(
    ask: PlanAsk,
    about: Focus,
    limits: Constraints,
    snippets: tuple[Snippet, ...],
    recall: bool,
    weave: bool,
    policy: Policy,
) -> tuple[str, ...]:
    lines = policy.plan.lines
    out: list[str] = []
    if about.feeling:
        out.append(lines["feeling"].format(feeling=about.feeling))
    if ask.signals.flags.is_question:
        out.append(lines["answer"])
    if ask.pipeline is Pipeline.INFO_QA:
        out.append(lines["honest"])
    if recall:
        out.append(lines["recall"])
    elif weave and snippets:
        out.append(lines["weave"])
    if limits.narrow_topics:
        out.append(lines["narrow"].format(topics=", ".join(limits.narrow_topics)))
    if limits.topics_blocked:
        out.append(lines["avoid"].format(topics=", ".join(limits.topics_blocked)))
    return tuple(out)


def _openers(ask: PlanAsk, policy: Policy) -> tuple[str, ...]:
    found = (opener(r, policy) for r in ask.recent_replies[-policy.plan.avoid_openers :])
    return tuple(dict.fromkeys(o for o in found if o))


def _reasons(about: Focus, tone: str, why: Reason, left: tuple[LeftOut, ...]) -> tuple[Reason, ...]:
    named = f"{about.kind}: {about.feeling}" if about.feeling else about.kind
    out = [Reason("plan.focus", named), Reason("plan.tone", tone), why]
    out += [Reason("plan.left_out", f"{x.what}: {x.reason}") for x in left]
    return tuple(out)
