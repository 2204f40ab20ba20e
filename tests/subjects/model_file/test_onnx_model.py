"""ONNX files that are written here, against those of the package `onnx`, byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, checker, helper, load_from_string, numpy_helper

from snellen.subjects.model_file.onnx_model import OnnxGraph, OnnxModel, OnnxValue

NAMES = st.text("abcxyz_0é", min_size=1, max_size=200)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
ATTRIBUTES = st.dictionaries(
    NAMES,
    NUMBERS | st.floats(width=32, allow_nan=False) | NAMES | st.lists(NUMBERS, min_size=1),
    max_size=4,
)
ARRAYS = st.sampled_from(
    [
        np.float32(2.5),
        np.arange(12, dtype=np.float32).reshape(3, 4).T,
        np.array([0, -1, 2**40]),
        np.zeros((0, 3), np.float32),
        np.arange(300),
    ]
)
SHAPES = st.none() | st.lists(st.integers(0, 2**40) | st.just("N"), max_size=4)


@given(st.lists(NAMES, max_size=3), NAMES, ATTRIBUTES, ARRAYS, SHAPES, st.integers(1, 400))
def test_the_bytes_are_those_of_onnx(
    inputs: list[str], name: str, attributes: dict[str, Any], array: Any, shape: Any, opset: int
) -> None:
    graph = OnnxGraph()
    assert graph.node("Conv", inputs, name, **attributes) == name
    assert graph.constant(name, array) == name
    facts = {name: "0", "names": "{0: 'cat'}"}
    values = [OnnxValue(name, shape), OnnxValue("edges", shape, "int64")]
    made = OnnxModel("net", graph, values, values[:1], opset, 8, facts)
    known = [
        helper.make_tensor_value_info(one.name, kind, shape)
        for one, kind in zip(values, (TensorProto.FLOAT, TensorProto.INT64), strict=True)
    ]
    body = helper.make_graph(
        [helper.make_node("Conv", inputs, [name], **attributes)],
        "net",
        known,
        known[:1],
        [numpy_helper.from_array(np.asarray(array), name)],
    )
    ids = [helper.make_opsetid("", opset)]
    whole = helper.make_model(body, opset_imports=ids, ir_version=8, producer_name="snellen")
    helper.set_model_props(whole, facts)
    assert made.to_bytes() == whole.SerializeToString()


def test_a_model_computes_what_its_nodes_say() -> None:
    graph = OnnxGraph()
    doubled = graph.applied("Mul", "x", np.float32(2), "doubled")
    graph.node("ReduceSum", [doubled, graph.constant("axis", np.array([-1]))], "y", keepdims=0)
    inputs, outputs = [OnnxValue("x", ["N", 3])], [OnnxValue("y", ["N"])]
    data = OnnxModel("sum", graph, inputs, outputs, 13, 8).to_bytes()
    checker.check_model(load_from_string(data))
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    [found] = session.run(None, {"x": np.array([[1, 2, 3], [4, 5, 6]], np.float32)})
    assert found.tolist() == [12, 30]


def test_an_element_type_that_is_not_written_is_refused() -> None:
    with pytest.raises(KeyError, match="float64"):
        OnnxGraph().constant("weights", np.zeros(3))
