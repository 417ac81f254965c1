"""Clew behind a LangGraph agent, by one constructor."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, InvalidNamespaceError
from langgraph.store.memory import InMemoryStore

from clew.errors import InvalidInput
from clew.langgraph import ClewStore

MINE = ("clew", "alex", "main", "memories")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ClewStore]:
    found = ClewStore(tmp_path / "talk.db", embedder=False)
    yield found
    found.close()


def play(store: BaseStore) -> list[Any]:
    """What any store must do, and what it answered."""
    out: list[Any] = []
    store.put(("users", "a"), "one", {"text": "likes tea", "n": 1, "deep": {"x": 1}})
    store.put(("users", "a"), "two", {"text": "likes ramen", "n": 2})
    store.put(("users", "b"), "one", {"text": "other", "n": 3})
    out.append(store.get(("users", "a"), "one").value)
    out.append(store.get(("users", "a"), "none"))
    store.put(("users", "a"), "one", {"text": "likes coffee", "n": 5})
    out.append(store.get(("users", "a"), "one").value)
    out.append(sorted(i.key for i in store.search(("users", "a"))))
    out.append(sorted(i.value["n"] for i in store.search(("users",))))
    out.append([i.key for i in store.search(("users",), filter={"n": {"$gt": 2}, "text": "other"})])
    out.append(len(store.search(("users",), limit=1, offset=1)))
    out.append(sorted(store.list_namespaces()))
    out.append(sorted(store.list_namespaces(prefix=("users", "*"), max_depth=1)))
    out.append(sorted(store.list_namespaces(suffix=("b",))))
    store.delete(("users", "a"), "one")
    out.append(store.get(("users", "a"), "one"))
    return out


def test_it_answers_as_the_stores_that_come_with_langgraph(store: ClewStore) -> None:
    assert play(store) == play(InMemoryStore())


def test_items_are_searched_by_words(store: ClewStore) -> None:
    store.put(("n",), "a", {"text": "the oven is hot"})
    store.put(("n",), "b", {"text": "the garden is green"})
    found = store.search(("n",), query="green garden")
    assert found[0].key == "b" and found[0].score and found[0].score > (found[1].score or 0)


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("clew", "alex")])
def test_bad_namespaces_are_refused(store: ClewStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {"a": 1})


def test_the_clew_namespace_is_the_memory_itself(store: ClewStore) -> None:
    store.put(MINE, "m1", {"text": "I live in Lisbon and I love ramen"})
    store.put(MINE, "m1", {"text": "I live in Lisbon and I love ramen"})
    assert store.get(MINE, "fact:current_city").value["value"] == "Lisbon"
    store.put(MINE, "fact:current_city", {"value": "Porto"})
    values = [i.value["value"] for i in store.search(MINE)]
    assert "Porto" in values and "Lisbon" not in values
    assert store.search(MINE, query="what food?", limit=1)[0].score is not None
    store.delete(MINE, "pref:food:ramen")
    assert store.get(MINE, "pref:food:ramen") is None
    with pytest.raises(InvalidInput):
        store.put(MINE, "x", {"odd": 1})


def test_an_agent_recalls_across_threads(store: ClewStore) -> None:
    class State(TypedDict):
        text: str
        known: str

    def recall(state: State, *, store: BaseStore) -> dict[str, str]:
        return {"known": "; ".join(i.value["text"] for i in store.search(MINE, query=state["text"]))}

    def learn(state: State, *, store: BaseStore) -> dict[str, str]:
        store.put(MINE, state["text"], {"text": state["text"]})
        return {}

    builder = StateGraph(State)
    builder.add_node("recall", recall)
    builder.add_node("learn", learn)
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "learn")
    builder.add_edge("learn", END)
    agent = builder.compile(store=store)
    assert agent.invoke({"text": "I live in Lisbon", "known": ""})["known"] == ""
    assert "Lisbon" in agent.invoke({"text": "which city do I live in?", "known": ""})["known"]


def test_it_can_be_awaited(store: ClewStore) -> None:
    async def main() -> Any:
        await store.aput(("n",), "a", {"x": 1})
        return await store.aget(("n",), "a")

    assert asyncio.run(main()).value == {"x": 1}
