"""`kind: darknet`: a YOLOv3 or v4 detector in Darknet's files, converted to ONNX once."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.disk.atomic_file import write_atomically
from snellen.disk.cache import cache_folder
from snellen.errors import UserError
from snellen.subjects.darknet.cfg_file import DarknetModel, read_cfg
from snellen.subjects.darknet.head_decoder import head_decoder
from snellen.subjects.darknet.onnx_graph import VERSION, to_onnx
from snellen.subjects.darknet.weights_file import read_weights
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.model_file.model_options import ModelOptions, existing_file
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.onnx import CPU, OnnxNetwork
from snellen.subjects.registry import Adapter

log = logging.getLogger(__name__)


class DarknetOptions(ModelOptions):
    """Options of a Darknet model."""

    kind: Literal["darknet"]
    cfg: str = Field(description="file of the network's layers (.cfg)")
    weights: str = Field(description="file of its weights")
    names: str | None = Field(default=None, description="file of class names, one per line")
    decoder: Literal["auto", "darknet"] = Field(
        default="auto", description="only darknet: the layers define how outputs are read"
    )
    providers: tuple[str, ...] = Field(
        default=(CPU,), description="execution providers of onnxruntime, in order of preference"
    )


def open_darknet(options: DarknetOptions, folder: Path) -> ModelSubject:
    """The subject in a pair of Darknet files, loaded."""
    cfg = existing_file(folder, options.cfg, "subject.cfg")
    weights = existing_file(folder, options.weights, "subject.weights")
    model = read_cfg(cfg)
    model = replace(model, size=options.size or model.size)
    digest = fingerprint_of(
        cfg=file_digest(cfg), weights=file_digest(weights), size=model.size, version=VERSION
    )
    network = _network(digest, model, weights, options)
    if options.names is not None:
        options = options.model_copy(update={"classes": options.names})
    source = ModelSource(str(cfg), folder, digest, weights.stem)
    return open_model(network, options, source, head_decoder(model.heads))


def _network(
    digest: str, model: DarknetModel, weights: Path, options: DarknetOptions
) -> OnnxNetwork:
    """The converted network, from the cache if it has a valid conversion."""
    path = _cache_path(digest)
    if path.exists():
        try:
            return OnnxNetwork(path, options.threads, options.providers)
        except UserError:
            log.warning("%s: damaged, so the network is converted again", path)
    try:
        data = to_onnx(model, read_weights(weights, model))
    except ValueError as error:  # of ONNX's own checks
        raise UserError(f"{model.where}: cannot be converted to ONNX: {error}") from error
    try:
        write_atomically(path, data)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}. Set SNELLEN_CACHE to a folder with room."
        ) from error
    try:
        return OnnxNetwork(path, options.threads, options.providers)
    except UserError as error:
        raise UserError(f"{model.where}: cannot be run as ONNX: {error}") from error


def _cache_path(digest: str) -> Path:
    try:
        return cache_folder("darknet") / f"{digest}.onnx"
    except OSError as error:
        raise UserError(
            f"the cache folder cannot be created: {error}. Set SNELLEN_CACHE to a writable folder."
        ) from error


ADAPTER = Adapter(DarknetOptions, open_darknet, page="subjects-model-files", runs=())
