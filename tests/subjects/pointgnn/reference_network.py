"""Point-GNN computed edge by edge, slowly and without Snellen's optimisations."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import F32, F64

Tensors = dict[str, F32]


def dense(tensors: Tensors, part: str, values: F64, last_relu: bool) -> F64:
    """The output of a part's dense layers for rows of values."""
    index = 0
    while True:
        name = f"{part}.fully_connected" + (f"_{index}" if index else "")
        after = f"{part}.fully_connected_{index + 1}.weights"
        values = values @ tensors[f"{name}.weights"].astype(float) + tensors[f"{name}.biases"]
        if after not in tensors:
            return np.maximum(values, 0) if last_relu else values
        values = np.maximum(values, 0)
        index += 1


def near(points: F64, place: F64, radius: float) -> list[int]:
    """The points within the radius of a place."""
    return [i for i, point in enumerate(points) if np.linalg.norm(point - place) <= radius]


def vertices(points: F64, voxel: float) -> list[int]:
    """In each voxel, the point nearest to the mean."""
    start = points.min(axis=0) - voxel / 2
    cells: dict[tuple[int, ...], list[int]] = {}
    for index, point in enumerate(points):
        key = tuple(int(side) for side in np.floor((point - start) / voxel)[::-1])
        cells.setdefault(key, []).append(index)
    return [_nearest(points, points[cells[key]].mean(axis=0)) for key in sorted(cells)]


def _nearest(points: F64, place: F64) -> int:
    distances = np.linalg.norm(points - place, axis=1)
    tied = np.flatnonzero(distances < distances.min() + 1e-9).tolist()
    return min(tied, key=lambda index: points[index].tolist())


def votes(
    points: F64, intensity: F64, config: dict[str, Any], tensors: Tensors
) -> tuple[F64, F64, F64]:
    """Places, shares and codes of the vertices."""
    graphs = config["runtime_graph_gen_kwargs"]
    radii = [level["graph_gen_kwargs"]["radius"] for level in graphs["level_configs"]]
    voxel = graphs["base_voxel_size"] * graphs["level_configs"][0]["graph_scale"]
    places = points[vertices(points, voxel)]
    layers = config["model_kwargs"]["layer_configs"]
    rows = []
    for place in places:
        who = near(points, place, radii[0])
        edges = np.column_stack([intensity[who], points[who] - place])
        rows.append(dense(tensors, "layer1.extract_vertex_features", edges, True).max(axis=0))
    values = dense(tensors, "layer1.combined_features", np.array(rows), True)
    for layer in layers[1:-1]:
        values = _round(values, places, radii[1], layer, tensors)
    logits = dense(tensors, "output.predictor.cls", values, False)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    heads = [dense(tensors, f"output.predictor.loc.cls_{i}", values, False) for i in range(4)]
    return places, shares, np.stack(heads, axis=1)


def _round(values: F64, places: F64, radius: float, layer: dict[str, Any], tensors: Tensors) -> F64:
    scope = layer["scope"]
    targets = places
    if layer["kwargs"]["auto_offset"]:
        targets = places + dense(tensors, scope, values, False)
    rows = []
    for place, target in zip(places, targets, strict=True):
        who = near(places, place, radius)
        edges = np.column_stack([values[who], places[who] - target])
        rows.append(dense(tensors, f"{scope}.extract_vertex_features", edges, True).max(axis=0))
    return values + dense(tensors, f"{scope}.combined_features", np.array(rows), False)
