"""Small ONNX models with constant outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from snellen.vision.arrays import AnyArray


def constant_model(
    path: Path,
    shape: Sequence[int | str],
    outputs: Mapping[str, AnyArray],
    metadata: Mapping[str, str] | None = None,
    kind: int = TensorProto.FLOAT,
) -> Path:
    """A model with input `image` of this shape; outputs also have a batch `N`."""
    nodes, constants, declared = [], [], []
    free = shape[0] == "N"
    if free:
        nodes += [
            helper.make_node("Shape", ["image"], ["whole"]),
            helper.make_node("Slice", ["whole", "zero", "one"], ["count"]),
        ]
        constants += [
            numpy_helper.from_array(np.array([0]), "zero"),
            numpy_helper.from_array(np.array([1]), "one"),
        ]
    for name, array in outputs.items():
        constants.append(numpy_helper.from_array(np.ascontiguousarray(array), f"{name}_constant"))
        if free:
            ones = numpy_helper.from_array(np.ones(array.ndim - 1, dtype=np.int64), f"{name}_ones")
            constants.append(ones)
            nodes += [
                helper.make_node("Concat", ["count", f"{name}_ones"], [f"{name}_repeats"], axis=0),
                helper.make_node("Tile", [f"{name}_constant", f"{name}_repeats"], [name]),
            ]
        else:
            nodes.append(helper.make_node("Identity", [f"{name}_constant"], [name]))
        sides = ["N", *array.shape[1:]] if free else list(array.shape)
        element = helper.np_dtype_to_tensor_dtype(array.dtype)
        declared.append(helper.make_tensor_value_info(name, element, sides))
    image = helper.make_tensor_value_info("image", kind, list(shape))
    graph = helper.make_graph(nodes, "constant", [image], declared, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, dict(metadata or {}))
    save(model, path)
    return path
