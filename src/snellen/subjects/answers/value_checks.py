"""Numbers and labels of an answer: arrays, lists or tensors to checked numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.errors import SubjectError, nearest
from snellen.errors.plain_text import escaped
from snellen.vision.arrays import F32, F64, Ints

SCORE_TOLERANCE = 1e-6
MANY_NAMES = 12


def detached(value: object) -> object:
    """The value; a tensor detached and on the CPU, so that numpy can read it."""
    for step in ("detach", "cpu"):
        if hasattr(value, step):
            value = getattr(value, step)()
    return value


def finite_array(value: object, name: str) -> F64:
    """A float64 array of finite numbers; messages start with `name`."""
    try:
        array = np.asarray(detached(value), dtype=np.float64)
    except (TypeError, ValueError):
        raise SubjectError(f"{name}: found {_short(value)}, expected an array of numbers") from None
    wrong = ~np.isfinite(array)
    if wrong.any():
        place = ", ".join(str(int(part)) for part in np.argwhere(wrong)[0])
        raise SubjectError(f"{name}[{place}] is {array[wrong][0]}, expected a finite number")
    return array


def bounded_scores(scores: F64) -> F32:
    """The scores in [0, 1], with rounding errors clipped."""
    if scores.ndim != 1 and scores.size:
        raise SubjectError(f"scores have shape {scores.shape}, expected one number per detection")
    wrong = (scores < -SCORE_TOLERANCE) | (scores > 1 + SCORE_TOLERANCE)
    if wrong.any():
        index = int(wrong.argmax())
        raise SubjectError(
            f"scores[{index}] is {scores[index]:g}, expected a number from 0 to 1. "
            "Divide percentages by 100; apply a sigmoid or softmax to raw outputs."
        )
    return np.clip(scores, 0, 1).astype(np.float32).reshape(-1)


def class_ids(value: object, classes: Sequence[str]) -> Ints:
    """0-based class ids, from ids or names; shape (N,)."""
    labels = np.asarray(detached(value))
    if labels.size == 0:
        return np.zeros(0, dtype=np.int64)
    if labels.ndim != 1:
        raise SubjectError(f"labels have shape {labels.shape}, expected one label per detection")
    if labels.dtype.kind in "UO":
        return _ids_of_names(labels.tolist(), classes)
    if labels.dtype.kind not in "iuf" or not (labels == np.floor(labels)).all():
        raise SubjectError(f"labels: found {_short(labels.tolist())}, expected integers or names")
    wrong = (labels < 0) | (labels >= len(classes))
    if wrong.any():
        raise SubjectError(
            f"labels[{int(wrong.argmax())}] is {labels[wrong][0]:g}, expected 0 to "
            f"{len(classes) - 1}: ids start at 0 and the subject has {len(classes)} classes"
        )
    return labels.astype(np.int64)


def _ids_of_names(names: Sequence[object], classes: Sequence[str]) -> Ints:
    ids = {name: index for index, name in enumerate(classes)}
    names = [escaped(name) if isinstance(name, str) else name for name in names]
    for index, name in enumerate(names):
        if name not in ids:
            raise SubjectError(
                f"labels[{index}] is {name!r}, which is not one of the classes"
                f"{nearest(str(name), classes)}"
            )
    return np.array([ids[str(name)] for name in names], dtype=np.int64)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
