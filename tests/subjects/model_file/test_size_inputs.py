"""Networks that scale their boxes to the size they are given answer in input pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

from snellen.errors import UserError
from snellen.subjects.registry import open_subject


def scaling_model(path: Path, second: str) -> None:
    """RT-DETR's last step: boxes as fractions, multiplied by (width, height) of `second`."""
    shares = np.zeros((1, 300, 4), np.float32)
    shares[0, 0] = 0.25, 0.25, 0.75, 0.5
    parts = {
        "shares": shares,
        "labels_": np.zeros((1, 300), np.int64),
        "scores_": np.pad(np.array([[0.9]], np.float32), ((0, 0), (0, 299))),
        "repeats": np.array([1, 2]),
        "axis": np.array([1]),
    }
    nodes = [
        helper.make_node("Cast", [second], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Tile", ["real", "repeats"], ["four"]),
        helper.make_node("Unsqueeze", ["four", "axis"], ["row"]),
        helper.make_node("Mul", ["shares", "row"], ["boxes"]),
        helper.make_node("Identity", ["labels_"], ["labels"]),
        helper.make_node("Identity", ["scores_"], ["scores"]),
    ]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "scaling",
        [
            info("images", TensorProto.FLOAT, [1, 3, 64, 96]),
            info(second, TensorProto.INT64, [1, 2]),
        ],
        [
            info("labels", TensorProto.INT64, [1, 300]),
            info("boxes", TensorProto.FLOAT, [1, 300, 4]),
            info("scores", TensorProto.FLOAT, [1, 300]),
        ],
        [numpy_helper.from_array(array, name) for name, array in parts.items()],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def test_boxes_scaled_by_the_network_come_back_in_image_pixels(tmp_path: Path) -> None:
    scaling_model(tmp_path / "model.onnx", "orig_target_sizes")
    values = {"kind": "onnx", "model": "model.onnx", "classes": "coco-80"}
    subject: Any = open_subject(values, tmp_path)
    assert subject.reader.decoder.name == "rt-detr-finished"
    [found] = subject.predict([np.zeros((128, 288, 3), dtype=np.uint8)])
    assert found.labels.tolist() == [0]
    np.testing.assert_allclose(found.boxes, [[72, 32, 216, 64]], atol=0.01)


def test_another_second_input_is_refused(tmp_path: Path) -> None:
    scaling_model(tmp_path / "model.onnx", "prompt")
    with pytest.raises(UserError, match="has 2 inputs"):
        open_subject({"kind": "onnx", "model": "model.onnx", "classes": "coco-80"}, tmp_path)
