"""The labels that a subject outputs for objects shown alone, cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from snellen.changes.compose.compose import Compose
from snellen.errors import SnellenError, SubjectError
from snellen.methods.combinations.object_validation.alone_cache import AloneCache, PresentLabels
from snellen.objects.library.library import Library
from snellen.scenes.scene import PictureArray, Scene
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Image
from snellen.vision.label_vector import LabelVector

__all__ = ["PresentLabels", "labels_alone"]

Batch: TypeAlias = tuple[list[str], list[Image]]


def labels_alone(
    recipes: Mapping[str, Compose],
    library: Library,
    subject: Subject,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, PresentLabels]:
    """The class ids present, highest score first, by object id; recipes: by object id.

    Answers are cached even if a later question fails.
    """
    file = AloneCache.of(subject)
    before = file.read()
    seen = {id: before[one.digest] for id, one in recipes.items() if one.digest in before}
    missing = {id: one for id, one in recipes.items() if id not in seen}
    new: dict[str, PresentLabels] = {}
    try:
        for ids, images in _built(missing, library, max(1, subject.batch)):
            new.update(zip(ids, _asked(subject, ids, images, library), strict=True))
            if progress is not None:
                progress(len(seen) + len(new), len(recipes))
    finally:
        file.add({recipes[id].digest: one for id, one in new.items()})
    return {**seen, **new}


def _built(recipes: Mapping[str, Compose], library: Library, size: int) -> Iterator[Batch]:
    """The images of the recipes in batches; one batch is built while another is asked about."""
    scene = Scene("alone", PictureArray(np.zeros((1, 1, 3), np.uint8)), (1, 1))
    materials = {"objects": library, "backgrounds": {}}

    def build(ids: list[str]) -> Batch:
        return ids, [recipes[id].build(scene, materials) for id in ids]

    every = list(recipes)
    batches = [every[start : start + size] for start in range(0, len(every), size)]
    with ThreadPoolExecutor(1) as pool:
        ahead = [pool.submit(build, ids) for ids in batches[:1]]
        for ids in [*batches[1:], []]:
            ahead += [pool.submit(build, ids)] if ids else []
            if ahead:
                yield ahead.pop(0).result()


def _asked(
    subject: Subject, ids: Sequence[str], images: Sequence[Image], library: Library
) -> list[PresentLabels]:
    """The subject's labels; after a failure it is asked about each image separately."""
    try:
        return _seen(subject, images)
    except SubjectError:
        return [_seen_alone(subject, *one, library) for one in zip(ids, images, strict=True)]


def _seen_alone(subject: Subject, id: str, image: Image, library: Library) -> PresentLabels:
    try:
        return _seen(subject, [image])[0]
    except SubjectError as error:
        raise SubjectError(
            f"'{subject.name}' failed when it was shown object {id} "
            f"({library.cutout(id).label}) alone: {error}. Fix the subject, or exclude the object "
            "with objects.exclude."
        ) from None


def _seen(subject: Subject, images: Sequence[Image]) -> list[PresentLabels]:
    try:
        answer = subject.predict(images)
    except SnellenError:
        raise
    except Exception as error:
        raise SubjectError(f"{type(error).__name__}: {error}") from error
    return [
        _present(one.rounded(), subject.score)
        for one in checked_batch(answer, images, subject.classes, subject.task)
        if isinstance(one, LabelVector)
    ]


def _present(vector: LabelVector, score: float) -> PresentLabels:
    there = np.flatnonzero(vector.present(score))
    order = np.argsort(-vector.scores[there], kind="stable")
    return tuple(there[order].tolist())
