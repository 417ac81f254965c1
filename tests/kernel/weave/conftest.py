"""Ways to ask the kernel that these tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.kernel.door import call

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def strict() -> Ask:
    return lambda **fields: call("threads", fields, mode="strict")


@pytest.fixture
def repair() -> Ask:
    return lambda **fields: call("threads", fields, mode="repair")
