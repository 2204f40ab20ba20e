"""`kind: onnx`: a detector, segmenter or classifier in an ONNX file, run by onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from snellen.errors import UserError
from snellen.subjects.fingerprints import file_digest
from snellen.subjects.model_file.model_options import ModelOptions, existing_file
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.network import NetworkInput, check_input
from snellen.subjects.model_file.size_inputs import VALUES, size_inputs
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.registry import Adapter
from snellen.vision.arrays import AnyArray

FATAL_ONLY = 4
CPU = "CPUExecutionProvider"
# On a CPU, single images are at least as fast, and no answer depends on the rest of the batch.
ACCELERATOR_BATCH = 8
NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
}
SIZES = {"tensor(int64)": "int64", "tensor(int32)": "int32", "tensor(float)": "float32"}


class OnnxOptions(ModelOptions):
    """Options of an ONNX model."""

    kind: Literal["onnx"]
    model: str = Field(description="model file")
    providers: tuple[str, ...] = Field(
        default=(CPU,), description="execution providers of onnxruntime, in order of preference"
    )


class OnnxNetwork:
    """A network run by onnxruntime; see `Network`."""

    def __init__(
        self, path: Path, threads: int | None = None, providers: Sequence[str] = ()
    ) -> None:
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = FATAL_ONLY
        settings.intra_op_num_threads = threads or 0
        # Spinning threads would take the processor from those that build the next case.
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = _session(path, settings, list(providers))
        try:
            self._describe(path)
        except UnicodeDecodeError as error:
            raise UserError(
                f"{path}: has a name or metadata that are not text ({error}). The file is damaged; "
                "copy or export it again."
            ) from error

    def _describe(self, path: Path) -> None:
        """Read names, shapes and metadata from the session."""
        import onnxruntime

        inputs = {one.name: one for one in self._session.get_inputs()}
        self._sizes = {
            name: np.dtype(SIZES.get(one.type, "float32"))
            for name, one in inputs.items()
            if name in VALUES
        }
        images = {name: one for name, one in inputs.items() if name not in self._sizes}
        shapes = {name: _shape(one.shape) for name, one in images.items()}
        check_input(str(path), shapes)
        [declared] = images.values()
        if declared.type not in NUMBERS:
            raise UserError(
                f"{path}: the input has type {declared.type}, expected one of "
                f"{', '.join(NUMBERS)}. Export the model with one of these."
            )
        self._name: str = declared.name
        self.input = NetworkInput(shapes[declared.name], np.dtype(NUMBERS[declared.type]))
        self.output_names = tuple(one.name for one in self._session.get_outputs())
        self.runtime = f"onnxruntime {onnxruntime.__version__} {self._session.get_providers()[0]}"
        self.forward_batch = 1 if self._session.get_providers()[0] == CPU else ACCELERATOR_BATCH
        self.metadata: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array per output."""
        feeds = {self._name: tensor}
        if self._sizes:
            place = (1, 2) if self.input.channels_last else (2, 3)
            size = (tensor.shape[place[0]], tensor.shape[place[1]])
            feeds |= size_inputs(self._sizes, len(tensor), size)
        outputs: Sequence[AnyArray] = self._session.run(None, feeds)
        return outputs

    def close(self) -> None:
        """Release the session."""
        self._session = None


def _shape(declared: Sequence[int | str | None]) -> tuple[int | None, ...]:
    return tuple(side if isinstance(side, int) and side > 0 else None for side in declared)


def _session(path: Path, settings: Any, providers: list[str]) -> Any:
    import onnxruntime

    missing = set(providers) - set(onnxruntime.get_available_providers())
    if missing:
        raise UserError(
            f"subject.providers: found {', '.join(sorted(missing))}, but this onnxruntime has only "
            f"{', '.join(onnxruntime.get_available_providers())}. Remove it to use the CPU, or "
            "install the build of onnxruntime for your hardware, such as onnxruntime-gpu."
        )
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=providers or [CPU])
    except Exception as error:
        raise UserError(f"{path}: {_unloadable(path, error)}") from error


def _unloadable(path: Path, error: Exception) -> str:
    """Why onnxruntime cannot load a file."""
    if "INVALID_PROTOBUF" not in str(error):
        return f"onnxruntime cannot load it: {error}. Check the file, or export it again."
    with path.open("rb") as file:
        start = file.read(40)
    if start.isascii() and start.decode().replace("\n", " ").isprintable():
        return f"is not an ONNX file but text, {start.decode()!r}. Give the exported model."
    return (
        f"is not a whole ONNX file ({path.stat().st_size:,} bytes): it is cut short, damaged or of "
        "another format. Copy or export it again."
    )


def open_onnx(options: OnnxOptions, folder: Path) -> ModelSubject:
    """The subject in an ONNX file, loaded."""
    path = existing_file(folder, options.model, "subject.model")
    digest = file_digest(path)
    network = OnnxNetwork(path, options.threads, options.providers)
    return open_model(network, options, ModelSource(str(path), folder, digest, path.stem))


ADAPTER = Adapter(OnnxOptions, open_onnx, page="subjects-model-files", runs=())
