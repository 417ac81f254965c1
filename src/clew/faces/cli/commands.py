"""What a line that begins with a slash does in the chat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from clew.engine.archive import export_user
from clew.engine.claim import unanswered
from clew.engine.failures import crisis_help
from clew.engine.pointing import show
from clew.engine.story import kept_line, one_line, screen_words, short_story, story
from clew.engine.turn import take_turn
from clew.engine.weaving import propose, suggest
from clew.errors import InvalidInput, TurnInProgress
from clew.faces.cli import remembered, settings, waiting
from clew.faces.cli.sitting import Chat, Leave
from clew.kernel.weave.propose import Verb, command
from clew.model.exchange import Incoming
from clew.model.shown import Item
from clew.model.thread import ThreadVerdict


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
    told = outcome.told
    screen = screen_words(room.parts.policy, told.heard.language)
    line = one_line(told) if room.verbose else kept_line(told, screen, text)
    if line and not room.quiet:
        room.dim(line)
    if told.due and not room.quiet:
        room.dim(waiting.beside(room, text)["promise"])


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
    wanted, _, named = rest.partition(" ")
    whole = wanted == "all"
    message_id = (named.strip() if whole else rest) or room.last_message_id
    with room.parts.store.read() as session:
        if message_id is None:
            past = session.recent(room.conversation.conversation_id, 1, "user")
            message_id = past[-1].message_id if past else None
        trace = session.trace(message_id) if message_id else None
        said = session.message(message_id) if message_id else None
        reply = session.reply_to(message_id) if message_id else None
    if trace is None or trace.conversation_id != room.conversation.conversation_id:
        room.show(room.words["why_nothing"])
        return
    texts = said.text if said else "", reply.text if reply else ""
    whole_story = whole or room.verbose
    told = story(trace.told, *texts) if whole_story else short_story(trace.told, *texts, room.words)
    for line in told:
        room.show(line)


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
    show(room.parts, room.conversation, "threads", [Item(t.id, t.text, t.id) for t in found])
    if not found:
        room.show("Nothing is open. /threads add Will Mina hear back from the school?")
    for number, thread in enumerate(found, 1):
        keys = f"  ({thread.id}, {thread.type}, {thread.urgency})" if room.verbose or rest == "keys" else ""
        room.show(f"{number}. {thread.text}{keys}")


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
    "memories": (remembered.list_, "[WORD|keys|episodes]", "what is remembered, or session by session"),
    "forget": (remembered.forget, "N|WORDS", "forget a memory and do not learn it again"),
    "edit": (remembered.edit, "N|WORDS = VALUE", "put a memory right"),
    "pin": (remembered.pin, "N|WORDS", "prefer a memory; again to undo"),
    "pause": (remembered.pause, "N|WORDS", "keep a memory but leave it unused; again to undo"),
    "restore": (remembered.restore, "[N|WORDS]", "bring back what was forgotten or replaced"),
    "unsay": (remembered.unsay, "", "take back your last message with what it taught"),
    "undo": (remembered.undo, "", "take back the last change of memory"),
    "threads": (_threads, "[add …|resolve ID|suggest|keys]", "plans and worries that are still open"),
    "persona": (settings.persona, "[N|NAME|again|name …|try …]", "see, try, choose, re-roll or name your friend"),
    "settings": (settings.settings, "[NAME VALUE]", "what you told about yourself, and how to change it"),
    "inbox": (waiting.command, "", "what was written to you first, reminders to come, and why nothing comes now"),
    "why": (_why, "[all] [MESSAGE_ID]", "why the last reply is what it is"),
    "export": (_export, "[FILE]", "everything about you as one zip file"),
    "retry": (_retry, "", "answer a message that was cut off"),
    "help": (_help, "", "this list"),
    "quit": (_quit, "", "leave; everything is kept"),
}
