"""A Darknet network's ONNX graph, extended to boxes and scores that other programs can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from snellen.subjects.darknet.cfg_file import DarknetModel, Yolo
from snellen.subjects.darknet.layer_shapes import shapes_of
from snellen.subjects.model_file.onnx_model import OnnxGraph, OnnxModel, OnnxValue


def decoded_onnx(network: OnnxModel, model: DarknetModel, names: Sequence[str]) -> bytes:
    """The file of the network with one output `boxes` (N, M, 5 + C) in place of its heads.

    So do YOLOv5's exports. A row is x, y (centre), width, height in network pixels, objectness, and
    class scores from 0 to 1. names: class names for the metadata. network: the result of
    `darknet_onnx` for the model, to whose graph the nodes are added.
    """
    tail = _Tail(network.graph)
    heads = list(zip(model.heads, _grids(model), strict=True))
    parts = [tail.head(order, *pair, model.size) for order, pair in enumerate(heads)]
    network.graph.node("Concat", parts, "boxes", axis=1)
    count = sum(len(head.anchors) * rows * columns for head, (rows, columns) in heads)
    shape: list[int | str] = ["N", count, 5 + model.heads[0].classes]
    facts = {"names": str(dict(enumerate(names))), "imgsz": str(list(model.size))}
    return replace(network, outputs=[OnnxValue("boxes", shape)], facts=facts).to_bytes()


def _grids(model: DarknetModel) -> list[tuple[int, int]]:
    """(h, w) of each head."""
    pairs = zip(model.layers, shapes_of(model), strict=True)
    return [(shape[1], shape[2]) for layer, shape in pairs if isinstance(layer, Yolo)]


class _Tail:
    """The nodes added to a graph."""

    def __init__(self, graph: OnnxGraph) -> None:
        self._graph = graph

    def head(self, order: int, head: Yolo, grid: tuple[int, int], size: tuple[int, int]) -> str:
        """The name of one head's rows, (N, A * h * w, 5 + C)."""
        name, (rows, columns) = f"decoded_{order}", grid
        width = 5 + head.classes
        parts = [0, len(head.anchors), width, rows, columns]
        cells = self._graph.applied("Reshape", f"head_{order}", np.array(parts), f"{name}_split")
        cells = self._graph.node("Transpose", [cells], f"{name}_cells", perm=[0, 1, 3, 4, 2])
        shift, sides, scores = self._split(cells, (2, 2, 1 + head.classes), name)
        if not head.new_coords:
            shift = self._graph.node("Sigmoid", [shift], f"{name}_shift")
            sides = self._graph.node("Exp", [sides], f"{name}_growth")
            scores = self._graph.node("Sigmoid", [scores], f"{name}_scores")
        else:
            doubled = self._graph.applied("Mul", sides, np.float32(2), f"{name}_doubled")
            sides = self._graph.node("Mul", [doubled, doubled], f"{name}_growth")
        boxes = self._boxes(shift, sides, head, grid, size, name)
        joined = self._graph.node("Concat", [*boxes, scores], f"{name}_joined", axis=-1)
        return self._graph.applied("Reshape", joined, np.array([0, -1, width]), name)

    def _boxes(
        self,
        shift: str,
        sides: str,
        head: Yolo,
        grid: tuple[int, int],
        size: tuple[int, int],
        name: str,
    ) -> tuple[str, str]:
        """Centres and sizes in network pixels."""
        step = np.array([size[1] / grid[1], size[0] / grid[0]])
        y, x = np.meshgrid(np.arange(grid[0]), np.arange(grid[1]), indexing="ij")
        starts = (np.stack([x, y], axis=-1) - (head.scale - 1) / 2) * step
        scaled = self._graph.applied(
            "Mul", shift, (head.scale * step).astype("f4"), f"{name}_scaled"
        )
        centres = self._graph.applied("Add", scaled, starts.astype("f4"), f"{name}_centres")
        anchors = np.array(head.anchors, dtype=np.float32)[:, None, None]
        return centres, self._graph.applied("Mul", sides, anchors, f"{name}_sides")

    def _split(self, value: str, lengths: Sequence[int], name: str) -> list[str]:
        ends = np.cumsum([0, *lengths])
        found = []
        for order, (start, end) in enumerate(pairwise(ends)):
            limits = [
                self._graph.constant(f"{name}_part_{order}_{word}", np.array([number]))
                for word, number in (("from", start), ("to", end), ("axis", 4))
            ]
            found.append(self._graph.node("Slice", [value, *limits], f"{name}_part_{order}"))
        return found
