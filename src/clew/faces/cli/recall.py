"""`clew recall`: questions in, ranked turns out; the conversation is loaded once."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from clew.errors import ClewError, InvalidInput
from clew.faces.cli.out import echo, to_json
from clew.model.fields import Fields

if TYPE_CHECKING:
    from clew.engine.parts import Parts
    from clew.engine.recaller import Recaller
    from clew.engine.rights import Scope
    from clew.engine.searching import Searched
    from clew.policy import Policy
    from clew.ports.embeddings import Embedder
    from clew.ports.index import TurnIndex

Ask = Callable[[Fields], dict[str, Any]]
# What a line of questions may say for itself, where the options do not.
_TIMES = ("at", "since", "until", "as_of")


@click.command()
@click.argument("query", required=False)
@click.option("--db", metavar="URL", help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB).")
@click.option("--conversation", metavar="ID", help="In which transcript or chat to look.")
@click.option("--user", metavar="NAME", help="Without --conversation: in all that this user told (default: you).")
@click.option("-k", "k", type=int, default=None, metavar="K", help="How many turns at most.")
@click.option("--budget", type=int, default=None, metavar="TOKENS", help="Stop before the texts exceed this.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(["memory", "said", "reply", "transcript"]),
              help="Only these; again for another. Without --conversation.")  # fmt: skip
@click.option("--speaker", metavar="NAME", help="Only what this one said: user, assistant, or a name.")
@click.option("--since", metavar="TIME", help="Only what was said or confirmed from then on.")
@click.option("--until", metavar="TIME", help="Only what was said or confirmed up to then.")
@click.option("--as-of", metavar="TIME", help="As it stood at that moment.")
@click.option("--explain", is_flag=True, help="Draw what spoke for each result, and against it.")
@click.option("--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy.")
@click.option("--no-embed", is_flag=True, help="By words alone, without the embedder.")
def recall(
    query: str | None,
    db: str | None,
    conversation: str | None,
    user: str | None,
    k: int | None,
    budget: int | None,
    kinds: tuple[str, ...],
    speaker: str | None,
    since: str | None,
    until: str | None,
    as_of: str | None,
    explain: bool,
    policy_file: str | None,
    no_embed: bool,
) -> int:
    """Find what answers QUERY, or each {"query": …, "at"?: …} line of standard input.

    With --conversation: its turns. Without: memories, chats and transcripts of one user, in one ranking. A line may
    also hold k, budget, kinds, speaker, since, until and as_of.
    """
    given = {"k": k, "budget": budget, "speaker": speaker, "since": since, "until": until, "as_of": as_of}
    usual: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if kinds:
        usual["kinds"] = list(kinds)
    with _asked(db, policy_file, conversation, user, embed=not no_embed) as ask:
        show = drawn if explain else _json
        if query is not None:
            echo(show(ask(Fields({**usual, "query": query}))))
            return 0
        failed = False
        for line in answers(ask, sys.stdin.buffer, usual):
            failed = failed or "error" in line
            echo(show(line))
    return 1 if failed else 0


@contextmanager
def _asked(
    db: str | None, policy_file: str | None, conversation: str | None, user: str | None, *, embed: bool
) -> Iterator[Ask]:
    if conversation is not None:
        from clew.engine.histories import load, searched

        with opened(db, policy_file, embed=embed) as (index, policy, embedder):
            recaller = searched(index, conversation, policy, embedder) or load(
                index, conversation, policy, embedder, progress=shown_progress()
            )
            yield lambda asked: of_turns(recaller, asked)
        return
    from clew.engine.rights import Scope
    from clew.faces.cli import options

    with options.opened(db, policy_file, existing=True, embed=embed) as parts:
        scope = Scope.of(options.conversation_of(parts, user or options.LOCAL_USER))
        yield lambda asked: of_everything(parts, scope, asked)


@contextmanager
def opened(
    db: str | None, policy_file: str | None, *, embed: bool
) -> Iterator[tuple[TurnIndex, Policy, Embedder | None]]:
    from clew import policy as policies
    from clew.engine.bootstrap import bare_store, make_embedder, make_index

    policy = policies.load(policy_file or os.environ.get("CLEW_POLICY") or None)
    store = bare_store(db)
    try:
        yield make_index(store), policy, make_embedder() if embed else None
    finally:
        store.close()


def shown_progress() -> Callable[[int, int], None] | None:
    """On a terminal: how far the reading of a long conversation has come."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, there: int) -> None:
        end = "\n" if done >= there else ""
        echo(f"\rreading turns: {done:,} of {there:,}{end}", nl=False, err=True)

    return show


def answers(ask: Ask, lines: Iterable[bytes], usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One answer per question, in order; a bad line is answered by its error."""
    for line in lines:
        if not line.strip():
            continue
        try:
            told = _payload(line)
            yield ask(Fields({**usual, **told} if isinstance(told, dict) else told))
        except ClewError as why:
            yield {"error": {"pointer": "", **why.as_dict()}}


def of_everything(parts: Parts, scope: Scope, asked: Fields) -> dict[str, Any]:
    from clew.engine.lookup import KINDS, find
    from clew.engine.quoting import fitting

    times = _times(asked)
    k = asked.integer("k", None)
    found = find(
        parts,
        scope,
        asked.text("query"),
        k=parts.policy.recall.default_k if k is None else k,
        kinds=tuple(asked.strings("kinds", KINDS)),
        speaker=asked.text("speaker", None),
        **times,
    )
    tokens = asked.integer("budget", None)
    if tokens is not None:
        found = fitting(found, tokens, parts.policy)
    return {
        "results": [
            {
                "id": f.id,
                "score": f.score,
                "text": f.text,
                "at": f.when.isoformat() if f.when else None,
                "kind": f.kind,
                "key": f.key,
                "subject": f.subject,
                "conversation": f.conversation,
                "why": f.why,
                "parts": dict(f.parts),
            }
            for f in found
        ]
    }


def of_turns(recaller: Recaller | Searched, asked: Fields) -> dict[str, Any]:
    from clew.kernel.recall.turns.only import Only

    times = _times(asked)
    ends = [t for t in (times["until"], times["as_of"]) if t is not None]
    only = Only(asked.text("speaker", None), times["since"], min(ends, default=None))
    hits = recaller.recall(
        asked.text("query"),
        asked.integer("k", None),
        at=times["at"],
        budget=asked.integer("budget", None),
        only=only,
    )
    return {
        "results": [
            {
                "id": hit.line.id if hit.line.id is not None else hit.line.index,
                "score": hit.score,
                "text": hit.line.text,
                "at": hit.line.at.isoformat() if hit.line.at else None,
                "why": {**hit.why, "speaker_name": hit.line.speaker},
                "parts": dict(hit.parts),
            }
            for hit in hits
        ]
    }


def _times(asked: Fields) -> dict[str, Any]:
    return {name: moment(asked.text(name, None), asked.at(name)) for name in _TIMES}


_WIDE = 24  # characters of the longest bar
_SHOWN = 8  # parts of one result


def drawn(answer: dict[str, Any]) -> str:
    """Each result with a bar for every part that spoke for it (█) or against it (░), the longest first."""
    if "error" in answer:
        return f"error: {answer['error']['message']}"
    rows: list[str] = []
    for place, result in enumerate(answer["results"], 1):
        day = f" {result['at'][:10]}" if result["at"] else ""
        who = result["why"].get("speaker_name") or result.get("subject") or ""
        rows.append(f"{place}. {result['score']:.3f} {result.get('kind', 'turn')}{day} {who}: {result['text'][:160]!r}")
        longest = max((abs(v) for v in result["parts"].values()), default=1.0) or 1.0
        for name, value in list(result["parts"].items())[:_SHOWN]:
            bar = ("█" if value > 0 else "░") * max(1, round(abs(value) / longest * _WIDE))
            rows.append(f"     {name:<16} {value:+.2f} {bar}")
        rows += [f"     {n:<16} {result['why'][n]}" for n in ("fresh", "stale", "reranked") if n in result["why"]]
    return "\n".join(rows) or "nothing found"


def moment(text: str | None, pointer: str) -> datetime | None:
    """A time without an offset is taken as UTC: only its day matters here."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"not an ISO 8601 time: {text[:60]!r}", pointer=pointer) from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _payload(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as why:
        raise InvalidInput(f"not UTF-8 at byte {why.start}", pointer="") from None
    except (ValueError, RecursionError) as why:
        raise InvalidInput(f"not JSON: {why}", pointer="") from None


def _json(value: dict[str, Any]) -> str:
    return to_json(value)
