"""A bracketed sound is read in one pass, and read the same as by the pattern that says what it is."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from clew import policy as policies
from clew.kernel.link.mask import _noise
from clew.kernel.read.remark import Remark

MEANT = re.compile(r"^[\[(<*_\s]+([^\])>*]*)[\])>*_.!\s]+$")
TABLE = policies.default().link.mask


@settings(derandomize=True, database=None, max_examples=600, deadline=None)
@given(st.text("[(<*_ \n])>.!ab", max_size=14).filter(lambda t: re.search("[ab]", t)))
def test_one_pass_finds_what_the_pattern_means(text: str) -> None:
    meant = MEANT.match(text)
    assert Remark(text).bracketed == (meant[1] if meant else "")


def test_marks_without_end_cost_no_more_than_their_length() -> None:
    def cost(size: int) -> float:
        best = float("inf")
        for text in ("(" * size + "a" + "_" * size + "b", "_ " * size + "a" + " _" * size + "b"):
            began = time.process_time()
            _noise(Remark(text), TABLE)
            best = min(best, time.process_time() - began)
        return best

    small = max(min(cost(1_000) for _ in range(3)), 0.0005)
    assert min(cost(10_000) for _ in range(3)) < small * 30
