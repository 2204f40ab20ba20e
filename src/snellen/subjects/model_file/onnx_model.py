"""A small ONNX model as values, and the bytes of its file.

The package `onnx` and what it needs take 36 MB of an installation. What Snellen writes are graphs
of a dozen operators, and ONNX Runtime checks them when it loads them. Fields and their numbers are
those of onnx.proto3 (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3); the bytes are equal
to those of `onnx.helper`, which the tests compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

PRODUCER = "snellen"
ELEMENT_TYPES = {"float32": 1, "int64": 7}
_FLOAT, _INT, _STRING, _INTS = 1, 2, 3, 7
_VARINT, _BYTES, _FIXED32 = 0, 2, 5


@dataclass(frozen=True, eq=False)
class OnnxValue:
    """An input or output. shape: a number or a name for each axis; None if it is not stated."""

    name: str
    shape: Sequence[int | str] | None
    dtype: str = "float32"


@dataclass(eq=False)
class OnnxGraph:
    """Nodes in the order they run, and the constants they take, added one by one."""

    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)

    def node(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Add a node; the name of its output. An empty input is left out."""
        parts = [_text(1, one) for one in inputs]
        parts += [_text(2, output), _text(4, kind)]
        parts += [_part(5, _attribute(*one)) for one in sorted(attributes.items())]
        self.nodes.append(b"".join(parts))
        return output

    def constant(self, name: str, values: npt.ArrayLike) -> str:
        """Add a constant of float32 or int64; its name."""
        array = np.asarray(values)
        dims = b"".join(_number(1, side) for side in array.shape)
        kind = _number(2, ELEMENT_TYPES[array.dtype.name])
        raw = array.astype(array.dtype.newbyteorder("<")).tobytes()
        self.constants.append(dims + kind + _text(8, name) + _part(9, raw))
        return name

    def applied(self, kind: str, value: str, constant: npt.ArrayLike, output: str) -> str:
        """Add a node of a value and a constant; the name of its output."""
        return self.node(kind, [value, self.constant(f"{output}_with", constant)], output)


@dataclass(frozen=True, eq=False)
class OnnxModel:
    """A graph with its inputs and outputs. facts: metadata."""

    name: str
    graph: OnnxGraph
    inputs: Sequence[OnnxValue]
    outputs: Sequence[OnnxValue]
    opset: int
    ir: int
    facts: Mapping[str, str] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The content of the .onnx file."""
        facts = [_part(14, _text(1, key) + _text(2, value)) for key, value in self.facts.items()]
        opset = _text(1, "") + _number(2, self.opset)
        head = _number(1, self.ir) + _text(2, PRODUCER)
        return b"".join([head, _part(7, b"".join(self._body())), _part(8, opset), *facts])

    def _body(self) -> Iterator[bytes]:
        yield from (_part(1, one) for one in self.graph.nodes)
        yield _text(2, self.name)
        yield from (_part(5, one) for one in self.graph.constants)
        yield from (_part(11, _value(one)) for one in self.inputs)
        yield from (_part(12, _value(one)) for one in self.outputs)


def _value(value: OnnxValue) -> bytes:
    tensor = _number(1, ELEMENT_TYPES[value.dtype])
    if value.shape is not None:
        axes = (_text(2, one) if isinstance(one, str) else _number(1, one) for one in value.shape)
        tensor += _part(2, b"".join(_part(1, axis) for axis in axes))
    return _text(1, value.name) + _part(2, _part(1, tensor))


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, str):
        content, kind = _text(4, value), _STRING
    elif isinstance(value, float):
        content, kind = _key(2, _FIXED32) + np.float32(value).tobytes(), _FLOAT
    elif isinstance(value, int):
        content, kind = _number(3, value), _INT
    else:
        content, kind = b"".join(_number(8, one) for one in value), _INTS
    return _text(1, name) + content + _number(20, kind)


def _text(number: int, value: str) -> bytes:
    return _part(number, value.encode())


def _part(number: int, value: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(value)) + value


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(int(value) % 2**64)


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
