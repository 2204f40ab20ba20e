"""A trial: a few scenes put to the subject, to check a configuration."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from snellen.contract.method import Unit
from snellen.contract.questions import Question
from snellen.engine.campaign import Campaign
from snellen.engine.seeds import unit_generator
from snellen.engine.start.opened_campaign import OpenCampaign, open_campaign
from snellen.engine.subject_thread import checked_predictions
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Input, Prediction, Subject
from snellen.vision.label_vector import LabelVector


@dataclass(frozen=True, eq=False)
class TrialAnswer:
    """One scene of a trial: the input and the subject's prediction."""

    scene: Scene
    image: Input
    prediction: Prediction


@dataclass(frozen=True, eq=False)
class Trial:
    """The result of a trial. seconds: per input, after a warm-up call."""

    campaign: Campaign
    subject: Subject
    scenes: SceneSet
    looks: tuple[TrialAnswer, ...]
    seconds: float
    shared_classes: tuple[str, ...]

    def objects(self, look: TrialAnswer) -> int:
        """How many objects or labels the subject reports at its operating threshold."""
        if isinstance(look.prediction, LabelVector):
            return int(look.prediction.present(self.subject.score).sum())
        return len(look.prediction.above(self.subject.score))


def _first_question(job: OpenCampaign, unit: Unit) -> Question:
    rng = unit_generator(job.campaign.seed, job.campaign.method, unit.id)
    with closing(job.method.examine(unit, rng)) as questions:
        return next(questions)[0]


def _case(question: Question, job: OpenCampaign) -> Input:
    kind = job.subject.task.input_kind
    return question.recipe.build_input(question.scene, job.method.materials, kind)


def run_trial(campaign: Campaign, count: int) -> Trial:
    """Ask the subject the first question about each of `count` units, evenly spread."""
    with open_campaign(campaign) as job:
        return try_units(job, count)


def try_units(job: OpenCampaign, count: int) -> Trial:
    """The trial of an open campaign; see `run_trial`."""
    units = job.method.units()
    places = np.linspace(0, len(units) - 1, min(count, len(units)))
    asked = [_first_question(job, units[int(place)]) for place in places.round()]
    chosen = [one.scene for one in asked]
    images = [_case(one, job) for one in asked]
    checked_predictions(job.subject.predict(images[:1]), images[:1], job.subject)
    start = time.perf_counter()
    predictions = checked_predictions(job.subject.predict(images), images, job.subject)
    seconds = (time.perf_counter() - start) / len(images)
    looks = tuple(map(TrialAnswer, chosen, images, predictions))
    shared = tuple(sorted(set(job.subject.classes) & set(job.scenes.classes)))
    return Trial(job.campaign, job.subject, job.scenes, looks, seconds, shared)
