"""Which pipeline, and what it may touch (rulings P20–P28, P34, P35).

Safety first, then the user's state, then intent. No model is asked (ruling P17).
"""

from __future__ import annotations

from clew.model.profile import AgeBand, UserState
from clew.model.signals import Need, SafetyClass, Signals
from clew.model.turn import Pipeline, RoutingDecision, SafetyPolicy, Source, WritePolicy
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.route import ClassRow, RoutePolicy

_SEND, _SKIP = "SEND", "SKIP"


def decide(
    heard: Signals,
    state: UserState,
    age_band: AgeBand | None,
    source: Source,
    policy: Policy,
    *,
    asks_memory: bool = False,
    tells: bool = False,
) -> RoutingDecision:
    """`asks_memory`: the message asks for something of the user's own life; tells: it tells of it, or asks for
    something to be kept, beside whatever it asks of the world.
    """
    kind = heard.safety.kind
    row = policy.route.classes[kind]
    verdict, reasons = _verdict(kind, row, age_band, policy.route)
    if heard.safety.crisis:
        reasons.append(Reason("route.crisis"))
    pipeline, why = _pipeline(heard, state, row, verdict, asks_memory=asks_memory, tells=tells)
    reasons.append(why)
    reach = policy.route.pipelines[pipeline]
    write = reach.memory_write if row.remember else WritePolicy.NONE
    retention = None
    if source is Source.RETENTION:
        retention, why = _retention(state, verdict, heard.safety.crisis)
        reasons.append(why)
    return RoutingDecision(
        pipeline=pipeline,
        safety_policy=verdict,
        memory_read_policy=reach.memory_read,
        vector_search_policy=reach.vector_search,
        memory_write_policy=write,
        relationship_update_policy=reach.relationship,
        crisis=heard.safety.crisis,
        retention_policy=retention,
        reasons=tuple(reasons),
    )


def _verdict(
    kind: SafetyClass, row: ClassRow, age_band: AgeBand | None, policy: RoutePolicy
) -> tuple[SafetyPolicy, list[Reason]]:
    """An unknown age is a minor's for sexual content; elsewhere both columns are the same (P25)."""
    minor = age_band is None or age_band in policy.minors
    verdict = row.minor if minor else row.adult
    if kind is SafetyClass.NONE:
        return verdict, []
    age = ""
    if row.minor is not row.adult:
        age = "age unknown" if age_band is None else f"age {age_band}"
    return verdict, [Reason(f"route.{verdict.lower()}.{kind}", age)]


def _pipeline(
    heard: Signals, state: UserState, row: ClassRow, verdict: SafetyPolicy, *, asks_memory: bool, tells: bool
) -> tuple[Pipeline, Reason]:
    if state is UserState.CREATED:
        return Pipeline.REFUSAL, Reason("route.created", "onboarding is not begun")
    if verdict is SafetyPolicy.HARD_REFUSE:
        return Pipeline.REFUSAL, Reason("route.refusal")
    if row.over_onboarding and row.pipeline is not None:
        return row.pipeline, Reason("route.safety_pipeline")
    if state is UserState.ONBOARDING:
        return Pipeline.ONBOARDING_CHAT, Reason("route.onboarding")
    return _intent(heard, row, asks_memory=asks_memory, tells=tells)


def _intent(heard: Signals, row: ClassRow, *, asks_memory: bool, tells: bool) -> tuple[Pipeline, Reason]:
    """By intent, the first that fits."""
    flags = heard.flags
    if heard.need is not Need.NONE and not flags.has_distress:
        return Pipeline.EMOTIONAL_SUPPORT, Reason("route.need", heard.need.value)
    if flags.has_distress:
        return Pipeline.EMOTIONAL_SUPPORT, Reason("route.distress")
    if flags.asks_for_comfort:
        return Pipeline.EMOTIONAL_SUPPORT, Reason("route.comfort")
    if row.pipeline is not None:
        return row.pipeline, Reason("route.safety_pipeline")
    if flags.is_question and flags.has_personal_pronoun:
        return Pipeline.FRIEND_CHAT, Reason("route.personal_question")
    if asks_memory:
        return Pipeline.FRIEND_CHAT, Reason("route.asks_memory")
    if flags.is_pure_fact_q and not tells:
        return Pipeline.INFO_QA, Reason("route.fact_question")
    return Pipeline.FRIEND_CHAT, Reason("route.default")


def _retention(state: UserState, verdict: SafetyPolicy, crisis: bool) -> tuple[str, Reason]:
    """A proactive message goes out only where nothing at all speaks against it."""
    if state is not UserState.ACTIVE:
        return _SKIP, Reason("route.retention.not_active")
    if crisis or verdict is not SafetyPolicy.ALLOW:
        return _SKIP, Reason("route.retention.unsafe")
    return _SEND, Reason("route.retention.send")
