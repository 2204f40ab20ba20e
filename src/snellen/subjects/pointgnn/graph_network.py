"""Point-GNN's forward pass: a point cloud in, the votes of its vertices out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.subjects.pointgnn.box_codes import ACROSS, ALONG
from snellen.subjects.pointgnn.onnx_sessions import DenseSession, EdgeSession
from snellen.subjects.pointgnn.point_graph import Neighbourhoods, neighbourhoods, vertices_of
from snellen.subjects.pointgnn.settings import SPACE, LayerSettings, Reach, Settings
from snellen.subjects.pointgnn.weights import Dense, Mlp
from snellen.vision.arrays import F32, F64, Ints

MIN_CAR_SHARE = 0.001
"""Minimum probability of a car after the first pass for a vertex to be selected. On KITTI's first
eight frames, with 32 neighbours, the lowest of any vertex that votes for a car is 0.0043."""

EDGES_AT_ONCE = 2048
"""Measured optimum: more edges exceed the processor's cache, fewer add overhead."""


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of V vertices.

    places: (V, 3) metres, rectified camera frame. shares: (V, 4) probability of background, a car
    along the camera's x axis, a car across it, and a DontCare object. codes: (V, 4, 7), a box for
    each of them, see `box_codes`.
    """

    places: F64
    shares: F32
    codes: F32


class EdgeLayer:
    """The messages that each target gathers from its neighbouring sources."""

    def __init__(self, layers: Mlp, threads: int | None) -> None:
        first = layers[0]
        self._source = DenseSession([first], last_relu=False, threads=threads)
        space = Dense(first.weights[-SPACE:], np.zeros_like(first.biases))
        self._target = DenseSession([space], last_relu=False, threads=threads)
        self._edges = EdgeSession(layers[1:], threads)
        self._width = len(layers[-1].biases)

    def __call__(self, values: F32, places: F32, targets: F32, near: Neighbourhoods) -> F32:
        """(T, out). values: (S, in) and places: (S, 3) of sources. targets: (T, 3) places."""
        sources = self._source(np.hstack([values, places]))
        sought = self._target(targets)
        out = np.empty((len(targets), self._width), dtype=np.float32)
        for group, edges in near.groups(EDGES_AT_ONCE):
            out[group] = self._edges(sources, sought[group], edges)
        return out


class GraphLayer:
    """One round of messages between vertices, with the learned offset of the receiver."""

    def __init__(self, parts: Mapping[str, Mlp], layer: LayerSettings, threads: int | None) -> None:
        self._gather = EdgeLayer(parts[f"{layer.scope}.extract_vertex_features"], threads)
        update = parts[f"{layer.scope}.combined_features"]
        self._update = DenseSession(update, last_relu=False, threads=threads)
        offset = parts.get(layer.scope)
        self._offset = offset and DenseSession(offset, last_relu=False, threads=threads)

    def __call__(
        self, values: F32, places: F32, near: Neighbourhoods, chosen: Ints | None = None
    ) -> F32:
        """(V, width), the vertices' values after the round; only of chosen ones, if given."""
        targets = places + self._offset(values) if self._offset else places
        if chosen is None:
            return values + self._update(self._gather(values, places, targets, near))
        gathered = self._gather(values, places, targets[chosen], near.only(chosen))
        return values[chosen] + self._update(gathered)


class PointGnnNetwork:
    """The whole network."""

    def __init__(
        self,
        settings: Settings,
        parts: Mapping[str, Mlp],
        *,
        voxel: float | None = None,
        neighbours: int | None = None,
        glance: int | None = None,
        threads: int | None = None,
    ) -> None:
        pooling, *rounds, predictor = settings.model_kwargs.layer_configs
        graphs = settings.runtime_graph_gen_kwargs
        self._voxel = graphs.voxel if voxel is None else voxel
        self._reaches = [level.graph_gen_kwargs for level in graphs.level_configs]
        self._most = self._reaches[-1].num_neighbors if neighbours is None else neighbours
        self._glance = glance
        self._pool = EdgeLayer(parts[f"{pooling.scope}.extract_vertex_features"], threads)
        combined = parts[f"{pooling.scope}.combined_features"]
        self._combine = DenseSession(combined, last_relu=True, threads=threads)
        self._rounds = [GraphLayer(parts, layer, threads) for layer in rounds]
        heads = f"{predictor.scope}.predictor"
        self._class = DenseSession(parts[f"{heads}.cls"], last_relu=False, threads=threads)
        self._boxes = [
            DenseSession(parts[f"{heads}.loc.cls_{label}"], last_relu=False, threads=threads)
            for label in range(settings.num_classes)
        ]

    def votes(self, points: F64, intensity: F32) -> Votes:
        """The vertices' votes. points: (N, 3), N > 0, metres in the rectified camera frame.

        With `glance`, only the votes of the vertices selected by the first pass.
        """
        places = points[vertices_of(points, self._voxel)]
        values = self._pooled(points, intensity, places)
        if self._rounds:
            values, chosen = self._messages(values, places)
            places = places[chosen]
        codes = np.stack([head(values) for head in self._boxes], axis=1)
        return Votes(places, softmax(self._class(values)), codes)

    def _messages(self, values: F32, places: F64) -> tuple[F32, Ints]:
        """The values after all rounds, and the indices of their vertices."""
        near = _near(places, places, self._reaches[-1], self._most)
        coarse = places.astype(np.float32)
        for layer in self._rounds[:-1]:
            values = layer(values, coarse, near)
        chosen = self._select_vertices(values, coarse, near)
        return self._rounds[-1](values, coarse, near, chosen), chosen

    def _select_vertices(self, values: F32, places: F32, near: Neighbourhoods) -> Ints:
        """The vertices that may vote for a car, by the last round with fewer neighbours."""
        if self._glance is None:
            return np.arange(len(places))
        seen = self._rounds[-1](values, places, near.subsampled(self._glance))
        cars = softmax(self._class(seen))[:, [ALONG, ACROSS]].sum(axis=1)
        return np.flatnonzero(cars > MIN_CAR_SHARE)

    def _pooled(self, points: F64, intensity: F32, places: F64) -> F32:
        reach = self._reaches[0]
        near = _near(points, places, reach, reach.num_neighbors)
        fine, coarse = points.astype(np.float32), places.astype(np.float32)
        return self._combine(self._pool(intensity.reshape(-1, 1), fine, coarse, near))


def softmax(values: F32) -> F32:
    """The softmax of each row.

    >>> softmax(np.zeros((1, 4), dtype=np.float32)).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _near(points: F64, targets: F64, reach: Reach, most: int) -> Neighbourhoods:
    return neighbourhoods(points, targets, reach.radius).subsampled(most)
