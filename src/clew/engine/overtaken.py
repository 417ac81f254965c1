"""What the user has said since: their own words, undone by later ones, are not told as if they still held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from clew.engine.changing import read_news
from clew.engine.parts import Parts
from clew.engine.remembered import all_memories
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of, vectors_of
from clew.frozen import dataclass
from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.change_reader import Judged, Verdict, judge_all
from clew.kernel.keep.change_signs import Held, cosine
from clew.kernel.keep.ended import ENDED
from clew.kernel.keep.keys import attribute_for, bare_value, row_of
from clew.kernel.keep.people import everybody
from clew.kernel.read.change_words import says, says_change
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import HISTORY, Moment, finding_of
from clew.kernel.recall.kinds_asked import loses_kind
from clew.model.account import Message
from clew.model.memory import SELF, MemoryRecord, MemoryStatus
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Act
from clew.policy import Policy

# Who somebody is, and when they were born, no remark undoes.
_LASTS = ("name", "called", "birthday", "age", "origin", "nationality", "death")


@dataclass(frozen=True, slots=True)
class Undone:
    """Messages of which something holds no more, with those that undid it; `hidden` ones are never quoted.

    What was undone may be a part of what was told, or misread: whether the words still hold is judged when they are
    to be quoted.
    fell, stands: the memories of a message that hold no more, and those that hold. new: what took the place of one
    that fell, by its id.
    """

    by: Mapping[str, frozenset[str]]
    hidden: frozenset[str]
    fell: Mapping[str, tuple[MemoryRecord, ...]] = field(default_factory=dict)
    stands: Mapping[str, tuple[MemoryRecord, ...]] = field(default_factory=dict)
    new: Mapping[str, MemoryRecord] = field(default_factory=dict)

    def in_its_place(self, message_id: str) -> MemoryRecord | None:
        """The one thing that now stands for all that the message told; None where some of that is merely over."""
        fell = self.fell.get(message_id, ())
        news = {m.memory_id: m for one in fell if (m := self.new.get(one.memory_id)) is not None}
        every = all(m.memory_id in self.new for m in fell)
        return next(iter(news.values())) if every and len(news) == 1 else None

    def of_the_asked(self, message_id: str, question: str, policy: Policy) -> bool:
        """What is asked for is what fell: nothing else of the message stands, or nothing that the question names."""
        asked = told_words(question, policy)

        def named(records: Sequence[MemoryRecord]) -> bool:
            return any(asked & told_words(bare_value(m.memory_value), policy) for m in records)

        fell, stands = self.fell.get(message_id, ()), self.stands.get(message_id, ())
        return bool(fell) and (not stands or (named(fell) and not named(stands)))


def undone_messages(parts: Parts, turn: Turn) -> Undone:
    if any(a.attribute == HISTORY for a in turn.read.asks):
        return Undone({}, frozenset())
    records = all_memories(parts, turn)
    by_id = {m.memory_id: m for m in records}
    said = {m.at: m.message_id for m in turn.history if m.role == "user"}
    near = set(said.values())
    # Told again since, it stands by the later words.
    live = {(m.memory_key, m.memory_value, m.statement) for m in records if m.status is MemoryStatus.ACTIVE}
    same = {(m.memory_key, m.memory_value) for m in records if m.status is MemoryStatus.ACTIVE}
    by: dict[str, frozenset[str]] = {}
    hidden: set[str] = set()
    fell: dict[str, tuple[MemoryRecord, ...]] = {}
    stands: dict[str, tuple[MemoryRecord, ...]] = {}
    for m in records:
        place = m.memory_key, m.memory_value
        side = stands if m.status is MemoryStatus.ACTIVE else fell
        for source in m.source_message_ids:
            side[source] = (*side.get(source, ()), m)
        if m.status is MemoryStatus.ACTIVE or (*place, m.statement) in live:
            continue
        if place in same and m.superseded_by is None:
            continue
        new = by_id.get(m.superseded_by or "")
        later = set(new.source_message_ids) if new is not None else {said.get(m.ended_at, "")} if m.ended_at else set()
        gone = m.invalid_reason not in (None, ENDED) or not later & near
        for source in m.source_message_ids:
            if gone or (new is not None and _asked_for(turn, m, parts.policy)):
                hidden.add(source)
            elif source not in later:
                by[source] = by.get(source, frozenset()) | (later & near)
    placed = {m.memory_id: one for m in records if (one := _holding(m, by_id)) and _surely(m, by_id, parts.policy)}
    return Undone(by, frozenset(hidden), fell, stands, placed)


def _surely(record: MemoryRecord, by_id: Mapping[str, MemoryRecord], policy: Policy) -> bool:
    """It was put right, or gave way to words that tell a change; what was merely read anew may be misread."""
    new = by_id.get(record.superseded_by or "")
    if new is None:
        return False
    return bool(set(new.source_message_ids) & set(record.source_message_ids)) or says_change(
        new.statement or "", policy
    )


def _holding(record: MemoryRecord, by_id: Mapping[str, MemoryRecord]) -> MemoryRecord | None:
    """What holds in its place now, through however many changes."""
    seen = {record.memory_id}
    new = by_id.get(record.superseded_by or "")
    while new is not None and new.status is not MemoryStatus.ACTIVE and new.memory_id not in seen:
        seen.add(new.memory_id)
        new = by_id.get(new.superseded_by or "")
    return new if new is not None and new.status is MemoryStatus.ACTIVE else None


def _messages(parts: Parts, turn: Turn, found: Sequence[Finding]) -> frozenset[str]:
    """The messages that what is to be told came from."""
    ids = {f.id for f in found}
    active = (m for m in all_memories(parts, turn) if m.status is MemoryStatus.ACTIVE)
    held = [m for m in active if m.memory_id in ids]
    return frozenset(ids | {source for m in held for source in m.source_message_ids})


def _asked_for(turn: Turn, old: MemoryRecord, policy: Policy) -> bool:
    """What one has once is asked for by its name, and another stands in its place; or it is asked of somebody else, of
    whom the words told what holds no more.
    """
    attribute = attribute_for(old, policy)
    once = [a for a in turn.read.asks if a.attribute in policy.attributes.rows and not row_of(a.attribute, policy).many]
    asked = any(a.attribute == attribute or a.subject != SELF for a in once)
    likely = dict(turn.read.asked_for).get(attribute, 0.0) >= policy.changes.asked_at
    return (asked or likely) and not row_of(attribute, policy).many


def without_overtaken(
    parts: Parts,
    turn: Turn,
    found: Sequence[Finding],
    chances: Mapping[str, float] | None = None,
    sure: set[str] | None = None,
) -> tuple[Finding, ...]:
    """A quotation that a later message undoes gives way to that message; one that was denied falls silent. A memory
    gives way too where the message undoes the words it was read from beyond doubt, though not what was read.

    sure: takes the messages of which that is certain.

    chances: how likely each message answers what was asked. What does not bear on the question undoes nothing of its
    answer, whatever it ends: "we broke up" is no news of the English course.
    """
    if not heads_fit(parts) or all(f.past or f.source not in ("turn", "memory") for f in found):
        return tuple(found)
    said = [m for m in turn.history if m.role == "user" and "?" not in m.text]
    undone = undone_messages(parts, turn)
    out: dict[str, Finding] = {}
    told = _messages(parts, turn, found)
    undoing = frozenset(m for later in undone.by.values() for m in later)
    for f in found:
        at = f.at
        linked = undone.by.get(f.id, frozenset())
        if f.source == "turn" and linked & told and not _alone_tells(f, found, linked, turn, parts.policy):
            continue  # what took its place is told too
        if f.source == "turn" and not f.past and undone.of_the_asked(f.id, turn.text, parts.policy):
            new = undone.in_its_place(f.id)
            if new is not None and not _in_its_stead(new, f, turn, chances or {}, parts.policy):
                new = None
            if new is not None and new.memory_value != new.statement:
                moment = Moment(turn.read.language, turn.at, turn.zone)
                f = finding_of(new, f.named, parts.policy, moment)
                out.setdefault(f.id, f)
                continue
            if new is not None and new.source_message_ids:  # kept in the words that told it
                f = replace(f, told=new.memory_value, id=new.source_message_ids[-1], at=new.last_confirmed_at)
                out.setdefault(f.id, f)
                continue
        whole = (chances or {}).get(f.id, 0.0)
        bears = {m.message_id: (chances or {}).get(m.message_id, 0.0) / whole if whole else 1.0 for m in said}
        fell = linked if undone.of_the_asked(f.id, turn.text, parts.policy) else frozenset()
        known = frozenset(m for m in fell if bears.get(m, 0.0) >= parts.policy.changes.bears_on_known)
        later = [
            m
            for m in said
            if at is not None
            and m.at > at
            and m.message_id != f.id
            and m.message_id not in undoing - linked  # it undid something else
            and (m.message_id in known or bears[m.message_id] >= _bears_least(m.text, parts.policy))
        ]
        if f.source == "turn" and not f.past and later:
            f = _newest(parts, turn, f, later, bears, linked, known, sure)
        elif f.source == "memory" and not f.past and len(found) <= parts.policy.recall.answers_each:
            f = _since(parts, turn, f, later, bears, sure)
            if f.source == "turn" and f.id in told:
                continue
        out.setdefault(f.id, f)
    return tuple(f for f in out.values() if f.told)


def _bears_least(text: str, policy: Policy) -> float:
    few = len(text.split()) <= policy.changes.no_more_words
    return policy.changes.bears_a_little if few else policy.changes.bears_long


def _alone_tells(f: Finding, found: Sequence[Finding], linked: frozenset[str], turn: Turn, policy: Policy) -> bool:
    """What took its place says nothing of what is asked for: the place, where only the day was put right."""
    news = [n.told for n in found if n.source == "turn" and n.id in linked]
    return bool(news) and all(loses_kind(turn.text, f.told, new, turn.read.language, policy) for new in news)


def bears_as_heir(new: MemoryRecord, old: str, chances: Mapping[str, float], policy: Policy) -> bool:
    """A fee of today is no newer answer to what the filter cost: one price took the other's place, by its kind alone.

    Words that tell a change need not answer by themselves: "it went up to 840".
    """
    whole = chances.get(old, 0.0)
    mine = max((chances.get(i, 0.0) for i in (new.memory_id, *new.source_message_ids)), default=0.0)
    near = not whole or mine >= whole * policy.changes.bears_as_heir
    return near or says_change(new.statement or "", policy)


def _in_its_stead(
    new: MemoryRecord, found: Finding, turn: Turn, chances: Mapping[str, float], policy: Policy
) -> bool:
    """What took the place of the words to be quoted answers the question too, a time to when."""
    lacks = loses_kind(turn.text, found.told, new.statement or new.memory_value, turn.read.language, policy)
    return not lacks and bears_as_heir(new, found.id, chances, policy)


def _newest(
    parts: Parts,
    turn: Turn,
    found: Finding,
    later: Sequence[Message],
    bears: Mapping[str, float],
    linked: frozenset[str],
    known: frozenset[str],
    sure: set[str] | None = None,
    *,
    read_from: bool = False,
    stays: bool = False,
) -> Finding:
    """The last message that undoes it: one that bears on the question, or is known to have undone something of it, or
    undoes it beyond doubt.

    known: messages that undid the very thing that is asked for. read_from: they are the words that a memory was
    read from, and what undoes them must do so surely, however well it answers. stays: where one lives or works, which a
    message that tells of no change hardly undoes.
    """
    table = parts.policy.changes
    made = vectors_of(parts, [found.told, *(m.text for m in later)])
    mine = made.get(found.told)
    # What bears on the question comes before what only seems to undo something.
    later = [m for m in later if _may_undo(m, bears[m.message_id], linked, known, parts.policy)]
    first = {m.message_id for m in later if m.message_id in linked or bears[m.message_id] >= table.bears_on}
    first = set() if read_from else first
    alike = {m.message_id: cosine(mine, made.get(m.text)) for m in later}
    names = told_words(" ".join(everybody(turn.memories)), parts.policy)
    spoken = [
        m
        for m in later
        if m.message_id in known or _speaks_of(found.told, m.text, alike[m.message_id], names, parts.policy)
    ]
    near = sorted(spoken, key=lambda m: (m.message_id in first, alike[m.message_id]), reverse=True)
    near = near[: table.overtaken + len(linked)]
    held = as_held(parts, found.told, mine)
    for message in sorted(near, key=lambda m: (m.message_id in first, m.at), reverse=True):
        text = message.text
        heard = read(text, parts.policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
        if all(s.act is not Act.STATEMENT for s in heard.sentences):
            continue
        judged = surest(judge_all(held, read_news(parts, heard)[0], parts.policy))
        least = table.undone_at if message.message_id in first else table.undone_surely
        if message.message_id in known:
            least = table.undone_at_known
        if stays and not says_change(text, parts.policy):
            least = max(least, table.undone_at_unsaid)
        if judged is None or judged.undone < least:
            continue
        told = "" if judged.undoing is Verdict.DENIES else text
        past = judged.undoing is Verdict.ENDS
        if sure is not None and judged.undone >= table.undone_surely:
            sure.add(message.message_id)
        if told and not past and loses_kind(turn.text, found.told, told, turn.read.language, parts.policy):
            continue  # what tells no time is no newer answer to when
        return replace(found, told=told, id=message.message_id, at=message.at, past=past)
    return found


def _speaks_of(told: str, later: str, likeness: float, names: frozenset[str], policy: Policy) -> bool:
    """It is about the same matter, or says in so many words that something changed and names it: of two long messages
    about different things the reader of change takes either for the end of the other.

    names: of the user's people; two messages that name somebody need not be about the same thing.
    """
    if likeness >= policy.changes.alike or len(later.split()) <= policy.changes.no_more_words:
        return True
    named = (told_words(told, policy) & told_words(later, policy)) - names
    return bool(named) and likeness >= policy.changes.alike_a_little and says_change(later, policy)


def _may_undo(
    message: Message, bears: float, linked: frozenset[str], known: frozenset[str], policy: Policy
) -> bool:
    """What undid the very thing, or tells a change of it; any other news must answer the question nearly as well."""
    if message.message_id in known or says_change(message.text, policy):
        return True
    return bears >= (policy.changes.bears_on if message.message_id in linked else policy.changes.bears_apart)


def _since(
    parts: Parts,
    turn: Turn,
    found: Finding,
    later: Sequence[Message],
    bears: Mapping[str, float],
    sure: set[str] | None,
) -> Finding:
    """A memory, or the later message that surely undoes the words it was read from: the newest that answers is told."""
    held = next((m for m in all_memories(parts, turn) if m.memory_id == found.id), None)
    if held is None or not held.statement or not held.source_message_ids or held.attribute in _LASTS:
        return found
    told_by = [m for m in later if m.at > held.last_confirmed_at and m.message_id not in held.source_message_ids]
    if not told_by:
        return found
    quoted = replace(found, told=held.statement, source="turn", id=held.source_message_ids[-1])
    stays = attribute_for(held, parts.policy) in parts.policy.changes.places
    now = _newest(parts, turn, quoted, told_by, bears, frozenset(), frozenset(), sure, read_from=True, stays=stays)
    return found if now is quoted or not now.told else now


def as_held(parts: Parts, told: str, vector: Sequence[float] | None) -> dict[str, Held]:
    """A quotation as it would be held: whole, and each thing that it states."""
    heard = read(told, parts.policy, vector=vector_of(parts, told), tokens=token_vectors_of(parts, told))
    made = vectors_of(parts, [s.value for s in heard.statements])
    out = {"": Held(told, SELF, "note", told, vector, vector, token_vectors_of(parts, told))}
    for n, s in enumerate(heard.statements):
        tokens = token_vectors_of(parts, s.value)
        out[str(n)] = Held(told, s.subject, s.attribute, s.value, vector, made.get(s.value), tokens)
    return out


def surest(judged: Mapping[str, Judged]) -> Judged | None:
    return max(judged.values(), key=lambda j: j.undone, default=None)


def undone_by_name(parts: Parts, turn: Turn, question: str) -> tuple[Finding, ...]:
    """ "Am I still learning Vietnamese?": the thing that the question names is over or gave way, whatever side of life
    it was held under; told in the words that undid it.
    """
    policy = parts.policy
    asked = told_words(question, policy)
    said = [m for m in turn.history if m.role == "user"]
    records = all_memories(parts, turn)
    by_id = {m.memory_id: m for m in records}
    best: tuple[int, Message, bool, MemoryRecord] | None = None
    for m in records:
        new = by_id.get(m.superseded_by or "")
        words = told_words(bare_value(m.memory_value), policy)
        words = frozenset(w for w in words if w.isalpha()) or words  # a thing is named without its day
        named = len(words & asked)
        if not named or 2 * named < len(words) or (new is None and m.invalid_reason != ENDED):
            continue
        sources = set(new.source_message_ids) if new is not None else set()
        undid = [x for x in said if x.message_id in sources or (new is None and x.at == m.ended_at)]
        if undid and (best is None or (named, undid[-1].at) > (best[0], best[1].at)):
            best = named, undid[-1], new is None, m
    if best is None:
        return ()
    _, message, over, old = best
    told = Finding(message.text, "turn", message.message_id, old.subject, value=old.memory_value, at=message.at)
    return (replace(told, past=over),)


def with_earlier(parts: Parts, turn: Turn, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """ "I collect maps too" says that something came before it: what it stands beside is told with it."""
    first = found[0] if found else None
    message = _message_of(parts, turn, first) if first is not None and first.named != MAYBE else None
    if first is None or message is None or not says(message.text, "beside", parts.policy) or not heads_fit(parts):
        return tuple(found)
    told = _messages(parts, turn, found)
    undone = undone_messages(parts, turn)
    earlier = [
        m
        for m in turn.history
        if m.role == "user" and m.at < message.at and "?" not in m.text and m.message_id not in told
        and m.message_id not in undone.by and m.message_id not in undone.hidden
    ]  # fmt: skip
    made = vectors_of(parts, [message.text, *(m.text for m in earlier)])
    near = sorted(earlier, key=lambda m: cosine(made.get(message.text), made.get(m.text)), reverse=True)
    tokens = token_vectors_of(parts, message.text)
    heard = read(message.text, parts.policy, vector=made.get(message.text), tokens=tokens)
    news = read_news(parts, heard)[0]
    for m in near[: parts.policy.changes.overtaken]:
        judged = judge_all(as_held(parts, m.text, made.get(m.text)), news, parts.policy).values()
        if max((j.of(Verdict.COEXISTS) for j in judged), default=0.0) >= parts.policy.changes.beside_at:
            return (Finding(m.text, "turn", m.message_id, at=m.at, named=first.named), *found)
    return tuple(found)


def _message_of(parts: Parts, turn: Turn, found: Finding) -> Message | None:
    """The message that a finding was read from, where it is still at hand."""
    sources: tuple[str, ...] = (found.id,)
    if found.source == "memory":
        sources = next((m.source_message_ids for m in all_memories(parts, turn) if m.memory_id == found.id), ())
    return next((m for m in reversed(turn.history) if m.role == "user" and m.message_id in sources), None)
