"""GRAPH. Enters: JSON Lines of entities and relations, as the reference memory server keeps them.
Leaves: a graph in the same order, and the same lines again.
Does not know: what an entity is about.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from clew.errors import InvalidInput

Entity = dict[str, Any]
Relation = dict[str, str]


@dataclass
class Graph:
    """Entities with their observations, and relations between their names; order is kept."""

    entities: list[Entity] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return {"entities": self.entities, "relations": self.relations}

    def create_entities(self, entities: list[Entity]) -> list[Entity]:
        known = {e["name"] for e in self.entities}
        new = [e for e in entities if e["name"] not in known]
        self.entities += new
        return new

    def create_relations(self, relations: list[Relation]) -> list[Relation]:
        new = [r for r in relations if r not in self.relations]
        self.relations += new
        return new

    def add_observations(self, name: str, contents: list[str]) -> list[str]:
        entity = next((e for e in self.entities if e["name"] == name), None)
        if entity is None:
            raise InvalidInput(f"Entity with name {name} not found", pointer="/entityName")
        new = [c for c in contents if c not in entity["observations"]]
        entity["observations"] += new
        return new

    def delete_entities(self, names: list[str]) -> None:
        self.entities = [e for e in self.entities if e["name"] not in names]
        self.relations = [r for r in self.relations if r["from"] not in names and r["to"] not in names]

    def delete_observations(self, name: str, gone: list[str]) -> None:
        for entity in self.entities:
            if entity["name"] == name:
                entity["observations"] = [o for o in entity["observations"] if o not in gone]

    def delete_relations(self, gone: list[Relation]) -> None:
        self.relations = [r for r in self.relations if r not in gone]

    def search(self, query: str) -> Graph:
        low = query.lower()
        return self._around(
            [
                e
                for e in self.entities
                if low in e["name"].lower()
                or low in e["entityType"].lower()
                or any(low in o.lower() for o in e["observations"])
            ]
        )

    def open(self, names: list[str]) -> Graph:
        return self._around([e for e in self.entities if e["name"] in names])

    def _around(self, entities: list[Entity]) -> Graph:
        """With every relation that touches one of them."""
        names = {e["name"] for e in entities}
        return Graph(entities, [r for r in self.relations if r["from"] in names or r["to"] in names])


def read_graph(text: str) -> Graph:
    graph = Graph()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if row["type"] == "entity":
                graph.entities.append(
                    {
                        "name": str(row["name"]),
                        "entityType": str(row["entityType"]),
                        "observations": [str(o) for o in row["observations"]],
                    }
                )
            elif row["type"] == "relation":
                graph.relations.append({k: str(row[k]) for k in ("from", "to", "relationType")})
        except (ValueError, KeyError, TypeError, RecursionError) as why:
            raise InvalidInput(f"line {number} is no entity and no relation: {why}", pointer=f"/{number}") from None
    return graph


def write_graph(graph: Graph) -> str:
    rows = [{"type": "entity", **e} for e in graph.entities]
    rows += [{"type": "relation", **r} for r in graph.relations]
    return "\n".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in rows)
