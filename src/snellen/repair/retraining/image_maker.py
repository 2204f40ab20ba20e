"""Retraining pictures of a run that inserted cut-outs into images."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from snellen.changes.paste.insert_many import InsertMany
from snellen.contract.repairs import Retrains
from snellen.engine.seeds import unit_generator
from snellen.errors import UserError
from snellen.objects.library.library import Library
from snellen.repair.repair_ability import retrains_of
from snellen.repair.retraining.case_picture import CasePicture
from snellen.repair.retraining.insertion_choice import (
    ChosenInsertion,
    InsertionGround,
    chosen_pictures,
)
from snellen.repair.retraining.insertion_places import ScenePlaces, scene_places
from snellen.repair.retraining.option_hints import FLAGS, OptionHints
from snellen.repair.retraining.options import RetrainingOptions, SceneChoice
from snellen.repair.retraining.picture_labels import pseudo_labels, shape_of, with_shapes
from snellen.repair.retraining.retraining_set import InsertedObject, LabelOrigin, RetrainingPicture
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.report.reopened_run import Reopened
from snellen.scenes.export_files import name_without_suffix
from snellen.scenes.scene import Scene, SceneSet, Skipped
from snellen.store.journal import Journal
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections

STREAM = "retraining"
OVERLAPPING = "every failing place overlaps an object"
FULL = "no free place"


class SceneLabels(NamedTuple):
    """The labels of a scene, and their origin."""

    annotations: Annotations
    origin: LabelOrigin


@dataclass(frozen=True, eq=False)
class ImageMaker:
    """Makes the pictures of one run, a scene at a time. scenes: all scenes of the run."""

    journal: Journal
    run: Reopened
    scenes: SceneSet
    options: RetrainingOptions
    vocabulary: Vocabulary
    hints: OptionHints = FLAGS
    left_out: list[Skipped] = field(default_factory=list)

    @cached_property
    def retrains(self) -> Retrains:
        """What the run's method offers to retraining sets."""
        return retrains_of(self.run.campaign.method, self.journal.path.parent)

    @cached_property
    def masked(self) -> bool:
        """Whether the scenes have masks."""
        return any(one.annotations is not None and one.annotations.masks for one in self.scenes)

    def pictures(self) -> list[RetrainingPicture]:
        """The pictures of all scenes, in the run's order."""
        tested = scene_places(self.journal, self.retrains, self.run.subject.score)
        every = self.options.among == SceneChoice.TESTED
        return [made for one in tested if one.failing or every for made in self._of_scene(one)]

    def _of_scene(self, tested: ScenePlaces) -> list[RetrainingPicture]:
        scene = self.run.scene(tested.scene)
        strong = tested.detections.above(self.run.subject.score)
        labels = self.labels_of(scene, strong)
        allowed = self.retrains.allowed_places(self.run.method, scene, strong)
        ground = InsertionGround(tested, allowed.obstacles, allowed.free, self.run.labels)
        rng = unit_generator(self.options.seed, STREAM, scene.id)
        pictures = chosen_pictures(ground, self.options, rng)
        if not pictures:
            self.left_out.append(Skipped(scene.id, OVERLAPPING if tested.failing else FULL))
        return [
            self.picture(scene, labels, chosen, f"retrain{number}")
            for number, chosen in enumerate(pictures)
        ]

    def labels_of(self, scene: Scene, detections: Detections) -> SceneLabels:
        """The scene's annotations or, if the options allow it, the subject's detections."""
        if scene.annotations is not None:
            return SceneLabels(scene.annotations, LabelOrigin.ANNOTATIONS)
        if not self.options.pseudo_labels:
            raise UserError(
                f"scene '{scene.id}' has no annotations, so a picture made from it would label its "
                f"objects as background. Use annotated scenes, or {self.hints.pseudo_labels} to "
                "label it with the subject's own detections."
            )
        classes = self.run.subject.classes
        return SceneLabels(
            pseudo_labels(detections, classes, self.vocabulary, scene.size), LabelOrigin.SUBJECT
        )

    def picture(
        self, scene: Scene, labels: SceneLabels, chosen: tuple[ChosenInsertion, ...], suffix: str
    ) -> RetrainingPicture:
        """The scene with these insertions, labelled; its id is the scene's id and the suffix."""
        recipe = InsertMany.of(one.recipe for one in chosen)
        picture = CasePicture(scene, recipe, self.run.materials)
        annotations = self._annotations(scene, labels.annotations, chosen)
        name = f"{name_without_suffix(scene.id)}-{suffix}.png"
        return RetrainingPicture(
            Scene(name, picture, scene.size, annotations, scene.region),
            scene,
            recipe.to_json(),
            labels.origin,
            tuple(self._inserted(one) for one in chosen),
        )

    def _annotations(
        self, scene: Scene, annotations: Annotations, chosen: tuple[ChosenInsertion, ...]
    ) -> Annotations:
        if not self.options.label_inserted:
            return annotations
        shapes = [
            shape_of(
                one.recipe, self.vocabulary.label(self._name(one)), scene.size, self.run.materials
            )
            for one in chosen
        ]
        masked = self.masked or annotations.masks is not None
        return with_shapes(annotations, shapes, scene.size, masked=masked)

    def _inserted(self, one: ChosenInsertion) -> InsertedObject:
        return InsertedObject(
            one.why,
            one.case,
            one.recipe.object,
            self._name(one),
            one.box,
            one.instance,
            one.cluster,
        )

    def _name(self, one: ChosenInsertion) -> str:
        id = one.recipe.object
        library: Library = self.run.materials["objects"]
        return self.run.labels.get(id) or library.cutout(id).label
