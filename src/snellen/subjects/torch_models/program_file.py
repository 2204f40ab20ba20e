"""`kind: torch-program`: a model in a file that torch runs without the code of its network.

TorchScript (`torch.jit.save`, Ultralytics' `format=torchscript`) and exported programs
(`torch.export.save`, `.pt2`). A file of weights alone is neither.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from snellen.disk.json_text import checked_json
from snellen.errors import MissingExtraError, UserError
from snellen.subjects.fingerprints import file_digest
from snellen.subjects.model_file.exporter_metadata import input_size
from snellen.subjects.model_file.model_options import ModelOptions, existing_file
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.network import NetworkInput, check_input
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.recognition import is_torch_program
from snellen.subjects.registry import Adapter
from snellen.vision.arrays import AnyArray

ANY_IMAGE = (None, 3, None, None)
"""The input of a TorchScript file, which declares no shape."""
METADATA = "config.txt"
"""Where Ultralytics stores names and sizes in a TorchScript file, as JSON."""


class TorchProgramOptions(ModelOptions):
    """Options of a TorchScript file or an exported program."""

    kind: Literal["torch-program"]
    model: str = Field(description="file of torch.jit.save or torch.export.save")
    device: str = Field(default="cpu", description="torch device, such as cpu or cuda:0")


class TorchProgram:
    """A network run by torch; see `Network`."""

    forward_batch = 1

    def __init__(self, path: Path, options: TorchProgramOptions) -> None:
        torch = _torch()
        if options.threads:
            torch.set_num_threads(options.threads)
        self.metadata: Mapping[str, str] = {}
        shape: tuple[int | None, ...] = ANY_IMAGE
        self._device = _device(options.device)
        try:
            if path.suffix == ".pt2":
                program = torch.export.load(path)
                shape, self._call = _declared(program, path), program.module().to(self._device)
            else:
                self._call, self.metadata = _script(path, self._device)
        except UserError:
            raise
        except Exception as error:  # a stranger's file may fail in any way
            raise UserError(
                f"{path}: torch cannot load it: {error}. Check the file, or export it again."
            ) from error
        self.input = NetworkInput(shape, np.dtype(np.float32))
        self.runtime = f"torch {torch.__version__} {options.device}"
        self.output_names = self._named(path, options.size)

    def _named(self, path: Path, size: tuple[int, int] | None) -> tuple[str, ...]:
        """A name for each output, which a file of torch does not have; asks for a blank image."""
        default = size or input_size(self.metadata, str(path))
        height, width = (
            fixed or free for fixed, free in zip(self.input.size, default, strict=True)
        )
        blank = np.zeros((height, width, 3), np.float32)
        try:
            found = self.run(self.input.tensor([blank]))
        except (RuntimeError, TypeError) as error:
            raise UserError(
                f"{path}: torch cannot run it on an image of {height} x {width} (height x width): "
                f"{error}. Set subject.size to the input size of the model."
            ) from error
        return tuple(f"output_{place}" for place in range(len(found)))

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array per output."""
        torch = _torch()
        with torch.inference_mode():
            found = self._call(torch.from_numpy(tensor).to(self._device))
        return [one.cpu().numpy() for one in _flat(found)]

    def close(self) -> None:
        """Release the network."""
        self._call = None


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise MissingExtraError("subject kind 'torch-program'", "torch") from None
    return torch


def _device(name: str) -> Any:
    torch = _torch()
    try:
        return torch.zeros(1, device=torch.device(name)).device
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(
            f"subject.device: found {name!r}, which torch cannot use here: {reason}. Use cpu."
        ) from None


def _script(path: Path, device: Any) -> tuple[Any, Mapping[str, str]]:
    """A TorchScript module, and what its exporter wrote about it."""
    extra = {METADATA: ""}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        module = _torch().jit.load(str(path), map_location=device, _extra_files=extra)
    return module.eval(), _facts(extra[METADATA])


def _facts(text: str | bytes) -> dict[str, str]:
    """The exporter's facts as Python literals by key; none if the text is no JSON mapping."""
    try:
        values = checked_json(text or "{}")
    except ValueError:
        return {}
    return {key: repr(_ids(one)) for key, one in values.items()} if isinstance(values, dict) else {}


def _ids(value: Any) -> Any:
    """A mapping with the whole numbers that JSON made text of its keys."""
    if isinstance(value, dict) and all(key.isdecimal() and len(key) < 19 for key in value):
        return {int(key): one for key, one in value.items()}
    return value


def _declared(program: Any, path: Path) -> tuple[int | None, ...]:
    """The shape of the only input of an exported program."""
    wanted = set(program.graph_signature.user_inputs)
    nodes = [one for one in program.graph.nodes if one.op == "placeholder" and one.name in wanted]
    shapes = {
        one.name: tuple(side if isinstance(side, int) else None for side in one.meta["val"].shape)
        for one in nodes
    }
    check_input(str(path), shapes)
    return shapes[nodes[0].name]


def _flat(found: Any) -> list[Any]:
    """The tensors of an output, which may be nested."""
    if isinstance(found, Mapping):
        found = list(found.values())
    if isinstance(found, Sequence):
        return [tensor for one in found for tensor in _flat(one)]
    return [found]


def open_program(options: TorchProgramOptions, folder: Path) -> ModelSubject:
    """The subject in a file that torch runs, loaded."""
    path = existing_file(folder, options.model, "subject.model")
    if not is_torch_program(path):
        raise UserError(
            f"{path}: is neither TorchScript nor an exported program; a file of weights alone "
            "needs the code of its network. Save it with torch.export.save, or export it to ONNX."
        )
    network = TorchProgram(path, options)
    source = ModelSource(str(path), folder, file_digest(path), path.stem)
    return open_model(network, options, source)


ADAPTER = Adapter(TorchProgramOptions, open_program, runs=("model",))
