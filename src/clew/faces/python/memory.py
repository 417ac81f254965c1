"""`clew.Memory`: remember what users say, find it again, and take it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from clew.engine import inbox, rights, service
from clew.engine.archive import Receipt
from clew.engine.episodes import Talk
from clew.engine.lookup import DEFAULT_KINDS
from clew.engine.service import Place
from clew.errors import InvalidInput
from clew.faces.python.opening import Opened, message_uuid
from clew.faces.python.results import Added, Change, Hit, Item, Sent, changes
from clew.faces.python.working import worked
from clew.model.canonical import sha256
from clew.model.decision import Worked
from clew.model.exchange import Outcome
from clew.model.memory import MemoryEvent, MemoryStatus
from clew.policy import Policy

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]


class Memory(Opened):
    """A path, a database URL, or nothing for the data folder; the same names continue where they stood.

    `writer` is never asked for a reply here; `extractor`, `embedder`, `store` and `clock` take
    what keeps the promises of `clew.ports`, and an extractor or embedder may be any callable.
    """

    def add(
        self,
        what: Messages,
        *,
        user: str = "me",
        friend: str | None = None,
        conversation: str = service.MAIN,
        message_id: str | None = None,
        at: datetime | None = None,
        frame: str | None = None,
    ) -> Added:
        """Take in a text, or [{"role", "content"}] messages; the same message_id is taken in once.

        Of an agent: what its answers decide is kept too, in a `frame` such as task or decision, or where it called
        the tool record_decision.
        """
        moment = _moment(at, "/at")
        place = self._place(user, friend, conversation)
        name = place.conversation.conversation_id
        ids: list[str] = []
        done: list[Outcome] = []
        told = exchanges(what)
        work = agent_work(what, frame, self.parts.policy)
        for number, (text, reply, when) in enumerate(told):
            part = message_id if number == 0 or message_id is None else f"{message_id}#{number}"
            outcome = service.learn(
                self.parts,
                place,
                text,
                reply=reply,
                message_id=message_uuid(part, name),
                at=when or moment,
                worked=work[number],
            )
            ids.append(outcome.message_id)
            done.append(outcome)
        events = [e for o in done for e in o.memory_events]
        return Added(tuple(ids), changes(self.parts, place, events), all(o.replayed for o in done))

    def search(
        self,
        query: str,
        *,
        user: str = "me",
        friend: str | None = None,
        k: int = 8,
        as_of: datetime | None = None,
        kinds: Sequence[str] = DEFAULT_KINDS,
        conversation: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[Hit]:
        """Best first. `kinds`: memory, said, reply, transcript, episode; `conversation` limits turns, not memories.

        `speaker`: user, assistant or a name in a transcript; `since` and `until`: said or confirmed then.
        """
        _count(k, "k")
        place = self._place(user, friend)
        here = None
        if conversation is not None:
            here = self._place(user, friend, conversation).conversation.conversation_id
        only: dict[str, Any] = {"kinds": tuple(kinds), "conversation": here, "speaker": speaker}
        only |= _moments(as_of=as_of, since=since, until=until)
        return [Hit.of(f) for f in service.find(self.parts, place, _text(query, "query"), k=k, **only)]

    def context(
        self,
        query: str = "",
        *,
        user: str = "me",
        friend: str | None = None,
        tokens: int = 800,
        as_of: datetime | None = None,
        kinds: Sequence[str] = DEFAULT_KINDS,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> str:
        """What is known, as a block of quoted data for any model's prompt; empty when nothing is known.

        With a query it may be narrowed as in `search`; without one the newest memories are told.
        """
        _count(tokens, "tokens")
        only: dict[str, Any] = {"kinds": tuple(kinds), "speaker": speaker}
        only |= _moments(as_of=as_of, since=since, until=until)
        place = self._place(user, friend)
        return service.context(self.parts, place, _text(query, "query"), tokens=tokens, **only)[0]

    def all(
        self,
        *,
        user: str = "me",
        friend: str | None = None,
        status: str | None = "ACTIVE",
        as_of: datetime | None = None,
    ) -> list[Item]:
        """Every memory of a status (None for all), or what was current at a moment; oldest first."""
        try:
            wanted = None if status is None else MemoryStatus(status.upper())
        except (AttributeError, ValueError):
            names = ", ".join(MemoryStatus)
            raise InvalidInput(f"no status {status!r}; known: {names}", pointer="/status") from None
        moment = _moment(as_of, "/as_of")
        found = service.memories(self.parts, self._place(user, friend), status=wanted, as_of=moment)
        return [Item.of(m) for m in found]

    def get(self, memory_id: str, *, user: str = "me", friend: str | None = None) -> Item:
        return Item.of(service.memory(self.parts, self._place(user, friend), memory_id))

    def episodes(self, *, user: str = "me", friend: str | None = None) -> list[Talk]:
        """What was talked about, session by session, oldest first; one that goes on has no end."""
        return service.episodes(self.parts, self._place(user, friend))

    def decide(
        self, decision: str, outcome: str = "", *, user: str = "me", friend: str | None = None
    ) -> tuple[Change, ...]:
        """Record what an agent decided, and later what came of it."""
        place = self._place(user, friend)
        return self._told(place, service.record_decision(self.parts, place, decision, outcome))

    def decisions(self, query: str = "", *, user: str = "me", friend: str | None = None) -> list[Item]:
        """Newest first, without near-identical ones; with a query those that share its words."""
        return [Item.of(m) for m in service.decisions(self.parts, self._place(user, friend), query)]

    def history(self, key: str, *, user: str = "me", friend: str | None = None) -> list[Item]:
        """Every version of what stands under a key, oldest first."""
        return [Item.of(m) for m in service.history(self.parts, self._place(user, friend), key)]

    def put(self, key: str, value: str, *, user: str = "me", friend: str | None = None) -> tuple[Change, ...]:
        """Write one memory by key; it merges and supersedes like one that was said."""
        place = self._place(user, friend)
        return self._told(place, service.put(self.parts, place, key, value))

    def edit(
        self, memory_id: str, value: str, *, user: str = "me", friend: str | None = None
    ) -> tuple[Change, ...]:
        place = self._place(user, friend)
        return self._told(place, rights.edit(self.parts, place.scope, memory_id, value))

    def forget(self, what: str, *, user: str = "me", friend: str | None = None) -> tuple[Change, ...]:
        """By words, by key or by id: no longer used, and not learned again from the same words."""
        place = self._place(user, friend)
        return self._told(place, service.forget(self.parts, place, what))

    def correct(
        self,
        text: str,
        *,
        user: str = "me",
        friend: str | None = None,
        conversation: str = service.MAIN,
        message_id: str | None = None,
    ) -> tuple[Change, ...]:
        """A correction in words: "actually it's cashews", "that's not true", "I moved to Porto"."""
        return self.add(
            text, user=user, friend=friend, conversation=conversation, message_id=message_id
        ).changes

    def undo(self, *, user: str = "me", friend: str | None = None) -> tuple[Change, ...]:
        """Take back the newest change of memory; again for the one before."""
        place = self._place(user, friend)
        return self._told(place, rights.undo(self.parts, place.scope))

    def restore(self, memory_id: str, *, user: str = "me", friend: str | None = None) -> tuple[Change, ...]:
        place = self._place(user, friend)
        return self._told(place, rights.bring_back(self.parts, place.scope, [memory_id]))

    def pause(
        self, memory_id: str, paused: bool = True, *, user: str = "me", friend: str | None = None
    ) -> Item:
        """A paused memory is kept and not used."""
        return Item.of(rights.pause(self.parts, self._place(user, friend).scope, memory_id, paused))

    def unsay(self, message_id: str, *, user: str = "me", friend: str | None = None) -> tuple[Change, ...]:
        """Withdraw a message: what rested on it alone is no longer held, what it replaced holds again."""
        place = self._place(user, friend)
        name = message_uuid(message_id, place.conversation.conversation_id)
        return self._told(place, service.withdraw(self.parts, place.scope, [name]))

    def export(self, target: str | Path, *, user: str = "me") -> Path:
        """Everything about a user in one zip file, made anew; nothing is written over."""
        service.export(self.parts, service.user_id(user), Path(target))
        return Path(target)

    def import_(self, source: str | Path, *, user: str = "me") -> dict[str, int]:
        """Take in what `export` wrote, or another program's export (ChatGPT, Claude, SillyTavern, mem0, Chroma).

        Rows by table, or messages and memories taken in. Taking in the same file again changes nothing.
        """
        path = Path(source)
        if is_bundle(path):
            return service.take_in(self.parts, path)
        return self._import_chats(path, user)

    def _import_chats(self, path: Path, user: str) -> dict[str, int]:
        from clew.formats.chat import read_chats

        try:
            data = path.read_bytes()
        except OSError as why:
            raise InvalidInput(f"cannot read {path}: {why.strerror}", pointer="/") from None
        counted = {"conversations": 0, "messages": 0, "memories": 0, "skipped": 0}
        for chat in read_chats(data):
            counted["conversations"] += 1
            name = f"{chat.format}:{sha256(chat.conversation)[:16]}"
            for said, reply in answered(chat.said):
                told = {"role": "user", "content": said.text, "at": said.at}
                try:
                    added = self.add(
                        [told, {"role": "assistant", "content": reply}],
                        user=said.user or user,
                        conversation=name,
                        message_id=f"{said.id}",
                    )
                except InvalidInput:
                    counted["skipped"] += 1  # too long, or not text
                    continue
                counted["messages"] += 1
                counted["memories"] += sum(1 for c in added if c.kind == "created")
        return counted

    def lorebook(self, *, user: str = "me", friend: str | None = None) -> dict[str, Any]:
        """Current memories as a stand-alone lorebook (version 3) for character programs."""
        from clew.engine.lookup import sentence
        from clew.formats.lorebook import of_memories

        held = service.memories(self.parts, self._place(user, friend))
        return of_memories(held, {m.memory_id: sentence(m) for m in held})

    def erase(self, *, user: str = "me") -> Receipt:
        """Remove everything of a user; the receipt says where a search still finds their words."""
        return service.erase(self.parts, service.user_id(user))

    def inbox(self, *, user: str = "me", unseen: bool = False) -> list[Sent]:
        """What was written to this user first, or by their own wish, newest first."""
        return [Sent.of(m) for m in inbox.messages(self.parts, service.user_id(user), unseen=unseen)]

    def _place(self, user: str, friend: str | None, conversation: str = service.MAIN) -> Place:
        return service.arrive(self.parts, user, friend=friend, conversation=conversation)

    def _told(self, place: Place, events: Sequence[MemoryEvent]) -> tuple[Change, ...]:
        return changes(self.parts, place, tuple(events))


def answered(said: Sequence[Any]) -> list[tuple[Any, str]]:
    """Each message of the user with what was answered to it."""
    out: list[tuple[Any, str]] = []
    for message in said:
        if message.role == "user":
            out.append((message, ""))
        elif out:
            first, reply = out[-1]
            out[-1] = (first, f"{reply}\n{message.text}" if reply else message.text)
    return out


def is_bundle(path: Path) -> bool:
    """Our own file, rather than another program's: both may be zip files."""
    import zipfile

    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return "conversations.json" not in archive.namelist()


def exchanges(what: Messages) -> list[tuple[str, str, datetime | None]]:
    """(what the user said, what was answered, when): pairs of a message list; other roles teach nothing."""
    if isinstance(what, str):
        return [(what, "", None)]
    if not isinstance(what, (Mapping, Sequence)):
        raise InvalidInput(f"give a text or a list of messages, got {type(what).__name__}", pointer="/what")
    rows = [what] if isinstance(what, Mapping) else list(what)
    out: list[tuple[str, str, datetime | None]] = []
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping) or "role" not in row:
            raise InvalidInput("a message is {role, content}", pointer=f"/{number}")
        if row["role"] == "user" and row.get("content") is None:
            raise InvalidInput("content is required", pointer=f"/{number}/content")
        text = content_text(row.get("content"), f"/{number}/content")
        if row["role"] == "user" and text.strip():
            out.append((text, "", _moment(row.get("at"), f"/{number}/at")))
        elif row["role"] == "assistant" and out and text:
            said, answered, at = out[-1]
            out[-1] = (said, f"{answered}\n{text}" if answered else text, at)
    return out


def agent_work(what: Messages, frame: str | None, policy: Policy) -> list[Worked]:
    """How the answer to each exchange was come to, where messages tell it."""
    tools = policy.remember.records.decision_tools
    if isinstance(what, str):
        return worked([], [0], frame, tools)
    rows = [what] if isinstance(what, Mapping) else list(what)
    starts = [n for n, row in enumerate(rows) if row["role"] == "user" and content_text(row.get("content")).strip()]
    return worked(rows, starts, frame, tools)


def content_text(content: Any, pointer: str = "/content") -> str:
    """A string, or a list of parts of which the text ones count."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [p.get("text") for p in content if isinstance(p, Mapping) and isinstance(p.get("text"), str)]
        return "\n".join(str(p) for p in parts)
    raise InvalidInput("content is a text or a list of parts", pointer=pointer)


def _moment(at: Any, pointer: str) -> datetime | None:
    """A moment, or an ISO 8601 text; either says how far from UTC it is."""
    if at is None:
        return None
    from clew.model.fields import parse_time

    return parse_time(at.isoformat() if isinstance(at, datetime) else str(at), pointer, far=True)


def _moments(**given: Any) -> dict[str, datetime | None]:
    return {name: _moment(at, f"/{name}") for name, at in given.items()}


def _count(number: Any, name: str) -> None:
    if not isinstance(number, int) or number < 1:
        raise InvalidInput(f"{name} is a whole number of at least 1, got {number!r}", pointer=f"/{name}")


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise InvalidInput(f"{name} is a text, got {type(given).__name__}", pointer=f"/{name}")
    return given


