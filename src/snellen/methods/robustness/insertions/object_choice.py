"""The objects to insert around a base instance, and their sizes."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.contract.questions import Answer, Question, detections_in
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.insertions.object_alone import object_alone
from snellen.methods.robustness.insertions.places_around import PlacesAround, places_around
from snellen.methods.robustness.options import Labels, Passes, RobustnessOptions
from snellen.methods.robustness.stochastic_passes import sample_uncertainty
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library
from snellen.objects.selection import Sizing, target_size
from snellen.objects.similarity import distances
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.image_features.perceptual_hash import perceptual_hash, surroundings_of

TRIED = 3
"""Candidate objects for each one wanted."""
ALONE_IOU = 0.5


@dataclass(frozen=True, eq=False)
class InsertionObject:
    """An object to insert around a base instance. label: the subject's id, None if it has none.

    hash_distance: bits of 64 in which it differs from the base's surroundings. around: its places
    at its size. ratio: its area over the base's. score, uncertainty: of it alone on grey, None
    where not asked.
    """

    entry: Entry
    label: int | None
    hash_distance: int
    around: PlacesAround
    ratio: float
    score: float | None = None
    uncertainty: float | None = None


@dataclass(frozen=True, eq=False)
class HashedLibrary:
    """The library with the hashes of its objects, each computed on first use.

    class_ids: the subject's ids by normalised name.
    """

    library: Library
    class_ids: dict[str, int]
    _hashes: dict[str, int] = field(default_factory=dict)

    def hash_of(self, entry: Entry) -> int:
        """The perceptual hash of an object."""
        if entry.id not in self._hashes:
            self._hashes[entry.id] = perceptual_hash(self.library.cutout(entry.id).pixels)
        return self._hashes[entry.id]

    def suited(self, base: BaseInstance, digest: str, options: RobustnessOptions) -> list[Entry]:
        """Objects of the wanted labels that are not from the scene of this digest.

        Only those that need not be enlarged too much.
        """
        wanted = [label for label in self.library.labels() if _wanted(label, base, options.labels)]
        entries = [e for label in wanted for e in self.library.entries(label) if e.source != digest]
        largest = options.enlarged**2
        small = options.size_ratio[0] * base.area
        return [e for e in entries if e.width * e.height * largest >= small]


def _wanted(label: str, base: BaseInstance, labels: Labels | tuple[str, ...]) -> bool:
    if labels == Labels.ANY:
        return True
    same = plain_name(label) == plain_name(base.name)
    if isinstance(labels, Labels):
        return same == (labels == Labels.SAME)
    return plain_name(label) in {plain_name(one) for one in labels}


def most_alike(
    hashed: HashedLibrary,
    prepared: RobustnessScene,
    base: BaseInstance,
    options: RobustnessOptions,
    rng: Generator,
) -> list[tuple[Entry, int]]:
    """Objects for a base instance, most similar to its surroundings first, with hash distances."""
    entries = hashed.suited(base, prepared.scene.digest, options)
    chosen = rng.permutation(len(entries))[: options.alike]
    drawn = [entries[int(place)] for place in chosen]
    reference = perceptual_hash(surroundings_of(prepared.scene.pixels(), base.box))
    bits = distances(reference, [hashed.hash_of(entry) for entry in drawn])
    return [(drawn[int(n)], int(bits[n])) for n in np.argsort(bits, kind="stable")]


def choose_objects(
    hashed: HashedLibrary,
    prepared: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    options: RobustnessOptions,
    how: Passes,
    rng: Generator,
) -> Yielding[list[Question], Sequence[Answer], list[InsertionObject]]:
    """The objects to insert around a base instance, at most `variety`.

    An object without room is tried again at the smallest size, then left out; while none has room,
    all that were drawn are tried. Where its score or uncertainty matters, the subject is asked
    about it alone.
    """
    found: list[InsertionObject] = []
    for number, (entry, bits) in enumerate(most_alike(hashed, prepared, base, options, rng)):
        if number >= TRIED * options.variety and found:
            break
        ratio = float(rng.uniform(*options.size_ratio))
        label = hashed.class_ids.get(plain_name(entry.label))
        for one in dict.fromkeys((ratio, options.size_ratio[0])):
            around = _around(prepared, base, outline, entry, one, options)
            if around is not None:
                found.append(InsertionObject(entry, label, bits, around, round(one, 4)))
                break
        if len(found) == options.variety and not options.alone:
            break
    if not options.alone:
        return found
    return (yield from _measured(hashed, found, options, how, len(prepared.classes)))


def _around(
    prepared: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    entry: Entry,
    ratio: float,
    options: RobustnessOptions,
) -> PlacesAround | None:
    side = float(np.sqrt(ratio * base.area))
    size = target_size((entry.width, entry.height), (side, side), Sizing.KEEP)
    if size[0] > prepared.scene.size[1] or size[1] > prepared.scene.size[0]:
        return None
    if size[1] > options.enlarged * entry.height + 1:
        return None
    return places_around(prepared, base, outline, size, options)


def alone_questions(options: RobustnessOptions, how: Passes) -> int:
    """The maximum number of questions about the objects of one base instance."""
    each = 1 + (options.passes if how != Passes.NONE else 0)
    return TRIED * options.variety * each if options.alone else 0


def _measured(
    hashed: HashedLibrary,
    found: list[InsertionObject],
    options: RobustnessOptions,
    how: Passes,
    classes: int,
) -> Yielding[list[Question], Sequence[Answer], list[InsertionObject]]:
    """Objects whose score and uncertainty alone are within limits, at most `variety`."""
    chosen: list[InsertionObject] = []
    for one in found:
        scene, box = object_alone(hashed.library.cutout(one.entry.id))
        [answer] = yield [Question(scene, Identity())]
        detections = detections_in(answer)
        alike = iou(detections.boxes, [box])[:, 0] * (detections.labels == one.label)
        fits = np.flatnonzero(alike >= ALONE_IOU)
        place = fits[np.argmax(detections.scores[fits])] if len(fits) else None
        score = 0.0 if place is None else round(float(detections.scores[place]), 4)
        unsure = None
        if place is not None:
            uncertainties = yield from sample_uncertainty(
                scene, detections[[place]], how, options.passes, classes
            )
            unsure = None if uncertainties is None else round(uncertainties[0].total, 4)
        if _within(score, options.inserting_score) and _within(
            unsure, options.inserting_uncertainty
        ):
            chosen.append(replace(one, score=score, uncertainty=unsure))
        if len(chosen) == options.variety:
            break
    return chosen


def _within(value: float | None, limits: tuple[float, float] | None) -> bool:
    return limits is None or (value is not None and limits[0] <= value <= limits[1])
