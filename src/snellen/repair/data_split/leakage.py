"""Leakage: what is trained on, repaired with and evaluated on must have nothing in common.

Refused: a scene of one part that is in another, by its id or by its content; an object that two
parts insert; an object of what is held out that was cut out of what is not, and the other way
round; where that is asked, one picture twice in a part. Warned of: pictures that look alike, such
as neighbours in a video or copies at another size.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from snellen.errors import UserError
from snellen.repair.data_split.hash_matching import Hashes, near_pairs
from snellen.scenes.scene import NoPicture, Scene

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Told how many pictures were looked at, of how many."""


@dataclass(frozen=True, eq=False)
class DataPart:
    """Scenes and inserted objects of one use. name: in words, such as `evaluation (val.yaml)`.

    objects: the digest of the scene that each was cut from ("" if unknown), by the object's id.
    held_out: whether it is what is evaluated on.
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
        """The id of a scene by the digest that objects cut out of it bear."""
        return {scene.digest: scene.id for scene in self.scenes}

    @cached_property
    def pictured(self) -> tuple[Scene, ...]:
        """Those scenes that have a picture."""
        return tuple(one for one in self.scenes if not isinstance(one.picture, NoPicture))

    def hashes(self, seen: Callable[[], None]) -> Hashes:
        """The perceptual hash of each picture; `seen` is called after each."""
        from snellen.vision.image_features.perceptual_hash import perceptual_hash

        found = []
        for scene in self.pictured:
            found.append(perceptual_hash(scene.pixels()))
            seen()
        return np.array(found, dtype=np.uint64)


@dataclass(frozen=True)
class SimilarPictures:
    """Two pictures that look alike: parts and scene ids, and in how many of 64 bits they differ."""

    part: str
    scene: str
    other_part: str
    other_scene: str
    bits: int


def refuse_leaks(parts: Sequence[DataPart], *, by_id: bool = True) -> None:
    """Raise a `UserError` that names both, if any two parts share a scene or an object.

    by_id: also where ids are equal, though the pictures are not; turn it off for data sets that
    number their scenes alike.
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
    """Raise a `UserError` that names both, if one picture or point cloud is in a part twice."""
    for scene in part.scenes:
        for digest in _contents(scene):
            if (first := part.contents[digest]) != scene.id:
                raise UserError(
                    f"{part.name}: scenes '{first}' and '{scene.id}' are the same, so one would "
                    "count twice. Leave one of them out."
                )


def near_duplicates(
    parts: Sequence[DataPart], progress: Progress | None = None
) -> list[SimilarPictures]:
    """Pictures of different parts that look alike, the most alike first; each is logged.

    Of those that have the very same pixels, in whatever file format, an error is made.
    """
    total = sum(len(part.pictured) for part in parts)
    done = 0

    def seen() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    hashes = {part: part.hashes(seen) for part in parts}
    found = []
    for one, other in _pairs(parts):
        for place, near, bits in near_pairs(hashes[one], hashes[other]):
            _refuse_same_pixels(one, place, other, near)
            found.append(_alike(one, place, other, near, bits))
    for pair in found:
        log.warning(
            "scene '%s' of %s looks like scene '%s' of %s (%d of 64 bits differ)",
            *(pair.scene, pair.part, pair.other_scene, pair.other_part, pair.bits),
        )
    return found


def _pairs(parts: Sequence[DataPart]) -> Iterator[tuple[DataPart, DataPart]]:
    """Every two parts, but for two that are both held out: these may share what they like."""
    pairs = combinations(parts, 2)
    return ((one, other) for one, other in pairs if not (one.held_out and other.held_out))


def _alike(one: DataPart, place: int, other: DataPart, near: int, bits: int) -> SimilarPictures:
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
                f"scene '{scene.id}' is in {one.name} and in {other.name}; a gain on what was "
                "trained on says nothing. Leave it out of one, or pass --ids-may-repeat if the "
                "two sets number different pictures alike."
            )


def _refuse_contents(one: DataPart, other: DataPart) -> None:
    for digest, id in one.contents.items():
        if digest in other.contents:
            raise _leak(one, id, other, other.contents[digest], "are the same")


def _leak(one: DataPart, id: str, other: DataPart, other_id: str, how: str) -> UserError:
    return UserError(
        f"scene '{id}' of {one.name} and scene '{other_id}' of {other.name} {how}; a gain on what "
        "was trained on says nothing. Leave it out of one of them."
    )


def _refuse_objects(one: DataPart, other: DataPart) -> None:
    for id in one.objects:
        if id in other.objects:
            raise UserError(
                f"object '{id}' is inserted in {one.name} and in {other.name}; what is learnt of "
                "it would pass for robustness. Take objects from different scenes."
            )


def _refuse_cut_out(one: DataPart, other: DataPart) -> None:
    for id, source in one.objects.items():
        if source and source in other.sources:
            raise UserError(
                f"object '{id}' of {one.name} was cut out of scene '{other.sources[source]}' of "
                f"{other.name}. Take the objects from other scenes, or leave that one out."
            )
