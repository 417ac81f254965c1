"""Deterministic repairs, worst first; the result passes the hard gates or there is none (P51, P57)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from clew.kernel.gate.drafts import wrong_sentence
from clew.kernel.gate.intimacy import BOUNDED, clinging, soften, too_near
from clew.kernel.gate.polish import emoji_fit, plainer, punctuate, shorten
from clew.kernel.gate.repetition import repeats_opener, too_similar
from clew.kernel.gate.safety import leak, role_line, role_of
from clew.kernel.gate.style import exempt, style
from clew.kernel.gate.surfacing import allowed_facts, place, surfaced, unasked
from clew.kernel.gate.topics import mentions, reopened, unwelcome
from clew.kernel.gate.verdict import check
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import language_of
from clew.kernel.text.mending import capital, tidy
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import Passage, passage
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
    draft = passage(reply, policy)
    if "SAFETY_SYSTEM_LEAK" in codes:
        draft = _without_leak(draft, policy)
    for v in found.violations:
        if v.code in SENTENCES:
            draft = _drop(draft, policy, partial(_is_wrong, v, frame, policy))
    if "INTIMACY_CAP" in codes:
        draft = soften(draft, frame.stage, policy)
        draft = _drop(draft, policy, lambda s: bool(too_near(normal(s), policy)) and frame.stage in BOUNDED)
    if "DEPENDENCY" in codes:
        draft = _drop(draft, policy, lambda s: bool(clinging(normal(s), policy)))
        if not draft.text:
            draft = passage(policy.gate.boundary.get(_language(frame, reply, policy), ""), policy)
    if "SENSITIVE_MEMORY" in codes:
        barred = [m for m in frame.memories if unasked(m, frame, policy)]
        draft = _drop(draft, policy, lambda s: any(place(m, passage(s, policy), policy) >= 0 for m in barred))
    if "BLOCKED_TOPIC" in codes:
        draft = _without_topics(draft, frame, policy)
    # Declared ids that no sentence carries cannot be rewritten away, so only what the text uses counts.
    frame = replace(frame, surfaced_memory_ids=_unseen(frame))
    draft = _fewer_facts(draft, frame, policy)
    draft = _into_bands(draft, frame, policy)
    for candidate in _varied(draft, frame, policy):
        fit = _into_bands(candidate, frame, policy).text
        if fit and not check(fit, frame, policy).hard:
            return fit
    return None


def _is_wrong(violation: Violation, frame: Frame, policy: Policy, sentence: str) -> bool:
    return wrong_sentence(sentence, violation.code, violation.detail, frame, policy)


def _drop(draft: Passage, policy: Policy, bad: Callable[[str], bool]) -> Passage:
    kept = [s for s in draft.sentences if not bad(s)]
    return draft if len(kept) == len(draft.sentences) else passage(" ".join(kept), policy)


def _without_leak(draft: Passage, policy: Policy) -> Passage:
    """A claimed role at the very start is dropped; what follows another speaker's line is not ours."""
    roles, said = role_line(policy.gate), draft.text
    first = roles.match(said)
    if first and role_of(first) in policy.gate.leak_own_roles:
        said = said[first.end() :]
    if cut := roles.search(said):
        said = said[: cut.start()].rstrip()
    return _drop(passage(said, policy), policy, lambda s: bool(leak(passage(s, policy), policy)))


def _without_topics(draft: Passage, frame: Frame, policy: Policy) -> Passage:
    limits = unwelcome(frame, policy)
    listed = frozenset((*frame.topics_suppressed, *frame.topics_blocked))
    draft = _drop(draft, policy, lambda s: bool(reopened(passage(s, policy), frame, policy)))
    # Two keywords may stand in two sentences: one keyword is enough to lose the sentence.
    if found := mentions(draft, limits, listed, policy):
        ones = dict.fromkeys(found, 1)
        draft = _drop(draft, policy, lambda s: bool(mentions(passage(s, policy), ones, listed, policy)))
    return draft


def _unseen(frame: Frame) -> tuple[str, ...]:
    known = {m.memory_id for m in frame.memories}
    return tuple(i for i in frame.surfaced_memory_ids if i not in known)


def _fewer_facts(draft: Passage, frame: Frame, policy: Policy) -> Passage:
    """Sentences past the limit go, first come first kept."""
    most = allowed_facts(frame, policy) - len(set(frame.surfaced_memory_ids))
    if len(surfaced(draft, frame.memories, policy)) <= most:
        return draft
    kept: list[str] = []
    for sentence in draft.sentences:
        if len(surfaced(passage(" ".join([*kept, sentence]), policy), frame.memories, policy)) <= most:
            kept.append(sentence)
    return passage(" ".join(kept), policy)


def _into_bands(draft: Passage, frame: Frame, policy: Policy) -> Passage:
    if not draft.text:
        return draft
    if frame.source is Source.RETENTION:
        return shorten(draft, policy.gate.retention_sentences, policy)
    if exempt(frame):
        return draft
    params = frame.style
    if not frame.minima and not style(draft, frame, policy):
        # Nothing is edited that breaks no rule (ruling S10).
        return draft
    draft = plainer(draft, params.lexicon_bias, policy)
    draft = punctuate(draft, params, policy)
    draft = shorten(draft, policy.gate.length[params.msg_length_pref].sentences[1], policy)
    if not any(c.isalnum() for c in draft.text):
        return passage("", policy)
    return emoji_fit(draft, params, policy, _turn(frame), minima=frame.minima)


def _varied(draft: Passage, frame: Frame, policy: Policy) -> Iterator[Passage]:
    """The draft itself, then without its greeting, then reworded at its start, then shorter."""
    yield draft
    if not draft.text:
        return
    replies = frame.recent_replies
    parts = draft.sentences
    if not (repeats_opener(draft.text, replies, policy) or too_similar(draft.text, replies, policy)):
        return
    bare = _without_greeting(draft, policy)
    if bare != draft:
        yield bare
    for reworded in _reworded(bare.text, parts, frame, policy):
        yield passage(reworded, policy)


def _reworded(bare: str, parts: tuple[str, ...], frame: Frame, policy: Policy) -> Iterator[str]:
    said = policy.gate.transitions.get(_language(frame, bare, policy), ())
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


def _without_greeting(draft: Passage, policy: Policy) -> Passage:
    words = draft.text.split()
    if len(words) > 1 and words[0].strip("!,.…~").lower() in policy.gate.greetings:
        return passage(capital(tidy(" ".join(words[1:])), draft.text), policy)
    return draft


def _led(lead: str, text: str) -> str:
    first, rest = text[:1], text[1:]
    keep = first == "I" and (not rest or not rest[0].islower())
    return lead + (first if keep or (rest[:1].isupper()) else first.lower()) + rest


def _turn(frame: Frame) -> int:
    return int(sha256(frame.message_id or frame.user_text)[:8], 16)


def _language(frame: Frame, text: str, policy: Policy) -> str:
    """Of the words that are put before a reply: the user's language, or the reply's where the user's is not ours."""
    found = frame.language or language_of(frame.user_text or text, policy)
    found = found if found in policy.gate.transitions else language_of(text, policy)
    return found if found in policy.gate.transitions else HOUSE
