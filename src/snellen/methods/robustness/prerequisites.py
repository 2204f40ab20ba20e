"""What the method needs before it begins, and what it refuses."""

from __future__ import annotations

from functools import partial

from snellen.contract.method import Setting
from snellen.errors import UserError
from snellen.methods.robustness.options import Contour, Passes, RobustnessOptions
from snellen.methods.robustness.stochastic_passes import draws
from snellen.objects.library.library import Library
from snellen.objects.library.open_objects import CUTTING, open_objects
from snellen.subjects.explainer import Explainer
from snellen.subjects.subject import Subject, Task


def opened_library(setting: Setting) -> Library:
    """The objects of a configuration."""
    if setting.objects is None:
        raise UserError(
            "method robustness needs `objects`: a library, or scenes with masks to cut them from. "
            "See docs/how-to/objects.md"
        )
    return open_objects(
        setting.objects,
        setting.folder,
        setting.subject,
        "objects",
        skip_invalid=setting.skip_invalid,
        progress=partial(setting.progress, CUTTING) if setting.progress else None,
    )


def check_subject(options: RobustnessOptions, subject: Subject) -> None:
    """An error if the subject cannot be asked what the options want to know."""
    if subject.task not in (Task.DETECTION, Task.SEGMENTATION):
        raise UserError(
            "method robustness tests detectors and segmenters, but the subject's task is "
            f"'{subject.task}'. Choose another method."
        )
    if callable(getattr(subject, "opened", None)):
        return  # A run that is looked at again: its subject is known by its record alone.
    if options.contour == Contour.GRAD_CAM and not isinstance(subject, Explainer):
        raise UserError(
            "robustness.contour: found 'grad-cam', but the subject tells no gradients. Use "
            "`kind: torch`, or `contour: saliency`, which works with any subject."
        )
    if options.uncertainty == Passes.DROPOUT and not draws(subject):
        raise UserError(
            "robustness.uncertainty: found 'dropout', but the subject draws nothing at random. Use "
            "`kind: torch` with `dropout`, or `uncertainty: views`, which works with any subject."
        )
