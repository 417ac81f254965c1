"""The nine tools of the reference memory server, with the same names, inputs, outputs and hints."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from clew.faces.mcp.desk import Desk, Whose
from clew.formats.graph import Graph
from clew.model.canonical import iso

T = TypeVar("T")
Ctx = Context[Any]
_LOCK = threading.Lock()
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class Entity(BaseModel):
    name: str
    entityType: str
    observations: list[str]


class Relation(BaseModel):
    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)
    from_: str = Field(alias="from")
    to: str
    relationType: str


class Observed(BaseModel):
    entityName: str
    contents: list[str]


class Deletion(BaseModel):
    entityName: str
    observations: list[str]


class Entities(BaseModel):
    entities: list[Entity]


class Relations(BaseModel):
    relations: list[Relation]


class AddedTo(BaseModel):
    entityName: str
    addedObservations: list[str]


class Results(BaseModel):
    results: list[AddedTo]


class Done(BaseModel):
    success: bool
    message: str


class GraphOut(BaseModel):
    entities: list[Entity]
    relations: list[Relation]


def owner(whose: Whose) -> str:
    return json.dumps(["graph", whose.tenant, whose.user], ensure_ascii=False)


def load(desk: Desk, whose: Whose) -> Graph:
    row = desk.tables.item(owner(whose), "graph", "graph")
    return Graph(**json.loads(row.value)) if row is not None else Graph()


def save(desk: Desk, whose: Whose, graph: Graph) -> None:
    desk.tables.put_items(owner(whose), [("graph", "graph", graph.as_dict())], iso(desk.parts.clock.now()))


def add_graph_tools(server: MCPServer, desk: Desk, *, shared: bool = False) -> None:
    async def changed(ctx: Ctx, act: Callable[[Graph], T]) -> T:
        def work() -> T:
            whose = desk.whose(ctx)
            with _LOCK:
                graph = load(desk, whose)
                out = act(graph)
                save(desk, whose, graph)
            return out

        return await desk.run(work)

    async def seen(ctx: Ctx, look: Callable[[Graph], Graph]) -> GraphOut:
        return await desk.run(lambda: GraphOut(**look(load(desk, desk.whose(ctx))).as_dict()))

    @server.tool(annotations=_ADDS, title="Create Entities")
    async def create_entities(entities: list[Entity], ctx: Ctx) -> Entities:
        """Create multiple new entities in the knowledge graph"""
        new = await changed(ctx, lambda g: g.create_entities([e.model_dump() for e in entities]))
        return Entities(entities=[Entity(**e) for e in new])

    @server.tool(annotations=_ADDS, title="Create Relations")
    async def create_relations(relations: list[Relation], ctx: Ctx) -> Relations:
        """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice"""
        new = await changed(ctx, lambda g: g.create_relations([r.model_dump(by_alias=True) for r in relations]))
        return Relations(relations=[Relation(**r) for r in new])

    @server.tool(annotations=_ADDS, title="Add Observations")
    async def add_observations(observations: list[Observed], ctx: Ctx) -> Results:
        """Add new observations to existing entities in the knowledge graph"""

        def act(graph: Graph) -> list[AddedTo]:
            return [
                AddedTo(entityName=o.entityName, addedObservations=graph.add_observations(o.entityName, o.contents))
                for o in observations
            ]

        return Results(results=await changed(ctx, act))

    @server.tool(annotations=_REMOVES, title="Delete Entities")
    async def delete_entities(entityNames: list[str], ctx: Ctx) -> Done:
        """Delete multiple entities and their associated relations from the knowledge graph"""
        await changed(ctx, lambda g: g.delete_entities(entityNames))
        return Done(success=True, message="Entities deleted successfully")

    @server.tool(annotations=_REMOVES, title="Delete Observations")
    async def delete_observations(deletions: list[Deletion], ctx: Ctx) -> Done:
        """Delete specific observations from entities in the knowledge graph"""
        def drop(graph: Graph) -> None:
            for d in deletions:
                graph.delete_observations(d.entityName, d.observations)

        await changed(ctx, drop)
        return Done(success=True, message="Observations deleted successfully")

    @server.tool(annotations=_REMOVES, title="Delete Relations")
    async def delete_relations(relations: list[Relation], ctx: Ctx) -> Done:
        """Delete multiple relations from the knowledge graph"""
        await changed(ctx, lambda g: g.delete_relations([r.model_dump(by_alias=True) for r in relations]))
        return Done(success=True, message="Relations deleted successfully")

    @server.tool(annotations=_READS, title="Read Graph")
    async def read_graph(ctx: Ctx) -> GraphOut:
        """Read the entire knowledge graph"""
        return await seen(ctx, lambda g: g)

    @server.tool(annotations=_READS, title="Search Nodes")
    async def search_nodes(query: str, ctx: Ctx) -> GraphOut:
        """Search for nodes in the knowledge graph based on a query"""
        return await seen(ctx, lambda g: g.search(query))

    @server.tool(annotations=_READS, title="Open Nodes")
    async def open_nodes(names: list[str], ctx: Ctx) -> GraphOut:
        """Open specific nodes in the knowledge graph by their names"""
        return await seen(ctx, lambda g: g.open(names))

    if shared:
        return

    @server.resource("memory://knowledge-graph", name="knowledge-graph", mime_type="application/json")
    async def knowledge_graph() -> str:
        """The full knowledge graph with all entities and relations"""
        return await desk.run(lambda: json.dumps(load(desk, desk.default).as_dict(), ensure_ascii=False))
