"""One spelling of a value: canonical JSON, its SHA-256, and ids made from content."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

# Looked up before anything is asked of a value: most are one of these.
_AS_IT_IS = frozenset((type(None), bool, int, float, str))
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:clew")


def plain(value: Any) -> Any:
    """Reduce a frozen value to what JSON knows, without losing exactness."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is dict:
        return {k if type(k) is str else str(plain(k)): plain(v) for k, v in value.items()}
    if kind is list or kind is tuple:
        return [plain(v) for v in value]
    if value is None or (isinstance(value, (bool, int, float, str)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(k)): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(v) for v in value), key=canonical_json)
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def canonical_json(value: Any) -> str:
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def derived_id(kind: str, *parts: Any) -> str:
    """A UUIDv5 of named content: the same parts always give the same id."""
    return str(uuid.uuid5(NAMESPACE, kind + "\x1f" + canonical_json(list(parts))))


def iso(moment: datetime) -> str:
    """UTC, microseconds only when there are any, always with Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
