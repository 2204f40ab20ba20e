"""A Darknet network as an ONNX model whose outputs are the inputs of its heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.subjects.darknet.cfg_file import (
    Convolutional,
    DarknetModel,
    MaxPool,
    Route,
    Shortcut,
    Upsample,
    Yolo,
)
from snellen.subjects.darknet.layer_shapes import Shape, shapes_of
from snellen.subjects.darknet.weights_file import Kernel
from snellen.subjects.model_file.onnx_model import OnnxGraph, OnnxModel, OnnxValue

VERSION = 1
"""Incremented when the graph changes, so that older conversions in the cache are not used."""
OPSET = 13
IR = 8
LEAK = 0.1


def to_onnx(model: DarknetModel, kernels: Mapping[int, Kernel]) -> bytes:
    """The content of the ONNX file; see `darknet_onnx`."""
    return darknet_onnx(model, kernels).to_bytes()


def darknet_onnx(model: DarknetModel, kernels: Mapping[int, Kernel]) -> OnnxModel:
    """The network: input `image` (N, 3, H, W), outputs `head_0`... (N, A * (5 + C), h, w)."""
    layers, shapes = _Layers(model, kernels), shapes_of(model)
    heads = [index for index, layer in enumerate(model.layers) if isinstance(layer, Yolo)]
    outputs = [OnnxValue(f"head_{order}", ["N", *shapes[k]]) for order, k in enumerate(heads)]
    image = OnnxValue("image", ["N", model.channels, *model.size])
    return OnnxModel("darknet", layers.graph, [image], outputs, OPSET, IR)


class _Layers:
    """The graph, built layer by layer."""

    def __init__(self, model: DarknetModel, kernels: Mapping[int, Kernel]) -> None:
        self.graph = OnnxGraph()
        self._values = ["image"]
        self._shapes = [(model.channels, *model.size), *shapes_of(model)]
        self._heads = 0
        for index, layer in enumerate(model.layers):
            self._values.append(self._add_layer(index, layer, kernels))

    def _add_layer(self, index: int, layer: Any, kernels: Mapping[int, Kernel]) -> str:
        """Add the layer's nodes; the name of its output."""
        before, shape = self._values[-1], self._shapes[index]
        match layer:
            case Convolutional():
                return self._convolution(index, layer, kernels[index])
            case MaxPool():
                after = self._shapes[index + 1]
                return self.graph.node(
                    "MaxPool", [before], f"layer_{index}", **_window(layer, shape, after)
                )
            case Route():
                return self._route(index, layer)
            case Shortcut():
                others = [self._values[one + 1] for one in layer.layers]
                total = self.graph.node("Sum", [before, *others], f"layer_{index}_sum")
                return self._activated(total, layer.activation, f"layer_{index}")
            case Upsample():
                scales = self.graph.constant(
                    f"layer_{index}_scales",
                    np.array([1, 1, layer.stride, layer.stride], np.float32),
                )
                return self.graph.node(
                    "Resize",
                    [before, "", scales],
                    f"layer_{index}",
                    mode="nearest",
                    coordinate_transformation_mode="asymmetric",
                    nearest_mode="floor",
                )
            case _:
                self._heads += 1
                self.graph.node("Identity", [before], f"head_{self._heads - 1}")
                return before

    def _convolution(self, index: int, layer: Convolutional, weights: Kernel) -> str:
        kernel, bias = weights.folded()
        name = f"layer_{index}"
        inputs = [
            self._values[-1],
            self.graph.constant(f"{name}_kernel", kernel),
            self.graph.constant(f"{name}_bias", bias),
        ]
        linear = self.graph.node(
            "Conv",
            inputs,
            f"{name}_linear",
            kernel_shape=[layer.size] * 2,
            strides=[layer.stride] * 2,
            pads=[layer.padding] * 4,
            dilations=[layer.dilation] * 2,
            group=layer.groups,
        )
        return self._activated(linear, layer.activation, name)

    def _activated(self, value: str, activation: str, name: str) -> str:
        match activation:
            case "leaky":
                return self.graph.node("LeakyRelu", [value], name, alpha=LEAK)
            case "logistic":
                return self.graph.node("Sigmoid", [value], name)
            case "relu":
                return self.graph.node("Relu", [value], name)
            case "swish":
                gate = self.graph.node("Sigmoid", [value], f"{name}_gate")
                return self.graph.node("Mul", [value, gate], name)
            case "mish":
                soft = self.graph.node("Softplus", [value], f"{name}_soft")
                gate = self.graph.node("Tanh", [soft], f"{name}_gate")
                return self.graph.node("Mul", [value, gate], name)
            case _:
                return value

    def _route(self, index: int, layer: Route) -> str:
        parts = [self._values[one + 1] for one in layer.layers]
        if layer.groups > 1:
            parts = [
                self._slice(index, order, layer, self._shapes[one + 1][0])
                for order, one in enumerate(layer.layers)
            ]
        return self.graph.node("Concat", parts, f"layer_{index}", axis=1)

    def _slice(self, index: int, order: int, layer: Route, channels: int) -> str:
        """One group of a layer's channels."""
        width = channels // layer.groups
        name = f"layer_{index}_part_{order}"
        bounds = {"starts": layer.group * width, "ends": (layer.group + 1) * width, "axes": 1}
        limits = [
            self.graph.constant(f"{name}_{key}", np.array([value], dtype=np.int64))
            for key, value in bounds.items()
        ]
        return self.graph.node("Slice", [self._values[layer.layers[order] + 1], *limits], name)


def _window(layer: MaxPool, before: Shape, after: Shape) -> dict[str, list[int]]:
    """ONNX's window of a max-pool: Darknet pads the smaller half first, the rest at the end."""
    first = layer.padding // 2
    ends = [
        max(0, (out - 1) * layer.stride + layer.size - side - first)
        for side, out in zip(before[1:], after[1:], strict=True)
    ]
    return {
        "kernel_shape": [layer.size] * 2,
        "strides": [layer.stride] * 2,
        "pads": [first, first, *ends],
    }
