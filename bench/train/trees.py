"""Trees that are learned here and read in whole numbers by kernel/read/trees.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from clew.kernel.read.trees import LEAF


def grown(rows: list[np.ndarray], right: list[np.ndarray], shape: dict[str, Any]) -> dict[str, np.ndarray]:
    """The trees as arrays of nodes; a leaf points at itself."""
    model = HistGradientBoostingClassifier(**shape, random_state=0)
    model.fit(np.concatenate(rows), np.concatenate(right))
    out: dict[str, list[int]] = {k: [] for k in ("feature", "at", "left", "right", "leaf", "roots")}
    depth = 0
    for (tree,) in model._predictors:
        first = len(out["leaf"])
        out["roots"].append(first)
        for i, node in enumerate(tree.nodes):
            leaf = bool(node["is_leaf"])
            out["feature"].append(0 if leaf else int(node["feature_idx"]))
            out["at"].append(0 if leaf else int(np.floor(node["num_threshold"])))
            out["left"].append(first + (i if leaf else int(node["left"])))
            out["right"].append(first + (i if leaf else int(node["right"])))
            out["leaf"].append(round(float(node["value"]) * LEAF) if leaf else 0)
            depth = max(depth, int(node["depth"]))
    arrays = {k: np.array(v, np.int32) for k, v in out.items()}
    bias = np.array(round(float(model._baseline_prediction.item()) * LEAF))
    return {**arrays, "bias": bias, "depth": np.array(depth)}
