"""`kind: tflite`: a detector, segmenter or classifier in a TensorFlow Lite file, run by LiteRT."""

from __future__ import annotations

import logging
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from snellen.disk.json_text import checked_json
from snellen.errors import MissingExtraError, UserError
from snellen.subjects.fingerprints import file_digest
from snellen.subjects.model_file.exporter_metadata import literal
from snellen.subjects.model_file.model_options import ModelOptions, existing_file
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.network import NetworkInput, check_input
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.registry import Adapter
from snellen.vision.arrays import AnyArray

log = logging.getLogger(__name__)

LARGEST, FILES = 1 << 20, 20
"""Bytes and number of the files of metadata that are read."""
DAMAGED = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, KeyError,
    IndexError, TypeError, struct.error, lzma.LZMAError,
)  # fmt: skip
"""What an archive raises that is damaged, encrypted or compressed in another way."""


class TfliteOptions(ModelOptions):
    """Options of a TensorFlow Lite model."""

    kind: Literal["tflite"]
    model: str = Field(description="model file")
    labels: str | None = Field(default=None, description="label file, one name per line")


class TfliteNetwork:
    """A network run by LiteRT; see `Network`."""

    forward_batch = 1

    def __init__(
        self, path: Path, threads: int | None = None, size: tuple[int, int] | None = None
    ) -> None:
        self._interpreter: Any = _interpreter(path, threads)
        inputs = self._interpreter.get_input_details()
        check_input(str(path), {one["name"]: _declared(one) for one in inputs})
        self._place: int = inputs[0]["index"]
        if size is not None and None in _declared(inputs[0]):
            self._resize(inputs[0], size)
        self._interpreter.allocate_tensors()
        [ready] = self._interpreter.get_input_details()
        shape = tuple(int(side) for side in ready["shape"])
        self.input = NetworkInput(shape, np.dtype(ready["dtype"]), _quantisation(ready))
        self._outputs = self._interpreter.get_output_details()
        self.output_names = tuple(str(one["name"]) for one in self._outputs)
        self.runtime = f"litert {_version()}"
        self.metadata: Mapping[str, str] = read_metadata(path)

    def _resize(self, declared: Mapping[str, Any], size: tuple[int, int]) -> None:
        """Fix a variable input at one image of this (height, width)."""
        last = declared["shape"][-1] == 3
        shape = [1, *size, 3] if last else [1, 3, *size]
        self._interpreter.resize_tensor_input(self._place, shape)

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array per output, dequantised."""
        self._interpreter.set_tensor(self._place, tensor)
        self._interpreter.invoke()
        return [self._real(one) for one in self._outputs]

    def _real(self, output: Mapping[str, Any]) -> AnyArray:
        values: AnyArray = self._interpreter.get_tensor(output["index"])
        quantisation = _quantisation(output)
        if quantisation is None:
            return values
        scale, zero = quantisation
        return (values.astype(np.float32) - zero) * np.float32(scale)

    def close(self) -> None:
        """Release the interpreter."""
        self._interpreter = None


def _interpreter(path: Path, threads: int | None) -> Any:
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        raise MissingExtraError("subject kind 'tflite'", "tflite") from None
    try:
        return Interpreter(model_path=str(path), num_threads=threads)
    except (ValueError, RuntimeError) as error:
        raise UserError(
            f"{path}: LiteRT cannot load it: {error}. Check the file, or export it again."
        ) from error


def _version() -> str:
    from importlib.metadata import version

    return version("ai-edge-litert")


def _declared(tensor: Mapping[str, Any]) -> tuple[int | None, ...]:
    """A tensor's shape, None for a variable side."""
    signature = tensor.get("shape_signature")
    shape = signature if signature is not None and len(signature) else tensor["shape"]
    return tuple(int(side) if side > 0 else None for side in shape)


def _quantisation(tensor: Mapping[str, Any]) -> tuple[float, int] | None:
    """(scale, zero point) of a quantised tensor, else None."""
    scale, zero = tensor["quantization"]
    whole = np.issubdtype(tensor["dtype"], np.integer)
    return (float(scale), int(zero)) if whole and scale else None


def read_metadata(path: Path) -> dict[str, str]:
    """The metadata in the zip archive after the model, as Python literals by key.

    `names` also comes from a label file in the archive. Empty if there is no archive.
    """
    try:
        if not zipfile.is_zipfile(path):
            return {}
        with zipfile.ZipFile(path) as archive:
            small = [one for one in archive.infolist() if one.file_size <= LARGEST][:FILES]
            texts = {one.filename: archive.read(one).decode("utf-8", "replace") for one in small}
    except DAMAGED as error:
        log.warning("%s: its metadata cannot be read and are not used: %s", path, error)
        return {}
    for text in texts.values():
        values = _mapping(text)
        if not values:
            continue
        try:
            return {str(key): repr(value) for key, value in values.items()}
        except ValueError as error:  # a whole number of more digits than Python writes
            log.warning("%s: its metadata cannot be read and are not used: %s", path, error)
            return {}
    labels = [text for name, text in texts.items() if name.endswith(".txt")]
    return {"names": repr(labels[0].rstrip().splitlines())} if len(labels) == 1 else {}


def _mapping(text: str) -> Mapping[str, Any] | None:
    """The mapping in a text, as JSON or as a Python literal, or None."""
    try:
        values = checked_json(text)
    except ValueError:
        values = literal(text)
    return values if isinstance(values, dict) else None


def open_tflite(options: TfliteOptions, folder: Path) -> ModelSubject:
    """The subject in a TensorFlow Lite file, loaded."""
    path = existing_file(folder, options.model, "subject.model")
    digest = file_digest(path)
    network = TfliteNetwork(path, options.threads, options.size)
    if options.labels is not None:
        options = options.model_copy(update={"classes": options.labels})
    return open_model(network, options, ModelSource(str(path), folder, digest, path.stem))


ADAPTER = Adapter(TfliteOptions, open_tflite, page="subjects-model-files", runs=())
