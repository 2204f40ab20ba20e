"""The decoders, and the choice of the one that fits a network's outputs."""

from __future__ import annotations

from snellen.errors import UserError, nearest
from snellen.subjects.decoders import (
    classifier,
    detr,
    end_to_end,
    nanodet,
    plain_outputs,
    ssd,
    ssd_finished,
    yolov5,
    yolov8,
    yolox,
)
from snellen.subjects.decoders.candidates import Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs

# The more specific first: the first one that recognises the outputs is used.
DECODERS: tuple[Decoder, ...] = (
    yolov8.SEGMENTER,
    yolov5.SEGMENTER,
    yolov8.DECODER,
    yolov5.DECODER,
    nanodet.DECODER,
    nanodet.PLUS,
    yolox.DECODER,
    yolox.DECODED,
    ssd_finished.DECODER,
    ssd.DECODER,
    ssd.X_FIRST,
    detr.RT_DETR,
    detr.DECODER,
    end_to_end.DECODER,
    plain_outputs.SEGMENTER,
    plain_outputs.DECODER,
    classifier.DECODER,
)


def chosen_decoder(name: str, outputs: Outputs, settings: DecoderSettings, where: str) -> Decoder:
    """The decoder of this name; with `auto`, the one that recognises the outputs."""
    by_name = {decoder.name: decoder for decoder in DECODERS}
    if name != "auto":
        if name not in by_name:
            raise UserError(f"{where}: decoder: unknown name '{name}'{nearest(name, by_name)}")
        return by_name[name]
    for decoder in DECODERS:
        if decoder.recognises(outputs, settings):
            return decoder
    raise UserError(
        f"{where}: no decoder recognises the model's outputs: {outputs}; its input is "
        f"{settings.size[0]} x {settings.size[1]} (height x width). Set `decoder` to one of "
        f"{', '.join(by_name)}, or use `kind: python` for other networks."
    )
