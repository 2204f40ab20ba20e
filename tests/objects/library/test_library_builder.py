from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.objects.cutouts.alpha import cut_out
from snellen.objects.cutouts.grabcut import mask_in_box
from snellen.objects.cutouts.recognition import NOT_RECOGNISED
from snellen.objects.cutouts.scene_cutouts import cut_by_boxes, cut_by_masks
from snellen.objects.cutouts.scene_instances import (
    SceneInstances,
    annotated_instances,
    detected_instances,
)
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library_builder import CutPlan, build_library
from snellen.objects.library.object_record import ObjectRecord
from snellen.objects.library.prune_rules import PruneOptions, counts
from snellen.scenes.scene import PictureArray, Scene
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.subjects.planted.adapter import PlantedOptions, open_planted
from snellen.subjects.subject import Task
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from tests.objects.pictures import disc, scene_of, set_of

SIZE = (120, 160)
EVERYTHING = PruneOptions(by="none")


def test_crowds_and_ignored_objects_are_left_out_but_stand_in_the_way() -> None:
    near, far = disc(SIZE, (60, 80), 30), disc(SIZE, (60, 45), 30) & ~disc(SIZE, (60, 80), 30)
    other = disc(SIZE, (130, 60), 20)
    crowd, ignore = np.array([True, False, False]), np.array([False, False, True])
    scene = scene_of([near, far, other], [0, 1, 0], crowd=crowd, ignore=ignore)
    pieces = cut_by_masks(
        scene.pixels(), annotated_instances(scene, ("ball", "cube")), "digest", "id"
    )
    [piece] = pieces
    assert piece.entry.label == "cube"
    assert piece.quality.occluded > 0.15


def test_an_object_without_mask_or_pixels_is_counted_as_not_cut() -> None:
    scene = scene_of([disc(SIZE, (60, 60), 30), np.zeros(SIZE, bool)], [0, 1])
    records = [
        piece.cutout is None
        for piece in cut_by_masks(scene.pixels(), annotated_instances(scene, ("a", "b")), "", "")
    ]
    assert records == [False, True]
    boxes = SceneInstances(
        np.array([[1, 2, 30, 40]], np.float32), ("a",), None, None, np.ones(1, bool)
    )
    [piece] = cut_by_masks(scene.pixels(), boxes, "digest", "id")
    assert piece.cutout is None
    assert (piece.entry.width, piece.entry.height, piece.entry.source) == (29, 38, "digest")


def test_two_detections_of_one_object_are_one_sighting() -> None:
    answer = Detections(
        np.array([[10, 10, 60, 40], [11, 10, 60, 41], [80, 10, 99, 40], [0, 0, 5, 5]]),
        np.array([7, 2, 2, 1]),
        np.array([0.5, 0.9, 0.6, 0.1]),
    )
    seen = detected_instances(answer, [f"label {n}" for n in range(8)], 0.4)
    assert list(seen.labels) == ["label 2", "label 2"]
    assert seen.scores is not None
    assert seen.scores.tolist() == pytest.approx([0.9, 0.6])


def library_of(
    tmp_path: Path, name: str, plan: CutPlan, count: int = 6
) -> tuple[FolderLibrary, list[ObjectRecord]]:
    scenes = synthetic_scenes(SyntheticOptions(count=count, seed=3))
    records = build_library(scenes, plan, tmp_path / name)
    return FolderLibrary(tmp_path / name), records


@pytest.mark.parametrize("cut", ["masks", "boxes"])
def test_the_number_of_workers_changes_nothing(tmp_path: Path, cut: str) -> None:
    subject = open_planted(PlantedOptions(batch=3))
    libraries = [
        library_of(
            tmp_path,
            f"{workers}",
            CutPlan(cut, PruneOptions(), subject, cut == "boxes", cut == "boxes", workers=workers),
        )
        for workers in (1, 2, 5)
    ]
    assert libraries[0][1] == libraries[1][1] == libraries[2][1]
    files = [
        {path.relative_to(one.path): path.read_bytes() for path in one.path.rglob("*.png")}
        for one, _ in libraries
    ]
    assert files[0] == files[1] == files[2]
    assert files[0]


def test_masks_of_a_subject_give_the_objects_that_it_sees(tmp_path: Path) -> None:
    subject = open_planted(PlantedOptions(task=Task.SEGMENTATION))
    found, records = library_of(tmp_path, "a", CutPlan("subject", EVERYTHING, subject, finds=True))
    scenes = synthetic_scenes(SyntheticOptions(count=6, seed=3))
    there = sum(len(scene.annotations) for scene in scenes if scene.annotations is not None)
    assert sum(counts(records)[0].values()) == there
    assert {record.entry.score for record in records} == {0.9}
    for record in records:
        pixels = found.cutout(record.entry.id).pixels
        assert pixels[pixels.shape[0] // 2, pixels.shape[1] // 2, 3] == 255


def test_an_object_is_found_within_its_box_to_the_pixel_or_nearly() -> None:
    scenes = synthetic_scenes(SyntheticOptions(count=8, seed=5, sides=(40, 60)))
    overlaps = []
    for scene in scenes:
        known = scene.annotations
        assert known is not None
        assert known.masks is not None
        for box, truth in zip(known.boxes, known.masks.to_array(), strict=True):
            found = mask_in_box(scene.pixels(), box)
            overlaps.append((found & truth).sum() / (found | truth).sum())
    assert np.median(overlaps) > 0.95
    assert min(overlaps) > 0.8


def test_an_outline_is_the_same_every_time_and_whatever_came_before() -> None:
    [scene] = synthetic_scenes(SyntheticOptions(count=1))
    assert scene.annotations is not None
    boxes = scene.annotations.boxes
    forward = [mask_in_box(scene.pixels(), box) for box in boxes]
    backward = [mask_in_box(scene.pixels(), box) for box in boxes[::-1]][::-1]
    assert all((a == b).all() for a, b in zip(forward, backward, strict=True))


@pytest.mark.parametrize("box", [[5, 5, 10, 60], [-3, -3, 4, 4]])
def test_a_box_too_small_for_an_outline_gives_none(box: list[int]) -> None:
    assert not mask_in_box(np.zeros((80, 80, 3), np.uint8), box).any()


def test_a_box_of_one_colour_with_its_surroundings_is_no_crash() -> None:
    image = np.full((80, 80, 3), 90, np.uint8)
    seen = SceneInstances(
        np.array([[20, 20, 60, 60]], np.float32), ("a",), None, None, np.ones(1, bool)
    )
    [piece] = cut_by_boxes(image, seen, "", "")
    assert piece.quality.contrast == 0


class SeesColour:
    """A subject that detects one box around red pixels, if they are red enough throughout."""

    name, task, fingerprint = "red", Task.DETECTION, "red"
    classes: tuple[str, ...] = ("ball", "cube")
    score, batch, deterministic, tolerance = 0.5, 2, True, 0.0

    def __init__(self) -> None:
        self.asked = 0

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """One box at most."""
        self.asked += len(images)
        return [self._answer(image.astype(int)) for image in images]

    def _answer(self, image: np.ndarray) -> Detections:
        red = (image[..., 0] > 180) & (image[..., 1] < 80)
        if red.sum() < 50:
            return Detections.empty()
        rows, columns = np.flatnonzero(red.any(1)), np.flatnonzero(red.any(0))
        box = [columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]
        return Detections(np.array([box]), np.array([0]), np.array([0.8]))

    def close(self) -> None:
        """Nothing to close."""


def coloured(colour: tuple[int, int, int], label: int) -> Scene:
    mask = disc(SIZE, (80, 60), 35)
    image = np.where(mask[..., None], colour, (90, 120, 90)).astype(np.uint8)
    known = scene_of([mask], [label]).annotations
    return Scene(f"{colour}", PictureArray(image), SIZE, known)


def test_what_the_subject_does_not_recognise_alone_is_pruned(tmp_path: Path) -> None:
    scenes = set_of(
        coloured((220, 20, 20), 0),
        coloured((20, 20, 220), 0),
        coloured((220, 30, 30), 1),
        coloured((90, 20, 220), 2),
        classes=("Ball", "cube", "moon"),
    )
    plan = CutPlan("boxes", PruneOptions(), SeesColour(), recognise=True)
    records = build_library(scenes, plan, tmp_path / "lib")
    assert [record.why for record in records] == ["", NOT_RECOGNISED, NOT_RECOGNISED, ""]
    assert [record.quality.recognised for record in records] == [0.8, 0.0, 0.0, None]


class SeesBlue(SeesColour):
    """The same for blue."""

    fingerprint = "blue"

    def _answer(self, image: np.ndarray) -> Detections:
        return super()._answer(image[..., ::-1])


def test_what_a_second_subject_recognises_is_kept_too(tmp_path: Path) -> None:
    """And it is asked only about what the first does not recognise."""
    scenes = set_of(
        coloured((220, 20, 20), 0),
        coloured((20, 20, 220), 0),
        coloured((20, 220, 20), 0),
        coloured((90, 20, 220), 1),
        classes=("Ball", "moon"),
    )
    first, second = SeesColour(), SeesBlue()
    plan = CutPlan("boxes", PruneOptions(), first, recognise=True, second=second)
    records = build_library(scenes, plan, tmp_path / "lib")
    assert [record.why for record in records] == ["", "", NOT_RECOGNISED, ""]
    assert [record.quality.recognised for record in records] == [0.8, 0.8, 0.0, None]
    alone = SeesBlue()
    build_library(
        set_of(coloured((20, 20, 220), 0), coloured((20, 220, 20), 0), classes=("Ball",)),
        CutPlan("boxes", PruneOptions(), alone, recognise=True),
        tmp_path / "alone",
    )
    assert second.asked == alone.asked


def test_what_has_a_fault_already_is_not_asked_about(tmp_path: Path) -> None:
    subject = SeesColour()
    scenes = set_of(coloured((220, 20, 20), 0), coloured((20, 20, 220), 1))
    strict = PruneOptions(side=300)
    with pytest.raises(UserError, match="2 smaller than the shortest side"):
        build_library(scenes, CutPlan("boxes", strict, subject, recognise=True), tmp_path / "lib")
    assert subject.asked == 0


def test_only_the_labels_wanted_are_kept(tmp_path: Path) -> None:
    plan = CutPlan("masks", EVERYTHING, only=frozenset({"tomato", "plum"}))
    _, records = library_of(tmp_path, "a", plan)
    kept, gone = counts(records)
    assert set(kept) <= {"tomato", "plum"}
    assert set(gone) == {"another label"}


def test_the_same_object_in_two_scenes_is_kept_once(tmp_path: Path) -> None:
    scene = scene_of([disc(SIZE, (60, 60), 30)], [0])
    records = build_library(set_of(scene, scene), CutPlan("masks", EVERYTHING), tmp_path / "lib")
    assert [record.why for record in records] == ["", "the same as another"]
    library = FolderLibrary(tmp_path / "lib")
    assert (
        library.cutout(records[0].entry.id).size
        == cut_out(scene.pixels(), disc(SIZE, (60, 60), 30), "ball").size
    )


def test_scenes_without_objects_are_reported(tmp_path: Path) -> None:
    empty = Scene("empty", PictureArray(np.zeros((9, 9, 3), np.uint8)), (9, 9))
    with pytest.raises(UserError, match="no objects found in 1 scenes"):
        build_library(set_of(empty), CutPlan("masks", PruneOptions()), tmp_path / "lib")
