"""Small classifiers with answers that are easy to compute: a linear map of the mean colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from snellen.vision.arrays import AnyArray

# One row per class: weights of the mean red, green and blue input.
WEIGHTS = np.array([[2, -1, -1], [-1, 2, -1], [-1, -1, 2], [1, 1, 1]], dtype=np.float32)
BIAS = np.array([-0.5, 0.25, 0.0, -2.0], dtype=np.float32)


def onnx_classifier(
    path: Path,
    shape: Sequence[int | str],
    *,
    flat: bool = False,
    finish: str | None = None,
    metadata: dict[str, str] | None = None,
) -> Path:
    """A model with logits (batch, 4) for images (batch, 3, h, w); `flat`: (4,) for a batch of 1.

    finish: an operator after the logits, such as `Sigmoid` or `Softmax`.
    """
    nodes = [
        helper.make_node("ReduceMean", ["image"], ["colour"], axes=[2, 3], keepdims=0),
        helper.make_node("Gemm", ["colour", "weights", "bias"], ["logits"], transB=1),
        helper.make_node(finish or "Identity", ["logits"], ["finished"]),
        helper.make_node("Reshape", ["finished", "shape"], ["scores"]),
    ]
    target = np.array([4] if flat else [-1, 4], dtype=np.int64)
    arrays = {"weights": WEIGHTS, "bias": BIAS, "shape": target}
    graph = helper.make_graph(
        nodes,
        "classifier",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, list(shape))],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, metadata or {})
    save(model, path)
    return path


def logits_of(colour: Sequence[float], mean: AnyArray | float, std: AnyArray | float) -> AnyArray:
    """The classifier's logits for an image of one colour (red, green, blue from 0 to 255)."""
    numbers = (np.array(colour, dtype=np.float64) / 255 - mean) / std
    return WEIGHTS.astype(np.float64) @ numbers + BIAS
