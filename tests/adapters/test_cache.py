"""What is kept between two starts: the same as made afresh, and never in the way."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from clew.adapters import cache
from clew.adapters.embeddings import mapped
from clew.adapters.embeddings.use import UniversalSentenceEncoder

TEXTS = (
    "hello there, how are you?", "오늘 시험 망했어 ㅠㅠ", "", "👍🏽 ok!!", "x", "日本語のテスト, çedilla naïve", "ﬁ ＡＢＣ",
    "a" * 900, "I had a long day at work. " * 40, "\ud800 lone", "한글과 English 섞어서 1234",
)  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def all_of(encoder: UniversalSentenceEncoder) -> list[object]:
    found = [encoder.tokens(text) for text in TEXTS]
    return [encoder.matrix(TEXTS).tobytes(), *((t.spans, t.matrix.tobytes()) for t in found)]


def test_a_mapped_encoder_says_the_same_bit_by_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_CACHE", "")
    fresh = all_of(UniversalSentenceEncoder())
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    assert all_of(UniversalSentenceEncoder()) == fresh
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("encoder-") and file.stat().st_mode & 0o077 == 0
    assert all_of(UniversalSentenceEncoder()) == fresh

    # A file that is not whole is made again.
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert all_of(UniversalSentenceEncoder()) == fresh
    assert file.read_bytes() == whole


def test_a_text_cut_while_its_parts_are_taken_in_is_cut_the_same(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "sailing and hiking in Gothenburg"
    expected = UniversalSentenceEncoder().tokens(text).spans  # keeps the tables
    mapped._cut.cache_clear()
    encoder = UniversalSentenceEncoder()
    encoder.tokens("?")
    words = encoder._load()._model.sp
    met: list[int] = []
    real = mapped.marshal.loads

    def meanwhile(data: bytes) -> object:
        monkeypatch.setattr(mapped.marshal, "loads", real)
        other = Thread(target=lambda: met.extend(words.encode(text, add_bos=False, add_eos=False)))
        other.start()
        other.join()
        return real(data)

    monkeypatch.setattr(mapped.marshal, "loads", meanwhile)
    first = words.encode(text, add_bos=False, add_eos=False)
    assert met == first
    assert encoder.tokens(text).spans == expected


def test_what_is_kept_is_found_by_its_key_alone(place: Path) -> None:
    assert cache.found("thing", "1") is None
    assert cache.keep("thing", "1", [b"one", b" and more"])
    found = cache.found("thing", "1")
    assert found is not None and bytes(found) == b"one and more"
    assert cache.found("thing", "2") is None
    assert [p.name for p in place.iterdir()] == ["thing-1"]


def test_old_versions_make_room(place: Path) -> None:
    for number in range(7):
        cache.keep("thing", str(number), [b"x"])
        os.utime(place / f"thing-{number}", (number, number))
    cache.keep("other", "0", [b"x"])
    assert sorted(p.name for p in place.iterdir()) == ["other-0", "thing-3", "thing-4", "thing-5", "thing-6"]


def test_without_a_place_to_write_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "file" / "below"))
    assert cache.keep("thing", "1", [b"x"]) is False and cache.found("thing", "1") is None
    monkeypatch.setenv("CLEW_CACHE", "")
    assert cache.folder() is None and cache.keep("thing", "1", [b"x"]) is False
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "empty"))
    (tmp_path / "empty" / "thing-1").touch()
    assert cache.found("thing", "1") is None


def test_another_release_of_the_encoder_has_another_key() -> None:
    assert mapped._key("0.2.1") != mapped._key("0.2.2")
