"""Checks before a run of robustness."""

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
            "Read: snellen docs objects"
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
    """Raise an error if the subject does not support the options."""
    if subject.task not in (Task.DETECTION, Task.SEGMENTATION):
        raise UserError(
            "method robustness tests detectors and segmenters, but the subject's task is "
            f"'{subject.task}'. Choose another method."
        )
    if callable(getattr(subject, "opened", None)):
        return  # A reopened run: only the record of its subject is known.
    if options.contour == Contour.GRAD_CAM and not isinstance(subject, Explainer):
        raise UserError(
            "robustness.contour: found 'grad-cam', but the subject has no gradients. Use "
            "`kind: torch`, or `contour: saliency`, which works with any subject."
        )
    if options.uncertainty == Passes.DROPOUT and not draws(subject):
        raise UserError(
            "robustness.uncertainty: found 'dropout', but the subject has no dropout passes. Use "
            "`kind: torch` with `dropout`, or `uncertainty: views`, which works with any subject."
        )
