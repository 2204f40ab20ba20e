"""Any MAITE object-detection model as a subject; MAITE itself need not be installed.

A MAITE model takes a batch of (3, H, W) arrays and returns targets with `boxes` (N, 4) x0 y0 x1 y1,
`labels` (N,) and `scores` (N,) or (N, C); its `metadata` has an `id` and often `index2label`. MAITE
defines neither the channel order nor the value range: Snellen passes RGB, as bytes or as floats
from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from snellen.errors import SubjectError, UserError
from snellen.subjects.answers.value_checks import detached, finite_array
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.python import PythonSubject, TargetOptions, open_target
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Task
from snellen.subjects.user_code.user_code_options import (
    UserCodeOptions,
    fingerprint_options,
    traits_of,
)
from snellen.vision.arrays import F64, AnyArray, Image, Ints


class Pixels(StrEnum):
    """The pixel type of a model's input: uint8 from 0 to 255, or float32 from 0 to 1."""

    UINT8 = "uint8"
    FLOAT = "float"


class MaiteOptions(TargetOptions):
    """Options of a MAITE model."""

    kind: Literal["maite"] = "maite"
    task: Literal[Task.DETECTION] = Field(default=Task.DETECTION, description="what it answers")
    pixels: Pixels = Field(default=Pixels.UINT8, description="uint8 for 0 to 255, float for 0 to 1")


class WrapOptions(UserCodeOptions):
    """Options of a MAITE model given as an object."""

    pixels: Pixels = Pixels.UINT8


def wrap(model: Any, **options: Any) -> PythonSubject:
    """A MAITE model as a subject; options as in the configuration (score, batch...)."""
    chosen = WrapOptions(**options)
    parts = {"model": f"{type(model).__module__}.{type(model).__qualname__}"}
    return _subject(
        model, chosen, chosen.pixels, Path(), {**parts, **fingerprint_options(chosen, Path())}
    )


class MaiteCall:
    """A MAITE model called with images, with its class ids converted to 0-based ids.

    ids: the model's own id of each class, in the order of the subject's classes.
    """

    def __init__(self, model: Any, ids: Sequence[int], pixels: Pixels) -> None:
        self._model = model
        self._ids = np.array(ids, dtype=np.int64)
        self._pixels = pixels

    def __call__(self, images: list[Image]) -> list[dict[str, Any]]:
        """One mapping with boxes, labels and scores for each image."""
        targets = self._model([self._planes(image) for image in images])
        return [self._answer(target) for target in targets]

    def _planes(self, image: Image) -> AnyArray:
        planes = np.ascontiguousarray(image.transpose(2, 0, 1))
        return planes if self._pixels == Pixels.UINT8 else planes.astype(np.float32) / 255

    def _answer(self, target: Any) -> dict[str, Any]:
        for name in ("boxes", "labels", "scores"):
            if not hasattr(target, name):
                raise SubjectError(
                    f"the model's target is {type(target).__name__} without '{name}', expected a "
                    "MAITE object-detection target with boxes, labels and scores"
                )
        raw = finite_array(target.labels, "labels").reshape(-1)
        scores = np.asarray(detached(target.scores))
        return {
            "boxes": target.boxes,
            "labels": self._class_indices(raw),
            "scores": self._label_scores(scores, raw) if scores.ndim == 2 else scores,
        }

    def _class_indices(self, raw: F64) -> Ints:
        places = np.searchsorted(self._ids, raw).clip(0, len(self._ids) - 1)
        wrong = self._ids[places] != raw
        if wrong.any():
            raise SubjectError(
                f"the model returned label {raw[wrong][0]:g}, which is not in the index2label of "
                "its metadata. Add it there, or set subject.classes."
            )
        return places

    def _label_scores(self, scores: AnyArray, raw: F64) -> AnyArray:
        """Each detection's score for its label; columns are class ids or indices."""
        places = self._class_indices(raw)
        columns = places if scores.shape[1] == len(self._ids) else raw.astype(np.int64)
        if len(scores) != len(raw) or (len(raw) and columns.max() >= scores.shape[1]):
            raise SubjectError(
                f"the model's scores have shape {scores.shape} for {len(raw)} labels up to "
                f"{raw.max(initial=0):g}; expected (N,) or (N, classes)"
            )
        return np.asarray(scores[np.arange(len(columns)), columns])

    def close(self) -> None:
        """Call the model's own `close`, if it has one."""
        close = getattr(self._model, "close", None)
        if callable(close):
            close()


def _subject(
    model: Any, options: UserCodeOptions, pixels: Pixels, folder: Path, parts: Mapping[str, Any]
) -> PythonSubject:
    metadata = getattr(model, "metadata", None)
    if not callable(model) or not isinstance(metadata, Mapping) or "id" not in metadata:
        raise UserError(
            f"subject: {type(model).__name__} is not a MAITE model: expected a callable with "
            "metadata that has an 'id'. A class or factory needs call: true."
        )
    names = {int(key): str(name) for key, name in metadata.get("index2label", {}).items()}
    classes = tuple(names[key] for key in sorted(names)) or None
    traits = traits_of(
        options,
        folder,
        name=str(metadata["id"]),
        classes=classes,
        where=f"the model '{metadata['id']}' has no index2label in its metadata and",
    )
    ids = sorted(names) if len(names) == len(traits.classes) else range(len(traits.classes))
    fingerprint = fingerprint_of(
        kind="maite",
        id=metadata["id"],
        classes=traits.classes,
        ids=list(ids),
        pixels=pixels,
        floor=traits.floor,
        **parts,
    )
    return PythonSubject(MaiteCall(model, ids, pixels), traits, fingerprint)


def _open(options: MaiteOptions, folder: Path) -> PythonSubject:
    model, parts, uncached = open_target(options, folder)
    subject = _subject(model, options, options.pixels, folder, parts)
    subject.uncached = uncached
    return subject


ADAPTER = Adapter(MaiteOptions, _open, runs=("target",))
