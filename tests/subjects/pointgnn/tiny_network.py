"""Small Point-GNNs with random weights, in the file formats of the original."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from snellen.subjects.pointgnn.settings import Settings
from snellen.subjects.pointgnn.weights import expected_shapes
from snellen.vision.arrays import F32, F64

RADII = (1.0, 4.0)
PLAIN = {"activation_type": "ReLU", "normalization_type": "NONE"}


def config(rounds: int = 1, most: int = -1, offset: bool = True) -> dict[str, Any]:
    """A configuration with this number of rounds, including the sections for training."""
    level = {"graph_gen_method": "disjointed_rnn_local_graph_v3", "graph_scale": 0.5}
    pooling = {
        "graph_level": 0,
        "scope": "layer1",
        "type": "scatter_max_point_set_pooling",
        "kwargs": {"point_MLP_depth_list": [5, 6, 8], "output_MLP_depth_list": [9, 8]},
    }
    messages = {
        "graph_level": 1,
        "type": "scatter_max_graph_auto_center_net",
        "kwargs": {
            "auto_offset": offset,
            "auto_offset_MLP_depth_list": [4, 3],
            "edge_MLP_depth_list": [7, 6],
            "update_MLP_depth_list": [5, 8],
            "edge_MLP_activation_type": "ReLU",
        },
    }
    between = [{**messages, "scope": f"layer{index + 2}"} for index in range(rounds)]
    predictor = {
        "graph_level": 1,
        "scope": "output",
        "type": "classaware_predictor",
        "kwargs": PLAIN,
    }
    reaches = [
        {**level, "graph_level": index, "graph_gen_kwargs": {"radius": radius, "num_neighbors": n}}
        for index, (radius, n) in enumerate(zip(RADII, (-1, most), strict=True))
    ]
    return {
        "model_name": "multi_layer_fast_local_graph_model_v2",
        "graph_gen_method": "multi_level_local_graph_v3",
        "model_kwargs": {"layer_configs": [pooling, *between, predictor]},
        "runtime_graph_gen_kwargs": {
            "add_rnd3d": False,
            "base_voxel_size": 0.8,
            "level_configs": reaches,
        },
        "input_features": "i",
        "label_method": "Car",
        "num_classes": 4,
        "box_encoding_method": "classaware_all_class_box_encoding",
        "nms_overlapped_thres": 0.01,
        "downsample_by_voxel_size": None,
        "loss": {"cls_loss_type": "softmax"},
    }


def tensors(values: dict[str, Any], seed: int = 0) -> dict[str, F32]:
    """Random tensors of the shapes in the configuration."""
    rng = np.random.default_rng(seed)
    found = {}
    for part, shapes in expected_shapes(Settings.model_validate(values)).items():
        for index, (width, out) in enumerate(shapes):
            name = f"{part}.fully_connected" + (f"_{index}" if index else "")
            found[f"{name}.weights"] = rng.normal(0, width**-0.5, (width, out)).astype(np.float32)
            found[f"{name}.biases"] = rng.normal(0, 0.3, out).astype(np.float32)
    return found


def written(folder: Path, values: dict[str, Any], arrays: dict[str, F32]) -> dict[str, str]:
    """The options of the two files written to the folder."""
    (folder / "config.json").write_text(json.dumps(values), encoding="utf-8")
    np.savez(folder / "weights.npz", **arrays)  # type: ignore[arg-type]
    return {"kind": "pointgnn", "weights": "weights.npz", "config": "config.json"}


def cloud(rng: np.random.Generator, count: int = 120) -> F64:
    """(N, 3) points in a few clusters, some isolated."""
    middles = rng.uniform([-6, -1, 5], [6, 2, 20], (6, 3))
    clumps = middles[rng.integers(0, 6, count)] + rng.normal(0, 0.8, (count, 3))
    return np.asarray(np.vstack([clumps, [[-30, 0, 60]]]))
