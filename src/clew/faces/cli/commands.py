"""What a line that begins with a slash does in the chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from clew.engine import rights
from clew.engine.archive import export_user
from clew.engine.claim import unanswered
from clew.engine.failures import crisis_help
from clew.engine.parts import Parts
from clew.engine.pointing import memory_item, show
from clew.engine.rights import Scope
from clew.engine.story import one_line, story
from clew.engine.turn import take_turn
from clew.engine.weaving import propose, suggest
from clew.errors import InvalidInput, TurnInProgress
from clew.kernel.weave.propose import Verb, command
from clew.model.account import Conversation
from clew.model.exchange import Incoming
from clew.model.memory import MemoryRecord
from clew.model.shown import Item
from clew.model.thread import ThreadVerdict


class Leave(Exception):
    """The user wants out."""


@dataclass
class Chat:
    """One sitting at the terminal."""

    parts: Parts
    conversation: Conversation
    console: Console
    last_message_id: str | None = None
    failed: bool = False
    # What was listed last, so that "forget the second one" has something to point at.
    listed: tuple[MemoryRecord, ...] = ()

    @property
    def scope(self) -> Scope:
        return Scope.of(self.conversation)

    def dim(self, line: str) -> None:
        self.console.print(Text(f"  {line}", style="dim"))

    def show(self, line: str) -> None:
        self.console.print(Text(line))

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """A sign of life while a slow writer works, or the embedder loads; nothing for a quick one or a pipe."""
        quick = self.parts.writer.name == "composer" and self.last_message_id is not None
        if not self.console.is_terminal or quick:
            yield
            return
        with self.console.status("writing…"):
            yield


def answer(room: Chat, text: str, message_id: str) -> None:
    """One turn, shown. Words of crisis get help, also where no reply could be made."""
    incoming = Incoming(message_id, room.conversation.conversation_id, text)
    try:
        with room.thinking():
            outcome = take_turn(room.parts, incoming)
    except (InvalidInput, TurnInProgress):
        raise
    except BaseException:
        if help_ := crisis_help(room.parts, incoming):
            room.show(f"clew › {help_}")
        raise
    room.show(f"clew › {outcome.reply}")
    if outcome.set_aside:
        room.failed = True
        room.dim("not answered and not stored; clew turns failed tells why")
        return
    room.last_message_id = message_id
    room.dim(one_line(outcome.trace))


def obey(room: Chat, line: str) -> None:
    name, _, rest = line[1:].strip().partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        room.show(f"No command /{name}. /help lists them.")
        return
    command[0](room, rest.strip())


def _help(room: Chat, rest: str) -> None:
    for name, (_, use, line) in COMMANDS.items():
        room.show(f"/{name + (' ' + use if use else ''):<28} {line}")


def _why(room: Chat, rest: str) -> None:
    message_id = rest or room.last_message_id
    with room.parts.store.read() as session:
        if message_id is None:
            past = session.recent(room.conversation.conversation_id, 1, "user")
            message_id = past[-1].message_id if past else None
        trace = session.trace(message_id) if message_id else None
        said = session.message(message_id) if message_id else None
        reply = session.reply_to(message_id) if message_id else None
    if trace is None or trace.conversation_id != room.conversation.conversation_id:
        room.show("Nothing to explain yet.")
        return
    for told in story(trace.body, said.text if said else "", reply.text if reply else ""):
        room.show(told)


def _memories(room: Chat, rest: str) -> None:
    found = rights.memories(room.parts, room.scope, search=rest)
    room.listed = tuple(found)
    show(room.parts, room.conversation, "memories", [memory_item(room.parts, m) for m in found])
    if not found:
        room.show("Nothing is remembered yet." if not rest else f"Nothing remembered matches {rest!r}.")
    for number, memory in enumerate(found, 1):
        marks = "".join(m for m, on in ((" (paused)", memory.paused), (" (pinned)", memory.pinned)) if on)
        room.show(
            f"{number}. {memory.memory_key} = {memory.memory_value}  "
            f"confidence {memory.confidence}, since {memory.created_at:%Y-%m-%d}{marks}"
        )


def _forget(room: Chat, rest: str) -> None:
    if not rest:
        room.show("Say what: /forget 2 (a number from /memories) or /forget sushi")
        return
    if not room.listed:
        room.listed = tuple(rights.memories(room.parts, room.scope))
    chosen = _pick(room, rest)
    if chosen is None:
        return
    gone = rights.forget(room.parts, room.scope, chosen.memory_id)
    room.listed = tuple(m for m in room.listed if m.memory_id != chosen.memory_id)
    what = f"{chosen.memory_key} = {chosen.memory_value}"
    room.show(f"Forgotten: {what}. /undo brings it back." if gone else f"{what} was already forgotten.")


def _pick(room: Chat, rest: str) -> MemoryRecord | None:
    if rest.isdecimal():
        if 1 <= int(rest) <= len(room.listed):
            return room.listed[int(rest) - 1]
        room.show(f"There is no number {rest} in the list.")
        return None
    found = rights.memories(room.parts, room.scope, search=rest)
    if len(found) == 1:
        return found[0]
    if not found:
        room.show(f"Nothing remembered matches {rest!r}.")
    else:
        room.listed = tuple(found)
        room.show("Which one?")
        for number, memory in enumerate(found, 1):
            room.show(f"{number}. {memory.memory_key} = {memory.memory_value}")
    return None


def _undo(room: Chat, rest: str) -> None:
    events = rights.undo(room.parts, room.scope)
    happened = ", ".join(rights.told(room.parts, room.scope, events))
    room.show(f"Undone: {happened}" if events else "Nothing to undo.")


def _threads(room: Chat, rest: str) -> None:
    if rest == "suggest":
        offered = suggest(room.parts, room.conversation)
        for add in offered:
            room.show(f"/threads add {add.type} {add.text}")
        if not offered:
            room.show("Everything you set out to do was taken up.")
        return
    asked = command(f"/threads {rest}", room.parts.policy.weave)
    if asked is not None and asked.verb is Verb.ADD and asked.add is not None:
        _told_threads(room, propose(room.parts, room.conversation, [asked.add]))
        return
    if asked is not None and asked.verb is Verb.RESOLVE:
        _told_threads(room, propose(room.parts, room.conversation, resolve=asked.resolve))
        return
    with room.parts.store.read() as session:
        found = session.threads(room.conversation.conversation_id)
    show(room.parts, room.conversation, "threads", [Item(t["id"], t["text"], t["id"]) for t in found])
    if not found:
        room.show("No open loops. /threads add Will Mina hear back from the school?")
    for thread in found:
        room.show(f"{thread['id']} {thread['type']} {thread['urgency']}: {thread['text']}")


def _told_threads(room: Chat, verdict: ThreadVerdict) -> None:
    for thread in verdict.added:
        over = f", instead of {', '.join(thread.supersedes)}" if thread.supersedes else ""
        room.show(f"Open: {thread.id} {thread.type} {thread.text}{over}")
    for thread_id in verdict.resolved:
        room.show(f"Closed: {thread_id}")
    for found in verdict.diagnostics:
        room.show(f"{found.code}: {found.message}")


def _export(room: Chat, rest: str) -> None:
    target = Path(rest or "clew-export.zip").expanduser()
    if target.exists():
        room.show(f"{target} exists; name another file.")
        return
    size = export_user(room.parts, room.conversation.user_id, target)
    room.show(f"Wrote {target} ({size:,} bytes).")


def _retry(room: Chat, rest: str) -> None:
    waiting = unanswered(room.parts, room.conversation.conversation_id)
    if not waiting:
        room.show("No message is waiting for an answer.")
    for lease in waiting:
        answer(room, lease.text, lease.message_id)


def _quit(room: Chat, rest: str) -> None:
    raise Leave


COMMANDS: dict[str, tuple[Callable[[Chat, str], None], str, str]] = {
    "why": (_why, "[MESSAGE_ID]", "why the last reply is what it is, rule by rule"),
    "memories": (_memories, "[WORD]", "what is remembered, numbered"),
    "threads": (_threads, "[add …|resolve ID|suggest]", "open loops of this conversation"),
    "forget": (_forget, "N|WORD", "forget a memory and do not learn it again"),
    "undo": (_undo, "", "take back the last change of memory"),
    "export": (_export, "[FILE]", "everything about you as one zip file"),
    "retry": (_retry, "", "answer a message that was cut off"),
    "help": (_help, "", "this list"),
    "quit": (_quit, "", "leave; everything is kept"),
}
