"""`clew mcp`: the memory tools on standard input and output, for any MCP client."""

from __future__ import annotations

from pathlib import Path

import click

from clew.errors import InvalidInput
from clew.faces.cli.options import extract_option, opened, store_options, writer_options
from clew.faces.cli.out import echo


@click.command()
@store_options
@writer_options
@extract_option
@click.option("--friend", help="One of several companions of the user.")
@click.option("--graph-tools", is_flag=True, help="Also the nine tools of the reference memory server.")
@click.option(
    "--import-graph",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take in a reference server's file, and end.",
)
@click.option(
    "--export-graph", type=click.Path(path_type=Path), metavar="FILE", help="Write such a file, and end."
)
def mcp(
    db: str | None,
    policy_file: str | None,
    user: str,
    writer: str,
    model: str | None,
    no_embed: bool,
    extract: str | None,
    friend: str | None,
    graph_tools: bool,
    import_graph: Path | None,
    export_graph: Path | None,
) -> int:
    """Speak MCP on standard input and output."""
    from clew.engine.bootstrap import open_doors
    from clew.faces.mcp.desk import Desk, Whose
    from clew.faces.mcp.graph import load, save
    from clew.faces.mcp.server import make_server
    from clew.formats.graph import read_graph, write_graph

    with opened(db, policy_file, writer=writer, model=model, embed=not no_embed, extract=extract) as parts:
        whose = Whose(user, None, friend)
        desk = Desk(parts, open_doors(parts.store), whose)
        if import_graph is not None:
            try:
                graph = read_graph(import_graph.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as why:
                raise InvalidInput(f"cannot read {import_graph}: {why}", pointer="--import-graph") from None
            held = load(desk, whose)
            entities, relations = held.create_entities(graph.entities), held.create_relations(graph.relations)
            save(desk, whose, held)
            echo(f"Taken in: {len(entities)} entities, {len(relations)} relations.")
            return 0
        if export_graph is not None:
            held = load(desk, whose)
            export_graph.write_text(write_graph(held), encoding="utf-8")
            echo(f"Written: {len(held.entities)} entities, {len(held.relations)} relations.")
            return 0
        make_server(desk, graph_tools=graph_tools).run("stdio")
    return 0
