"""`clew replay`: does the journal rebuild the state, and what would another policy have decided?"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from clew.engine.bootstrap import bare_store
from clew.engine.flips import flips
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.faces.cli.options import opened, store_options
from clew.faces.cli.out import echo, to_json
from clew.faces.cli.screen import Screen
from clew.policy import load


@click.command()
@store_options
@click.option("--into", metavar="URL", help="An empty database to rebuild into (default: a temporary one).")
@click.option(
    "--against",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Ask the stored turns again under this policy and show which verdicts flip.",
)
@click.option("--json", "as_json", is_flag=True)
def replay(
    db: str | None, policy_file: str | None, user: str, into: str | None, against: Path | None, as_json: bool
) -> int:
    """Rebuild the state from the journal into a fresh database and compare the two."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        if against is not None:
            return _flips(parts, against, as_json)
        with tempfile.TemporaryDirectory(prefix="clew-replay-") as folder:
            target = bare_store(into or f"sqlite:///{folder}/rebuilt.db", durable=False)
            try:
                with Screen(stderr=True).status("replaying the journal…"):
                    comparison = rebuild(parts.store, target)
            finally:
                target.close()
    if as_json:
        echo(
            json.dumps(
                {
                    "entries": comparison.entries,
                    "identical": comparison.identical,
                    "differing": list(comparison.differing),
                    "chain": list(comparison.chain_faults),
                    "tables": comparison.stands,
                }
            )
        )
    else:
        for table, digest in comparison.stands.items():
            same = "same" if comparison.rebuilt[table] == digest else "DIFFERS"
            echo(f"{table:<14} {digest[:16]} {same}")
        for fault in comparison.chain_faults:
            echo(fault)
        verdict = "NOT identical" if comparison.differing else "identical"
        if comparison.chain_faults:
            verdict += ", but the journal was changed behind Clew's back"
        echo(f"{comparison.entries} journal entries; the rebuilt state is {verdict}")
    return 0 if comparison.identical else 1


def _flips(parts: Parts, against: Path, as_json: bool) -> int:
    count = turns = 0
    for found in flips(parts, load(against)):
        turns += 1
        for flip in found:
            count += 1
            if as_json:
                echo(to_json(flip.as_dict()))
            else:
                echo(
                    f"{flip.message_id} {flip.what}: {flip.before} -> {flip.after}   {flip.text[:60]!r}"
                )
    if not as_json:
        echo(f"{turns} turns asked again; {count} verdicts flip")
    return 0
