"""What is known of the scenes of a study: their objects, and how easy they are to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.errors import UserError, nearest
from snellen.scenes.scene import Scene, SceneSet
from snellen.study.options import StudyOptions
from snellen.study.record import TrueObject
from snellen.study.trial import StudyTask

NEEDS_OBJECTS = (StudyTask.LOCALISE, StudyTask.CLASSIFY_BOX, StudyTask.SEGMENT)


@dataclass(frozen=True, eq=False)
class SceneTruth:
    """A scene with its annotated objects, crowds left out.

    asked: those that people may be asked about: of the study's classes, and large enough; with a
    mask if the study has `segment`. present: the study's classes that occur at any size.
    """

    scene: Scene
    objects: tuple[TrueObject, ...]
    asked: tuple[TrueObject, ...]
    present: frozenset[str]

    @property
    def easiness(self) -> float:
        """The share of the image that its largest object fills, less with more objects beside."""
        height, width = self.scene.size
        if not self.asked:
            return 0.0
        return max(map(_area, self.asked)) / (height * width) / len(self.objects)


def scene_truths(scenes: SceneSet, options: StudyOptions) -> list[SceneTruth]:
    """The scenes that the study's tasks can use, in the order of the set."""
    classes = studied_classes(scenes, options)
    known = [_truth(one, scenes.classes, classes, options) for one in scenes if one.size != (0, 0)]
    objects_needed = [task for task in options.tasks if task in NEEDS_OBJECTS]
    if not objects_needed and StudyTask.CLASSIFY not in options.tasks:
        return known
    annotated = [one for one in known if one.scene.annotations is not None]
    if not annotated:
        raise UserError(
            f"tasks: {options.tasks[0]} needs annotated scenes, but scenes of kind "
            f"'{options.scenes.get('kind')}' have no annotations here. Use annotated scenes, such "
            "as kind: coco, or tasks: [rank]."
        )
    if not objects_needed:
        return annotated
    usable = [one for one in annotated if one.asked]
    if not usable:
        what = "with masks " if StudyTask.SEGMENT in options.tasks else ""
        raise UserError(
            f"tasks: {objects_needed[-1]} needs objects {what}of the classes "
            f"{', '.join(classes)} with sides of {options.least_side} pixels or more; none of the "
            f"{len(annotated)} annotated scenes has one. Change classes or least_side, or leave "
            "out the task."
        )
    return usable


def studied_classes(scenes: SceneSet, options: StudyOptions) -> tuple[str, ...]:
    """The classes asked about: those named, else all of the set."""
    for name in options.classes:
        if scenes.classes and name not in scenes.classes:
            raise UserError(f"classes: unknown class '{name}'{nearest(name, scenes.classes)}")
    return options.classes or scenes.classes


def _truth(
    scene: Scene, names: Sequence[str], classes: Sequence[str], options: StudyOptions
) -> SceneTruth:
    objects = _objects(scene, names)
    own = [one for one in objects if one.label in classes]
    masks = StudyTask.SEGMENT in options.tasks
    asked = [
        one
        for one in own
        if min(one.box[2] - one.box[0], one.box[3] - one.box[1]) >= options.least_side
        and (one.mask is not None or not masks)
    ]
    return SceneTruth(scene, objects, tuple(asked), frozenset(one.label for one in own))


def _objects(scene: Scene, names: Sequence[str]) -> tuple[TrueObject, ...]:
    known = scene.annotations
    if known is None:
        return ()
    masks = [None] * len(known) if known.masks is None else known.masks.to_coco()
    height, width = scene.size
    found = []
    for number, (box, label) in enumerate(zip(known.boxes.tolist(), known.labels, strict=True)):
        x1, y1 = max(box[0], 0.0), max(box[1], 0.0)
        x2, y2 = min(box[2], float(width)), min(box[3], float(height))
        if x1 < x2 and y1 < y2 and not known.crowd[number] and not known.ignore[number]:
            name = names[int(label)]
            found.append(
                TrueObject(id=str(number), label=name, box=(x1, y1, x2, y2), mask=masks[number])
            )
    return tuple(found)


def _area(one: TrueObject) -> float:
    x1, y1, x2, y2 = one.box
    return (x2 - x1) * (y2 - y1)
