"""`clew ingest`: a conversation history from a file into the database."""

from __future__ import annotations

import os
from pathlib import Path

import click

from clew import policy as policies
from clew.faces.cli.out import echo, to_json
from clew.faces.cli.transcripts import read_for_storage


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "format_", default="auto", show_default=True, help="How FILE is written.")
@click.option("--db", metavar="URL", help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB).")
@click.option("--conversation", required=True, metavar="ID", help="Under which name it is stored.")
@click.option("--user", metavar="NAME", help="Whose transcript it is: then it comes to mind in their chats too.")
@click.option("--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy.")
@click.option("--no-embed", is_flag=True, help="Store words only; vectors are made when first asked for.")
def ingest(
    file: Path,
    format_: str,
    db: str | None,
    conversation: str,
    user: str | None,
    policy_file: str | None,
    no_embed: bool,
) -> int:
    """Store the transcript FILE (- is standard input). Sending a turn again changes nothing."""
    from clew.engine import histories as engine
    from clew.faces.cli.options import user_id_of
    from clew.faces.cli.recall import opened, shown_progress

    most = policies.load(policy_file or os.environ.get("CLEW_POLICY") or None).recall.ingest_bytes
    transcript = read_for_storage(file, format_, most=most)
    with opened(db, policy_file, embed=not no_embed) as (index, policy, embedder):
        owner = user_id_of(user) if user else None
        done = engine.ingest(
            index, conversation, transcript.lines, policy, embedder, owner=owner, progress=shown_progress()
        )
    answer = {
        "conversation": conversation,
        "format": transcript.format,
        "turns": done.turns,
        "added": done.added,
        "changed": done.changed,
        "known": done.known,
        "skipped": [skipped.as_dict() for skipped in transcript.skipped],
    }
    echo(to_json(answer))
    return 0
