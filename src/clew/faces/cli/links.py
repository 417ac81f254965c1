"""`clew links`: who tried what, and what came of it, in a transcript or a folder of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from clew.engine.links import (
    FileResult,
    Options,
    Session,
    link_corpus,
    link_on_ray,
    persist,
    work,
    write_whole,
)
from clew.errors import InvalidInput
from clew.faces.cli.out import echo, safe, to_json
from clew.faces.cli.screen import Screen
from clew.formats.transcript import FORMATS, read_map, read_transcript, starter


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="FILE | DIR | speakers FILE")
@click.option("--format", "format_", default="auto", show_default=True, help=f"auto, {', '.join(FORMATS)}.")
@click.option("--speakers", "map_file", type=click.Path(path_type=Path), help="A speaker map (TOML).")
@click.option("--dm", multiple=True, metavar="NAME", help="Who leads the game. Nobody: a general conversation.")
@click.option("--player", "players", multiple=True, metavar="NAME", help="Whose intents count (default: all others).")
@click.option("--session", "session_id", help="The session's id (default: the file's name).")
@click.option("--profile", type=click.Choice(["specified", "best"]), default="specified", show_default=True)
@click.option("--param", "params", multiple=True, metavar="KEY=VALUE", help="Another parameter, such as k_local=12.")
@click.option("--policy", "policy_file", type=click.Path(), help="A TOML file laid over the shipped policy.")
@click.option("--json", "shape", flag_value="json", help="Everything as one JSON object.")
@click.option("--markdown", "shape", flag_value="markdown", help="The transcript as annotated text.")
@click.option("--html", "shape", flag_value="html", help="One page to look at, complete in itself.")
@click.option("--traces", is_flag=True, help="Every candidate of every intent, with its score.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write here instead (DIR: the folder of answers).")
@click.option("--db", metavar="URL", help="Also replace the session's links in this database.")
@click.option("--jobs", default=1, show_default=True, help="Processes, for a DIR.")
@click.option("--ray", is_flag=True, help="Run a DIR on Ray (extra clew[ray]).")
def links(targets: tuple[str, ...], **given: Any) -> int:
    """Link intents to their consequences in a transcript.

    \b
    clew links FILE                a summary; or --json, --markdown, --html
    clew links DIR --jobs N        every file, resumable; answers go to DIR.links or -o
    clew links speakers FILE       print a starter speaker map
    """
    if targets[0] == "speakers" and len(targets) == 2:
        echo(starter(read_transcript(Path(targets[1]), given["format_"])), nl=False)
        return 0
    if len(targets) != 1:
        raise InvalidInput("one FILE or DIR, or: speakers FILE", pointer="/targets")
    path = Path(targets[0])
    options = Options(
        given["format_"],
        read_map(given["map_file"]) if given["map_file"] else None,
        tuple(given["dm"]),
        tuple(given["players"]),
        {"profile": given["profile"], **_params(given["params"])},
        given["traces"] or given["shape"] in ("html", "markdown"),
        given["policy_file"],
    )
    if path.is_dir():
        return _folder(path, given["out"] or path.with_name(path.name + ".links"), options, given["jobs"], given["ray"])
    session = work(path, given["session_id"] or path.stem, options)
    if given["db"]:
        persist(given["db"], session)
    _show(session, given["shape"], given["out"])
    return 0


def _params(given: tuple[str, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for item in given:
        key, mark, value = item.partition("=")
        if not mark:
            raise InvalidInput(f"a parameter is KEY=VALUE, not {item!r}", pointer="/params")
        try:
            out[key.strip()] = json.loads(value)
        except ValueError:
            out[key.strip()] = value
    return out


def _show(session: Session, shape: str | None, out: Path | None) -> None:
    if shape == "json":
        text = to_json(session.answer()) + "\n"
    elif shape == "markdown":
        from clew.faces.cli.links_markdown import annotate

        text = annotate(session)
    elif shape == "html":
        from clew.faces.cli.links_html import page

        text = safe(page(session))
    else:
        _summary(session)
        return
    data = text.encode("utf-8", "backslashreplace")
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(out, data)


def _summary(session: Session) -> None:
    console = Screen(highlight=False)
    metrics = session.found.metrics
    console.print(
        f"{session.found.sheet.session_id}: {metrics['lines']} lines ({session.transcript.format}), "
        f"{metrics['eligible']} eligible, {metrics['links']} links, {metrics['claimed']} claimed",
        markup=False,
    )
    table = Table("type", "links", "claimed", "rate")
    for group in ("by_strength", "by_type"):
        for name, row in metrics[group].items():
            rate = "" if row["rate"] is None else f"{row['rate']:.2f}"
            table.add_row(name, str(row["links"]), str(row["claimed"]), rate, end_section=name == "weak")
    console.print(table)
    for name, count in metrics["excluded_by_reason"].items():
        console.print(f"excluded, {name}: {count}", markup=False)
    if session.transcript.skipped:
        skipped = session.transcript.skipped
        console.print(f"skipped {len(skipped)}; first at {skipped[0].where}: {skipped[0].reason}", markup=False)
    if session.loose:
        console.print(f"{len(session.loose)} strong intents went unanswered", markup=False)


def _folder(root: Path, target: Path, options: Options, jobs: int, on_ray: bool) -> int:
    if on_ray:
        outcomes = link_on_ray(root, target, options)
    else:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Screen(stderr=True)) as bar:
            from clew.engine.links import corpus_files

            task = bar.add_task("linking", total=len(corpus_files(root)))

            def seen(outcome: FileResult, fresh: bool) -> None:
                bar.advance(task)
                if outcome.error:
                    bar.console.print(f"{outcome.file}: {outcome.error}", markup=False, highlight=False)

            outcomes = link_corpus(root, target, options, jobs=jobs, seen=seen)
    failed = [o for o in outcomes if o.error]
    echo(
        f"{len(outcomes) - len(failed)} files, {sum(o.lines for o in outcomes)} lines, "
        f"{sum(o.links for o in outcomes)} links ({sum(o.claimed for o in outcomes)} claimed), "
        f"{len(failed)} failed; answers in {target}"
    )
    return 1 if failed else 0
