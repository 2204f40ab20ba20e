"""Several answers about one scene, from dropout or augmented views, and their uncertainty."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence

import numpy as np

from snellen.changes.augmented_view import AugmentedView
from snellen.changes.identity import Identity
from snellen.contract.questions import Answer, Question, detections_in
from snellen.methods.robustness.options import Passes
from snellen.scenes.scene import Scene
from snellen.subjects.passes import Draws
from snellen.subjects.subject import Subject
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty, uncertainties

SCALES, GAINS = (0.84, 1.0), (0.85, 1.15)
"""The ranges of size and brightness of views."""
_STEPS = np.array([0.8566748838545029, 0.733891856627126, 0.6287067210378087, 0.5385972572236101])
"""Steps of a sequence that fills four dimensions evenly (powers of the root of x^5 = x + 1)."""


def resolve_passes(wanted: Passes, subject: Subject) -> Passes:
    """The source of uncertainty that `auto` means for a subject."""
    if wanted != Passes.AUTO:
        return wanted
    return Passes.DROPOUT if draws(subject) else Passes.VIEWS


def draws(subject: Subject) -> bool:
    """Whether a subject supports stochastic passes."""
    return isinstance(subject, Draws) and bool(subject.draws)


def views(size: tuple[int, int], count: int) -> list[AugmentedView]:
    """`count` views of a scene of size (height, width), the same for every scene of that size.

    Every other one is mirrored; sizes, shifts and brightness fill their ranges evenly. Each shows
    the whole scene, so that every object can be detected in it.

    >>> views((100, 200), 2)[1].flip, len(set(views((100, 200), 20)))
    (True, 20)
    """
    made = []
    for number in range(count):
        small, x, y, gain = (0.5 + (number + 1) * _STEPS) % 1.0
        scale = round(_between(SCALES, small), 4)
        made.append(
            AugmentedView(
                flip=number % 2 == 1,
                scale=scale,
                dx=round((x - 0.5) * (1 - scale) * size[1], 2),
                dy=round((y - 0.5) * (1 - scale) * size[0], 2),
                gain=round(_between(GAINS, gain), 4),
            )
        )
    return made


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + share * (ends[1] - ends[0])


def sample_uncertainty(
    scene: Scene, reference: Detections, how: Passes, count: int, classes: int
) -> Yielding[list[Question], Sequence[Answer], list[Uncertainty] | None]:
    """The uncertainty of each reference detection of a scene, from passes; None for none."""
    if how == Passes.NONE or not len(reference):
        return None
    if how == Passes.DROPOUT:
        answers = yield [Question(scene, Identity(), draw=n + 1) for n in range(count)]
        return uncertainties(reference, [detections_in(one) for one in answers], classes=classes)
    recipes = views(scene.size, count)
    answers = yield [Question(scene, recipe) for recipe in recipes]
    passes = [
        recipe.restore(detections_in(answer), scene.size)
        for recipe, answer in zip(recipes, answers, strict=False)
    ]
    return uncertainties(reference, passes, classes=classes)
