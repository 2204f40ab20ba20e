from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from snellen.configuration import parse
from snellen.errors import UserError
from snellen.repair.training.batches import ExampleStream, batches
from snellen.repair.training.example import class_ids, example_of
from snellen.repair.training.example_set import ExampleSet
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.training_data import TrainingData, with_validation
from snellen.repair.training.validation import Validation
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.subjects.model_file.letterbox import InputFit
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import evaluate
from tests.repair.toy_detector import ToyDetector
from tests.repair.toy_scenes import right_scenes, wrong_scenes
from tests.repair.training.small_detectors import options, things

torch.set_num_threads(1)


def scene_of(boxes: Any, labels: Any, **flags: Any) -> Scene:
    pixels = np.zeros((50, 60, 3), np.uint8)
    return Scene("a", PictureArray(pixels), (50, 60), Annotations(boxes, labels, **flags))


def test_labels_are_the_detectors_by_name_not_by_number() -> None:
    scene = scene_of([[0, 0, 9, 9], [1, 1, 8, 8], [2, 2, 7, 7]], [0, 1, 2])
    ids = class_ids(("dog", "cat", "sofa"), ("cat", "bus", "dog"), "train")
    example = example_of(scene, ids)
    assert example.labels.tolist() == [2, 0]  # the sofa is nothing this detector knows
    assert example.boxes[:, 0].tolist() == [0, 1]


def test_crowds_and_objects_to_ignore_become_ignored_regions() -> None:
    boxes = [[0, 0, 9, 9], [1, 1, 8, 8], [2, 2, 7, 7], [3, 3, 3, 9]]
    scene = scene_of(
        boxes, [0] * 4, crowd=[False, True, False, False], ignore=[False, False, True, False]
    )
    example = example_of(scene, np.array([0]), [3.0, 1, 1, 1])
    assert example.boxes.tolist() == [boxes[0]]
    assert example.ignored.tolist() == boxes[1:3]  # the last has no area and teaches nothing
    assert example.weights.tolist() == [3.0]


def test_weights_reach_the_objects_they_are_meant_for() -> None:
    data = TrainingData(things(1), things(1, "fixed"), weights={"scene-0": [0.25], "fixed-0": [2]})
    shown = ExampleStream(
        data, ("thing",), (8, 8), InputFit.STRETCH, options(repair_weight=3.0), seed=1
    )
    weights = {
        part: examples.example(0).weights.tolist() for part, examples in enumerate(shown.sets)
    }
    assert weights == {0: [0.25], 1: [6.0]}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: example_of(Scene("b", PictureArray(np.zeros((4, 4, 3), np.uint8)), (4, 4)),
                            np.array([0])), "scene b has no annotations"),
        (lambda: example_of(scene_of([[0, 0, 4, 4]], [0]), np.array([0]), [1, 2]),
         "1 annotated objects but 2 weights"),
        (lambda: class_ids(("chat",), ("cat",), "train.json"), r"train.json: none of its classes"),
        (lambda: TrainingData(SceneSet(())), "no scenes to train on"),
        (lambda: TrainingData(things(2), validation=things(2)), "both training and validation"),
        (lambda: parse(TrainingOptions, {"rat": 1}, "a.yaml: training"), "did you mean 'rate'"),
        (lambda: parse(TrainingOptions, {"augmentation": {"scale": (2, 1)}}, "x"), "scale: found"),
    ],
)  # fmt: skip
def test_what_cannot_be_trained_on_is_reported_with_the_next_step(make: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make()


def test_batches_come_in_order_and_complete_whatever_the_threads() -> None:
    data = TrainingData(things(7))
    shown = ExampleStream(data, ("thing",), (8, 8), InputFit.STRETCH, options(), seed=3)
    rows = [
        [
            one.pixels.tobytes()
            for batch in batches(shown, range(2, 13), 4, workers)
            for one in batch
        ]
        for workers in (0, 1, 3)
    ]
    assert (
        rows[0] == rows[1] == rows[2] == [shown.example(n).pixels.tobytes() for n in range(2, 13)]
    )
    assert [len(one) for one in batches(shown, range(11), 4, 2)] == [4, 4, 3]


def test_a_picture_that_cannot_be_read_ends_the_training_not_just_its_thread() -> None:
    bare = Scene("bare", PictureArray(np.zeros((8, 8, 3), np.uint8)), (8, 8))
    data = TrainingData(SceneSet((*things(2).scenes, bare), ("thing",), (1,)))
    shown = ExampleStream(data, ("thing",), (8, 8), InputFit.STRETCH, options(), seed=3)
    with pytest.raises(UserError, match="scene bare"):
        list(batches(shown, range(9), 2, 2))


def test_a_mosaic_keeps_the_mix() -> None:
    """Its three other pictures are repairs with the same chance as the first."""
    data = TrainingData(things(3), things(3, "fixed"))
    weighty = options(mix=0.25, repair_weight=7.0, augmentation={"mosaic": 1.0, "visible": 0.0})
    shown = ExampleStream(data, ("thing",), (8, 8), InputFit.STRETCH, weighty, seed=5)
    weights = np.concatenate([shown.example(place).weights for place in range(150)])
    share = (weights == 7).mean()
    assert abs(share - 0.25) < 0.08  # some 500 objects, by fours


def test_validation_scenes_follow_the_scene_they_were_made_from() -> None:
    originals = things(200)
    fixed = SceneSet(
        tuple(
            Scene(f"{one.id}/fixed", one.picture, one.size, one.annotations) for one in originals
        ),
        originals.classes,
    )
    data = with_validation(
        TrainingData(originals, fixed), 0.2, seed=1, group=lambda scene: scene.id.split("/")[0]
    )
    judged = {one.id for one in data.validation}
    assert {one.id.split("/")[0] for one in data.repair_validation} == judged
    assert not judged & {one.id for one in data.original}
    assert 20 <= len(judged) <= 60
    assert len(data.original) + len(data.validation) == 200


def test_validation_measures_what_plain_code_measures() -> None:
    """Loss and AP from one picture at a time, and their mix."""
    detector = ToyDetector((96, 96), seed=1)
    data = TrainingData(
        right_scenes(1, 1), wrong_scenes(1, 2), right_scenes(5, 3), wrong_scenes(3, 4)
    )
    chosen = options(mix=0.25, batch=2, watch="ap")
    found = Validation.of(data, detector, chosen).measure(detector, "cpu")
    for prefix, scenes in (("", data.validation), ("repair ", data.repair_validation)):
        losses, answers = [], []
        for scene in scenes:
            loss, answer = alone(detector, scene)
            losses.append(loss)
            answers.append(answer)
        assert found[f"{prefix}validation loss"] == pytest.approx(np.mean(losses), rel=1e-5)
        truths = [scene.annotations for scene in scenes]
        ap = evaluate(answers, truths, classes=2).value()  # type: ignore[arg-type]
        assert found[f"{prefix}validation AP"] == pytest.approx(ap, abs=1e-9)
    mixed = 0.75 * found["validation AP"] + 0.25 * found["repair validation AP"]
    assert found["judged by"] == pytest.approx(1 - mixed)


def alone(detector: ToyDetector, scene: Scene) -> tuple[float, Detections]:
    from snellen.subjects.model_file.letterbox import letterbox_of
    from snellen.subjects.torch_models.trainable_detector import Targets

    known = scene.annotations
    assert known is not None
    target = Targets(
        torch.tensor(known.boxes.copy()),
        torch.tensor(known.labels.copy()),
        torch.ones(len(known)),
        torch.zeros(0, 4),
    )
    with torch.no_grad():
        pixels = torch.tensor(scene.pixels().transpose(2, 0, 1)[None] / 255.0).float()
        outputs = detector.outputs(pixels)
        loss = float(sum(detector.loss(outputs, [target]).values()))
        frame = letterbox_of(scene.size, detector.size, InputFit.STRETCH)
        return loss, detector.decode(outputs, [frame], 0.005)[0]


def test_ap_of_scenes_without_objects_is_refused() -> None:
    empty = Scene("e", PictureArray(np.zeros((96, 96, 3), np.uint8)), (96, 96), Annotations.empty())
    data = TrainingData(right_scenes(1, 1), validation=SceneSet((empty,), ("circle",)))
    detector = ToyDetector()
    with pytest.raises(UserError, match=r"AP is undefined.*training.watch: loss"):
        Validation.of(data, detector, options(watch="ap")).measure(detector, "cpu")


def test_a_class_is_known_whatever_its_spelling_and_others_are_warned_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    boxes = np.array([[0.0, 0, 5, 5], [5.0, 5, 9, 9], [2.0, 2, 7, 7]])
    pixels = np.zeros((10, 10, 3), dtype=np.uint8)
    scene = Scene("a", PictureArray(pixels), (10, 10), Annotations(boxes, np.array([0, 1, 2])))
    scenes = SceneSet((scene,), ("couch", "tv", "unicorn"), (1, 2, 3))
    examples = ExampleSet(scenes, ["tvmonitor", "sofa"], {}, "training scenes")
    assert examples.example(0).labels.tolist() == [1, 0]
    assert examples.truth(0).labels.tolist() == [1, 0]
    assert caplog.messages == [
        "training scenes: 1 objects count as background because the detector lacks their class: "
        "unicorn"
    ]
