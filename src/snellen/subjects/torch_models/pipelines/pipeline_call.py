"""A pipeline called with images, and its answers as those of a Python subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PIL import Image as PillowImages

from snellen.subjects.torch_models.pipelines.pipeline_classes import PipelineClasses
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask
from snellen.vision.arrays import Image

CORNERS = ("xmin", "ymin", "xmax", "ymax")


class PipelineCall:
    """A pipeline as a function of a list of images.

    Images of one size go through the network together, because their tensors have one shape. A
    zero-shot detector takes one image and one label at a time: texts differ in length.
    """

    def __init__(
        self, pipeline: Any, task: PipelineTask, classes: PipelineClasses, floor: float
    ) -> None:
        self._pipeline, self._task, self._classes = pipeline, task, classes
        self._asked: dict[str, Any] = {"threshold": floor}
        if task == PipelineTask.CLASSIFICATION:
            self._asked = {"top_k": int(pipeline.model.config.num_labels)}

    def __call__(self, images: list[Image]) -> list[Any]:
        """One answer for each image: a mapping with boxes, or from labels to scores."""
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for place, image in enumerate(images):
            groups[image.shape].append(place)
        answers: dict[int, Any] = {}
        for places in groups.values():
            found = self._raw([PillowImages.fromarray(images[place]) for place in places])
            for place, raw in zip(places, found, strict=True):
                answers[place] = self._answer(raw, images[place])
        return [answers[place] for place in range(len(images))]

    def _raw(self, pictures: Sequence[PillowImages.Image]) -> Iterable[Any]:
        if self._task == PipelineTask.ZERO_SHOT:
            texts = list(self._classes.ids)
            return [
                self._pipeline(picture, candidate_labels=texts, **self._asked)
                for picture in pictures
            ]
        return list(self._pipeline(list(pictures), batch_size=len(pictures), **self._asked))

    def _answer(self, raw: Sequence[Mapping[str, Any]], image: Image) -> Any:
        ids = self._classes.ids
        named = [one for one in raw if one["label"] in ids]
        if self._task == PipelineTask.CLASSIFICATION:
            scores = {ids[one["label"]]: one["score"] for one in named}
            return [scores.get(place, 0.0) for place in range(len(self._classes.names))]
        seen = [one for one in named if visible(_corners(one), image.shape)]
        return {
            "boxes": [_corners(one) for one in seen],
            "labels": [ids[one["label"]] for one in seen],
            "scores": [one["score"] for one in seen],
        }


def _corners(found: Mapping[str, Any]) -> list[float]:
    return [float(found["box"][corner]) for corner in CORNERS]


def visible(box: Sequence[float], shape: Sequence[int]) -> bool:
    """Whether a box has an area inside an image of shape (height, width, ...).

    Pipelines round corners down to whole pixels, so a box of less than a pixel has none.

    >>> visible([3, 4, 3, 9], (20, 20, 3)), visible([-5, 4, 3, 9], (20, 20, 3))
    (False, True)
    """
    x1, y1, x2, y2 = box
    height, width = shape[:2]
    return min(x2, width) > max(x1, 0) and min(y2, height) > max(y1, 0)
