"""Damaged ONNX files, and the guesses from their outputs and metadata."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from snellen.subjects.registry import open_subject
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import DIGITS_401, DIGITS_5000, WORDS, damage_bytes

FILE = "model.onnx"
METADATA = {"task": "detect", "imgsz": "[64, 64]", "names": "{0: 'cat', 1: 'dog', 2: 'bird'}"}
SHAPES: tuple[tuple[int, ...], ...] = (
    (1, 7, 84), (1, 84, 7), (1, 84, 8), (1, 300, 6), (1, 100, 4), (1, 3), (1, 80), (1, 1000),
    (1, 32, 16, 16), (1, 39, 84), (1, 3, 8, 8, 8), (1, 64, 64), (1,), (), (0,), (1, 0, 6), (6, 0),
    (1, 84, 85), (1, 1, 1), (300, 7), (100,), (1, 8400, 4), (2, 7, 84),
)  # fmt: skip
NAMES = ("output0", "boxes", "scores", "labels", "masks", "logits", "pred_boxes", "num_dets", "")
TYPES = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL,
         TensorProto.FLOAT16, TensorProto.UINT8, TensorProto.DOUBLE)  # fmt: skip


def model(
    outputs: Mapping[str, np.ndarray],
    metadata: Mapping[str, str] = METADATA,
    image: Sequence[Any] = (1, 3, "h", "w"),
    kind: int = TensorProto.FLOAT,
) -> bytes:
    """A model that returns constants."""
    nodes, known, declared = [], [], []
    for number, (name, values) in enumerate(outputs.items()):
        known.append(numpy_helper.from_array(values, f"constant_{number}"))
        nodes.append(helper.make_node("Identity", [f"constant_{number}"], [name]))
        declared.append(
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(values.dtype), values.shape
            )
        )
    inputs = [helper.make_tensor_value_info("image", kind, image)]
    graph = helper.make_graph(nodes, "constant", inputs, declared, known)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(made, dict(metadata))
    return bytes(made.SerializeToString())


def table(*shape: int) -> dict[str, np.ndarray]:
    """One output of scores."""
    return {"output0": np.full(shape, 0.3, dtype=np.float32)}


def damage_outputs(chance: random.Random, data: bytes) -> bytes:
    """Other outputs, of other names, shapes and values."""
    made = onnx.load_from_string(data)
    metadata = {one.key: one.value for one in made.metadata_props}
    outputs = {}
    for number in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        shape = chance.choice(SHAPES)
        values = np.random.default_rng(chance.randrange(99)).normal(0.5, chance.random(), shape)
        if chance.random() < 0.2:
            values = np.full(shape, chance.choice((0.0, np.nan, np.inf, -1e30, 1e30)))
        kind = chance.choice((np.float32,) * 5 + (np.int64, np.int32, np.float16, np.bool_))
        with np.errstate(all="ignore"):
            outputs[chance.choice(NAMES) or f"o{number}"] = values.astype(kind)
    return model(outputs, metadata)


def damage_metadata(chance: random.Random, data: bytes) -> bytes:
    """Another text in one of the metadata."""
    made = onnx.load_from_string(data)
    metadata = {one.key: one.value for one in made.metadata_props} or dict(METADATA)
    key = chance.choice(sorted(metadata))
    words = (*WORDS, "{1: 2}", "['a', 'b']", "[1, 2, 3]", "{'a': 'b'}", "(640,)", "[640.5, 1e9]",
             "pose", "obb", "[[1], [2]]", "{0: 'a', '1': 'b'}", "{None: 1}", "b'ab'")  # fmt: skip
    metadata[key] = chance.choice(words)
    made.ClearField("metadata_props")
    helper.set_model_props(made, metadata)
    return bytes(made.SerializeToString())


def damage_input(chance: random.Random, data: bytes) -> bytes:
    """Another shape or type of the input."""
    made = onnx.load_from_string(data)
    sides: tuple[Any, ...] = (1, 3, 0, -1, 2, 32, 64, 640, 10**6, 2**31, "n", 4)
    shape = [chance.choice(sides) for _ in range(chance.choice((0, 1, 2, 3, 4, 4, 4, 5)))]
    if len(shape) == 4 and chance.random() < 0.7:
        shape[chance.choice((1, 3))] = 3
    info = helper.make_tensor_value_info("image", chance.choice(TYPES), shape)
    made.graph.input[0].CopyFrom(info)
    return bytes(made.SerializeToString())


def robust(damage: Any) -> Any:
    """The mutation of a model that may be damaged already."""

    def mutate(chance: random.Random, data: bytes) -> bytes:
        try:
            return bytes(damage(chance, data))
        except Exception:
            return damage_bytes(chance, data)

    return mutate


def read(folder: Path) -> None:
    open_subject({"kind": "onnx", "model": FILE, "threads": 1}, folder).close()


TARGET = Target(
    "ONNX",
    {FILE: model(table(1, 7, 84))},
    {FILE: tuple(map(robust, (damage_outputs, damage_outputs, damage_metadata, damage_input,
                              damage_bytes)))},
    read,
    megabytes=600,  # the largest input that is supported, and what the network makes of it
)  # fmt: skip


def metadata(key: str, value: str) -> Files:
    return {FILE: model(table(1, 7, 84), {**METADATA, key: value})}


PAST: Mapping[str, Files] = {
    "names that are a number": metadata("names", "5"),
    "names by text": metadata("names", "{'a': 'cat'}"),
    "names by 5,000 digits": metadata("names", f"{{{DIGITS_5000}: 'cat'}}"),
    "names by a digit that is no number": metadata("names", "{'²': 'cat'}"),
    "names in deep lists": metadata("names", "[" * 5000 + "]" * 5000),
    "names in deep parentheses": metadata("names", "(" * 200 + ")" * 200),
    "names with a null": metadata("names", "'a\0b'"),
    "imgsz that is a number": metadata("imgsz", "640"),
    "imgsz of three": metadata("imgsz", "[1, 2, 3]"),
    "imgsz of texts": metadata("imgsz", "['a', 'b']"),
    "imgsz that is infinite": metadata("imgsz", "[1e999, 1]"),
    "imgsz of 401 digits": metadata("imgsz", f"[{DIGITS_401}, 1]"),
    "imgsz of 10**9": metadata("imgsz", "[1000000000, 1000000000]"),
    "imgsz of 0": metadata("imgsz", "[0, 0]"),
    "imgsz of -1": metadata("imgsz", "[-1, 64]"),
    "an input of 10**6": {FILE: model(table(1, 7, 84), {}, (1, 3, 10**6, 10**6))},
    "a batch of 10**9": {FILE: model(table(1, 7, 84), {}, (10**9, 3, 64, 64))},
    "no output for a batch of 2": {FILE: model(table(0, 7, 84), {}, (2, 3, 64, 64))},
    "one number for a batch of 2": {FILE: model(table(), {}, (2, 3, 64, 64))},
    "an output of no rows": {FILE: model(table(1, 0, 6))},
    "an output of no axes": {FILE: model(table())},
    "an output of no values": {FILE: model(table(0))},
    "outputs of truth values": {FILE: model({"output0": np.ones((1, 7, 84), bool)})},
    "no bytes": {FILE: b""},
    "text": {FILE: b"not a model"},
}


class TestOnnx(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
