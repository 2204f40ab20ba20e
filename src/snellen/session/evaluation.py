"""Average precision from Python, with classes that are matched by name."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from snellen.engine.subject_thread import checked_predictions
from snellen.errors import UserError, nearest, next_step
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import AveragePrecision
from snellen.vision.precision.average_precision import evaluate as evaluate_by_id
from snellen.vision.precision.class_alignment import ClassAlignment, aligned_classes

SHOWN = 5
"""Names that a message lists."""
MISLABELLED = 0.5
"""AP, as a share of that without labels, below which the order of the classes is in doubt."""


@next_step("snellen docs measure-ap")
def evaluate(
    detections: Subject | Sequence[Detections],
    truths: SceneSet | Sequence[Annotations],
    *,
    classes: int | Sequence[str] | None = None,
    truth_classes: Sequence[str] | None = None,
    masks: bool = False,
) -> AveragePrecision:
    """COCO's evaluation of a subject, or of detections, against the ground truth of images.

    detections: a subject, which is asked about the scenes, or one `Detections` per image. truths:
    annotated scenes, or one `Annotations` per image. classes: the names of the detections' labels
    by id (a subject has its own), or the number of classes. truth_classes: those of the ground
    truth (a scene set has its own). With both lists, labels are matched by name and the result has
    the common classes in the order of the ground truth; without them, ids must mean the same.

    >>> seen = [Detections([[0, 0, 9, 10]], [0], [0.9])]
    >>> known = [Annotations([[0, 0, 10, 10]], [1])]
    >>> result = evaluate(seen, known, classes=["cat", "dog"], truth_classes=["dog", "cat"])
    >>> result.value().__round__(3)  # correct up to IoU 0.9
    0.9
    """
    known = tuple(truths.classes) if isinstance(truths, SceneSet) else None
    known = tuple(truth_classes) if truth_classes is not None else known or None
    found = classes if isinstance(classes, Sequence) else None
    if isinstance(detections, Subject) and not isinstance(detections, Sequence):
        found = found or detections.classes
    answers, truth = _answers(detections, truths), _truths(truths)
    if len(answers) != len(truth):
        raise UserError(
            f"evaluate: found {len(answers)} detections and {len(truth)} annotations, expected one "
            "of each per image, in the same order."
        )
    if found is None or known is None:
        return _by_id(answers, truth, classes, found, known, masks=masks)
    both = _alignment(_names(found, "classes"), _names(known, "truth_classes"))
    _check_ids(answers, len(found), "classes", "detection")
    _check_ids(truth, len(known), "truth_classes", "annotation")
    return evaluate_by_id(
        [both.detections(one) for one in answers],
        [both.annotations(one) for one in truth],
        classes=len(both.classes),
        masks=masks,
    )


def _answers(
    detections: Subject | Sequence[Detections], truths: SceneSet | Sequence[Annotations]
) -> list[Detections]:
    if isinstance(detections, Sequence):
        return list(detections)
    if not isinstance(truths, SceneSet):
        raise UserError(
            "evaluate: a subject is asked about scenes; found annotations alone. Give a SceneSet, "
            "such as sn.open_scenes('val/instances.json'), or the detections."
        )
    found = list[Detections]()
    for start in range(0, len(truths), detections.batch):
        images = [one.pixels() for one in truths[start : start + detections.batch]]
        for one in checked_predictions(detections.predict(images), images, detections):
            if not isinstance(one, Detections):
                raise UserError(f"evaluate: the subject predicts {detections.task}, not boxes.")
            found.append(one)
    return found


def _truths(truths: SceneSet | Sequence[Annotations]) -> list[Annotations]:
    if not isinstance(truths, SceneSet):
        return list(truths)
    for scene in truths:
        if scene.annotations is None:
            raise UserError(
                f"evaluate: scene '{scene.id}' has no annotations. Give annotated ones."
            )
    return [one.annotations for one in truths if one.annotations is not None]


def _names(names: Sequence[str], what: str) -> list[str]:
    """The names as they are compared: without differences of case and spelling."""
    plain = [plain_name(str(one)) for one in names]
    twice = next((one for one in plain if plain.count(one) > 1), None)
    if twice is not None:
        raise UserError(f"evaluate: {what}: '{twice}' occurs twice; class names must be unique.")
    return plain


def _alignment(found: Sequence[str], known: Sequence[str]) -> ClassAlignment:
    both = aligned_classes(found, known)
    if not both.classes:
        raise UserError(
            f"evaluate: detections and ground truth have no class name in common: {_some(found)} "
            f"and {_some(known)}{nearest(found[0], known) if found and known else ''}. Correct "
            "classes or truth_classes."
        )
    if both.only_known:
        warnings.warn(
            f"the subject has no class {_some(both.only_known)}; AP is over the "
            f"{len(both.classes)} common classes",
            UserWarning,
            stacklevel=4,
        )
    return both


def _check_ids(sets: Sequence[Detections | Annotations], count: int, what: str, item: str) -> None:
    for image, labels in enumerate([one.labels for one in sets]):
        largest = int(labels.max(initial=-1))
        if largest >= count:
            raise UserError(
                f"evaluate: image {image} has a label {largest} in its {item}s, but {what} has "
                f"{count} names, for ids 0 to {count - 1}. Complete the list."
            )


def _by_id(
    answers: Sequence[Detections],
    truths: Sequence[Annotations],
    classes: int | Sequence[str] | None,
    found: Sequence[str] | None,
    known: Sequence[str] | None,
    *,
    masks: bool,
) -> AveragePrecision:
    """The evaluation by class id, with a warning where ids may not mean the same."""
    count = classes if isinstance(classes, int) else len(found or known or ()) or None
    result = evaluate_by_id(answers, truths, classes=count, masks=masks)
    missing = "classes" if found is None else "truth_classes"
    if found is not None or known is not None:
        warnings.warn(
            f"only one side has class names, so labels are compared by id; pass {missing}=[...] to "
            "match them by name",
            UserWarning,
            stacklevel=3,
        )
    elif _doubtful(result, answers, truths):
        warnings.warn(
            "boxes match but labels do not: the ids of detections and ground truth seem to mean "
            "different classes; pass classes=[...] and truth_classes=[...] to match them by name",
            UserWarning,
            stacklevel=3,
        )
    return result


def _doubtful(
    result: AveragePrecision, answers: Sequence[Detections], truths: Sequence[Annotations]
) -> bool:
    """Whether AP50 with labels is far below AP50 without them."""
    from snellen.vision.precision.average_precision import average_precision
    from snellen.vision.precision.set_matching import match_set

    without = average_precision(match_set(answers, truths, ious=[0.5], class_aware=False)).value()
    return without > 0 and result.value(iou=0.5) < MISLABELLED * without


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(f"'{one}'" for one in names[:SHOWN]) + more
