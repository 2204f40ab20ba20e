"""Point-GNN's weights: a NumPy archive with one array per tensor, checked against the settings."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from snellen.errors import UserError
from snellen.subjects.pointgnn.settings import SPACE, LayerSettings, Settings
from snellen.vision.arrays import F32

INTENSITY, BOX = 1, 7
HIDDEN = 64
"""Width of the hidden dense layers of the heads."""


@dataclass(frozen=True, eq=False)
class Dense:
    """One dense layer: (N, in) values become (N, out). weights: (in, out), biases: (out,)."""

    weights: F32
    biases: F32


Mlp: TypeAlias = tuple[Dense, ...]
Shapes: TypeAlias = dict[str, list[tuple[int, int]]]


def read_weights(path: Path, settings: Settings) -> dict[str, Mlp]:
    """The dense layers of each part of the network, such as `layer1.combined_features`."""
    tensors = _tensors(path)
    expected = expected_shapes(settings)
    names = {name for part, shapes in expected.items() for name, _ in _named(part, shapes)}
    if spare := sorted(set(tensors) - names):
        raise UserError(
            f"{path}: found {len(spare)} tensors that are not in the configuration, first: "
            f"{spare[0]}. Give the `config` of the weights."
        )
    return {
        part: tuple(_dense(path, part, index, shape, tensors) for index, shape in enumerate(shapes))
        for part, shapes in expected.items()
    }


def expected_shapes(settings: Settings) -> Shapes:
    """The (in, out) of each dense layer of each part, from the settings."""
    found: Shapes = {}
    width = INTENSITY
    for layer in settings.model_kwargs.layer_configs[:-1]:
        parts, width = _layer_shapes(layer, width)
        found.update({f"{layer.scope}{part}": shapes for part, shapes in parts.items()})
    scope = settings.model_kwargs.layer_configs[-1].scope
    count = settings.num_classes
    found[f"{scope}.predictor.cls"] = _chain(width, (HIDDEN, count))
    for label in range(count):
        found[f"{scope}.predictor.loc.cls_{label}"] = _chain(width, (HIDDEN, HIDDEN, BOX))
    return found


def _layer_shapes(layer: LayerSettings, width: int) -> tuple[Shapes, int]:
    """The parts of a layer, and the width of its output."""
    parts = {
        ".extract_vertex_features": _chain(width + SPACE, layer.edge_widths),
        ".combined_features": _chain(layer.edge_widths[-1], layer.vertex_widths),
    }
    if layer.offset:
        parts[""] = _chain(width, layer.offset)
    return parts, layer.vertex_widths[-1]


def _chain(width: int, depths: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip((width, *depths), depths, strict=False))


def _named(part: str, shapes: list[tuple[int, int]]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for index, shape in enumerate(shapes):
        name = _dense_name(part, index)
        yield f"{name}.weights", shape
        yield f"{name}.biases", shape[1:]


def _dense_name(part: str, index: int) -> str:
    return f"{part}.fully_connected" + (f"_{index}" if index else "")


def _dense(
    path: Path, part: str, index: int, shape: tuple[int, int], tensors: Mapping[str, F32]
) -> Dense:
    name = _dense_name(part, index)
    return Dense(
        _tensor(path, f"{name}.weights", shape, tensors),
        _tensor(path, f"{name}.biases", shape[1:], tensors),
    )


def _tensor(path: Path, name: str, shape: tuple[int, ...], tensors: Mapping[str, F32]) -> F32:
    if name not in tensors:
        raise UserError(
            f"{path}: the tensor {name} is missing, but the configuration expects it. "
            "Give the `config` of the weights."
        )
    value = tensors[name]
    if value.shape != shape:
        raise UserError(
            f"{path}: the tensor {name} has shape {value.shape}, expected {shape} by the "
            "configuration. Give the `config` of the weights."
        )
    if not np.isfinite(value).all():
        raise UserError(
            f"{path}: the tensor {name} has a value that is not finite. Download it again."
        )
    return np.ascontiguousarray(value, dtype=np.float32)


def _tensors(path: Path) -> dict[str, F32]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise UserError(
            f"{path}: not an archive of arrays (.npz): {error}. Give Point-GNN's weights, one "
            "array per tensor, with TensorFlow's names and dots for slashes."
        ) from None
