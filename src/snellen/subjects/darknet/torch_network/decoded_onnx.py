"""A Darknet network's ONNX graph, extended to boxes and scores that other programs can read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.subjects.darknet.cfg_file import DarknetModel, Yolo
from snellen.subjects.darknet.layer_shapes import shapes_of


def decoded_onnx(graph: bytes, model: DarknetModel, names: Sequence[str]) -> bytes:
    """The graph with one output `boxes` (N, M, 5 + C) in place of its heads, as in YOLOv5 exports.

    A row is x, y (centre), width, height in network pixels, objectness, and class scores from 0 to
    1. names: class names for the metadata. graph: the result of `to_onnx` for the model.
    """
    from onnx import TensorProto, checker, helper, load_from_string

    whole = load_from_string(graph)
    body = whole.graph
    tail = _Tail(body)
    heads = list(zip(model.heads, _grids(model), strict=True))
    parts = [tail.head(order, *pair, model.size) for order, pair in enumerate(heads)]
    tail.node("Concat", parts, "boxes", axis=1)
    count = sum(len(head.anchors) * rows * columns for head, (rows, columns) in heads)
    shape = ["N", count, 5 + model.heads[0].classes]
    del body.output[:]
    body.output.append(helper.make_tensor_value_info("boxes", TensorProto.FLOAT, shape))
    facts = {"names": str(dict(enumerate(names))), "imgsz": str(list(model.size))}
    helper.set_model_props(whole, facts)
    checker.check_model(whole)
    return bytes(whole.SerializeToString())


def _grids(model: DarknetModel) -> list[tuple[int, int]]:
    """(h, w) of each head."""
    pairs = zip(model.layers, shapes_of(model), strict=True)
    return [(shape[1], shape[2]) for layer, shape in pairs if isinstance(layer, Yolo)]


class _Tail:
    """The nodes added to a graph."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def head(self, order: int, head: Yolo, grid: tuple[int, int], size: tuple[int, int]) -> str:
        """The name of one head's rows, (N, A * h * w, 5 + C)."""
        name, (rows, columns) = f"decoded_{order}", grid
        width = 5 + head.classes
        parts = [0, len(head.anchors), width, rows, columns]
        cells = self._apply("Reshape", f"head_{order}", np.array(parts), f"{name}_split")
        cells = self.node("Transpose", [cells], f"{name}_cells", perm=[0, 1, 3, 4, 2])
        shift, sides, scores = self._split(cells, (2, 2, 1 + head.classes), name)
        if not head.new_coords:
            shift = self.node("Sigmoid", [shift], f"{name}_shift")
            sides = self.node("Exp", [sides], f"{name}_growth")
            scores = self.node("Sigmoid", [scores], f"{name}_scores")
        else:
            doubled = self._apply("Mul", sides, np.float32(2), f"{name}_doubled")
            sides = self.node("Mul", [doubled, doubled], f"{name}_growth")
        boxes = self._boxes(shift, sides, head, grid, size, name)
        joined = self.node("Concat", [*boxes, scores], f"{name}_joined", axis=-1)
        return self._apply("Reshape", joined, np.array([0, -1, width]), name)

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
        scaled = self._apply("Mul", shift, (head.scale * step).astype("f4"), f"{name}_scaled")
        centres = self._apply("Add", scaled, starts.astype("f4"), f"{name}_centres")
        anchors = np.array(head.anchors, dtype=np.float32)[:, None, None]
        return centres, self._apply("Mul", sides, anchors, f"{name}_sides")

    def _split(self, value: str, lengths: Sequence[int], name: str) -> list[str]:
        ends = np.cumsum([0, *lengths])
        found = []
        for order, (start, end) in enumerate(pairwise(ends)):
            limits = [
                self._constant(f"{name}_part_{order}_{word}", np.array([number]))
                for word, number in (("from", start), ("to", end), ("axis", 4))
            ]
            found.append(self.node("Slice", [value, *limits], f"{name}_part_{order}"))
        return found

    def _apply(self, kind: str, value: str, constant: Any, output: str) -> str:
        """Add a node of a value and a constant; the name of its output."""
        return self.node(kind, [value, self._constant(f"{output}_with", constant)], output)

    def node(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Add a node; the name of its output."""
        from onnx import helper

        self._body.node.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def _constant(self, name: str, values: Any) -> str:
        from onnx import numpy_helper

        array = np.ascontiguousarray(values)
        self._body.initializer.append(numpy_helper.from_array(array, name))
        return name
