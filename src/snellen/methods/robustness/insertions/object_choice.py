"""Inserting instances: which objects are put around a base instance, and how large."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass, field

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
"""Objects that are looked at for each that is wanted."""
ALONE_IOU = 0.5


@dataclass(frozen=True, eq=False)
class InsertionObject:
    """An object to be put around a base instance. label: the subject's id, None if unknown to it.

    hash_distance: bits of 64 in which it differs from the base's surroundings. around: its places
    at the size it is given. ratio: its area by the base's. score, uncertainty: of it alone on grey,
    None where that was not asked.
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
    """The library with the hashes of its objects, each found when it is first asked for.

    class_ids: the subject's ids by plain name.
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

        Those that need not be enlarged too much, unless there are no others.
        """
        wanted = [label for label in self.library.labels() if _wanted(label, base, options.labels)]
        entries = [e for label in wanted for e in self.library.entries(label) if e.source != digest]
        largest = options.enlarged**2
        small = options.size_ratio[0] * base.area
        return [e for e in entries if e.width * e.height * largest >= small] or entries


def _wanted(label: str, base: BaseInstance, labels: Labels | tuple[str, ...]) -> bool:
    if labels == Labels.ANY:
        return True
    same = plain_name(label) == plain_name(base.name)
    if isinstance(labels, Labels):
        return same == (labels == Labels.SAME)
    return plain_name(label) in {plain_name(one) for one in labels}


def most_alike(
    shelf: HashedLibrary,
    stage: RobustnessScene,
    base: BaseInstance,
    options: RobustnessOptions,
    rng: Generator,
) -> list[tuple[Entry, int]]:
    """Objects for a base instance, most like its surroundings first, with the bits that differ."""
    entries = shelf.suited(base, stage.scene.digest, options)
    chosen = rng.permutation(len(entries))[: options.alike]
    drawn = [entries[int(place)] for place in chosen]
    reference = perceptual_hash(surroundings_of(stage.scene.pixels(), base.box))
    bits = distances(reference, [shelf.hash_of(entry) for entry in drawn])
    return [(drawn[int(n)], int(bits[n])) for n in np.argsort(bits, kind="stable")]


def choose_objects(
    shelf: HashedLibrary,
    stage: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    options: RobustnessOptions,
    how: Passes,
    rng: Generator,
) -> Yielding[list[Question], Sequence[Answer], list[InsertionObject]]:
    """The objects that are put around a base instance, at most `variety`.

    An object for which there is no room is tried again as small as allowed, then left out. Where
    its score or uncertainty matters, it is asked about alone.
    """
    found: list[InsertionObject] = []
    for entry, bits in most_alike(shelf, stage, base, options, rng)[: TRIED * options.variety]:
        ratio = float(rng.uniform(*options.size_ratio))
        label = shelf.class_ids.get(plain_name(entry.label))
        for one in dict.fromkeys((ratio, options.size_ratio[0])):
            around = _around(stage, base, outline, entry, one, options)
            if around is not None:
                found.append(InsertionObject(entry, label, bits, around, round(one, 4)))
                break
        if len(found) == options.variety and not options.alone:
            break
    if not options.alone:
        return found
    return (yield from _known(shelf, found, options, how, len(stage.classes)))


def _around(
    stage: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    entry: Entry,
    ratio: float,
    options: RobustnessOptions,
) -> PlacesAround | None:
    side = float(np.sqrt(ratio * base.area))
    size = target_size((entry.width, entry.height), (side, side), Sizing.KEEP)
    if size[0] > stage.scene.size[1] or size[1] > stage.scene.size[0]:
        return None
    return places_around(stage, base, outline, size, options)


def alone_questions(options: RobustnessOptions, how: Passes) -> int:
    """How many questions it takes at most to know the objects of one base instance."""
    each = 1 + (options.passes if how != Passes.NONE else 0)
    return TRIED * options.variety * each if options.alone else 0


def _known(
    shelf: HashedLibrary,
    found: list[InsertionObject],
    options: RobustnessOptions,
    how: Passes,
    classes: int,
) -> Yielding[list[Question], Sequence[Answer], list[InsertionObject]]:
    """Those of the right score and uncertainty when alone, at most `variety`."""
    kept: list[InsertionObject] = []
    for one in found:
        scene, box = object_alone(shelf.library.cutout(one.entry.id))
        [answer] = yield [Question(scene, Identity())]
        seen = detections_in(answer)
        alike = iou(seen.boxes, [box])[:, 0] * (seen.labels == one.label)
        fits = np.flatnonzero(alike >= ALONE_IOU)
        place = fits[np.argmax(seen.scores[fits])] if len(fits) else None
        score = 0.0 if place is None else round(float(seen.scores[place]), 4)
        unsure = None
        if place is not None:
            told = yield from sample_uncertainty(scene, seen[[place]], how, options.passes, classes)
            unsure = None if told is None else round(told[0].total, 4)
        if _within(score, options.inserting_score) and _within(
            unsure, options.inserting_uncertainty
        ):
            kept.append(InsertionObject(one.entry, one.label, one.hash_distance, one.around, one.ratio,
                                  score, unsure))  # fmt: skip
        if len(kept) == options.variety:
            break
    return kept


def _within(value: float | None, limits: tuple[float, float] | None) -> bool:
    return limits is None or (value is not None and limits[0] <= value <= limits[1])
