"""The answer of a callable in any common form, as what a Python subject may return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from snellen.subjects.answers.value_checks import detached
from snellen.vision.arrays import Image
from snellen.vision.detection_formats import from_supervision

Call = Callable[..., Any]
FIELDS = ("boxes", "labels", "scores", "masks")


def plain_answer(answer: Any) -> Any:
    """Detections, a mapping or a score vector, whatever form the answer about one image has.

    A tuple or list of boxes, labels, scores (and masks) becomes a mapping; an empty one, or None in
    a list, means no detections. A list of one mapping is unwrapped, as torchvision's models return
    it for a batch of one. `supervision.Detections` are converted, by name if they have names.

    >>> plain_answer(([[0, 0, 5, 5]], ["cat"], [0.9]))["labels"]
    ['cat']
    >>> plain_answer([])["boxes"]
    []
    """
    if hasattr(answer, "xyxy") and hasattr(answer, "class_id"):
        return _supervision(answer)
    if isinstance(answer, list | tuple):
        if len(answer) == 0:
            return {name: [] for name in FIELDS[:3]}
        if len(answer) == 1 and isinstance(answer[0], Mapping):
            return dict(answer[0])
        if len(answer) in (3, 4) and not _numbers(answer):
            return dict(zip(FIELDS, answer, strict=False))
    return answer


def _numbers(answer: list[Any] | tuple[Any, ...]) -> bool:
    """Whether all values are single numbers: the scores of a classifier."""
    return all(
        getattr(detached(one), "ndim", 0) == 0 and not hasattr(one, "__len__") for one in answer
    )


def _supervision(answer: Any) -> Any:
    found = from_supervision(answer)
    names = getattr(answer, "data", {}).get("class_name")
    if names is None or not len(found):
        return found
    return {
        "boxes": found.boxes,
        "labels": list(map(str, names)),
        "scores": found.scores,
        **({} if found.masks is None else {"masks": answer.mask}),
    }


class OneByOne:
    """A callable of one image, called for each image of a batch."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __call__(self, images: list[Image]) -> list[Any]:
        """One answer for each image."""
        return [plain_answer(self._call(image)) for image in images]


class Batched:
    """A callable of a list of images."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __call__(self, images: list[Image]) -> Any:
        """One answer for each image, as a list."""
        answers = self._call(images)
        if isinstance(answers, list | tuple):
            return [plain_answer(one) for one in answers]
        return answers
