"""From the options of `kind: torch` to a subject."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from snellen.errors import UserError
from snellen.subjects.darknet.torch_network.loader import open_darknet_detector
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.torch_models.dropout import Dropout, evaluation_mode, last_weighted_layer
from snellen.subjects.torch_models.named_layer import named_layer
from snellen.subjects.torch_models.options import DropoutOptions, TorchOptions
from snellen.subjects.torch_models.state_digest import state_digest
from snellen.subjects.torch_models.torch_subject import InferenceSettings, TorchSubject, device_of
from snellen.subjects.torch_models.trainable_detector import TrainableDetector, fit_of
from snellen.subjects.torch_models.user_detector import open_user_detector

VERSION = 1
"""Incremented when the same module gives a different answer."""

DEFAULT_BATCH = 8
GREY = 114


def open_torch_subject(options: TorchOptions, folder: Path) -> TorchSubject:
    """The subject, with its module on the requested device and checked on a grey image."""
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    open_detector = open_darknet_detector if options.target is None else open_user_detector
    detector, name, parts = open_detector(options, folder)
    _move(detector, options.device)
    settings = _inference_settings(options, detector)
    fingerprint = _fingerprint(detector, settings, parts)
    subject = TorchSubject(detector, settings, name=options.name or name, fingerprint=fingerprint)
    subject.predict([np.full((*detector.size, 3), GREY, dtype=np.uint8)])
    return subject


def _move(detector: TrainableDetector, device: str) -> None:
    try:
        detector.module.to(torch.device(device))
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UserError(
            f"subject.device: '{device}' cannot be used: {str(error).splitlines()[0]}. Remove it "
            "to use the CPU."
        ) from None


def _inference_settings(options: TorchOptions, detector: TrainableDetector) -> InferenceSettings:
    if options.explain.layer is not None:
        named_layer(detector.module, options.explain.layer, "explain.layer")
    on_cpu = device_of(detector).type == "cpu"
    return InferenceSettings(
        score=options.score,
        floor=options.lowest,
        batch=options.batch or DEFAULT_BATCH,
        forward_batch=options.batch or (1 if on_cpu else DEFAULT_BATCH),
        dropout=None if options.dropout is None else _dropout(options.dropout, detector),
        layer=options.explain.layer,
        weighting=options.explain.weighting,
    )


def _dropout(options: DropoutOptions, detector: TrainableDetector) -> Dropout:
    layers = options.layers or tuple(getattr(detector, "heads", ())) or _last_layer(detector)
    for layer in layers:
        named_layer(detector.module, layer, "dropout.layers")
    return Dropout(options.rate, tuple(layers), options.seed)


def _last_layer(detector: TrainableDetector) -> tuple[str, ...]:
    """The last convolution or linear layer that runs, for a detector without `heads`."""
    grey = torch.full((1, 3, *detector.size), GREY / 255, device=device_of(detector))
    with evaluation_mode(detector.module), torch.inference_mode():
        found = last_weighted_layer(detector.module, lambda: detector.outputs(grey))
    if found is None:
        raise UserError(
            "subject.dropout.layers: missing, and the module runs no convolution or linear layer "
            "to use by default. Name the layers."
        )
    return (found,)


def _fingerprint(
    detector: TrainableDetector, settings: InferenceSettings, parts: dict[str, Any]
) -> str:
    return fingerprint_of(
        kind="torch",
        version=VERSION,
        runtime=f"torch {torch.__version__} {device_of(detector).type}",
        state=state_digest(detector.module),
        classes=detector.classes,
        size=detector.size,
        fit=fit_of(detector).value,
        floor=settings.floor,
        dropout=None if settings.dropout is None else asdict(settings.dropout),
        **parts,
    )
