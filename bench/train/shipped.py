"""Small networks as they are shipped: a byte for each weight with a scale for each column, and a table that names the file."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np

POLICY = Path(__file__).resolve().parents[2] / "src/clew/policy"


def arrays(state: dict[str, Any], net: str, tables: tuple[str, ...], left_out: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """By the names the kernel knows; matrices stand as rows in, columns out; `tables` are looked up and stay as they are."""
    out: dict[str, np.ndarray] = {}
    for name, value in state.items():
        layer, kind = name.rsplit(".", 1)
        key, table = net + layer.replace(".", ""), value.cpu().numpy().astype(np.float32)
        if layer in left_out:
            continue
        if layer.startswith("norm"):
            out[key + ("_g" if kind == "weight" else "_b")] = table
        elif kind == "bias":
            out[key + "_b"] = table
        else:
            rows = table if layer in tables else table.T
            scale = np.maximum(np.abs(rows).max(axis=0), 1e-6) / 127
            out[key] = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
            out[key + "_s"] = scale.astype(np.float32)
    return out


def ship(held: dict[str, np.ndarray], file: str, table: str, what: str) -> None:
    """Write the weights and the table that names them."""
    out = io.BytesIO()
    np.savez(out, **held)
    (POLICY / "weights" / file).write_bytes(out.getvalue())
    (POLICY / "data" / table).write_text(
        f'# {what}\nfile = "{file}"\nsha256 = "{hashlib.sha256(out.getvalue()).hexdigest()}"\n', encoding="utf-8"
    )
    print(f"{len(out.getvalue()):,} bytes")
