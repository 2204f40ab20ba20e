"""A small TensorFlow Lite classifier, written by the schema that LiteRT ships."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray

IMAGE, AXES, COLOUR, WEIGHTS, BIAS, SCORES = range(6)


def tflite_classifier(path: Path, size: tuple[int, int], weights: AnyArray, bias: AnyArray) -> Path:
    """A model with logits (1, C) for an image (1, h, w, 3): weights (C, 3) of the mean colour."""
    from ai_edge_litert import schema_py_generated as schema

    def tensor(name: str, shape: tuple[int, ...], number: int, buffer: int = 0) -> Any:
        made = schema.TensorT()
        made.name, made.shape, made.type, made.buffer = name, list(shape), number, buffer
        return made

    def operator(code: int, inputs: list[int], output: int, kind: int, options: Any) -> Any:
        made = schema.OperatorT()
        made.opcodeIndex, made.inputs, made.outputs = code, inputs, [output]
        made.builtinOptionsType, made.builtinOptions = kind, options
        return made

    def buffer(values: AnyArray | None) -> Any:
        made = schema.BufferT()
        made.data = None if values is None else np.frombuffer(values.tobytes(), dtype=np.uint8)
        return made

    def code(builtin: int) -> Any:
        made = schema.OperatorCodeT()
        made.builtinCode = made.deprecatedBuiltinCode = builtin
        return made

    graph = schema.SubGraphT()
    real, whole = schema.TensorType.FLOAT32, schema.TensorType.INT32
    graph.tensors = [
        tensor("image", (1, *size, 3), real),
        tensor("axes", (2,), whole, 1),
        tensor("colour", (1, 3), real),
        tensor("weights", weights.shape, real, 2),
        tensor("bias", bias.shape, real, 3),
        tensor("scores", (1, len(bias)), real),
    ]
    graph.inputs, graph.outputs = [IMAGE], [SCORES]
    mean, dense = schema.BuiltinOptions.ReducerOptions, schema.BuiltinOptions.FullyConnectedOptions
    graph.operators = [
        operator(0, [IMAGE, AXES], COLOUR, mean, schema.ReducerOptionsT()),
        operator(1, [COLOUR, WEIGHTS, BIAS], SCORES, dense, schema.FullyConnectedOptionsT()),
    ]
    model = schema.ModelT()
    model.version, model.subgraphs = 3, [graph]
    builtin = schema.BuiltinOperator
    model.operatorCodes = [code(builtin.MEAN), code(builtin.FULLY_CONNECTED)]
    axes = np.array([1, 2], dtype=np.int32)
    model.buffers = [buffer(values) for values in (None, axes, weights, bias)]
    builder = import_module("flatbuffers").Builder(1024)
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    path.write_bytes(bytes(builder.Output()))
    return path
