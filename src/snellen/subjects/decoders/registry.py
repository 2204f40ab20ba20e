"""The decoders, and the choice of the one that fits a network's outputs."""

from __future__ import annotations

from snellen.errors import UserError, nearest
from snellen.subjects.decoders import (
    classifier,
    detr,
    efficientdet,
    end_to_end,
    nanodet,
    paddle_finished,
    picodet,
    plain_outputs,
    rtmdet,
    ssd,
    ssd_finished,
    yolo_nas,
    yolov5,
    yolov8,
    yolox,
)
from snellen.subjects.decoders.candidates import Decoder
from snellen.subjects.decoders.foreign_heads import refuse_foreign_head
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs

# The more specific first: the first one that recognises the outputs is used.
DECODERS: tuple[Decoder, ...] = (
    yolov8.SEGMENTER,
    yolov5.SEGMENTER,
    yolov8.DECODER,
    yolov5.DECODER,
    nanodet.DECODER,
    nanodet.PLUS,
    picodet.DECODER,
    yolox.DECODER,
    yolox.DECODED,
    rtmdet.DECODER,
    ssd_finished.DECODER,
    ssd.DECODER,
    ssd.X_FIRST,
    efficientdet.DECODER,
    detr.RT_DETR,
    detr.DECODER,
    yolo_nas.DECODER,
    yolo_nas.PADDLE_DECODED,
    yolo_nas.FINISHED,
    yolo_nas.FLAT,
    end_to_end.DECODER,
    paddle_finished.DECODER,
    rtmdet.FINISHED,
    detr.RT_FINISHED,
    plain_outputs.SEGMENTER,
    plain_outputs.DECODER,
    classifier.DECODER,
)

ALIASES = {
    "yolov7": "yolov5",
    "yolov9": "yolov8",
    "yolov10": "end-to-end",
    "yolov11": "yolov8",
    "d-fine": "rt-detr",
}
"""Other names of networks with the same outputs."""


def chosen_decoder(name: str, outputs: Outputs, settings: DecoderSettings, where: str) -> Decoder:
    """The decoder of this name; with `auto`, the one that recognises the outputs."""
    by_name = {decoder.name: decoder for decoder in DECODERS}
    name = ALIASES.get(name, name)
    if name != "auto":
        if name not in by_name:
            raise UserError(f"{where}: decoder: unknown name '{name}'{nearest(name, by_name)}")
        return by_name[name]
    refuse_foreign_head(outputs, settings, where)
    for decoder in DECODERS:
        if decoder.recognises(outputs, settings):
            return decoder
    raise UserError(
        f"{where}: no decoder recognises the model's outputs: {outputs}; its input is "
        f"{settings.size[0]} x {settings.size[1]} (height x width). Set `decoder` to one of "
        f"{', '.join(by_name)}, or use `kind: python` for other networks."
    )


def recognising_decoders(outputs: Outputs, settings: DecoderSettings) -> tuple[str, ...]:
    """The names of all decoders that recognise the outputs."""
    return tuple(one.name for one in DECODERS if one.recognises(outputs, settings))
