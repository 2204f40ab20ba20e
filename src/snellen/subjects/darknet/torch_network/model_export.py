"""Export of a trained Darknet network to Darknet's own files and to ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.subjects.darknet.onnx_graph import darknet_onnx
from snellen.subjects.darknet.torch_network.decoded_onnx import decoded_onnx
from snellen.subjects.darknet.torch_network.torch_module import DarknetModule
from snellen.subjects.darknet.weights_file import write_weights
from snellen.subjects.model_file.model_subject import OutputReader

UNUSED = "???"


def save_darknet(
    module: DarknetModule, reader: OutputReader, name: str, cfg: str, folder: Path
) -> dict[str, Any]:
    """Write `name`.cfg, .weights, .names and .onnx; returns the `subject:` of the first three.

    cfg: the text of the network's cfg. Returned paths are relative to `folder`. The ONNX file is
    for other programs and `kind: onnx`; `onnx_subject` gives its configuration.
    """
    kernels, names = module.kernels(), _names(reader)
    write_atomically(folder / f"{name}.cfg", cfg.encode())
    write_weights(folder / f"{name}.weights", kernels, module.model)
    write_atomically(folder / f"{name}.names", "".join(f"{one}\n" for one in names).encode())
    network = darknet_onnx(module.model, kernels)
    write_atomically(folder / f"{name}.onnx", decoded_onnx(network, module.model, names))
    return {
        "kind": "torch",
        "cfg": f"{name}.cfg",
        "weights": f"{name}.weights",
        "names": f"{name}.names",
        "size": list(module.model.size),
        **_shared(reader),
    }


def onnx_subject(reader: OutputReader, name: str) -> dict[str, Any]:
    """The `subject:` of the ONNX file, which gives the same answers."""
    return {
        "kind": "onnx",
        "model": f"{name}.onnx",
        "decoder": "yolov5",
        "per_class": True,
        **_shared(reader),
    }


def _shared(reader: OutputReader) -> dict[str, Any]:
    return {
        "nms": reader.nms,
        "max_detections": reader.limit,
        "letterbox": reader.preprocessing.fit.value,
    }


def _names(reader: OutputReader) -> list[str]:
    """A name for each of the network's classes, `???` for an unused one."""
    table = reader.table
    return [table.names[place] if place >= 0 else UNUSED for place in table.places]
