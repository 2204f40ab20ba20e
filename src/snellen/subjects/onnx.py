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
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.registry import Adapter
from snellen.vision.arrays import AnyArray

FATAL_ONLY = 4
CPU = "CPUExecutionProvider"
# On a CPU, images one by one are as fast or faster, and no answer depends on its neighbours.
ACCELERATOR_BATCH = 8
NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
}


class OnnxOptions(ModelOptions):
    """The options of an ONNX model."""

    kind: Literal["onnx"]
    model: str = Field(description="the file")
    providers: tuple[str, ...] = Field(
        default=(CPU,), description="onnxruntime's, in order of preference"
    )


class OnnxNetwork:
    """A network that onnxruntime runs; see `Network`."""

    def __init__(
        self, path: Path, threads: int | None = None, providers: Sequence[str] = ()
    ) -> None:
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = FATAL_ONLY
        settings.intra_op_num_threads = threads or 0
        # Threads that wait by spinning take the processor from those that build the next case.
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = _session(path, settings, list(providers))
        shapes = {one.name: _shape(one.shape) for one in self._session.get_inputs()}
        check_input(str(path), shapes)
        [declared] = self._session.get_inputs()
        if declared.type not in NUMBERS:
            raise UserError(
                f"{path}: the input's type is {declared.type}, expected {', '.join(NUMBERS)}"
            )
        self._name: str = declared.name
        self.input = NetworkInput(shapes[declared.name], np.dtype(NUMBERS[declared.type]))
        self.output_names = tuple(one.name for one in self._session.get_outputs())
        self.runtime = f"onnxruntime {onnxruntime.__version__} {self._session.get_providers()[0]}"
        self.forward_batch = 1 if self._session.get_providers()[0] == CPU else ACCELERATOR_BATCH
        self.metadata: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array for each output."""
        outputs: Sequence[AnyArray] = self._session.run(None, {self._name: tensor})
        return outputs

    def close(self) -> None:
        """Let go of the session."""
        self._session = None


def _shape(declared: Sequence[int | str | None]) -> tuple[int | None, ...]:
    return tuple(side if isinstance(side, int) and side > 0 else None for side in declared)


def _session(path: Path, settings: Any, providers: list[str]) -> Any:
    import onnxruntime

    missing = set(providers) - set(onnxruntime.get_available_providers())
    if missing:
        raise UserError(
            f"providers: {', '.join(sorted(missing))}: not in this onnxruntime, which has "
            f"{', '.join(onnxruntime.get_available_providers())}"
        )
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=providers or [CPU])
    except Exception as error:
        raise UserError(f"{path}: onnxruntime cannot load it: {error}") from error


def open_onnx(options: OnnxOptions, folder: Path) -> ModelSubject:
    """The subject in an ONNX file, loaded."""
    path = existing_file(folder, options.model, "subject.model")
    digest = file_digest(path)
    network = OnnxNetwork(path, options.threads, options.providers)
    return open_model(network, options, ModelSource(str(path), folder, digest, path.stem))


ADAPTER = Adapter(OnnxOptions, open_onnx)
