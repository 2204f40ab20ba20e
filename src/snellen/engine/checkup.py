"""A checkup of a configuration: a trial on a few scenes, the AP, and better readings of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from snellen.engine.accuracy.annotated_sample import AnnotatedSample, annotated_sample
from snellen.engine.accuracy.label_confusion import Confusion, label_confusions
from snellen.engine.accuracy.measured_accuracy import (
    MISLABELLED,
    Accuracy,
    measured_accuracy,
    sample_detections,
)
from snellen.engine.accuracy.reading_search import FEWEST_SCENES, ReadingSearch, search_readings
from snellen.engine.campaign import Campaign
from snellen.engine.start.opened_campaign import OpenCampaign, open_campaign
from snellen.engine.trial import Trial, try_units
from snellen.scenes.image_files.listed_picture import check_listed_sizes
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.readings import alternative_readings
from snellen.subjects.subject import Task
from snellen.terminal.progress import ProgressDisplay

SUSPICIOUS = 0.2
"""AP below which other readings are tried without being asked for."""
SECONDS = 30.0
"""How long measuring the AP may take; a slow subject gets fewer scenes."""
SEARCH_SECONDS = 180.0
"""How long a search may take that nobody asked for."""
FEWEST = 4

Stage: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Checkup:
    """What `snellen check` found.

    accuracy: None if it could not be measured; unmeasured says why. search: None if no readings
    were tried; unsearched says why, or is empty if there was no reason to.
    """

    trial: Trial
    accuracy: Accuracy | None = None
    unmeasured: str = ""
    confusions: tuple[Confusion, ...] = ()
    search: ReadingSearch | None = None
    unsearched: str = ""


def run_checkup(
    campaign: Campaign, display: ProgressDisplay, *, looks: int, scenes: int, suggest: bool
) -> Checkup:
    """Try a campaign on `looks` units and measure its subject on at most `scenes` scenes.

    suggest: try other readings of a model file even if its AP is not suspicious.
    """
    with open_campaign(campaign) as job:
        check_listed_sizes(job.scenes)
        trial = try_units(job, looks)
        sample = annotated_sample(job.scenes, job.subject.classes, _affordable(trial, scenes))
        why = _unmeasurable(job, scenes, sample)
        if why:
            return Checkup(trial, unmeasured=why, unsearched=_need_for_search(job, suggest))
        return _measured(job, trial, sample, display, suggest)


def _measured(
    job: OpenCampaign,
    trial: Trial,
    sample: AnnotatedSample,
    display: ProgressDisplay,
    suggest: bool,
) -> Checkup:
    subject, rng = job.subject, np.random.default_rng(job.campaign.seed)
    display.start(f"measuring AP, annotated scenes: {len(sample)}")
    found = sample_detections(subject, sample, _stage(display, "scene"))
    accuracy = measured_accuracy(found, sample, rng)
    confusions: tuple[Confusion, ...] = ()
    if accuracy.ap.value < MISLABELLED * accuracy.unlabelled:
        confusions = tuple(label_confusions(found, sample, subject.score))
    why = _unsearchable(job, trial, accuracy, suggest)
    if why is not None or not isinstance(subject, ModelSubject):
        return Checkup(trial, accuracy, "", confusions, None, why or "")
    readings = len(alternative_readings(subject))
    display.start(f"trying {readings} readings of the model on {len(sample)} scenes")
    search = search_readings(subject, sample, rng, _stage(display, "forward pass"))
    return Checkup(trial, accuracy, "", confusions, search)


def _stage(display: ProgressDisplay, what: str) -> Stage:
    return lambda done, total: display.show(f"{what} {done} of {total}", done, total)


def _unmeasurable(job: OpenCampaign, scenes: int, sample: AnnotatedSample) -> str:
    """Why AP cannot be measured, or nothing."""
    if not scenes:
        return "AP was not measured, because no scenes were asked for (`--ap-scenes 0`)"
    if job.subject.task not in (Task.DETECTION, Task.SEGMENTATION):
        return f"AP is measured for detectors and segmenters of images, not for {job.subject.task}"
    if not sample.known:
        return "AP was not measured, because the scenes have no annotations"
    if not sample.classes:
        return "AP was not measured, because scenes and subject have no class name in common"
    if sample.objects_and_classes[0]:
        return ""
    return f"AP was not measured, because {len(sample)} annotated scenes show no shared class"


def _affordable(trial: Trial, scenes: int) -> int:
    """The number of scenes that the subject answers in about `SECONDS`."""
    return min(scenes, max(FEWEST, int(SECONDS / max(trial.seconds, 1e-6))))


def _need_for_search(job: OpenCampaign, suggest: bool) -> str:
    if not suggest:
        return ""
    model = isinstance(job.subject, ModelSubject)
    return "other readings need annotated scenes" if model else _not_a_file(job)


def _not_a_file(job: OpenCampaign) -> str:
    return f"other readings are tried for model files, not for a subject of kind '{_kind(job)}'"


def _kind(job: OpenCampaign) -> str:
    return str(job.campaign.subject["kind"])


def _unsearchable(job: OpenCampaign, trial: Trial, accuracy: Accuracy, suggest: bool) -> str | None:
    """Why no other readings are tried: empty if nothing calls for it, None if they are."""
    if not suggest and accuracy.ap.value >= SUSPICIOUS:
        return ""
    if not isinstance(job.subject, ModelSubject):
        return _not_a_file(job)
    if accuracy.scenes < FEWEST_SCENES:
        return (
            f"other readings were not tried: that takes at least {FEWEST_SCENES} annotated "
            f"scenes, found {accuracy.scenes}"
        )
    seconds = trial.seconds * 6 * accuracy.scenes
    if not suggest and seconds > SEARCH_SECONDS:
        return (
            f"other readings were not tried, because that takes about {seconds / 60:.0f} minutes; "
            "`--suggest` tries them"
        )
    return None
