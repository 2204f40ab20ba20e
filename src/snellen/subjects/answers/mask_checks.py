"""The masks in an answer: boolean arrays, tensors of probabilities, or COCO run lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from snellen.errors import SubjectError
from snellen.subjects.answers.value_checks import detached
from snellen.vision.masks.rle_masks import Masks

INSIDE = 0.5


def checked_masks(value: object, size: tuple[int, int]) -> Masks:
    """The masks of an image of (height, width) pixels.

    Arrays are (N, H, W) or, as in torchvision, (N, 1, H, W), of booleans, or of numbers thresholded
    at 0.5.
    """
    if isinstance(value, Masks):
        return _of_size(value, size)
    if isinstance(value, Sequence) and len(value) and isinstance(value[0], Mapping):
        return _from_coco(value, size)
    array = np.asarray(detached(value))
    if array.size == 0 and (array.ndim == 0 or len(array) == 0):
        return Masks.empty(size)
    if array.ndim == 4 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 3 or array.dtype.kind not in "buif":
        raise SubjectError(
            f"masks have shape {array.shape} and type {array.dtype}, expected booleans of shape "
            "(N, height, width), or COCO run lengths"
        )
    return _of_size(Masks.from_array(array if array.dtype == bool else array >= INSIDE), size)


def _from_coco(value: Sequence[Mapping[str, object]], size: tuple[int, int]) -> Masks:
    try:
        return Masks.from_coco(value, size)
    except (ValueError, TypeError) as error:
        raise SubjectError(f"masks: {error}") from None
    except KeyError as error:
        raise SubjectError(
            f"masks: {error} is missing, expected COCO masks with 'size' and 'counts'"
        ) from None


def _of_size(masks: Masks, size: tuple[int, int]) -> Masks:
    if tuple(masks.size) != tuple(size):
        raise SubjectError(
            f"masks have (height, width) {masks.size}, expected that of the image, {size}"
        )
    return masks
