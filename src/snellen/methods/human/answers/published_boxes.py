"""Boxes of a CSV file as DecompoVision's published code counts them."""

from __future__ import annotations

import numpy as np

from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ORIGINAL
from snellen.methods.human.procedures.published_counts import (
    LabelRows,
    PublishedAnswers,
)
from snellen.methods.human.subtasks import Kind
from snellen.vision.arrays import Bools, Ints, Texts

ANY = "any"


def published_boxes(
    data: BoxAnswers, transformation: str, label: str, kind: Kind
) -> PublishedAnswers:
    """The rows for a label, or `any`.

    For preservation, each label that people gave to an object in the original is a true object; two
    boxes overlap if both are on the same annotated object, as a file has no corners.
    """
    changed, clean = data.of(transformation), data.of(ORIGINAL)
    if kind == "correctness":
        objects = np.flatnonzero((changed.object >= 0) & _wanted(changed.truth, label))
        _, first = np.unique(changed.object[objects], return_index=True)
        rows = objects[first]
        return PublishedAnswers(
            _correct_rows(changed, label, changed.image),
            _correct_rows(clean, label, changed.image),
            changed.object[rows],
            changed.image[rows],
            changed.delta_v[rows],
        )
    return _preserved(changed, clean, label)


def _preserved(changed: BoxAnswers, clean: BoxAnswers, label: str) -> PublishedAnswers:
    told = clean.answer != ""
    on_object = told & (_things(clean) >= 0)
    boxed = np.isin(_things(changed), _things(clean)[on_object])
    found = np.isin(_things(changed), _things(clean)[on_object & _wanted(clean.answer, label)])
    same = np.isin(_told(changed), _told(clean)[on_object])
    versions = sorted(set(zip(changed.image.tolist(), changed.delta_v.tolist(), strict=True)))
    mine = np.flatnonzero(told & _wanted(clean.answer, label))
    pairs = [
        (row, image, delta_v)
        for image, delta_v in versions
        for row in mine[clean.image[mine] == image].tolist()
    ]
    objects, images, at = (list(one) for one in zip(*pairs, strict=True)) if pairs else ([],) * 3
    return PublishedAnswers(
        _label_rows(changed, label, boxed, found, same, changed.image),
        _label_rows(clean, label, on_object, on_object, on_object, changed.image[:0]),
        np.array(objects, dtype=np.int64),
        np.array(images, dtype=np.int64),
        np.array(at, dtype=np.float64),
    )


def _correct_rows(data: BoxAnswers, label: str, images: Ints) -> LabelRows:
    boxed = data.object >= 0
    found = boxed & _wanted(data.truth, label)
    return _label_rows(data, label, boxed, found, np.asarray(data.truth == data.answer), images)


def _label_rows(
    data: BoxAnswers, label: str, boxed: Bools, found: Bools, same: Bools, images: Ints
) -> LabelRows:
    """The rows of some images with an answer.

    boxed: on some object. found: on an object of the label. same: the answer is an object's label.
    """
    keep = (data.answer != "") & np.isin(data.image, images)
    labelled = _wanted(data.answer, label)
    both = found & labelled & same
    flags = np.stack([labelled, labelled & boxed, found, both, both & (data.segmented == 1)])
    return LabelRows(data.image[keep], data.delta_v[keep], flags[:, keep])


def _wanted(labels: Texts, label: str) -> Bools:
    return np.asarray((labels == label) | (label == ANY))


def _told(data: BoxAnswers) -> Texts:
    """Each row's object and answer as one text."""
    return np.char.add(np.char.add(_things(data).astype(np.str_), " "), data.answer)


def _things(data: BoxAnswers) -> Ints:
    return data.object if data.thing is None else data.thing
