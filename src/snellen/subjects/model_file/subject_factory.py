"""From a loaded network and the user's options to a subject, with the inference of defaults."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import SubjectError, UserError
from snellen.subjects.decoders.candidates import Decoder
from snellen.subjects.decoders.foreign_heads import refuse_declared_task
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.registry import chosen_decoder, recognising_decoders
from snellen.subjects.decoders.ssd_anchors import read_anchors
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.model_file.class_table import (
    ClassTable,
    Numbering,
    default_names,
    read_class_names,
    table_for,
)
from snellen.subjects.model_file.exporter_metadata import class_names, input_size
from snellen.subjects.model_file.model_options import ModelOptions
from snellen.subjects.model_file.model_subject import VERSION, ModelSubject, OutputReader
from snellen.subjects.model_file.network import Network

log = logging.getLogger(__name__)

DEFAULT_BATCH = 8
LARGEST_INPUT = 1 << 23
"""Pixels of a network's input, all images of a fixed batch together."""
GREY = 114


@dataclass(frozen=True)
class ModelSource:
    """The source of a model. where: for messages. digest: hash of its content."""

    where: str
    folder: Path
    digest: str
    name: str


def open_model(
    network: Network, options: ModelOptions, source: ModelSource, decoder: Decoder | None = None
) -> ModelSubject:
    """The subject; `decoder` overrides the one from the options or the outputs."""
    refuse_declared_task(network.metadata, source.where)
    size = _size(network, options, source.where)
    try:
        outputs, forward_batch = _probe(network, size, options.batch or network.forward_batch)
    except SubjectError as error:
        raise SubjectError(f"{source.where}: {error}") from error

    def read_with(changes: Mapping[str, Any]) -> OutputReader:
        given = type(options).model_validate({**options.model_dump(), **changes})
        return _output_reader(network, given, source, size, outputs, decoder)

    reader = read_with({})
    forward_batch = forward_batch if reader.size else 1
    log.info("%s: read as %s, input %s", source.where, reader.decoder.name, size)
    return ModelSubject(
        network,
        reader,
        name=options.name or source.name,
        fingerprint=_fingerprint(network, reader, source),
        score=options.score,
        batch=options.batch or network.input.batch or DEFAULT_BATCH,
        forward_batch=forward_batch,
        read_with=read_with,
        decoders=recognising_decoders(outputs, reader.settings),
    )


def _output_reader(
    network: Network,
    options: ModelOptions,
    source: ModelSource,
    size: tuple[int, int],
    outputs: Outputs,
    decoder: Decoder | None,
) -> OutputReader:
    """The reader of the outputs, from the options, else inferred from one run."""
    names = _names(network, options, source)
    settings = DecoderSettings(
        size=size,
        floor=options.lowest,
        classes=len(names) if names else None,
        activation=options.activation,
        anchors=read_anchors(source.folder / options.anchors) if options.anchors else None,
        per_class=options.per_class,
    )
    decoder = decoder or chosen_decoder(options.decoder, outputs, settings, source.where)
    settings = replace(settings, cell_offset=_cell_offset(options, decoder, source.where))
    table = _table(decoder, outputs, settings, options, names, source.where)
    return OutputReader(
        decoder=decoder,
        settings=decoder.resolve(outputs, settings),
        table=table,
        preprocessing=options.preprocessing(decoder.preprocessing),
        size=None if _in_own_size(decoder, network, options) else size,
        raw=network.input.dtype == np.uint8 and options.takes_raw_pixels,
        nms=decoder.nms if options.nms is None else options.nms,
        limit=options.max_detections,
    )


def _cell_offset(options: ModelOptions, decoder: Decoder, where: str) -> float:
    """The offset of the options, else of the decoder; 0 if its boxes do not refer to cells."""
    if options.cell_offset is None:
        return decoder.cell_offset or 0.0
    if decoder.cell_offset is None:
        raise UserError(
            f"{where}: cell_offset: found {options.cell_offset:g}, but boxes of decoder "
            f"'{decoder.name}' are not relative to cells. Remove it."
        )
    return options.cell_offset


def _size(network: Network, options: ModelOptions, where: str) -> tuple[int, int]:
    """(height, width) of the model, else of the option, else of the metadata, else 640."""
    declared, given = network.input.size, options.size
    default = given or (0, 0)
    if given is None and None in declared:
        default = input_size(network.metadata, where)
    height, width = (fixed or free for fixed, free in zip(declared, default, strict=True))
    if given not in (None, (height, width)):
        raise UserError(
            f"{where}: size: found {list(given or ())}, but the model's input is fixed at "
            f"{height} x {width} (height x width). Remove `size`."
        )
    if height * width * (network.input.batch or 1) > LARGEST_INPUT:
        raise UserError(
            f"{where}: the model's input has {network.input.batch or 1:,} x {height:,} x {width:,} "
            f"pixels (batch x height x width), at most {LARGEST_INPUT:,} are supported. Export it "
            "with a smaller one."
        )
    return height, width


def _names(network: Network, options: ModelOptions, source: ModelSource) -> tuple[str, ...] | None:
    """The class names from the options, else from the model's metadata, else None."""
    if options.classes:
        return read_class_names(options.classes, source.folder)
    return class_names(network.metadata, source.where)


def _probe(network: Network, size: tuple[int, int], preferred: int) -> tuple[Outputs, int]:
    """The outputs for a grey image, and the number of images per forward pass."""
    if network.input.batch is None:
        if preferred > 1:
            both = _probe_with_two(network, size)
            if both is not None:
                return both, preferred
        return Outputs(network.output_names, tuple(_run_grey(network, size, 1))), 1
    fixed = network.input.batch
    arrays = _run_grey(network, size, fixed)
    for name, array in zip(network.output_names, arrays, strict=True):
        if fixed > 1 and (array.ndim == 0 or len(array) == 0):
            raise SubjectError(
                f"the output {name} has the shape {array.shape} for {fixed} images, expected an "
                "answer for each along its first axis. Export the model with a batch size of 1."
            )
    return Outputs(network.output_names, tuple(a if fixed == 1 else a[0] for a in arrays)), fixed


def _probe_with_two(network: Network, size: tuple[int, int]) -> Outputs | None:
    """The outputs for one of two images, or None if the model cannot take two."""
    try:
        arrays = _run_grey(network, size, 2)
    except SubjectError as error:
        log.debug("runs one image at a time, because two fail: %s", error)
        return None
    if any(array.ndim == 0 or len(array) != 2 for array in arrays):
        return None
    return Outputs(network.output_names, tuple(array[0] for array in arrays))


def _run_grey(network: Network, size: tuple[int, int], count: int) -> list[Any]:
    raw = network.input.dtype == np.uint8
    grey = np.full((*size, 3), GREY if raw else GREY / 255, dtype=np.uint8 if raw else np.float32)
    try:
        return list(network.run(network.input.tensor([grey] * count)))
    except Exception as error:
        raise SubjectError(
            f"the model fails on a grey image of {size[0]} x {size[1]} (height x width): {error}. "
            "If its input size is variable, set `size` to a supported one."
        ) from error


def _table(
    decoder: Decoder,
    outputs: Outputs,
    settings: DecoderSettings,
    options: ModelOptions,
    names: tuple[str, ...] | None,
    where: str,
) -> ClassTable:
    """The class table, after a check that the decoder can read the outputs."""
    try:
        numbering = decoder.numbering(outputs, settings)
        decoder.decode(outputs, settings)
    except (ValueError, IndexError, KeyError) as error:
        raise UserError(
            f"{where}: decoder '{decoder.name}' cannot read the model's outputs: {outputs} "
            f"({error}). Remove `decoder` to have it inferred, or set another."
        ) from error
    if options.first_label is not None:
        numbering = Numbering(numbering.count, options.first_label)
    return table_for(names or default_names(numbering, where), numbering, where)


def _in_own_size(decoder: Decoder, network: Network, options: ModelOptions) -> bool:
    """Whether each image is passed in its own size: decoded boxes, and a variable input."""
    free = None in network.input.size and options.size is None
    return free and decoder.name in ("plain", "plain-seg")


def _fingerprint(network: Network, reader: OutputReader, source: ModelSource) -> str:
    anchors = reader.settings.anchors
    offset = reader.settings.cell_offset
    moved = {} if offset == (reader.decoder.cell_offset or 0) else {"cell_offset": offset}
    return fingerprint_of(
        model=source.digest,
        runtime=network.runtime,
        version=VERSION,
        decoder=(reader.decoder.name, reader.decoder.version),
        preprocessing=asdict(reader.preprocessing),
        size=reader.size,
        raw=reader.raw,
        nms=reader.nms,
        limit=reader.limit,
        floor=reader.settings.floor,
        activation=reader.settings.activation,
        per_class=reader.settings.per_class,
        anchors=None if anchors is None else anchors.tolist(),
        classes=reader.table.names,
        places=(reader.table.first, reader.table.places.tolist()),
        **moved,
    )
