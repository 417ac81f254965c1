"""The search index in Qdrant: one collection a space, the conversation in the filter of every call.

A server (`http://…`) or a folder of this process; the same client speaks to both. A passage is a point with its
vector; the first of a turn also has the turn's terms as a sparse vector. No text goes there, only numbers.

In a folder there are no payload indexes: a filter is tried on every point, one by one. There each conversation has a
collection of its own, so that asking needs no filter, and how often a term stands in it is counted once.
"""

from __future__ import annotations

import atexit
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar
from uuid import NAMESPACE_URL, uuid5

from qdrant_client import QdrantClient, models

from clew.adapters.search.sql import named, once
from clew.errors import StoreFailure
from clew.ports.search import EVERYTHING, Narrow, Near, Point

_COLLECTION = "clew_turns"
_DENSE, _SPARSE = "passage", "terms"
_BATCH = 256
_EVERY = 1 << 31
# A turn of several passages is found by its best: more passages are asked for than turns.
_PASSAGES = 3
_KEYS: dict[str, models.PayloadSchemaType | models.KeywordIndexParams] = {
    "conversation": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "made": models.PayloadSchemaType.KEYWORD,
    "position": models.PayloadSchemaType.INTEGER,
    "part": models.PayloadSchemaType.INTEGER,
    "speaker": models.PayloadSchemaType.INTEGER,
    "at": models.PayloadSchemaType.FLOAT,
    "terms": models.PayloadSchemaType.INTEGER,
}
P = ParamSpec("P")
T = TypeVar("T")


class QdrantSearch:
    """Satisfies ports.search.SearchIndex. `owner` tells databases apart that share one Qdrant."""

    def __init__(self, client: QdrantClient, owner: str, *, folder: bool = False) -> None:
        self._client, self._owner = client, sha256(owner.encode()).hexdigest()[:16]
        self._there: set[str] = set()
        # A folder is open in one process at a time: what is counted there stays true until this one changes it.
        self._folder = folder
        self._counted: dict[str, Counter[int]] = {}

    @classmethod
    def at(cls, place: str, owner: str, key: str | None = None, timeout: int = 10) -> QdrantSearch:
        """`place`: an http(s) URL, `:memory:`, or a folder."""

        def opened() -> QdrantClient:
            if place.startswith(("http://", "https://")):
                return QdrantClient(url=place, api_key=key or None, timeout=timeout, check_compatibility=False)
            return QdrantClient(location=place) if place == ":memory:" else QdrantClient(path=place)

        search = cls(_told(opened), owner, folder=not place.startswith(("http://", "https://")))
        atexit.register(search.close)  # a folder is let go before the interpreter is half gone
        return search

    @property
    def name(self) -> str:
        return "Qdrant"

    @property
    def kept_elsewhere(self) -> tuple[str, ...]:
        return ("Qdrant holds what was dropped until it tidies up, and its snapshots hold it longer",)

    def close(self) -> None:
        """Twice does no harm."""
        atexit.unregister(self.close)
        self._client.close()

    def last(self, conversation: str, made: str) -> int:
        here = self._of(conversation, _is("made", made), _is("part", 0))
        best = -1
        for collection in self._collections(conversation):
            order = models.OrderBy(key="position", direction=models.Direction.DESC)
            found, _ = _told(
                self._client.scroll,
                collection,
                scroll_filter=here,
                limit=1,
                order_by=order,
                with_payload=["position"],
            )
            best = max([best, *(int((p.payload or {})["position"]) for p in found)])
        return best

    def put(self, conversation: str, made: str, points: Sequence[Point]) -> None:
        if not points:
            return
        other = self._of(conversation, without=[_is("made", made)])
        again = models.MatchAny(any=[p.position for p in points])
        there = self._of(conversation, models.FieldCondition(key="position", match=again))
        self._counted.pop(conversation, None)
        for collection in self._collections(conversation):
            for gone in (other, there):
                _told(self._client.delete, collection, models.FilterSelector(filter=gone), wait=True)
        # Turns that say nothing have no vector, and still a speaker and a time: they stand with the others.
        size = max((len(v) for p in points for v in p.vectors), default=0)
        collection = self._made(size, conversation)
        rows = [row for point in points for row in self._rows(conversation, made, point)]
        for start in range(0, len(rows), _BATCH):
            _told(self._client.upsert, collection, rows[start : start + _BATCH], wait=True)

    def nearest(
        self, conversation: str, vector: Sequence[float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        collection = self._collection(len(vector), conversation)
        if most < 1 or collection not in self._collections(conversation):
            return []
        asked = [float(x) for x in vector]
        return self._asked(collection, conversation, asked, _DENSE, most * _PASSAGES, most, only)

    def holding(
        self, conversation: str, terms: Mapping[int, float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        if not terms or most < 1:
            return []
        numbers = sorted(terms)
        asked = models.SparseVector(indices=numbers, values=[float(terms[n]) for n in numbers])
        found = [
            near
            for collection in self._collections(conversation)
            for near in self._asked(collection, conversation, asked, _SPARSE, most, most, only)
        ]
        return once([(n.position, n.score) for n in sorted(found, key=lambda n: (-n.score, n.position))], most)

    def frequencies(self, conversation: str, terms: Collection[int]) -> dict[int, int]:
        wanted = sorted(set(terms))
        if self._folder:
            held = self._counts(conversation)
            return {term: held[term] for term in wanted if term in held}
        out: dict[int, int] = {}
        for term in wanted:
            here = self._of(conversation, _is("part", 0), _is("terms", term))
            count = sum(self._count(name, here) for name in self._collections(conversation))
            if count:
                out[term] = count
        return out

    def _counts(self, conversation: str) -> Counter[int]:
        """In how many turns each term stands."""
        if conversation not in self._counted:
            held: Counter[int] = Counter()
            for collection in self._collections(conversation):
                found, _ = _told(self._client.scroll, collection, limit=_EVERY, with_payload=["terms"])
                held.update(term for point in found for term in (point.payload or {}).get("terms", ()))
            self._counted[conversation] = held
        return self._counted[conversation]

    def _count(self, collection: str, which: models.Filter) -> int:
        return int(_told(self._client.count, collection, which, exact=True).count)

    def drop(self, conversation: str) -> int:
        all_of, first = self._of(conversation), self._of(conversation, _is("part", 0))
        gone = 0
        self._counted.pop(conversation, None)
        # In a folder also where all conversations once stood together.
        for name in {*self._collections(conversation), *(n for n in self._known() if "of_" not in n)}:
            gone += self._count(name, first)
            _told(self._client.delete, name, models.FilterSelector(filter=all_of), wait=True)
        return gone

    def _asked(
        self, collection: str, conversation: str, asked: Any, using: str, rows: int, most: int, only: Narrow
    ) -> list[Near]:
        answer = _told(
            self._client.query_points,
            collection,
            query=asked,
            using=using,
            query_filter=None if self._folder and only == EVERYTHING else self._of(conversation, *_spans(only)),
            limit=rows,
            with_payload=["position"],
        )
        return once([((p.payload or {})["position"], p.score) for p in answer.points], most)

    def _of(
        self, conversation: str, *more: models.FieldCondition, without: Sequence[models.FieldCondition] = ()
    ) -> models.Filter:
        mine = _is("conversation", f"{self._owner}/{named(conversation)}")
        return models.Filter(must=[mine, *more], must_not=list(without) or None)

    def _rows(self, conversation: str, made: str, point: Point) -> Iterator[models.PointStruct]:
        whose = f"{self._owner}/{named(conversation)}"
        payload = {
            "conversation": whose,
            "made": made,
            "position": point.position,
            "speaker": point.speaker,
            **({} if point.at is None else {"at": point.at}),
        }
        numbers = sorted(point.terms)
        sparse = models.SparseVector(indices=numbers, values=[float(point.terms[n]) for n in numbers])
        for part in range(max(len(point.vectors), 1)):
            vector: dict[str, Any] = {}
            if part < len(point.vectors):
                vector[_DENSE] = [float(x) for x in point.vectors[part]]
            if part == 0 and numbers:
                vector[_SPARSE] = sparse
            yield models.PointStruct(
                id=str(uuid5(NAMESPACE_URL, f"clew:{whose}\n{point.position}\n{part}")),
                vector=vector,
                payload={**payload, "part": part, **({"terms": numbers} if part == 0 else {})},
            )

    def _known(self) -> set[str]:
        if not self._there:
            names = [c.name for c in _told(self._client.get_collections).collections]
            self._there = {n for n in names if n.startswith(_COLLECTION)}
        return self._there

    def _collections(self, conversation: str) -> list[str]:
        """Those that may hold points of this conversation."""
        own = self._ending(conversation)
        return sorted(n for n in self._known() if n.removeprefix(_COLLECTION).lstrip("_0123456789") == own)

    def _collection(self, size: int, conversation: str) -> str:
        return f"{_COLLECTION}_{size}{self._ending(conversation)}"

    def _ending(self, conversation: str) -> str:
        return f"of_{_name(self._owner, named(conversation))}" if self._folder else ""

    def _made(self, size: int, conversation: str) -> str:
        """The collection of vectors of this size, with what its filters need; one without vectors has size 0."""
        name = self._collection(size, conversation)
        if name in self._known():
            return name
        dense = {_DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}

        def make() -> None:
            if self._client.collection_exists(name):
                return
            self._client.create_collection(
                name, vectors_config=dense, sparse_vectors_config={_SPARSE: models.SparseVectorParams()}
            )
            with warnings.catch_warnings():  # in a folder there are no payload indexes, and it says so
                warnings.simplefilter("ignore")
                for key, kind in _KEYS.items():
                    self._client.create_payload_index(name, key, kind)

        _told(make)
        self._there.add(name)
        return name


def _name(owner: str, conversation: str) -> str:
    """Letters and digits alone, and nothing that a person wrote."""
    return sha256(f"{owner}/{conversation}".encode("utf-8", "replace")).hexdigest()[:32]


def _is(key: str, value: Any) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _spans(only: Narrow) -> Iterator[models.FieldCondition]:
    if only.speakers is not None:
        yield models.FieldCondition(key="speaker", match=models.MatchAny(any=sorted(only.speakers)))
    if only.since is not None or only.until is not None:
        yield models.FieldCondition(key="at", range=models.Range(gte=only.since, lte=only.until))


def _told(ask: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What the client says is told in our words: it is a store that cannot serve."""
    try:
        return ask(*given, **named)
    except Exception as why:
        raise StoreFailure(f"Qdrant cannot serve: {type(why).__name__}: {str(why)[:200]}") from why
