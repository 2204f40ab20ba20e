"""Leakage: training, repair and evaluation data must not overlap.

Errors: a scene in two parts, by id or by content; an object that two parts insert; an object of a
held-out part cut from a scene of another part, and vice versa; on request, one picture twice in a
part. Warnings: near-duplicate pictures, such as neighbouring video frames or resized copies.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from snellen.errors import UserError
from snellen.repair.data_split.hash_matching import near_pairs
from snellen.scenes.scene import NoPicture, Scene
from snellen.vision.arrays import UInts64

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Called with the number of pictures hashed and the total."""


@dataclass(frozen=True, eq=False)
class DataPart:
    """Scenes and inserted objects of one use. name: such as `evaluation (val.yaml)`.

    objects: the digest of the scene that each was cut from ("" if unknown), by the object's id.
    held_out: whether it is used for evaluation.
    """

    name: str
    scenes: Sequence[Scene]
    objects: Mapping[str, str] = field(default_factory=dict)
    held_out: bool = False

    @cached_property
    def contents(self) -> dict[str, str]:
        """The id of a scene by the digest of its picture, and by that of its point cloud."""
        found: dict[str, str] = {}
        for scene in self.scenes:
            for digest in _contents(scene):
                found.setdefault(digest, scene.id)
        return found

    @cached_property
    def sources(self) -> dict[str, str]:
        """The id of a scene by its digest, which objects cut from it record."""
        return {scene.digest: scene.id for scene in self.scenes}

    @cached_property
    def pictured(self) -> tuple[Scene, ...]:
        """The scenes with a picture."""
        return tuple(one for one in self.scenes if not isinstance(one.picture, NoPicture))

    def hashes(self, on_picture: Callable[[], None]) -> UInts64:
        """The perceptual hash of each picture; `seen` is called after each."""
        from snellen.vision.image_features.perceptual_hash import perceptual_hash

        found = []
        for scene in self.pictured:
            found.append(perceptual_hash(scene.pixels()))
            on_picture()
        return np.array(found, dtype=np.uint64)


@dataclass(frozen=True)
class SimilarPictures:
    """Two near-duplicate pictures: parts and scene ids, and the differing bits of 64."""

    part: str
    scene: str
    other_part: str
    other_scene: str
    bits: int


def refuse_leaks(parts: Sequence[DataPart], *, by_id: bool = True) -> None:
    """Raise a `UserError` that names both if any two parts share a scene or an object.

    by_id: also if only the ids are equal; turn it off for data sets that use the same numbering.
    """
    for one, other in _pairs(parts):
        if by_id:
            _refuse_ids(one, other)
        _refuse_contents(one, other)
        _refuse_objects(one, other)
        if one.held_out != other.held_out:
            _refuse_cut_out(one, other)
            _refuse_cut_out(other, one)


def refuse_copies(part: DataPart) -> None:
    """Raise a `UserError` that names both if a part contains a picture or point cloud twice."""
    for scene in part.scenes:
        for digest in _contents(scene):
            if (first := part.contents[digest]) != scene.id:
                raise UserError(
                    f"{part.name}: scenes '{first}' and '{scene.id}' are identical, so one would "
                    "count twice. Remove one of them."
                )


def near_duplicates(
    parts: Sequence[DataPart], progress: Progress | None = None
) -> list[SimilarPictures]:
    """Near-duplicate pictures of different parts, the closest first; each is logged.

    Identical pixels, in whatever file format, are an error.
    """
    total = sum(len(part.pictured) for part in parts)
    done = 0

    def on_picture() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    hashes = {part: part.hashes(on_picture) for part in parts}
    found = []
    for one, other in _pairs(parts):
        for place, near, bits in near_pairs(hashes[one], hashes[other]):
            _refuse_same_pixels(one, place, other, near)
            found.append(_similar(one, place, other, near, bits))
    for pair in found:
        log.warning(
            "scene '%s' of %s looks like scene '%s' of %s (%d of 64 bits differ)",
            *(pair.scene, pair.part, pair.other_scene, pair.other_part, pair.bits),
        )
    return found


def _pairs(parts: Sequence[DataPart]) -> Iterator[tuple[DataPart, DataPart]]:
    """Every two parts of which at most one is held out; held-out parts may overlap."""
    pairs = combinations(parts, 2)
    return ((one, other) for one, other in pairs if not (one.held_out and other.held_out))


def _similar(one: DataPart, place: int, other: DataPart, near: int, bits: int) -> SimilarPictures:
    return SimilarPictures(
        one.name, one.pictured[place].id, other.name, other.pictured[near].id, bits
    )


def _refuse_same_pixels(one: DataPart, place: int, other: DataPart, near: int) -> None:
    first, second = one.pictured[place], other.pictured[near]
    if first.size == second.size and np.array_equal(first.pixels(), second.pixels()):
        raise _leak(one, first.id, other, second.id, "have the same pixels")


def _contents(scene: Scene) -> Iterator[str]:
    if not isinstance(scene.picture, NoPicture):
        yield scene.picture.digest()
    if scene.sweep is not None:
        yield scene.sweep.digest()


def _refuse_ids(one: DataPart, other: DataPart) -> None:
    ids = {scene.id for scene in other.scenes}
    for scene in one.scenes:
        if scene.id in ids:
            raise UserError(
                f"scene '{scene.id}' is in {one.name} and in {other.name}; an improvement on "
                "training data is not evidence. Remove it from one, or pass --ids-may-repeat if "
                "the two sets use the same ids for different pictures."
            )


def _refuse_contents(one: DataPart, other: DataPart) -> None:
    for digest, id in one.contents.items():
        if digest in other.contents:
            raise _leak(one, id, other, other.contents[digest], "are identical")


def _leak(one: DataPart, id: str, other: DataPart, other_id: str, how: str) -> UserError:
    return UserError(
        f"scene '{id}' of {one.name} and scene '{other_id}' of {other.name} {how}; an improvement "
        "on training data is not evidence. Remove it from one of them."
    )


def _refuse_objects(one: DataPart, other: DataPart) -> None:
    for id in one.objects:
        if id in other.objects:
            raise UserError(
                f"object '{id}' is inserted in {one.name} and in {other.name}; a subject that "
                "memorised it would look robust. Use objects of different scenes."
            )


def _refuse_cut_out(one: DataPart, other: DataPart) -> None:
    for id, source in one.objects.items():
        if source and source in other.sources:
            raise UserError(
                f"object '{id}' of {one.name} was cut out of scene '{other.sources[source]}' of "
                f"{other.name}. Use objects of other scenes, or remove that scene."
            )
