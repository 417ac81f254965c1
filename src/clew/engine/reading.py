"""Reading a message once and choosing its pipeline, before anything is written."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.engine.changing import words_of
from clew.engine.in_part import asked_in_part
from clew.engine.parts import Parts
from clew.engine.texts import say
from clew.engine.turn_state import Turn
from clew.engine.vectors import read_vector, token_vectors_of, vectors_of
from clew.kernel.care.crisis import Call, crisis_reply
from clew.kernel.care.support import eased
from clew.kernel.correct.commands import is_explicit
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.people import everybody, told_of_known
from clew.kernel.language.packs import OTHER, language_of, tells_language
from clew.kernel.language.spellings import standard
from clew.kernel.read.age import band_told
from clew.kernel.read.hardship import (
    AMID_HARDSHIP,
    HARDSHIP,
    Hardship,
    ToldBefore,
    hardship_of,
    leaves,
    moves_on,
    open_kind,
    tells_hardship,
)
from clew.kernel.read.need import (
    AFTER_CARE,
    AFTER_CRISIS,
    AFTER_GRAVE,
    after_crisis,
    danger_odds,
    grave,
    harmless,
)
from clew.kernel.read.questions import is_question
from clew.kernel.read.signals import hear as signals_of
from clew.kernel.read.together import TOGETHER, joined
from clew.kernel.read.utterance import read
from clew.kernel.recall.memories.ranking import memory_text
from clew.kernel.route.decide import decide
from clew.kernel.statements.clarified import Clarified, clarified
from clew.kernel.statements.extract import extracted
from clew.kernel.statements.people import Known, last_spoken_of
from clew.kernel.statements.possessives import marked
from clew.kernel.statements.several_plans import plans_apart
from clew.kernel.statements.short_questions import all_the_rest, spelled_out
from clew.kernel.statements.told_bare import may_answer, told_bare
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import passage
from clew.kernel.text.sentences import sentences
from clew.model.exchange import Outcome
from clew.model.memory import SELF, MemoryStatus
from clew.model.notes import (
    AskNote,
    EmotionNote,
    HeardNote,
    RouteNote,
    SafetyNote,
    SentenceNote,
    StatementNote,
    TopicNote,
)
from clew.model.profile import UserState
from clew.model.signals import Need, SafetyClass, Signals
from clew.model.turn import Pipeline
from clew.model.utterance import Statement, Utterance
from clew.model.verdict import Reason
from clew.policy import Policy

# Where names of people and pets stand.
_PEOPLE = ("name", "exists")
# (policy, space of the vector, text) -> what an earlier message asked for; kept while the process lives.
_NEEDS: OrderedDict[tuple[str, str, str], Need] = OrderedDict()
_NEEDS_MOST = 2_000


def hear(parts: Parts, turn: Turn) -> Turn:
    """The message as a noun: everything later rooms need to know of it."""
    others = _others(parts, turn)
    names = everybody(turn.memories)
    spoken = _spoken(turn, parts.policy)
    # "and Theo?" is read as the whole question that it stands for.
    language = spoken or language_of(turn.text, parts.policy)
    plain = standard(turn.text, language, parts.policy)
    plain = plans_apart(plain, language, turn.at, turn.zone, parts.policy)
    text = marked(plain, language, names, parts.policy)
    said = spelled_out(text, spoken or "", turn.previous, names, parts.policy)
    said = said or _told_bare(parts, turn, spoken, names) or text
    vectors_of(parts, [said, *others, *_near(turn)])
    vector, used = read_vector(parts, said)
    message = read(
        said,
        parts.policy,
        previous=turn.previous,
        vector=vector,
        tokens=token_vectors_of(parts, said),
        spoken=spoken,
        vectors=_other_vectors(parts, others),
        names=names,
        clear=_clarified(parts, turn, text, spoken, names) if said == text else None,
    )

    def reread(said: str) -> Utterance:
        vector, tokens, before = read_vector(parts, said)[0], token_vectors_of(parts, said), turn.previous
        return read(said, parts.policy, previous=before, vector=vector, tokens=tokens, spoken=spoken, names=names)

    message = replace(message, text=turn.text)
    if rest := all_the_rest(turn.text, message.language, turn.previous, parts.policy):
        message = replace(message, asks=rest, asked_for=(("", 1.0),), statements=())
    if said == text:
        message = asked_in_part(parts, turn, message, reread)
    _remember_need(parts, turn, message)
    message = _still_cared_for(parts, turn, message)
    message = replace(message, statements=_of_known(parts, turn, message))
    heard = message.signals
    raised = [name for name in heard.flags.__dataclass_fields__ if getattr(heard.flags, name)]
    turn.notes.add(
        HeardNote(
            language=message.language,
            heads=used,
            flags=tuple(raised),
            sentences=tuple(SentenceNote(s.act, s.negated) for s in message.sentences),
            statements=tuple(StatementNote(s.subject, s.attribute, s.value, s.status) for s in message.statements),
            asks=tuple(AskNote(a.subject, a.attribute, a.name) for a in message.asks),
            need=message.need,
            topics=tuple(TopicNote(m.topic, float(m.confidence), m.hits) for m in heard.topics),
            mentioned=tuple(heard.mentioned),
            emotion=EmotionNote(heard.emotion.valence, tuple(heard.emotion.tags), heard.emotion.strong),
            safety=SafetyNote(heard.safety.kind, heard.safety.crisis),
            reasons=(*heard.safety.reasons, *heard.emotion.reasons, *heard.need_reasons),
        )
    )
    told = extracted(
        plain, turn.at, turn.zone, parts.policy, message.vector, message.statements,
        learned=message.tokens is not None,
    )  # fmt: skip
    return replace(turn, utterance=message, told=told)


def _told_bare(parts: Parts, turn: Turn, spoken: str | None, names: Mapping[str, str]) -> str | None:
    """ "27", right after "how old am I?", is read as the sentence that it stands for."""
    if not turn.previous or not may_answer(turn.text, spoken or "", parts.policy):
        return None
    asked = turn.previous[-1]
    if "?" not in asked and not is_question(normal(asked), parts.policy):
        return None
    before = read(asked, parts.policy, previous=turn.previous[:-1], vector=read_vector(parts, asked)[0], names=names)
    return told_bare(turn.text, spoken or "", asked, before.asks, parts.policy)


def _others(parts: Parts, turn: Turn) -> tuple[str, ...]:
    """The sentences of a longer message, so that one line of it is not lost in the average; the last turns together."""
    if parts.embedder is None:
        return ()
    said = sentences(turn.text, parts.policy.text)
    some = said[: parts.policy.engine.sentence_vectors] if len(said) > 1 else ()
    return (*some, *joined(turn.text, turn.previous, parts.policy))


def _near(turn: Turn) -> list[str]:
    """What is remembered near the message: embedded in one call with it, which costs as one."""
    return [text for m in turn.memories for text in (memory_text(m), words_of(m), bare_value(m.memory_value))]


def _other_vectors(parts: Parts, wanted: Sequence[str]) -> dict[str, Sequence[float]] | None:
    if not wanted or read_vector(parts, wanted[0])[0] is None:
        return None
    return vectors_of(parts, wanted)


def _still_cared_for(parts: Parts, turn: Turn, message: Utterance) -> Utterance:
    """The turns after a crisis are met with care, whatever is said in them (ruling S1); after care, gently."""
    if message.need is Need.CRISIS:
        return message
    table, policy = parts.policy.care, parts.policy
    needs = _needs_lately(parts, turn)
    if Need.CRISIS in needs:
        heard = _soon_after_crisis(message, policy)
        return replace(message, need=heard.need, signals=heard)
    lately = turn.previous[-table.grave_turns :] if table.grave_turns else ()
    amid = any(grave(passage(said, policy), message.language, policy) for said in lately)
    why = (Reason(AFTER_GRAVE),) if amid else ()
    if kind := _open_hardship(parts, turn, needs, message.language):
        why = (*why, Reason(AMID_HARDSHIP, kind))
        message = _hard_amid(parts, turn, message)
    if message.need is not Need.NONE:
        return replace(message, signals=replace(message.signals, need_reasons=(*message.signals.need_reasons, *why)))
    if Need.CARE in needs or why:
        # Heard as it is said, and answered without anything playful.
        since = 1 + needs[::-1].index(Need.CARE) if Need.CARE in needs else 1
        why = (Reason(AFTER_CARE, str(since)), *why)
        return replace(message, signals=replace(message.signals, need_reasons=why, since_care=since))
    return message


def _open_hardship(parts: Parts, turn: Turn, needs: Sequence[Need], language: str) -> str:
    """The hardship that the talk still stays with, one that lasts before others; "" where none is open."""
    policy = parts.policy
    lately = turn.previous[-policy.care.hard_turns :] if policy.care.hard_turns else ()
    now = ToldBefore("", leaves=False, closes=moves_on(turn.text, language, policy))
    before = (ToldBefore(_kind_of(parts, s), leaves(s, policy), moves_on(s, language, policy)) for s in lately[::-1])
    kind = open_kind([now, *before], policy)
    return kind or (policy.listen.hardship.other if needs.count(Need.CARE) >= policy.care.pain_turns else "")


def _kind_of(parts: Parts, said: str) -> str:
    """Of an earlier message that was met as a hardship, or with care."""
    cares = _need_of(parts, said) is Need.CARE
    found = _hardship(parts, said, cares=cares)
    return found.kind if cares or tells_hardship(found, language_of(said, parts.policy), parts.policy) else ""


def _hard_amid(parts: Parts, turn: Turn, message: Utterance) -> Utterance:
    """What is told while a hardship is open takes less to be one itself."""
    heard, policy = message.signals, parts.policy
    if message.need is not Need.NONE or heard.flags.is_question or heard.safety.kind is not SafetyClass.NONE:
        return message
    found = _hardship(parts, turn.text)
    if not tells_hardship(found, message.language, policy, amid=True) or harmless(turn.text, message.language, policy):
        return message
    signals = replace(heard, need=Need.CARE, need_reasons=(Reason(HARDSHIP, found.kind),))
    return replace(message, need=Need.CARE, signals=signals)


def _hardship(parts: Parts, said: str, *, cares: bool = False) -> Hardship:
    found = sentences(said, parts.policy.text)
    ones = _other_vectors(parts, found) if len(found) > 1 else None
    vector, language = read_vector(parts, said)[0], language_of(said, parts.policy)
    return hardship_of(said, language, found, vector, parts.policy, ones, cares=cares)


def _needs_lately(parts: Parts, turn: Turn) -> list[Need]:
    """What the last messages asked for; what was still danger, soon after a crisis, keeps the care going."""
    stay = parts.policy.care.stay_turns
    needs: list[Need] = []
    for text in turn.previous if stay else ():
        need = _need_of(parts, text)
        if need is not Need.CRISIS and Need.CRISIS in needs[-stay:]:
            need = _need_after_crisis(parts, text)
        needs.append(need)
    return needs[-stay:]


def _need_after_crisis(parts: Parts, said: str) -> Need:
    """Of an earlier message, as it was heard soon after a crisis."""
    vector, used = read_vector(parts, said)
    key = _need_key(parts, f"{AFTER_CRISIS} {said}", vector is not None, used)
    if (need := _NEEDS.get(key)) is not None:
        return need
    message = read(said, parts.policy, vector=vector, tokens=token_vectors_of(parts, said))
    return _hold_need(key, _soon_after_crisis(message, parts.policy).need)


def _soon_after_crisis(message: Utterance, policy: Policy) -> Signals:
    better = eased(message, policy) is not None
    return after_crisis(message.signals, policy, danger_odds(message, policy), eased=better)


def _need_of(parts: Parts, said: str) -> Need:
    """Of an earlier message alone. It is asked for in several turns and read in the first of them."""
    vector, used = read_vector(parts, said)
    key = _need_key(parts, said, vector is not None, used)
    need = _NEEDS.get(key)
    if need is None:
        need = _hold_need(key, signals_of(said, parts.policy, (), vector, tokens_of=token_vectors_of(parts, said)).need)
    return need


def _remember_need(parts: Parts, turn: Turn, message: Utterance) -> None:
    """What this message asks for is known to the turns after it, where it was read as if it stood alone."""
    alone = language_of(message.signals.norm, parts.policy) == message.language
    alone = alone and not any(r.rule == TOGETHER for r in message.signals.need_reasons)
    if alone and len(sentences(turn.text, parts.policy.text)) < 2:
        vector, used = read_vector(parts, turn.text)
        _hold_need(_need_key(parts, turn.text, vector is not None, used), message.signals.need)


def _need_key(parts: Parts, said: str, read: bool, used: str) -> tuple[str, str, str]:
    space = str(parts.embedder.space) if parts.embedder is not None and read else used
    return parts.policy.fingerprint, space, said


def _hold_need(key: tuple[str, str, str], need: Need) -> Need:
    _NEEDS[key] = need
    while len(_NEEDS) > _NEEDS_MOST:
        _NEEDS.popitem(last=False)
    return need


def _clarified(
    parts: Parts, turn: Turn, text: str, spoken: str | None, names: Mapping[str, str]
) -> Clarified | None:
    """The message with its "she" made plain, with vectors of its own."""
    language = language_of(text, parts.policy)
    language = spoken or language if language == OTHER else language
    last = last_spoken_of(turn.previous, language, names, parts.policy, text)
    clear = clarified(text, language, Known(names, last), parts.policy)
    if clear is None:
        return None
    tokens = token_vectors_of(parts, clear.text)
    return replace(clear, vector=read_vector(parts, clear.text)[0], tokens=tokens)


def _of_known(parts: Parts, turn: Turn, message: Utterance) -> tuple[Statement, ...]:
    """What is told of somebody by a name that is known already is theirs."""
    if turn.conversation is None or not any(s.subject == SELF for s in message.statements):
        return message.statements
    with parts.store.read() as session:
        people = session.memories_by_attribute(*turn.scope, _PEOPLE, statuses=(MemoryStatus.ACTIVE,))
    return told_of_known(message.statements, people, message.language, parts.policy)


def _spoken(turn: Turn, policy: Policy) -> str | None:
    """The conversation's language: that of the user's newest message that tells one."""
    for said in reversed(turn.previous):
        if tells_language(said, policy) and (found := language_of(said, policy)) != OTHER:
            return found
    return None


def steer(parts: Parts, turn: Turn) -> Turn:
    """Which pipeline, and what may be read and written in it."""
    answers = turn.user.answers
    said = turn.read
    told = band_told(turn.text, said.language, answers.age_band, parts.policy, said.statements)
    if told is not answers.age_band:
        # An age told in the chat is written back with the turn (ruling S4).
        answers = replace(answers, age_band=told)
        turn = replace(turn, user=replace(turn.user, answers=answers))
    route = decide(
        turn.heard,
        turn.user.state,
        answers.age_band,
        turn.incoming.source,
        parts.policy,
        asks_memory=bool(said.asks),
        tells=bool(said.statements) or is_explicit(said.wording, parts.policy),
    )
    turn.notes.add(
        RouteNote(
            pipeline=route.pipeline,
            safety_policy=route.safety_policy,
            memory_read_policy=route.memory_read_policy,
            memory_write_policy=route.memory_write_policy,
            vector_search_policy=route.vector_search_policy,
            relationship_update_policy=route.relationship_update_policy,
            crisis=route.crisis,
            user_state=turn.user.state,
            age_band=answers.age_band,
            source=turn.incoming.source,
            reasons=route.reasons,
        )
    )
    return replace(turn, decision=route)


def turned_away(parts: Parts, turn: Turn) -> Outcome:
    """CREATED is refused and an unfinished onboarding is named; neither leaves a trace (P20, P23, P34)."""
    state, incoming = turn.user.state, turn.incoming
    turn = steer(parts, hear(parts, turn))
    reply: str | None = None
    if turn.route.crisis:
        reply = crisis_reply(
            Call(
                turn.text,
                turn.read.language,
                incoming.message_id,
                country=turn.user.answers.country_or_region,
            ),
            parts.policy,
        ).text
    elif state is UserState.CREATED:
        reply = say("onboarding_required", turn.read.language, incoming.message_id, parts.policy)
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=None,
        reply=reply,
        pipeline=Pipeline.REFUSAL if state is UserState.CREATED else Pipeline.ONBOARDING_CHAT,
        user_state=state,
        persisted=False,
        missing=turn.missing if state is UserState.ONBOARDING else (),
    )
