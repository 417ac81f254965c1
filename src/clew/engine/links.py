"""A transcript file to its links, and folders of them: one process each, resumable, or on Ray."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from clew.errors import ClewError, InvalidInput
from clew.formats.transcript import SpeakerMap, read_transcript
from clew.formats.transcript.speakers import masters
from clew.frozen import dataclass
from clew.kernel.link.extract import Extraction, extract
from clew.kernel.link.hierarchy import Hierarchy, grow
from clew.kernel.link.link_door import as_answer
from clew.kernel.link.loose_ends import ResolveOffer, ThreadCandidate, candidates, offers
from clew.model.canonical import canonical_json, sha256
from clew.model.link import ExcludedRange, Exclusion
from clew.model.transcript import LineKind, Transcript
from clew.policy import Policy, default, load

MANIFEST = "manifest.jsonl"
SUFFIX = ".links.json"


@dataclass(frozen=True, slots=True)
class Options:
    """What a run needs to know; all of it is data, so that another process can be told."""

    format: str = "auto"
    speakers: SpeakerMap | None = None
    dm: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    traces: bool = False
    policy_file: str | None = None

    def policy(self) -> Policy:
        return default() if self.policy_file is None else load(self.policy_file)

    @property
    def fingerprint(self) -> str:
        return sha256(canonical_json([self.policy().fingerprint, _plain_options(self)]))


def _plain_options(options: Options) -> dict[str, Any]:
    return {
        name: getattr(options, name) for name in ("format", "speakers", "dm", "players", "params", "traces")
    }


@dataclass(frozen=True, slots=True)
class Session:
    """Everything known about one transcript."""

    transcript: Transcript
    found: Extraction
    tree: Hierarchy
    loose: tuple[ThreadCandidate, ...]
    resolved: tuple[ResolveOffer, ...]
    policy: str

    def answer(self) -> dict[str, Any]:
        return {
            "format": self.transcript.format,
            **as_answer(self.found),
            "hierarchy": self.tree.as_dict(),
            "thread_candidates": [c.as_dict() for c in self.loose],
            "resolve_offers": [o.as_dict() for o in self.resolved],
            "skipped": [s.as_dict() for s in self.transcript.skipped],
            "policy": self.policy,
        }

    @property
    def events(self) -> dict[str, str]:
        """Link id to the chunk that owns its consequence, or its intent when unclaimed (Phase 5)."""
        chunks = self.found.mask.chunks
        out, place = {}, 0
        ends = [(x.intent_anchor_index if x.consequence_anchor_index is None else x.consequence_anchor_index, x.id)
                for x in self.found.links]  # fmt: skip
        for index, key in sorted(ends):
            while place + 1 < len(chunks) and chunks[place].end_index < index:
                place += 1
            out[key] = chunks[place].id
        return out


def work(path: Path, session_id: str, options: Options) -> Session:
    transcript = read_transcript(path, options.format)
    if options.speakers is not None:
        transcript = options.speakers.apply(transcript)
    return link(transcript, session_id, options)


def link(transcript: Transcript, session_id: str, options: Options) -> Session:
    policy = options.policy()
    known = options.speakers or SpeakerMap()
    dm = options.dm or known.dm or masters(transcript)
    missing = [name for name in options.dm if name.strip().casefold() not in _spoken(transcript)]
    if missing:
        here = ", ".join(list(transcript.speakers)[:12])
        raise InvalidInput(f"no line is spoken by {missing[0]!r}; speakers here: {here}", pointer="/dm")
    moments = [line.at for line in transcript.lines if line.at is not None]
    aside = [
        ExcludedRange(x.index, x.index, Exclusion.OOC_HARD)
        for x in transcript.lines
        if x.kind is LineKind.OOC
    ]
    found = extract(
        session_id,
        transcript.lines,
        policy.link,
        dm=dm,
        players=options.players or known.players or None,
        excluded=aside,
        params=options.params,
        emit_traces=options.traces,
        at_ms=round(max(moments).timestamp() * 1000) if moments else 0,
    )
    loose = candidates(found.links)
    resolved = offers(loose, found.links, policy.link)
    return Session(transcript, found, grow(found, policy.link), loose, resolved, policy.fingerprint)


def _spoken(transcript: Transcript) -> set[str]:
    return {name.strip().casefold() for name in transcript.speakers}


@dataclass(frozen=True, slots=True)
class FileResult:
    """What came of one file: a row of the manifest."""

    file: str
    source: str
    options: str
    output: str | None
    links: int = 0
    claimed: int = 0
    lines: int = 0
    skipped: int = 0
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def link_file(root: str, name: str, target: str, options: Options, mark: str) -> FileResult:
    """Read one file, write its answer whole or not at all. Runs anywhere: a pool, or Ray."""
    path = Path(root) / name
    try:
        source = source_mark(path)
        session = work(path, name, options)
    except ClewError as why:
        return FileResult(name, "", mark, None, error=f"{why.code}: {why.message}")
    except OSError as why:
        return FileResult(name, "", mark, None, error=f"cannot read: {why.strerror}")
    output = Path(target) / (name + SUFFIX)
    write_whole(
        output, json.dumps(session.answer(), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    )
    metrics = session.found.metrics
    return FileResult(
        name, source, mark, name + SUFFIX, metrics["links"], metrics["claimed"], metrics["lines"],
        len(session.transcript.skipped),
    )  # fmt: skip


def write_whole(path: Path, data: bytes) -> None:
    """A reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        half.write_bytes(data)
        half.replace(path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def source_mark(path: Path) -> str:
    """Size and time of change: cheap, and enough to know that a file is another one."""
    seen = path.stat()
    return f"{seen.st_size}:{seen.st_mtime_ns}"


def corpus_files(root: Path) -> list[str]:
    """Relative names in order; hidden files and earlier answers are no transcripts."""
    return sorted(
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
        and not path.name.endswith(SUFFIX)
        and path.name != MANIFEST
    )


def settled(target: Path, root: Path, mark: str) -> dict[str, FileResult]:
    """Files whose answer stands: same source, same options, output present. A torn last row is ignored."""
    out: dict[str, FileResult] = {}
    manifest = target / MANIFEST
    if not manifest.exists():
        return out
    for row in manifest.read_text(encoding="utf-8").splitlines():
        try:
            item = FileResult(**json.loads(row))
        except (ValueError, TypeError):
            continue
        out.pop(item.file, None)
        path = root / item.file
        stands = item.options == mark and item.output and (target / item.output).exists()
        if stands and path.exists() and item.source == source_mark(path):
            out[item.file] = item
    return out


def link_corpus(
    root: Path,
    target: Path,
    options: Options,
    *,
    jobs: int = 1,
    seen: Callable[[FileResult, bool], None] = lambda outcome, fresh: None,
) -> list[FileResult]:
    """Every file of a folder; what an earlier run settled is not done again."""
    mark = options.fingerprint
    names = corpus_files(root)
    if not names:
        raise InvalidInput(f"no files in {root}", pointer="/")
    target.mkdir(parents=True, exist_ok=True)
    done = settled(target, root, mark)
    for name in names:
        if name in done:
            seen(done[name], False)
    todo = [name for name in names if name not in done]
    with (target / MANIFEST).open("a", encoding="utf-8") as manifest:
        for outcome in _spread(str(root), todo, str(target), options, mark, jobs):
            manifest.write(json.dumps(outcome.as_dict(), ensure_ascii=False) + "\n")
            manifest.flush()
            done[outcome.file] = outcome
            seen(outcome, True)
    return [done[name] for name in names]


def _spread(
    root: str, names: list[str], target: str, options: Options, mark: str, jobs: int
) -> Iterator[FileResult]:
    if jobs <= 1 or len(names) <= 1:
        for name in names:
            yield link_file(root, name, target, options, mark)
        return
    waiting = iter(names)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:

        def start(count: int) -> set[Future[FileResult]]:
            return {pool.submit(link_file, root, n, target, options, mark) for n in islice(waiting, count)}

        running = start(jobs * 4)
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for one in sorted(ended, key=lambda f: f.result().file):
                yield one.result()
            running |= start(len(ended))


def link_on_ray(
    root: Path, target: Path, options: Options, names: Iterable[str] | None = None
) -> list[FileResult]:
    """The same function on a Ray cluster (extra clew[ray]); the folder must be shared by its machines."""
    try:
        import ray  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise InvalidInput("Ray is not installed: pip install 'clew[ray]'", pointer="/ray") from None
    mark = options.fingerprint
    wanted = corpus_files(root) if names is None else list(names)
    done = settled(target, root, mark)
    task = ray.remote(link_file)
    running = [task.remote(str(root), n, str(target), options, mark) for n in wanted if n not in done]
    fresh: list[FileResult] = []
    target.mkdir(parents=True, exist_ok=True)
    with (target / MANIFEST).open("a", encoding="utf-8") as manifest:
        while running:
            ended, running = ray.wait(running, num_returns=1)
            for outcome in ray.get(ended):
                manifest.write(json.dumps(outcome.as_dict(), ensure_ascii=False) + "\n")
                fresh.append(outcome)
    done |= {outcome.file: outcome for outcome in fresh}
    return [done[name] for name in wanted]


def persist(url: str, session: Session, *, include_unclaimed_weak: bool = False) -> int:
    """Replace the session's links in the database in one transaction; gives how many were written."""
    from clew.adapters.store import links as table
    from clew.adapters.store.sql import SqlStore

    store = SqlStore(url)
    try:
        with store.engine.connect() as connection:
            writing = connection.execution_options(clew_write=True)
            with writing.begin():
                table.ensure(writing)
                return table.replace_session(
                    writing, session.found.sheet.session_id, session.found.links,
                    param_hash=session.found.params.provenance.param_hash, events=session.events,
                    include_unclaimed_weak=include_unclaimed_weak,
                )  # fmt: skip
    finally:
        store.engine.dispose()
