"""The network as an ONNX model with the outputs of YOLOv8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from experiments.streets_camera.architecture import (
    HEAD,
    HEIGHT,
    KINDS,
    OUTPUTS,
    TRUNK,
    WIDTH,
    ConvolutionLayer,
    cells,
)

if TYPE_CHECKING:
    import onnx

Weights = Mapping[str, npt.NDArray[Any]]

OPSET, IR = 17, 8


def camera_model(weights: Weights) -> onnx.ModelProto:
    """The model: images (1, 3, H, W) in [0, 1] in, (1, 4 + classes, A) out: x y w h and scores.

    weights: of each convolution `name.weight` and `name.bias`: trunk.0 and on, side.0 and on,
    head.0 and on, and out. They are stored in 16 bits.
    """
    from onnx import TensorProto, helper

    draft = _Draft(weights)
    answer = draft.answer(draft.trunk("images"))
    pixels = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    shape = [1, OUTPUTS, len(cells())]
    boxes = helper.make_tensor_value_info(answer, TensorProto.FLOAT, shape)
    graph = helper.make_graph(draft.nodes, "street-camera", [pixels], [boxes], draft.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    names = {number: name.lower() for number, name in enumerate(KINDS)}
    helper.set_model_props(model, {"names": repr(names)})
    return model


class _Draft:
    """The nodes and constants of a graph under construction."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._wide: dict[str, str] = {}

    def trunk(self, x: str) -> list[str]:
        """The trunk's outputs for the head, finest first."""
        given = []
        for number, layer in enumerate(TRUNK):
            y = self._relu(self._conv(x, f"trunk.{number}", layer))
            x = self._node("Add", [x, y]) if layer.added else y
            given += [x] if layer.given else []
        return given

    def answer(self, given: list[str]) -> str:
        """The head on every level, coarse ones added to the finer, and their cells decoded."""
        merged: list[str] = []
        for number in reversed(range(len(given))):
            side = self._conv(given[number], f"side.{number}")
            merged.insert(
                0, self._node("Add", [side, self._doubled(merged[0])]) if merged else side
            )
        flat = []
        for x in merged:
            for number, layer in enumerate(HEAD):
                x = self._relu(self._conv(x, f"head.{number}", layer))
            shape = self._constant(np.array([1, OUTPUTS, -1], dtype=np.int64))
            flat.append(self._node("Reshape", [self._conv(x, "out"), shape]))
        return self._decoded(self._node("Concat", flat, axis=2))

    def _decoded(self, table: str) -> str:
        middle, stride = cells()[:, :2].T[None], cells()[:, 2][None, None]
        place, size, scores = (self._rows(table, *part) for part in ((0, 2), (2, 4), (4, OUTPUTS)))
        moved = self._node("Mul", [place, self._constant(stride)])
        xy = self._node("Add", [moved, self._constant(middle)])
        wh = self._node("Mul", [self._node("Exp", [size]), self._constant(2 * stride)])
        return self._node("Concat", [xy, wh, self._node("Sigmoid", [scores])], axis=1)

    def _rows(self, table: str, start: int, end: int) -> str:
        ends = (self._constant(np.array([value], dtype=np.int64)) for value in (start, end, 1))
        return self._node("Slice", [table, *ends])

    def _conv(self, x: str, name: str, layer: ConvolutionLayer | None = None) -> str:
        wide = [self._weight(f"{name}.weight"), self._weight(f"{name}.bias")]
        stride, pad = (layer.stride, 1) if layer else (1, 0)
        return self._node("Conv", [x, *wide], strides=[stride] * 2, pads=[pad] * 4)

    def _weight(self, name: str) -> str:
        """A weight in 32 bits, which the levels share."""
        if name not in self._wide:
            narrow = self._constant(self.weights[name].astype(np.float16))
            self._wide[name] = self._node("Cast", [narrow], to=1)
        return self._wide[name]

    def _relu(self, x: str) -> str:
        return self._node("Relu", [x])

    def _doubled(self, x: str) -> str:
        factors = self._constant(np.array([1, 1, 2, 2], dtype=np.float32))
        settings = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return self._node("Resize", [x, "", factors], mode="nearest", **settings)

    def _node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        from onnx import helper

        name = f"{kind.lower()}-{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def _constant(self, values: npt.NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"constant-{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name
