"""`clew memories`: a user's own memories, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import click

from clew.engine import rights, service
from clew.engine.lookup import sentence
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.withdraw import withdraw
from clew.errors import InvalidInput, NotFound
from clew.faces.cli.options import conversation_of, opened, store_options
from clew.faces.cli.out import echo, to_json
from clew.faces.cli.remembered import fits, grouped, line_of, talk_line
from clew.faces.cli.screen import Screen
from clew.kernel.language.packs import language_of
from clew.model.canonical import plain
from clew.model.fields import parse_time
from clew.model.language import HOUSE
from clew.model.memory import MemoryRecord, MemoryStatus


@click.group()
def memories() -> None:
    """List, search, edit, pause, pin, forget, restore and take back memories."""


def _line(memory: MemoryRecord) -> str:
    marks = [m for m, on in (("paused", memory.paused), ("pinned", memory.pinned)) if on]
    more = f" ({', '.join(marks)})" if marks else ""
    what = f"{memory.memory_key} = {memory.memory_value}{more}"
    return f"{memory.memory_id}  {memory.status:<10} {memory.confidence}  {what}"


@memories.command("list")
@store_options
@click.option("--search", default="", help="Only those whose key or value holds this.")
@click.option(
    "--status",
    type=click.Choice([*(s.value for s in MemoryStatus), "ALL"]),
    default="ACTIVE",
    show_default=True,
)
@click.option("--keys", is_flag=True, help="Ids, keys and values instead of plain words.")
@click.option("--language", default=HOUSE, show_default=True, help="The language to tell them in.")
@click.option("--as-of", metavar="TIME", help="What was current at this ISO 8601 moment.")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines.")
def list_(
    db: str | None,
    policy_file: str | None,
    user: str,
    search: str,
    status: str,
    keys: bool,
    language: str,
    as_of: str | None,
    as_json: bool,
) -> None:
    """List what is remembered."""
    moment: datetime | None = parse_time(as_of, "--as-of") if as_of else None
    with opened(db, policy_file, embed=False, existing=True) as parts:
        scope = Scope.of(conversation_of(parts, user))
        wanted = None if status == "ALL" else MemoryStatus(status)
        found = rights.memories(parts, scope, search=search, status=wanted, at=moment)
        if keys or as_json:
            for memory in found:
                echo(to_json(plain(memory)) if as_json else _line(memory))
            return
        number = 0
        for heading, group in grouped(found, language, parts.policy).items():
            echo(heading)
            for memory in group:
                number += 1
                echo(f"  {number}. {line_of(memory, language, parts.policy)}")


def _named(parts: Parts, scope: Scope, name: str, *, gone: bool = False) -> MemoryRecord:
    """A memory by its number in the list, its id, its key, or by words that lead to one alone.

    gone: one that is not current is meant; its number is that among those that are not.
    """
    policy = parts.policy
    found = rights.memories(parts, scope, status=None)
    language = language_of(name, policy) if name.strip() else HOUSE
    meant = [m for m in found if (m.status is not MemoryStatus.ACTIVE) is gone]
    if name.isascii() and name.isdigit():
        listed = [m for group in grouped(meant, HOUSE, policy).values() for m in group]
        if not 1 <= int(name) <= len(listed):
            raise InvalidInput(f"there is no number {name} in the list", pointer="MEMORY")
        return listed[int(name) - 1]
    exact = [m for m in found if name in (m.memory_id, m.memory_key)]
    alike = exact or [m for m in found if fits(m, name, language, policy)]
    chosen = [m for m in alike if m in meant] or alike
    if len(chosen) > 1:
        told = "; ".join(line_of(m, language, policy) for m in chosen)
        raise InvalidInput(f"{name!r} leads to several memories: {told}", pointer="MEMORY")
    if not chosen:
        raise NotFound(f"no memory {name!r}", pointer="MEMORY")
    return chosen[0]


def _action(name: str, help_text: str) -> None:
    @memories.command(name, help=help_text)
    @store_options
    @click.argument("memory", metavar="N|ID|WORDS")
    def act(db: str | None, policy_file: str | None, user: str, memory: str) -> None:
        with opened(db, policy_file, embed=False, existing=True) as parts:
            scope = Scope.of(conversation_of(parts, user))
            record = _named(parts, scope, memory, gone=name == "restore")
            ACTIONS[name](parts, scope, record.memory_id)
            echo(f"{name}: {record.memory_id}  {sentence(replace(record, status=MemoryStatus.ACTIVE))}")


ACTIONS: dict[str, Callable[[Parts, Scope, str], object]] = {
    "pause": lambda parts, scope, i: rights.pause(parts, scope, i),
    "resume": lambda parts, scope, i: rights.pause(parts, scope, i, False),
    "pin": lambda parts, scope, i: rights.pin(parts, scope, i),
    "unpin": lambda parts, scope, i: rights.pin(parts, scope, i, False),
    "forget": lambda parts, scope, i: rights.forget(parts, scope, i),
    "restore": lambda parts, scope, i: rights.bring_back(parts, scope, [i]),
    "delete": lambda parts, scope, i: rights.delete(parts, scope, i),
}
for _name, _help in (
    ("pause", "Keep a memory but leave it unused."),
    ("resume", "Use a paused memory again."),
    ("pin", "Prefer a memory in recall."),
    ("unpin", "Treat a pinned memory like any other."),
    ("forget", "Make a memory INVALID and do not learn its key again."),
    ("restore", "Bring back a forgotten or replaced memory."),
    ("delete", "Erase a memory and its history, beyond restoring."),
):
    _action(_name, _help)


@memories.command()
@store_options
@click.argument("memory", metavar="N|ID|WORDS")
@click.argument("value")
def edit(db: str | None, policy_file: str | None, user: str, memory: str, value: str) -> None:
    """Give a memory a new value; the old one stays as history."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        scope = Scope.of(conversation_of(parts, user))
        for line in rights.told(parts, scope, rights.edit(parts, scope, _named(parts, scope, memory).memory_id, value)):
            echo(line)


@memories.command()
@store_options
@click.option("--json", "as_json", is_flag=True, help="JSON Lines.")
def episodes(db: str | None, policy_file: str | None, user: str, as_json: bool) -> None:
    """List what was talked about, session by session."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        for talk in service.episodes(parts, service.place_of(parts, conversation_of(parts, user).conversation_id)):
            echo(to_json(plain(talk)) if as_json else talk_line(talk))


@memories.command()
@store_options
def lorebook(db: str | None, policy_file: str | None, user: str) -> None:
    """Print current memories as a lorebook (version 3), for programs that read one."""
    from clew.formats.lorebook import of_memories

    with opened(db, policy_file, embed=False, existing=True) as parts:
        held = service.memories(parts, service.place_of(parts, conversation_of(parts, user).conversation_id))
        echo(json.dumps(of_memories(held, {m.memory_id: sentence(m) for m in held}), ensure_ascii=False, indent=2))


@memories.command()
@store_options
@click.argument("query", required=False, default="")
def decisions(db: str | None, policy_file: str | None, user: str, query: str) -> None:
    """List what an agent decided, newest first, or what of it shares words with QUERY."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        place = service.place_of(parts, conversation_of(parts, user).conversation_id)
        for record in service.decisions(parts, place, query):
            echo(f"{record.created_at:%Y-%m-%d}  {record.memory_value}")


@memories.command()
@store_options
@click.argument("message_id", required=False)
def unsay(db: str | None, policy_file: str | None, user: str, message_id: str | None) -> None:
    """Take back your last message, or MESSAGE_ID, with its reply and what it taught."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        talk = conversation_of(parts, user)
        scope = Scope.of(talk)
        with parts.store.read() as session:
            past = session.recent(talk.conversation_id, 1, "user")
        if message_id is None and not past:
            raise NotFound("there is nothing to take back", pointer="MESSAGE_ID")
        events = withdraw(parts, scope, [message_id or past[-1].message_id])
        echo(f"taken back: {message_id or past[-1].text}")
        for line in rights.told(parts, scope, [e for e in events if e.memory_id]):
            echo(line)


@memories.command()
@store_options
def undo(db: str | None, policy_file: str | None, user: str) -> None:
    """Take back the last change of memory."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        scope = Scope.of(conversation_of(parts, user))
        events = rights.undo(parts, scope)
        for line in rights.told(parts, scope, events):
            echo(line)
        if not events:
            echo("nothing to undo")


@memories.command()
@store_options
def relearn(db: str | None, policy_file: str | None, user: str) -> None:
    """Read the stored messages again, and keep what was not understood before; goes on where it was cut off."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from clew.engine.relearn import relearn as again

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with opened(db, policy_file, existing=True) as parts:
        learned = read = 0
        screen = Screen(stderr=True)
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task("reading again", total=None)
            for step in again(parts, conversation_of(parts, user)):
                learned, read = learned + step.learned, step.done
                bar.update(task, total=step.total, completed=step.done, description=f"reading again, {learned} learned")
        echo(f"{read} messages read again, {learned} memories learned")
