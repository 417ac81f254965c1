"""Deterministic repairs, worst first; the result passes the hard gates or there is none (P51, P57)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from clew.kernel.gate.drafts import wrong_sentence
from clew.kernel.gate.intimacy import BOUNDED, clinging, soften, too_near
from clew.kernel.gate.polish import capital, emoji_fit, plainer, punctuate, shorten, tidy
from clew.kernel.gate.repetition import repeats_opener, too_similar
from clew.kernel.gate.safety import leak, role_line
from clew.kernel.gate.style import exempt, style
from clew.kernel.gate.surfacing import allowed_facts, place, surfaced, unasked
from clew.kernel.gate.topics import mentions, reopened, unwelcome
from clew.kernel.gate.verdict import check
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import language_of
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import passage
from clew.model.canonical import sha256
from clew.model.plan import Frame, Violation
from clew.model.turn import Source
from clew.policy import Policy

# What cannot be mended by leaving something out.
LOST = (
    "SAFETY_EMPTY", "SAFETY_TOO_LONG", "SAFETY_EXPLICIT", "SAFETY_SELF_HARM", "SAFETY_HATE", "SAFETY_HOSTILE",
    "SAFETY_HIDDEN", "SAFETY_LANGUAGE", "SAFETY_HELPLINE",
)  # fmt: skip
# What goes with its sentence.
SENTENCES = ("FALSE_MEMORY", "FALSE_IDENTITY", "EMPTY_PROMISE", "SAFETY_SYSTEM_LEAK")


def repair(reply: str, frame: Frame, policy: Policy) -> str | None:
    """The mended text, or None when only a fallback helps. A clean reply comes back as it is."""
    found = check(reply, frame, policy)
    if found.ok:
        return reply
    if any(v.code in LOST for v in found.violations):
        return None
    codes = {v.code for v in found.violations}
    text = reply
    if "SAFETY_SYSTEM_LEAK" in codes:
        text = _without_leak(text, policy)
    for v in found.violations:
        if v.code in SENTENCES:
            text = _drop(text, policy, partial(_is_wrong, v, frame, policy))
    if "INTIMACY_CAP" in codes:
        text = soften(text, frame.stage, policy)
        text = _drop(text, policy, lambda s: bool(too_near(normal(s), policy)) and frame.stage in BOUNDED)
    if "DEPENDENCY" in codes:
        kept = _drop(text, policy, lambda s: bool(clinging(normal(s), policy)))
        text = kept or policy.gate.boundary.get(_language(frame, reply, policy), "")
    if "SENSITIVE_MEMORY" in codes:
        barred = [m for m in frame.memories if unasked(m, frame, policy)]
        text = _drop(text, policy, lambda s: any(place(m, passage(s, policy), policy) >= 0 for m in barred))
    if "BLOCKED_TOPIC" in codes:
        text = _without_topics(text, frame, policy)
    # Declared ids that no sentence carries cannot be rewritten away, so only what the text uses counts.
    frame = replace(frame, surfaced_memory_ids=_unseen(frame))
    text = _fewer_facts(text, frame, policy)
    text = _into_bands(text, frame, policy)
    for candidate in _varied(text, frame, policy):
        candidate = _into_bands(candidate, frame, policy)
        if candidate and not check(candidate, frame, policy).hard:
            return candidate
    return None


def _is_wrong(violation: Violation, frame: Frame, policy: Policy, sentence: str) -> bool:
    return wrong_sentence(sentence, violation.code, violation.detail, frame, policy)


def _drop(text: str, policy: Policy, bad: Callable[[str], bool]) -> str:
    parts = passage(text, policy).sentences
    kept = [s for s in parts if not bad(s)]
    return text if len(kept) == len(parts) else " ".join(kept)


def _without_leak(text: str, policy: Policy) -> str:
    """A claimed role at the very start is dropped; what follows another speaker's line is not ours."""
    roles = role_line(policy.gate)
    first = roles.match(text)
    if first and first.group("role").lower() in policy.gate.leak_own_roles:
        text = text[first.end() :]
    cut = roles.search(text)
    if cut:
        text = text[: cut.start()].rstrip()
    return _drop(text, policy, lambda s: bool(leak(passage(s, policy), policy)))


def _without_topics(text: str, frame: Frame, policy: Policy) -> str:
    limits = unwelcome(frame, policy)
    listed = frozenset((*frame.topics_suppressed, *frame.topics_blocked))
    text = _drop(text, policy, lambda s: bool(reopened(passage(s, policy), frame, policy)))
    # Two keywords may stand in two sentences: one keyword is enough to lose the sentence.
    if found := mentions(passage(text, policy), limits, listed, policy):
        ones = dict.fromkeys(found, 1)
        text = _drop(text, policy, lambda s: bool(mentions(passage(s, policy), ones, listed, policy)))
    return text


def _unseen(frame: Frame) -> tuple[str, ...]:
    known = {m.memory_id for m in frame.memories}
    return tuple(i for i in frame.surfaced_memory_ids if i not in known)


def _fewer_facts(text: str, frame: Frame, policy: Policy) -> str:
    """Sentences past the limit go, first come first kept."""
    most = allowed_facts(frame, policy) - len(set(frame.surfaced_memory_ids))
    draft = passage(text, policy)
    if len(surfaced(draft, frame.memories, policy)) <= most:
        return text
    kept: list[str] = []
    for sentence in draft.sentences:
        if len(surfaced(passage(" ".join([*kept, sentence]), policy), frame.memories, policy)) <= most:
            kept.append(sentence)
    return " ".join(kept)


def _into_bands(text: str, frame: Frame, policy: Policy) -> str:
    if not text:
        return text
    if frame.source is Source.RETENTION:
        return shorten(text, policy.gate.retention_sentences, policy)
    if exempt(frame):
        return text
    params = frame.style
    if not frame.minima and not style(passage(text, policy), frame, policy):
        # Nothing is edited that breaks no rule (ruling S10).
        return text
    text = plainer(text, params.lexicon_bias, policy)
    text = punctuate(text, params)
    text = shorten(text, policy.gate.length[params.msg_length_pref].sentences[1], policy)
    return emoji_fit(text, params, policy, _turn(frame), minima=frame.minima) if any(c.isalnum() for c in text) else ""


def _varied(text: str, frame: Frame, policy: Policy) -> Iterator[str]:
    """The text itself, then without its greeting, then reworded at its start, then shorter."""
    yield text
    if not text:
        return
    replies = frame.recent_replies
    parts = passage(text, policy).sentences
    if not (repeats_opener(text, replies, policy) or too_similar(text, replies, policy)):
        return
    bare = _without_greeting(text, policy)
    if bare != text:
        yield bare
    said = policy.gate.transitions.get(_language(frame, text, policy), ())
    start = _turn(frame)
    turns = [said[(start + i) % len(said)] for i in range(len(said))]
    for lead in turns:
        yield _led(lead, bare)
    if len(parts) > 1:
        yield " ".join([*parts[1:], parts[0]])
        for part in parts:
            yield part
            for lead in turns:
                yield _led(lead, part)


def _without_greeting(text: str, policy: Policy) -> str:
    words = text.split()
    if len(words) > 1 and words[0].strip("!,.…~").lower() in policy.gate.greetings:
        return capital(tidy(" ".join(words[1:])), text)
    return text


def _led(lead: str, text: str) -> str:
    first, rest = text[:1], text[1:]
    keep = first == "I" and (not rest or not rest[0].islower())
    return lead + (first if keep or (rest[:1].isupper()) else first.lower()) + rest


def _turn(frame: Frame) -> int:
    return int(sha256(frame.message_id or frame.user_text)[:8], 16)


def _language(frame: Frame, text: str, policy: Policy) -> str:
    found = frame.language or language_of(frame.user_text or text, policy)
    return found if found in policy.gate.transitions else HOUSE
