"""Rerankers by a second encoder: the order of what was found changes, nothing is added or lost."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from clew.adapters.embeddings import minilm
from clew.adapters.reranker.near import NearReranker
from clew.engine.bootstrap import make_reranker, make_writer
from clew.errors import InvalidInput
from tests.kernel.recall.conversation import Toy


def test_what_lies_closer_rises_and_nothing_is_lost() -> None:
    texts = ["zzz zzz", "the beans are up", "qqq", "beans"]
    order = NearReranker(Toy()).order("beans", texts)
    assert order is not None and sorted(order) == [0, 1, 2, 3]
    assert order.index(3) < 3


def test_where_all_lie_alike_nothing_is_said() -> None:
    reranker = NearReranker(Toy())
    assert reranker.order("beans", ["beans", "beans"]) is None
    assert reranker.order("beans", []) is None


def test_a_text_is_encoded_once() -> None:
    toy = Toy()
    reranker = NearReranker(toy)
    first = reranker.order("beans", ["peas", "beans"])
    seen = len(toy.seen)
    assert reranker.order("beans", ["peas", "beans"]) == first and len(toy.seen) == seen


def small_model(folder: Path) -> Path:
    """A model of the same build with chance for weights: two layers, 24 numbers a word."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "bean", "##s", "are", "up", ".", "cafe"]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    shapes = {
        "embeddings.word_embeddings.weight": (len(words), 24),
        "embeddings.position_embeddings.weight": (128, 24),
        "embeddings.token_type_embeddings.weight": (2, 24),
        "embeddings.LayerNorm.weight": (24,),
        "embeddings.LayerNorm.bias": (24,),
    }
    for layer in range(2):
        name = f"encoder.layer.{layer}"
        sides = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
        for part in (*sides, "attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{name}.{part}.weight"] = (24,) if "LayerNorm" in part else (24, 24)
            shapes[f"{name}.{part}.bias"] = (24,)
        shapes |= {f"{name}.intermediate.dense.weight": (48, 24), f"{name}.intermediate.dense.bias": (48,)}
        shapes |= {f"{name}.output.dense.weight": (24, 48), f"{name}.output.dense.bias": (24,)}
    chance, listed, numbers = np.random.default_rng(1), {}, b""
    for name, shape in shapes.items():
        held = chance.normal(0, 0.3, shape).astype("<f4").tobytes()
        listed[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(numbers), len(numbers) + len(held)]}
        numbers += held
    head = json.dumps(listed).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + numbers)
    return folder


def test_the_second_encoder_cuts_words_into_known_pieces(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(small_model(tmp_path))
    assert encoder.tokens("Beans are up.") == [2, 4, 5, 6, 7, 8, 3]
    assert encoder.tokens("Café 콩") == [2, 9, 1, 3]
    assert len(encoder.tokens("bean " * 1000)) == 128


def test_a_text_has_the_same_vector_beside_any_other(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(small_model(tmp_path))
    alone = np.array(encoder.embed(["beans"])[0])
    beside = np.array(encoder.embed(["beans are up. beans are up.", "beans", ""])[1])
    assert np.allclose(alone, beside, atol=1e-5)
    assert np.linalg.norm(alone) == pytest.approx(1, abs=1e-5) and encoder.dimensions == 24


@pytest.mark.parametrize(("kind", "word"), [("best", "got 'best'"), ("model", "got 'model'")])
def test_an_unknown_reranker_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, kind: str, word: str) -> None:
    monkeypatch.setenv("CLEW_RERANKER", kind)
    with pytest.raises(InvalidInput, match=word):
        make_reranker(make_writer("composer")[0])


def test_without_its_package_the_second_encoder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    monkeypatch.setenv("CLEW_RERANKER", "near")
    with pytest.raises(InvalidInput, match=minilm.PACKAGE):
        make_reranker(make_writer("composer")[0])
    with pytest.raises(RuntimeError, match=minilm.PACKAGE):
        minilm.MiniLM()


def test_no_reranker_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_RERANKER", raising=False)
    assert make_reranker(make_writer("composer")[0]) is None
