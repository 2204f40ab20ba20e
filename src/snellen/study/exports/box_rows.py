"""Rows about boxes: what people found, what they called it, and whether they could outline it.

A row is a label that people gave to a box, or an object that nobody boxed. Where people were shown
annotated boxes, an object counts as boxed if most of those who localised in its picture found it;
where nobody localised, every object that was asked about counts as boxed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snellen.study.estimates.scores.box_scores import found_objects, object_in
from snellen.study.estimates.scores.outline_mask import mask_iou, outline_mask
from snellen.study.exports.csv_text import csv_text
from snellen.study.exports.exported_study import ExportedStudy, image_name
from snellen.study.record import PlannedTrial, StudySample, TrueObject
from snellen.study.trial import BoxesAnswer, ClassAnswer, OutlineAnswer, StudyBox, StudyTask
from snellen.vision.masks.rle_masks import Masks

OVERLAP = 0.5
"""IoU from which a box or an outline fits an object."""
UNNAMED = "object"
"""The label of a box that nobody was asked to name and that fits no object."""
COLUMNS = (
    *("image", "transformation", "delta_v", "object", "truth", "answer"),
    *("confidence", "segmented", "measure"),
)


class BoxRow(NamedTuple):
    """One row. object: empty for none; segmented: None where no outline was asked for."""

    sample: StudySample
    object: str
    truth: str
    answer: str
    confidence: float | None = None
    segmented: bool | None = None


@dataclass(frozen=True)
class _Named:
    """A box that people were asked to name. object: the annotated one that it fits, if any."""

    box: StudyBox
    object: TrueObject | None
    labels: Counter[str]


def box_table(study: ExportedStudy) -> bytes | None:
    """The rows as the text of a CSV file; None for a study without answers about boxes."""
    rows = list(box_rows(study))
    if not rows:
        return None
    return csv_text(COLUMNS, [_cells(one, study.record.measure) for one in rows])


def box_rows(study: ExportedStudy) -> Iterator[BoxRow]:
    """The rows of all pictures whose boxes people drew or named."""
    drawn, named, outlined = _drawn(study), _named(study), _outlined(study)
    asked = bool(named)
    for name in dict.fromkeys([*drawn, *named]):
        sample = study.record.samples[name]
        objects = study.objects(sample)
        if asked:
            yield from _label_rows(sample, objects, drawn.get(name), named.get(name, ()), outlined)
        else:
            yield from _place_rows(sample, objects, drawn[name])


def _drawn(study: ExportedStudy) -> dict[str, list[tuple[StudyBox, ...]]]:
    """By sample: the boxes that each person drew."""
    found: dict[str, list[tuple[StudyBox, ...]]] = defaultdict(list)
    for _, sample, given in study.of(StudyTask.LOCALISE):
        if isinstance(given.answer, BoxesAnswer):
            found[sample.sample].append(given.answer.boxes)
    return found


def _named(study: ExportedStudy) -> dict[str, list[_Named]]:
    """By sample: the boxes that people named, each with its labels."""
    trials: dict[str, PlannedTrial] = {}
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for trial, _, given in study.of(StudyTask.CLASSIFY_BOX):
        if isinstance(given.answer, ClassAnswer):
            trials[trial.trial] = trial
            labels[trial.trial][given.answer.choice] += 1
    found: dict[str, list[_Named]] = defaultdict(list)
    for name, trial in trials.items():
        sample = study.record.samples[trial.samples[0]]
        if trial.box is not None:
            thing = _object_of(trial, study.objects(sample))
            found[sample.sample].append(_Named(trial.box, thing, labels[name]))
    return found


def _object_of(trial: PlannedTrial, objects: Sequence[TrueObject]) -> TrueObject | None:
    """The object that a trial shows, or that the box it shows was drawn around."""
    if trial.object is not None:
        return next((one for one in objects if one.id == trial.object), None)
    return None if trial.box is None else object_in(trial.box, objects, OVERLAP)


def _outlined(study: ExportedStudy) -> dict[tuple[str, str], bool]:
    """By sample and object: whether most outlines of it fit."""
    fits: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for trial, sample, given in study.of(StudyTask.SEGMENT):
        thing = _object_of(trial, study.objects(sample))
        if thing is None or thing.mask is None or not isinstance(given.answer, OutlineAnswer):
            continue
        picture = study.pictures[sample.sample]
        size = (picture.height, picture.width)
        true = Masks.from_coco([thing.mask], size).to_array()[0]
        fits[sample.sample, thing.id].append(
            mask_iou(true, outline_mask(given.answer, size)) > OVERLAP
        )
    return {key: 2 * sum(each) >= len(each) for key, each in fits.items()}


def _label_rows(
    sample: StudySample,
    objects: Sequence[TrueObject],
    drawn: list[tuple[StudyBox, ...]] | None,
    named: Sequence[_Named],
    outlined: Mapping[tuple[str, str], bool],
) -> Iterator[BoxRow]:
    taken: set[str] = set()
    for one in named:
        thing = one.object
        if thing is not None and thing.id in taken:
            thing = None  # a second box on an object that has one
        if thing is not None:
            taken.add(thing.id)
            if drawn is not None and not _mostly_found(thing, drawn):
                yield BoxRow(sample, thing.id, thing.label, "")
                continue
        for label, times in one.labels.items():
            right = thing is not None and thing.label == label
            fits = outlined.get((sample.sample, thing.id)) if thing and right else None
            share = times / one.labels.total()
            about = (thing.id, thing.label) if thing is not None else ("", "")
            yield BoxRow(sample, *about, label, share, fits)
    for thing in objects if drawn is not None else ():
        if thing.id not in taken and not _ever_found(thing, drawn):
            yield BoxRow(sample, thing.id, thing.label, "")


def _mostly_found(thing: TrueObject, drawn: Sequence[Sequence[StudyBox]] | None) -> bool:
    each = [found_objects(boxes, [thing], OVERLAP)[0][0] for boxes in drawn or ()]
    return 2 * sum(each) >= len(each)


def _ever_found(thing: TrueObject, drawn: Sequence[Sequence[StudyBox]] | None) -> bool:
    return any(found_objects(boxes, [thing], OVERLAP)[0][0] for boxes in drawn or ())


def _place_rows(
    sample: StudySample, objects: Sequence[TrueObject], drawn: list[tuple[StudyBox, ...]]
) -> Iterator[BoxRow]:
    """Of people who were asked to draw boxes only: a box on an object has its label."""
    for boxes in drawn:
        found, hits = found_objects(boxes, objects, OVERLAP)
        for thing, seen in zip(objects, found, strict=True):
            yield BoxRow(sample, thing.id, thing.label, thing.label if seen else "")
        for hit in hits:
            if not hit:
                yield BoxRow(sample, "", "", UNNAMED)


def _cells(one: BoxRow, measure: str) -> tuple[object, ...]:
    sample = one.sample
    head = (image_name(sample.scene), sample.transformation, sample.delta_v)
    segmented = "" if one.segmented is None else int(one.segmented)
    confidence = "" if one.confidence is None else round(one.confidence, 6)
    return (*head, one.object, one.truth, one.answer, confidence, segmented, measure)
