"""A turn's trace as a story a person can read: what was heard, decided, used, said and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clew.engine.rights import unnamed
from clew.engine.texts import politely
from clew.kernel.compose.gathered import repeats
from clew.kernel.language.pack import HOUSE, Pack
from clew.kernel.language.packs import pack
from clew.kernel.language.told import Told
from clew.model.key import Key
from clew.model.memory import SELF, InvalidReason
from clew.model.notes import MemoryNote, ModelNote, PlanNote
from clew.model.trace import TurnTrace
from clew.model.verdict import Reason
from clew.policy import Policy, default


def one_line(trace: TurnTrace) -> str:
    """The dim line under a reply."""
    if not trace.told:
        return "nothing was kept"
    bits = [(trace.route.pipeline or "?").lower().replace("_", " ")]
    if trace.heard.topics:
        bits.append("about " + ", ".join(t.topic.lower() for t in trace.heard.topics))
    if trace.correction:
        bits.append(f"correction: {trace.correction.command}")
    bits += [f"{e.kind} {_label(e)}" for e in trace.memory if e.kind != "skipped"]
    if trace.gate and trace.gate.surfaced:
        bits.append(f"used {_memories(len(trace.gate.surfaced))}")
    if trace.bond and trace.bond.delta:
        bits.append(f"rapport {trace.bond.delta:+d} = {trace.bond.score}")
    if trace.gate and trace.gate.path not in (None, "draft"):
        bits.append(f"reply by {trace.gate.path}")
    return " · ".join(bits)


# What happened to a memory, as a person says it; an event of another kind changed nothing they would miss.
_HAPPENED = frozenset((
    "created", "superseded", "contradicted", "invalidated", "ended", "denied", "restored", "suppressed",
))  # fmt: skip
_NEW, _OLD = "created", ("superseded", "contradicted")
# Why something holds no more, where the user did not ask to forget it.
_GONE: dict[str, str] = {InvalidReason.ENDED: "ended", InvalidReason.DENIED: "denied"}


def kept_line(trace: TurnTrace, screen: Mapping[str, str] | None = None, heard: str = "") -> str:
    """The quiet line under a reply: what is known now that was not before; "" when nothing changed.

    heard: what the user wrote; it is answered as politely as that.
    """
    language = trace.heard.language
    screen, speech = screen or screen_words(default(), language), pack(language)
    polite = bool(heard) and speech is not None and politely(language, heard, ())
    events = [e for e in trace.memory if e.kind in _HAPPENED]
    new = any(e.kind == _NEW for e in events)
    told: dict[str, list[str]] = {}
    together = _together([e for e in events if e.kind == _NEW], speech, polite=polite)
    for event in events:
        if new and event.kind in _OLD:
            continue  # the new one says it
        if event.kind == _NEW and event.memory_id in together:
            told.setdefault(event.kind, []).extend(together[event.memory_id])
            continue
        words = event.words or unnamed(event)
        key = Key.parse((event.label or "").partition(" = ")[0])
        theirs = key is not None and key.subject != SELF
        if speech is not None and event.words and (polite or theirs):
            words = speech.spoken(words, polite)
        kind = _GONE.get(event.reason, event.kind) if event.kind == "invalidated" else event.kind
        told.setdefault(kind, []).append(_inside(words))
    for kind, threads in (("opened", trace.weave.opened), ("closed", trace.weave.closed)):
        if threads:
            told.setdefault(kind, []).extend(threads)
    said = {kind: "; ".join(dict.fromkeys(what)) for kind, what in told.items() if what}
    return " · ".join(f"{screen[f'kept_{kind}']}: {what}" for kind, what in said.items())


def _together(
    events: Sequence[MemoryNote], speech: Pack | None, *, polite: bool
) -> dict[str | None, tuple[str, ...]]:
    """What is new of one of the user's people in a sentence, with the first of their memories; nothing with the others.

    Nobody is gathered where the language has no way of its own.
    """
    of: dict[tuple[str, str | None], list[tuple[str | None, Told]]] = {}
    if speech is None or not speech.by_person([Told(e.words, "note") for e in events if e.words], polite):
        return {}
    every = [e.words for e in events if e.words]
    said_again = [e for e in events if e.words and repeats(e.words, [w for w in every if w is not e.words])]
    for event in (e for e in events if e not in said_again):
        key = Key.parse((event.label or "").partition(" = ")[0])
        if key is not None and key.subject != SELF and event.words:
            fact = Told(event.words, key.field or ("name" if key.name else "exists"))
            of.setdefault((key.subject, key.name), []).append((event.memory_id, fact))
    out: dict[str | None, tuple[str, ...]] = {e.memory_id: () for e in said_again}
    for facts in of.values():
        if len(facts) > 1:
            said = tuple(speech.by_person([fact for _, fact in facts], polite))
            out |= {memory: () for memory, _ in facts} | {facts[0][0]: said}
    return out


# What opens a sentence about a memory and is nobody's name.
_OPENERS = ("You", "Your", "Coming", "A", "The", "What", "How", "About", "No", "They", "Over", "This", "Not", "Decided")


def _inside(words: str) -> str:
    """In the middle of a line: "you live in Rome"; a name keeps its capital."""
    first = words.split(maxsplit=1)[0].partition("'")[0].partition("’")[0] if words.strip() else ""
    return f"{words[:1].lower()}{words[1:]}" if first in _OPENERS else words


# How low or glad a message must sound to be called so.
_MOOD = 0.2


def screen_words(policy: Policy, language: str) -> Mapping[str, str]:
    """What a terminal says in this language; in the language of the house where it has no words."""
    table = policy.introduce.languages
    return {**table[HOUSE].screen, **(table[language].screen if language in table else {})}


def short_story(
    trace: TurnTrace, said: str = "", reply: str = "", words: Mapping[str, str] | None = None
) -> list[str]:
    """Why the reply is what it is, in a few plain sentences; `story` has every rule."""
    words = words or screen_words(default(), trace.heard.language)
    out = [words["why_said"].format(said=said)] if said else []
    feeling = trace.heard.valence
    mood = words["why_low"] if feeling < -_MOOD else words["why_glad"] if feeling > _MOOD else ""
    kind = words.get(f"why_{trace.route.pipeline}", words["why_message"])
    out.append(words["why_read"].format(kind=kind, mood=mood))
    if trace.correction:
        out.append(words["why_corrected"].format(command=trace.correction.command.replace("_", " ").lower()))
    if trace.answer:
        wanted = ", ".join(dict.fromkeys(a.replace("_", " ") for a in trace.answer.wanted))
        found = [f.told for f in trace.answer.findings if f.source != "none"]
        told = "; ".join(found[:4]) if found else words["why_found_nothing"]
        out.append(words["why_asked"].format(wanted=wanted, told=told))
    elif count := len(trace.recall.hits):
        out.append(words["why_recalled_one" if count == 1 else "why_recalled"].format(count=count))
    if kept := kept_line(trace, words):
        out.append(f"{kept[:1].upper()}{kept[1:]}.")
    else:
        out.append(words["why_kept_nothing"])
    if trace.extractor:
        out.append(f"{_model_line(trace.extractor)}.")
    if gate := trace.gate:
        hard = [v.code.lower().replace("_", " ") for v in gate.violations or () if "BAND" not in v.code]
        if hard and (path := words.get(f"why_{gate.path}")):
            out.append(words["why_mended"].format(faults=", ".join(dict.fromkeys(hard)), path=path))
    if writer := trace.writer:
        out.append(words["why_composer"] if writer == "composer" else words["why_model"].format(writer=writer))
    if reply:
        out.append(words["why_reply"].format(reply=reply))
    out.append(words["why_all"])
    return out


def story(trace: TurnTrace, said: str = "", reply: str = "") -> list[str]:
    """Paragraph lines; every rule id in brackets can be looked up."""
    lines = [f"You said: {said}"] if said else []
    heard, route, recall = trace.heard, trace.route, trace.recall
    lines.append(
        f"Heard: language {heard.language or '?'}; signals {', '.join(heard.flags) or 'none'}; "
        f"valence {heard.valence:+.2f}{' (strong)' if heard.strong else ''}; "
        f"safety {heard.safety.kind}{_rules(heard.reasons)}"
    )
    lines += [f"  topic {t.topic} at {t.confidence:.2f} from {', '.join(t.hits)}" for t in heard.topics]
    lines.append(
        f"Route: {route.pipeline} ({route.safety_policy}); memory read {route.memory_read_policy}, "
        f"write {route.memory_write_policy}, vectors {route.vector_search_policy}{_rules(route.reasons)}"
    )
    if trace.correction:
        asked = " (asked which)" if trace.correction.clarify else ""
        lines.append(f"Correction: {trace.correction.command}{asked}{_rules(trace.correction.reasons)}")
    lines.append(f"Recall: {len(recall.hits)} of {recall.considered or 0} memories{_rules(recall.reasons)}")
    for hit in recall.hits:
        parts = ", ".join(f"{k} {v:.2f}" for k, v in hit.parts.items())
        lines.append(f"  {hit.key} scored {hit.score:.2f} ({parts})")
    if recall.hidden:
        lines.append(f"  {len(recall.hidden)} kept back as sensitive")
    lines += _plan_lines(trace.plan) if trace.plan else []
    if gate := trace.gate:
        lines.append(f"Gate: reply by {gate.path}{_rules(gate.reasons)}")
        lines += [f"  {v.code}: {v.detail}" for v in gate.violations or ()]
        if gate.surfaced:
            lines.append(f"  the reply used {', '.join(gate.surfaced)}")
    if bond := trace.bond:
        lines.append(f"Bond: {bond.delta:+d} to {bond.score} ({bond.stage}){_rules(bond.reasons)}")
    if trace.extract and (model := trace.extractor):
        lines.append(f"{_model_line(model)} [{trace.extract.why}]")
        lines += [f"  {r.detail or 'an answer'} [{r.rule}]" for r in trace.extract.verdicts]
    lines += _memory_lines(trace.memory)
    if reply:
        lines.append(f"Reply: {reply}")
    total = sum(trace.timings_ms.values())
    lines.append(f"Took {total:.1f} ms: " + ", ".join(f"{k} {v:.1f}" for k, v in trace.timings_ms.items()))
    lines.append(f"Policy {trace.policy[:12]}")
    return lines


def _plan_lines(plan: PlanNote) -> list[str]:
    sections = ", ".join(f"{s.section} {s.tokens}" for s in plan.prompt)
    limits = plan.plan.constraints or {}
    return [
        f"Plan: {plan.plan.tone} tone; sentences {limits.get('sentences')}, emoji {limits.get('emoji')}; "
        f"follow-up {plan.plan.followup or 'none'}",
        f"  prompt of {plan.tokens} tokens: {sections}",
        *(f"  left out {x.what}: {x.reason}" for x in plan.passed_over),
    ]


def _model_line(asked: ModelNote) -> str:
    """What a model proposed to remember, and what became of it."""
    counts = {"kept": asked.kept, "changed": asked.changed, "refused": asked.refused, "known already": asked.known}
    told = ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "nothing kept"
    if asked.failed:
        return f"The model {asked.by} was asked what to remember and gave no usable answer ({asked.failed})"
    return f"The model {asked.by} was asked what to remember and proposed {asked.proposed}: {told}"


def _memory_lines(events: tuple[MemoryNote, ...]) -> list[str]:
    if not events:
        return ["Memory: nothing changed"]
    return ["Memory:", *(f"  {e.kind} {_label(e)} [{e.reason.split()[0]}]" for e in events)]


def _label(event: MemoryNote) -> str:
    return event.label or unnamed(event)


def _memories(count: int) -> str:
    return f"{count} memor{'y' if count == 1 else 'ies'}"


def _rules(reasons: Iterable[Reason]) -> str:
    rules = list(dict.fromkeys(r.rule for r in reasons))
    return f" [{', '.join(rules)}]" if rules else ""
