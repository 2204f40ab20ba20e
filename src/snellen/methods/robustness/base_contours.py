"""Contours of base instances: the edge of what the subject's answer rests on, or of their shape."""

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
"""The p-value of a heat map's hottest place above which random masks tell nothing but chance."""


@dataclass(frozen=True, eq=False)
class BaseContour:
    """A base instance's contour. kind: where it comes from, of `Contour`, never `auto`.

    points: (K, 2) x y. heat: (H, W) in [0, 1] where it comes from a heat map. warm: (H, W) bool,
    what the contour is around, where it is not a box. wanted: whether it is of the kind asked for;
    else there was no mask, no heat or none beyond chance, and it is the box.
    """

    kind: Contour
    points: F64
    heat: F32 | None = None
    warm: Bools | None = None
    wanted: bool = True


def resolve_contour(contour: Contour, subject: Subject) -> Contour:
    """The kind of contour that `auto` comes to for a subject."""
    if contour != Contour.AUTO:
        return contour
    return Contour.GRAD_CAM if isinstance(subject, Explainer) else Contour.BOX


def base_contours(
    stage: RobustnessScene,
    bases: Sequence[BaseInstance],
    options: RobustnessOptions,
    subject: Subject,
) -> Yielding[list[Question], Sequence[Answer], list[tuple[BaseInstance, BaseContour]]]:
    """Each base instance with its contour; asks about masked scenes where it has to."""
    kind = resolve_contour(options.contour, subject)
    if not bases or kind == Contour.BOX:
        return [(base, _box(base, options)) for base in bases]
    if kind == Contour.MASK:
        return [(base, _masked(stage, base, options)) for base in bases]
    if kind == Contour.SALIENCY:
        heats = yield from _saliency(stage, bases, options)
    else:
        assert isinstance(subject, Explainer)
        pixels = stage.scene.pixels()
        heats = [subject.heat_map(pixels, base.box, base.label) for base in bases]
    return [
        (base, _heated(kind, base, heat, options)) for base, heat in zip(bases, heats, strict=True)
    ]


def _saliency(
    stage: RobustnessScene, bases: Sequence[BaseInstance], options: RobustnessOptions
) -> Yielding[list[Question], Sequence[Answer], list[F32]]:
    """The heat map of each base instance, all 0 where it could well be chance."""
    from snellen.vision.saliency.drise import SaliencyAccumulator

    asked = options.saliency
    answers = yield [
        Question(stage.scene, SaliencyMask(seed, asked.grid, asked.keep))
        for seed in range(asked.masks)
    ]
    targets = stage.before[[base.index for base in bases]]
    found = SaliencyAccumulator(targets, stage.scene.size, asked.grid, asked.keep)
    for seed, answer in enumerate(answers):
        found.add(seed, detections_in(answer))
    sure = found.p_values() <= NOISE
    return list(found.heat() * sure[:, None, None].astype(np.float32))


def _box(base: BaseInstance, options: RobustnessOptions, *, wanted: bool = True) -> BaseContour:
    return BaseContour(Contour.BOX, box_contour(base.box, options.points), wanted=wanted)


def _masked(stage: RobustnessScene, base: BaseInstance, options: RobustnessOptions) -> BaseContour:
    mask = stage.mask(base)
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
