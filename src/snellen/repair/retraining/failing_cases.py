"""Each failing case of a run as a labelled picture or frame, as it was tested."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.repair.retraining.case_frame import CaseFrame
from snellen.repair.retraining.case_picture import CasePicture
from snellen.repair.retraining.frame_maker import FrameMaker, MeshPlacement
from snellen.repair.retraining.image_maker import ImageMaker
from snellen.repair.retraining.insertion_choice import ChosenInsertion, PlaceReason
from snellen.repair.retraining.picture_labels import moved_annotations
from snellen.repair.retraining.retraining_set import LabelOrigin, RetrainingPicture
from snellen.scenes.export_files import name_without_suffix
from snellen.scenes.scene import Scene
from snellen.store.findings import Finding, findings, prediction
from snellen.vision.detections import Detections


def failing_findings(maker: ImageMaker | FrameMaker) -> list[Finding]:
    """The failing cases of a run, in the order they were judged."""
    found = [one for one in findings(maker.journal) if one.status == "failing"]
    return sorted(found, key=lambda one: (one.unit, one.number))


@dataclass(frozen=True, eq=False)
class FailingImages:
    """The failing cases of a run on images."""

    maker: ImageMaker

    def pictures(self) -> list[RetrainingPicture]:
        """Their pictures."""
        return [self._made(one) for one in failing_findings(self.maker)]

    def _made(self, finding: Finding) -> RetrainingPicture:
        maker, recipe = self.maker, recipe_from_json(finding.recipe)
        scene = maker.run.scene(finding.scene)
        detections = prediction(maker.journal, finding.before)
        boxes = detections if isinstance(detections, Detections) else Detections.empty()
        labels = maker.labels_of(scene, boxes.above(maker.run.subject.score))
        if isinstance(recipe, Insert):
            chosen = ChosenInsertion(recipe, PlaceReason.FAILING, finding.id)
            return maker.picture(scene, labels, (chosen,), finding.id)
        picture = CasePicture(scene, _checked(recipe), maker.run.materials)
        name = f"{name_without_suffix(scene.id)}-{finding.id}.png"
        moved = moved_annotations(labels.annotations, recipe, scene.size)
        region = scene.region if moved is labels.annotations else None
        changed = Scene(name, picture, scene.size, moved, region)
        return RetrainingPicture(changed, scene, recipe.to_json(), labels.origin, ())


@dataclass(frozen=True, eq=False)
class FailingFrames:
    """The failing cases of a run on camera+LiDAR frames."""

    maker: FrameMaker

    def pictures(self) -> list[RetrainingPicture]:
        """Their frames."""
        return [self._made(one) for one in failing_findings(self.maker)]

    def _made(self, finding: Finding) -> RetrainingPicture:
        recipe = recipe_from_json(finding.recipe)
        assert isinstance(recipe, Insert3D)
        scene = self.maker.run.scene(finding.scene)
        frame = CaseFrame(scene, recipe, self.maker.run.materials, self.maker.labelled)
        placed = [MeshPlacement(finding.id, True, pose, recipe.sensors) for pose in recipe.objects]
        inserted = tuple(self.maker.inserted_object(one, PlaceReason.FAILING) for one in placed)
        changed = self.maker.scene_of(frame, f"{scene.id}-{finding.id}")
        return RetrainingPicture(
            changed, scene, recipe.to_json(), LabelOrigin.ANNOTATIONS, inserted
        )


def _checked(recipe: Recipe) -> Recipe:
    if not recipe.keeps_objects:
        raise UserError(
            f"the boxes in a case made by '{recipe.kind}' are not known, so it cannot be labelled. "
            "Export a run whose cases insert objects, or only change pixels."
        )
    return recipe
