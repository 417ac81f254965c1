"""Which memories "forget X" means (ruling P73): by key, else by what key and value say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.correct.commands import SpokenCommand
from clew.kernel.correct.named_topics import strongest_topic, topic_by_name
from clew.kernel.correct.told_together import with_clause, with_twins
from clew.kernel.keep.keys import build, row_of
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.same_things import same_thing
from clew.kernel.language.packs import writer
from clew.kernel.statements.categories import category_of
from clew.kernel.statements.extract import extract
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_words
from clew.model.key import Key
from clew.model.memory import SELF, Command, MemoryRecord, MemoryType
from clew.model.utterance import Wording
from clew.policy import Policy

# The rules that tell what was taken, where it is not simply what X names (ruling P73).
NAMED, LAST_SURFACED = "correct.named", "correct.last_surfaced"
EVERYTHING, ALL_SHOWN = "correct.everything", "correct.all_shown"


# So many first letters are the root of a word.
_ROOT = 6


@dataclass(frozen=True, slots=True)
class Meant:
    """What a command to forget means; no memories: ask back."""

    said: SpokenCommand
    memories: tuple[MemoryRecord, ...]
    rule: str


def meant_by(
    said: SpokenCommand,
    words: Wording,
    memories: Sequence[MemoryRecord],
    surfaced: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    about: Sequence[MemoryRecord] = (),
    *,
    named_only: bool = False,
) -> Meant | None:
    """All at once is asked back; "both" are what the reply used; a bare "remove X" must name a memory.

    named_only: what was spoken of last is not taken for what X names.
    """
    every = next((c.text for c in words.clauses if pattern("forget_all", policy).match(c.text)), None)
    if every is not None or said.named in policy.remember.correct.everything:
        return Meant(SpokenCommand(Command.FORGET_TARGET, every or said.clause, every or said.named), (), EVERYTHING)
    if said.command is Command.NONE:
        return _tentative(words, memories, at, zone, policy, about)
    shown = [m for i in surfaced for m in memories if m.memory_id == i and m.status is ACTIVE]
    named = said.named or ""
    if pattern("forget_shown", policy).match(named):
        return Meant(said, tuple(shown), ALL_SHOWN)
    found = named_memories(named, memories, surfaced, at, zone, policy, about=about)
    if about:
        found = list({m.memory_id: m for m in (*(found or ()), *about) if m.status is ACTIVE}.values())
    spoken_of = found is None and bool(shown) and shown[-1].memory_id == surfaced[-1] and not named_only
    if spoken_of and not _labelled(named, policy)[1]:
        # "forget my age" where none is held must not cost what was spoken of last.
        return Meant(said, (shown[-1],), LAST_SURFACED)
    found = found or []
    if not _labelled(named, policy)[1]:
        found = with_clause(found, memories, policy)
    return Meant(said, with_twins(found, memories, policy), NAMED)


def _tentative(
    words: Wording,
    memories: Sequence[MemoryRecord],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    about: Sequence[MemoryRecord],
) -> Meant | None:
    """ "Remove sushi" forgets only when sushi is remembered: people remove other things too."""
    for said in tentative(words, policy):
        found = named_memories(said.named or "", memories, (), at, zone, policy, whole=True, about=about)
        if found:
            return Meant(said, tuple(found), NAMED)
    return None


def tentative(words: Wording, policy: Policy) -> list[SpokenCommand]:
    """Clauses that may ask to forget something, if it is remembered."""
    out = []
    for clause, asks in ((c.text, c.asks) for c in words.clauses):
        if len(clause) > policy.remember.correct.clause_characters:
            continue
        match = pattern("forget_tentative", policy).match(clause)
        if match is not None and (not asks or clause.startswith(policy.remember.correct.asking)):
            out.append(SpokenCommand(Command.FORGET_TARGET, clause, match["x"] or match["y"]))
    return out


def named_memories(
    named: str,
    memories: Sequence[MemoryRecord],
    surfaced: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    *,
    whole: bool = False,
    about: Sequence[MemoryRecord] = (),
) -> list[MemoryRecord] | None:
    """The ACTIVE memories X names; an empty list when it names several; None when it names none.

    about: what X asks for when it is put as a question.
    `whole`: every informative word of X must be the memory's, not only half of them.
    """
    active = [m for m in memories if m.status is ACTIVE]
    several = [p for p in pattern("forget_and", policy).split(named) if p.strip()]
    if len(several) > 1:  # "my job and my city": each part by itself, or none
        parts = [named_memories(p.strip(), memories, (), at, zone, policy, whole=whole) for p in several]
        if all(parts):
            return list({m.memory_id: m for found in parts for m in found or ()}.values())
    somebody = _somebody(named, active, policy)
    if somebody:
        return somebody
    labelled = by_attribute(named, active, policy)
    for key in _keys(named, at, zone, policy):
        hit = [m for m in active if same_thing(m.memory_key, key, policy)]
        if hit:  # an address is the town, and the street that was kept beside it
            return list({m.memory_id: m for m in (*hit, *labelled)}.values())
    if labelled:
        return labelled
    hits = _search(named, active, policy, whole=True) or _holding(named, about, policy)
    if hits and hits[0] in about:
        return hits
    hits = hits or _search(named, active, policy, whole) or _of_one_root(named, active, policy)
    keys = dict.fromkeys(m.memory_key for m in hits)
    one = all(same_thing(hits[0].memory_key, k, policy) for k in keys)
    if not one:  # the one just spoken of, or ask
        shown = [i for i in surfaced if any(m.memory_id == i for m in hits)]
        chosen = next((m.memory_key for m in hits if shown and m.memory_id == shown[-1]), None)
        return [m for m in hits if m.memory_key == chosen]
    return hits or None


def _holding(named: str, about: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """Of what is meant by the words, those that hold one of them: "I'm from Galway" is not the town that came after."""
    standing, words = [m for m in about if m.status is ACTIVE], _words(named, policy)
    return [m for m in standing if words & _words(m.memory_value.translate(_MARKS), policy, keep=True)] or standing


def _somebody(named: str, active: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """ "Forget Daniel": everything about the one who is called so, and whatever names him."""
    who = " ".join(w for w in normal(named).no_punct.split() if w not in policy.remember.correct.target_stop)
    keys = [k for m in active if (k := Key.parse(m.memory_key)) is not None and k.name is not None]
    if not who or not any((k.name or "").replace("_", " ") == who for k in keys):
        return []

    def is_of(memory: MemoryRecord) -> bool:
        key = Key.parse(memory.memory_key)
        words = normal(f"{memory.memory_value} {memory.statement or ''}").no_punct.split()
        return (key is not None and (key.name or "").replace("_", " ") == who) or who in words

    return [m for m in active if is_of(m)]


def by_attribute(named: str, active: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """ "형 얘기", "my sister's job", "내 나이": all of one person, or one side of a life, by the words of the table."""
    subject, labels, bare = _labelled(named, policy)
    theirs = [m for m in active if m.subject == subject]
    if not bare:
        # "The lab" is a dog where a dog was called so, and else whatever was told in that word.
        said = _search(named, active, policy, whole=True)
        theirs = theirs if not said or any(m in theirs for m in said) else []
        return theirs if subject != SELF else []
    named_so = [m for m in theirs if m.attribute in labels]
    holding = [m for m in _search(named, named_so, policy, whole=True) if row_of(m.attribute, policy).many]
    return holding or named_so  # "my blood type" is not all that is held of the body


def _labelled(named: str, policy: Policy) -> tuple[str, frozenset[str], str]:
    """Whose, the attributes that the words name, and the words themselves without whose they are."""
    people = mentions(f"{named} ", policy.reader)
    rest = f"{named[: people[0].start]} {named[people[0].end :]}" if people else named
    words = [w for w in normal(rest).no_punct.split() if w not in policy.remember.correct.target_stop]
    bare = " ".join(w for w in words if w not in policy.remember.correct.own_words)
    labels = frozenset(
        name
        for table in policy.attributes.languages.values()
        for name, asked in table.asked.items()
        if bare in asked
    )
    return people[0].subject if people else SELF, labels, bare


def keys_named(
    named: str, memories: Sequence[MemoryRecord], at: datetime, zone: ZoneInfo, policy: Policy
) -> tuple[str, ...]:
    """The keys of the thing X names, held or not; none when X is, or holds, the name of a topic."""
    plain = normal(named).no_punct
    if any(plain in names for names in policy.remember.correct.topic_names.values()):
        return ()
    active = [m for m in memories if m.status is ACTIVE]
    known = _keys(named, at, zone, policy)
    held = [m.memory_key for m in active for key in known if same_thing(m.memory_key, key, policy)]
    if held:
        return tuple(dict.fromkeys(held))
    if strongest_topic(named, policy) or topic_by_name(named, policy):
        return ()
    found = named_memories(named, memories, (), at, zone, policy, whole=True)
    return tuple(dict.fromkeys(m.memory_key for m in found)) if found else tuple(known[:1])


def _keys(named: str, at: datetime, zone: ZoneInfo, policy: Policy) -> list[str]:
    """X through the extractor: as a statement, as the name of a fact, as a bare item."""
    keys = [c.key for c in extract(named, at, zone, policy)]
    plain = normal(named).no_punct
    for field, names in policy.remember.correct.fact_names.items():
        if plain in names:
            keys.append(f"fact:{field}")
    item = " ".join(w for w in plain.split() if w not in policy.remember.correct.target_stop)
    category = category_of(item, policy) if item else None
    if category:
        keys.append(build(MemoryType.PREFERENCE, category, item, policy=policy) or "")
    return [k for k in dict.fromkeys(keys) if k]


def _search(
    named: str, active: Sequence[MemoryRecord], policy: Policy, whole: bool = False
) -> list[MemoryRecord]:
    """The memories whose key and value hold most of X's informative words, and at least half."""
    wanted = _words(named, policy)
    scored = []
    for memory in active:
        text = f"{memory.memory_key} {memory.memory_value}".translate(_MARKS)
        shared = len(wanted & _words(text, policy, keep=True))
        if shared and (shared == len(wanted) if whole else 2 * shared >= len(wanted)):
            scored.append((shared, memory))
    best = max((shared for shared, _ in scored), default=0)
    return [memory for shared, memory in scored if shared == best]


def _of_one_root(named: str, active: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """ "The diabetes" is what was kept as "prediabetic": the beginning of a long word stands inside another."""
    roots = [word[:_ROOT] for word in _words(named, policy) if len(word) >= _ROOT]
    return [m for m in active if roots and all(root in m.memory_value.lower() for root in roots)]


_MARKS = str.maketrans(":_|", "   ")


def _words(named: str, policy: Policy, *, keep: bool = False) -> frozenset[str]:
    stop = policy.remember.correct.target_stop
    out: set[str] = set()
    for word in content_words(named):
        if word in stop:
            continue
        forms = writer(word).comparing.bases(word, policy)
        if keep:
            out.update(forms)
            out.add(word)
        elif forms[-1] not in stop:
            out.add(forms[-1])
    return frozenset(out)
