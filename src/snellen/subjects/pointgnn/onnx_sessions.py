"""The dense layers of Point-GNN as small ONNX graphs, run by onnxruntime's threads.

numpy's own threads spin while they wait, which slows the threads that build the next case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.subjects.pointgnn.weights import Dense
from snellen.vision.arrays import F32, Ints

OPSET, IR = 18, 8
FATAL_ONLY = 4


class DenseSession:
    """Dense layers with ReLU, which is optional after the last."""

    def __init__(self, layers: Sequence[Dense], *, last_relu: bool, threads: int | None) -> None:
        nodes, tensors = _dense_nodes(layers, "values", "out", last_relu)
        self._session = _session(
            nodes, tensors, {"values": ["rows", len(layers[0].weights)]}, threads
        )

    def __call__(self, values: F32) -> F32:
        """(N, out) of (N, in)."""
        [out] = self._session.run(None, {"values": np.ascontiguousarray(values, np.float32)})
        return np.asarray(out)


class EdgeSession:
    """The messages a vertex gathers from its neighbours: dense layers per edge, then the maximum.

    The first dense layer is applied before: it is linear, so the parts of source and target are
    computed once per vertex, and an edge needs only their difference.
    """

    def __init__(self, layers: Sequence[Dense], threads: int | None) -> None:
        width = len(layers[0].weights)
        nodes, tensors = _edge_nodes(layers)
        inputs: dict[str, list[Any]] = {
            "sources": ["vertices", width],
            "targets": ["rows", width],
            "edges": ["rows", "neighbours"],
        }
        self._session = _session(nodes, tensors, inputs, threads)

    def __call__(self, sources: F32, targets: F32, edges: Ints) -> F32:
        """(D, out) for D targets. sources: (S, in), targets: (D, in), edges: (D, K) sources."""
        given = {"sources": sources, "targets": targets, "edges": edges}
        [out] = self._session.run(None, given)
        return np.asarray(out)


def _edge_nodes(layers: Sequence[Dense]) -> tuple[list[Any], dict[str, Any]]:
    """Gather, difference, ReLU and the layers, with the maximum before the last bias and ReLU.

    This order gives identical bits, since both are monotonic, and saves two passes over the edges.
    """
    from onnx.helper import make_node

    inner, tensors = _dense_nodes(layers[:-1], "hidden", "deep", last_relu=True)
    tensors |= {"axis": np.array([1]), "w": layers[-1].weights, "b": layers[-1].biases}
    nodes = [
        make_node("Gather", ["sources", "edges"], ["gathered"], axis=0),
        make_node("Unsqueeze", ["targets", "axis"], ["target"]),
        make_node("Sub", ["gathered", "target"], ["difference"]),
        make_node("Relu", ["difference"], ["hidden"]),
        *inner,
        make_node("MatMul", ["deep" if inner else "hidden", "w"], ["messages"]),
        make_node("ReduceMax", ["messages", "axis"], ["largest"], keepdims=0),
        make_node("Add", ["largest", "b"], ["shifted"]),
        make_node("Relu", ["shifted"], ["out"]),
    ]
    return nodes, tensors


def _dense_nodes(
    layers: Sequence[Dense], start: str, end: str, last_relu: bool
) -> tuple[list[Any], dict[str, Any]]:
    from onnx.helper import make_node

    nodes: list[Any] = []
    tensors: dict[str, Any] = {}
    here = start
    for index, layer in enumerate(layers):
        name = f"{start}{index}"
        last = index == len(layers) - 1
        relu = last_relu or not last
        tensors |= {f"{name}.w": layer.weights, f"{name}.b": layer.biases}
        there = end if last else f"{name}.out"
        shifted = f"{name}.shifted" if relu else there
        nodes.append(make_node("MatMul", [here, f"{name}.w"], [f"{name}.product"]))
        nodes.append(make_node("Add", [f"{name}.product", f"{name}.b"], [shifted]))
        if relu:
            nodes.append(make_node("Relu", [shifted], [there]))
        here = there
    return nodes, tensors


def _session(
    nodes: list[Any], tensors: dict[str, Any], inputs: dict[str, list[Any]], threads: int | None
) -> Any:
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    kinds = {"edges": TensorProto.INT64}
    graph = helper.make_graph(
        nodes,
        "pointgnn",
        [
            helper.make_tensor_value_info(name, kinds.get(name, TensorProto.FLOAT), shape)
            for name, shape in inputs.items()
        ],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = FATAL_ONLY
    settings.intra_op_num_threads = threads or 0
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        model.SerializeToString(), settings, providers=["CPUExecutionProvider"]
    )
