"""A network that finds coloured squares, in RTMDet's layout, and scenes for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from PIL import Image

SIZE = 64
CELL = 8
CLASSES = ("red", "green", "blue")
IDS = (30, 20, 10)
"""The data set numbers its classes in another order than the network."""
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def colour_detector(path: Path) -> Path:
    """A model of 64 x 64 BGR input in ImageNet's range.

    A cell of 8 pixels shows the class of a colour if its mean exceeds that of the other channels;
    its box is the cell itself, as distances from the cell's corner.
    """
    rgb = np.full((3, 3), -0.5) + 1.5 * np.eye(3)  # class by channel: its own minus the others
    weights = 20 * rgb * np.array(STD)
    bias = -6 + 20 * rgb @ np.array(MEAN)
    constants: dict[str, Any] = {
        "weights": weights[:, ::-1].reshape(3, 3, 1, 1),
        "bias": bias,
        "bbox_8": np.tile(np.array([0.0, 0, CELL, CELL]).reshape(1, 4, 1, 1), (1, 1, 8, 8)),
    }
    for cells in (4, 2):
        constants[f"cls_{SIZE // cells}"] = np.full((1, 3, cells, cells), -20.0)
        constants[f"bbox_{SIZE // cells}"] = np.ones((1, 4, cells, cells))
    names = [f"{part}_{stride}" for stride in (8, 16, 32) for part in ("cls", "bbox")]
    nodes = [
        helper.make_node("AveragePool", ["image"], ["means"], kernel_shape=[8, 8], strides=[8, 8]),
        helper.make_node("Conv", ["means", "weights", "bias"], ["cls_8_out"]),
        *(
            helper.make_node("Identity", [name], [f"{name}_out"])
            for name in names
            if name != "cls_8"
        ),
    ]
    info = helper.make_tensor_value_info
    shapes = {f"{part}_{stride}_out": [1, 3 if part == "cls" else 4, SIZE // stride, SIZE // stride]
              for stride in (8, 16, 32) for part in ("cls", "bbox")}  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "colours",
        [info("image", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
        [
            numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), name)
            for name, array in constants.items()
        ],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def colour_picodet(path: Path) -> Path:
    """The same in PicoDet's layout: RGB, four levels, distances of half a cell from its centre."""
    rgb = np.full((3, 3), -0.5) + 1.5 * np.eye(3)
    half = np.full((4, 8), -50.0)
    half[:, :2] = 0.0  # the mean of the first two of eight bins
    constants: dict[str, Any] = {
        "weights": (20 * rgb * np.array(STD)).reshape(3, 3, 1, 1),
        "bias": -6 + 20 * rgb @ np.array(MEAN),
    }
    nodes = [
        helper.make_node("AveragePool", ["image"], ["means"], kernel_shape=[8, 8], strides=[8, 8]),
        helper.make_node("Conv", ["means", "weights", "bias"], ["logits"]),
        helper.make_node("Sigmoid", ["logits"], ["maps"]),
        helper.make_node("Reshape", ["maps", "flat"], ["rows"]),
        helper.make_node("Transpose", ["rows"], ["scores_64_out"], perm=[0, 2, 1]),
    ]
    shapes: dict[str, list[int]] = {}
    for cells in (64, 16, 4, 1):
        constants[f"scores_{cells}"] = np.zeros((1, cells, 3))
        constants[f"sides_{cells}"] = np.tile(half.reshape(1, 1, 32), (1, cells, 1))
        shapes[f"scores_{cells}_out"], shapes[f"sides_{cells}_out"] = [1, cells, 3], [1, cells, 32]
    names = [name for name in constants if name.startswith("s") and name != "scores_64"]
    nodes += [helper.make_node("Identity", [name], [f"{name}_out"]) for name in names]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "picodet",
        [info("image", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
        [
            numpy_helper.from_array(np.array([1, 3, 64]), "flat"),
            *(
                numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), name)
                for name, array in constants.items()
            ),
        ],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def colour_scenes(
    folder: Path, count: int, seed: int = 1, annotated: bool = True, height: int = 40
) -> dict[str, Any]:
    """Photographs of noise, 64 wide, with squares in whole cells; `scenes` of a configuration."""
    rng = np.random.default_rng(seed)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    images: list[dict[str, Any]] = []
    objects: list[dict[str, Any]] = []
    for number in range(count):
        pixels = rng.integers(90, 150, (height, 64, 1)) + rng.integers(-6, 7, (height, 64, 3))
        for cell in rng.choice(height // CELL * 8, 3, replace=False):
            y, x = (int(one) * CELL for one in divmod(cell, 8))
            label = int(rng.integers(0, 3))
            pixels[y : y + CELL, x : x + CELL] = 60
            pixels[y : y + CELL, x : x + CELL, label] = rng.integers(190, 240)
            objects.append(
                {
                    "id": len(objects) + 1,
                    "image_id": number,
                    "category_id": IDS[label],
                    "bbox": [x, y, CELL, CELL],
                    "area": CELL * CELL,
                    "iscrowd": 0,
                }
            )
        name = f"{number:03}.png"
        Image.fromarray(pixels.astype(np.uint8)).save(folder / "images" / name)
        images.append({"id": number, "file_name": name, "height": height, "width": 64})
    if not annotated:
        return {"kind": "folder", "path": str(folder / "images")}
    kinds = [{"id": number, "name": name} for number, name in zip(IDS, CLASSES, strict=True)]
    text = json.dumps({"images": images, "annotations": objects, "categories": kinds})
    (folder / "instances.json").write_text(text)
    return {
        "kind": "coco",
        "annotations": str(folder / "instances.json"),
        "images": str(folder / "images"),
    }
