"""The dense layers of Point-GNN as small ONNX graphs, run by onnxruntime's threads.

numpy's own threads spin while they wait, which slows the threads that build the next case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.subjects.model_file.onnx_model import OnnxGraph, OnnxModel, OnnxValue
from snellen.subjects.pointgnn.weights import Dense
from snellen.vision.arrays import F32, Ints

OPSET, IR = 18, 8
FATAL_ONLY = 4


class DenseSession:
    """Dense layers with ReLU, which is optional after the last."""

    def __init__(self, layers: Sequence[Dense], *, last_relu: bool, threads: int | None) -> None:
        graph = OnnxGraph()
        _add_dense(graph, layers, "values", "out", last_relu)
        values = OnnxValue("values", ["rows", len(layers[0].weights)])
        self._session = _session(graph, [values], threads)

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
        inputs = [
            OnnxValue("sources", ["vertices", width]),
            OnnxValue("targets", ["rows", width]),
            OnnxValue("edges", ["rows", "neighbours"], "int64"),
        ]
        self._session = _session(_edge_graph(layers), inputs, threads)

    def __call__(self, sources: F32, targets: F32, edges: Ints) -> F32:
        """(D, out) for D targets. sources: (S, in), targets: (D, in), edges: (D, K) sources."""
        given = {"sources": sources, "targets": targets, "edges": edges}
        [out] = self._session.run(None, given)
        return np.asarray(out)


def _edge_graph(layers: Sequence[Dense]) -> OnnxGraph:
    """Gather, difference, ReLU and the layers, with the maximum before the last bias and ReLU.

    This order gives identical bits, since both are monotonic, and saves two passes over the edges.
    """
    graph, last = OnnxGraph(), layers[-1]
    graph.node("Gather", ["sources", "edges"], "gathered", axis=0)
    graph.node("Unsqueeze", ["targets", graph.constant("axis", np.array([1]))], "target")
    graph.node("Sub", ["gathered", "target"], "difference")
    graph.node("Relu", ["difference"], "hidden")
    deep = _add_dense(graph, layers[:-1], "hidden", "deep", last_relu=True)
    graph.node("MatMul", [deep, graph.constant("w", last.weights)], "messages")
    graph.node("ReduceMax", ["messages", "axis"], "largest", keepdims=0)
    graph.node("Add", ["largest", graph.constant("b", last.biases)], "shifted")
    graph.node("Relu", ["shifted"], "out")
    return graph


def _add_dense(
    graph: OnnxGraph, layers: Sequence[Dense], start: str, end: str, last_relu: bool
) -> str:
    """Add dense layers; the name of their output, `start` without any."""
    here = start
    for index, layer in enumerate(layers):
        name, last = f"{start}{index}", index == len(layers) - 1
        relu = last_relu or not last
        there = end if last else f"{name}.out"
        shifted = f"{name}.shifted" if relu else there
        weights = graph.constant(f"{name}.w", layer.weights)
        product = graph.node("MatMul", [here, weights], f"{name}.product")
        graph.node("Add", [product, graph.constant(f"{name}.b", layer.biases)], shifted)
        if relu:
            graph.node("Relu", [shifted], there)
        here = there
    return here


def _session(graph: OnnxGraph, inputs: Sequence[OnnxValue], threads: int | None) -> Any:
    import onnxruntime

    model = OnnxModel("pointgnn", graph, inputs, [OnnxValue("out", None)], OPSET, IR)
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = FATAL_ONLY
    settings.intra_op_num_threads = threads or 0
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        model.to_bytes(), settings, providers=["CPUExecutionProvider"]
    )
