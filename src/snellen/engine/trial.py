"""A trial: a few scenes put to the subject, to see that a configuration means what it should."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from snellen.engine.campaign import Campaign
from snellen.engine.host import settled
from snellen.engine.run import opened
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.labelvector import LabelVector

Image: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Look:
    """One scene of a trial: what was shown and what the subject said."""

    scene: Scene
    image: Image
    prediction: Prediction


@dataclass(frozen=True, eq=False)
class Trial:
    """What a trial found. seconds: for each input, once the subject is warm."""

    campaign: Campaign
    subject: Subject
    scenes: SceneSet
    looks: tuple[Look, ...]
    seconds: float
    shared_classes: tuple[str, ...]

    def objects(self, look: Look) -> int:
        """How many objects or labels the subject sees at its operating threshold."""
        if isinstance(look.prediction, LabelVector):
            return int(look.prediction.present(self.subject.score).sum())
        return len(look.prediction.above(self.subject.score))


def try_out(campaign: Campaign, count: int) -> Trial:
    """Ask the subject about `count` scenes, evenly spread over the set."""
    with opened(campaign) as job:
        places = np.linspace(0, len(job.scenes) - 1, min(count, len(job.scenes)))
        chosen = [job.scenes[int(place)] for place in places.round()]
        images = [scene.pixels() for scene in chosen]
        settled(job.subject.predict(images[:1]), images[:1], job.subject)
        start = time.perf_counter()
        predictions = settled(job.subject.predict(images), images, job.subject)
        seconds = (time.perf_counter() - start) / len(images)
        looks = tuple(map(Look, chosen, images, predictions))
        shared = tuple(sorted(set(job.subject.classes) & set(job.scenes.classes)))
        return Trial(campaign, job.subject, job.scenes, looks, seconds, shared)
