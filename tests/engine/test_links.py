from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.engine.links import MANIFEST, Options, link_corpus, link_on_ray, settled, work

TALE = "DM: A gate.\nAl: I push the iron gate.\nDM: It opens.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "in"
    root.mkdir()
    for n in range(4):
        (root / f"{n}.txt").write_text(TALE, encoding="utf-8")
    return root


def answer(path: Path) -> dict[str, object]:
    """All but the policy's fingerprint: each process reads the policy files for itself."""
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    found.pop("policy")
    return found


def test_a_torn_manifest_or_a_missing_answer_is_done_again(corpus: Path, tmp_path: Path) -> None:
    target, options = tmp_path / "out", Options()
    link_corpus(corpus, target, options)
    manifest = target / MANIFEST
    rows = manifest.read_text().splitlines()
    manifest.write_text("\n".join(rows[:2]) + "\n" + rows[2][:20])
    (target / "0.txt.links.json").unlink()
    assert sorted(settled(target, corpus, options.fingerprint)) == ["1.txt"]
    fresh: list[str] = []
    link_corpus(corpus, target, options, seen=lambda o, new: fresh.append(o.file) if new else None)
    assert sorted(fresh) == ["0.txt", "2.txt", "3.txt"]


def test_other_options_mean_other_answers(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    link_corpus(corpus, target, Options())
    assert settled(target, corpus, Options(params={"k_local": 3}).fingerprint) == {}


def test_the_answer_does_not_depend_on_the_number_of_processes(corpus: Path, tmp_path: Path) -> None:
    link_corpus(corpus, tmp_path / "one", Options())
    link_corpus(corpus, tmp_path / "two", Options(), jobs=2)
    for path in (tmp_path / "one").glob("*.links.json"):
        assert answer(path) == answer(tmp_path / "two" / path.name)


def test_links_belong_to_the_chunk_of_their_consequence(corpus: Path) -> None:
    session = work(corpus / "0.txt", "s", Options())
    assert list(session.events.values()) == ["s:0"]


@pytest.mark.filterwarnings("ignore")
def test_the_same_function_runs_on_ray(corpus: Path, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra clew[ray] is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        outcomes = link_on_ray(corpus, tmp_path / "ray", Options())
    finally:
        ray.shutdown()
    assert [o.links for o in outcomes] == [1, 1, 1, 1]
    link_corpus(corpus, tmp_path / "here", Options())
    for path in (tmp_path / "here").glob("*.links.json"):
        assert answer(path) == answer(tmp_path / "ray" / path.name)
