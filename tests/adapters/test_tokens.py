"""The encoder's own tokens of a text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.adapters.embeddings.use import DIMENSIONS, PIECE, PIECES_MAX
from clew.adapters.embeddings.use import default as embedder
from clew.ports.embeddings import TokenEmbedder


def test_the_default_embedder_offers_tokens() -> None:
    assert isinstance(embedder(), TokenEmbedder)


def test_tokens_stand_where_their_words_stand() -> None:
    text = "  My sister Yuna\tlives in 인천에…"
    found = embedder().tokens(text)
    shown = [text[a:b] for a, b in found.spans]
    assert "sister" in shown and "인천" in shown
    assert "".join(shown) == "".join(text.split())
    assert found.matrix.shape == (len(found.spans), DIMENSIONS)


def test_a_token_has_one_vector_wherever_it_stands() -> None:
    one, two = embedder().tokens("sister"), embedder().tokens("my sister")
    assert np.array_equal(one.matrix[0], two.matrix[1])


def test_the_encoder_sees_the_same_tokens() -> None:
    model = embedder()._load()
    blank = model._tokenizer._pieces.index("\u2581")
    from clew.adapters.embeddings.use import pieces_of

    for text in ("I'm ½ done, ㈜ＡＢＣ é", "수의사야  그치?", "don't — stop… 🙂🙂"):
        wanted = [i for i in model._tokenizer.encode(text, add_bos=False, add_eos=False) if i != blank]
        assert pieces_of(text, model._model.sp)[1] == wanted


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200))
def test_spans_of_any_text_are_in_order_and_inside_it(text: str) -> None:
    spans = embedder().tokens(text).spans
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert all(x[0] <= y[0] for x, y in pairwise(spans))


def test_a_very_long_text_is_cut() -> None:
    spans = embedder().tokens("word " * 20_000).spans
    assert spans[-1][1] <= PIECE * PIECES_MAX
