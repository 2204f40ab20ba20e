"""Contours of base instances: the edge of the salient region, or of their shape."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.saliency_mask import SaliencyMask
from snellen.contract.questions import Answer, Question, detections_in
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.options import Contour, RobustnessOptions
from snellen.subjects.explainer import Explainer
from snellen.subjects.subject import Subject
from snellen.vision.arrays import F32, F64, Bools
from snellen.vision.saliency.contours import box_contour, contour_points, parts_in, warm_region

NOISE = 0.01
"""A heat map whose hottest place has a p-value above this could be chance."""


@dataclass(frozen=True, eq=False)
class BaseContour:
    """The contour of a base instance. kind: its source, never `auto`.

    points: (K, 2) x y. heat: (H, W) in [0, 1] where it comes from a heat map. warm: (H, W) bool,
    the region inside the contour, where it is not a box. wanted: whether it is of the requested
    kind; else there was no mask, no heat or none beyond chance, and it is the box.
    """

    kind: Contour
    points: F64
    heat: F32 | None = None
    warm: Bools | None = None
    wanted: bool = True


def resolve_contour(contour: Contour, subject: Subject) -> Contour:
    """The kind of contour that `auto` means for a subject."""
    if contour != Contour.AUTO:
        return contour
    return Contour.GRAD_CAM if isinstance(subject, Explainer) else Contour.BOX


def base_contours(
    prepared: RobustnessScene,
    bases: Sequence[BaseInstance],
    options: RobustnessOptions,
    subject: Subject,
) -> Yielding[list[Question], Sequence[Answer], list[tuple[BaseInstance, BaseContour]]]:
    """Each base instance with its contour; asks about masked scenes where needed."""
    kind = resolve_contour(options.contour, subject)
    if not bases or kind == Contour.BOX:
        return [(base, _box(base, options)) for base in bases]
    if kind == Contour.MASK:
        return [(base, _masked(prepared, base, options)) for base in bases]
    if kind == Contour.SALIENCY:
        heats = yield from _saliency(prepared, bases, options)
    else:
        assert isinstance(subject, Explainer)
        pixels = prepared.scene.pixels()
        heats = [subject.heat_map(pixels, base.box, base.label) for base in bases]
    return [
        (base, _heated(kind, base, heat, options)) for base, heat in zip(bases, heats, strict=True)
    ]


def _saliency(
    prepared: RobustnessScene, bases: Sequence[BaseInstance], options: RobustnessOptions
) -> Yielding[list[Question], Sequence[Answer], list[F32]]:
    """The heat map of each base instance, all 0 where it could be chance."""
    from snellen.vision.saliency.drise import SaliencyAccumulator

    asked = options.saliency
    answers = yield [
        Question(prepared.scene, SaliencyMask(seed, asked.grid, asked.keep))
        for seed in range(asked.masks)
    ]
    targets = prepared.before[[base.index for base in bases]]
    found = SaliencyAccumulator(targets, prepared.scene.size, asked.grid, asked.keep)
    for seed, answer in enumerate(answers):
        found.add(seed, detections_in(answer))
    sure = found.p_values() <= NOISE
    return list(found.heat() * sure[:, None, None].astype(np.float32))


def _box(base: BaseInstance, options: RobustnessOptions, *, wanted: bool = True) -> BaseContour:
    return BaseContour(Contour.BOX, box_contour(base.box, options.points), wanted=wanted)


def _masked(
    prepared: RobustnessScene, base: BaseInstance, options: RobustnessOptions
) -> BaseContour:
    mask = prepared.mask(base)
    if mask is None or not mask.any():
        return _box(base, options, wanted=False)
    return BaseContour(Contour.MASK, contour_points(mask, options.points), warm=mask)


def _heated(
    kind: Contour, base: BaseInstance, heat: F32, options: RobustnessOptions
) -> BaseContour:
    warm = parts_in(warm_region(heat, options.threshold), base.box)
    if not warm.any():
        return _box(base, options, wanted=False)
    return BaseContour(kind, contour_points(warm, options.points), heat, warm)
