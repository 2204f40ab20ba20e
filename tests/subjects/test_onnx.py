"""The ONNX adapter: inferred options, guarantees, and error messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, save

from snellen.engine.subject_thread import checked_predictions
from snellen.errors import SubjectError, UserError
from snellen.subjects.model_file.coco_names import COCO_80, COCO_90
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject
from tests.subjects.coco_reference import Photographs
from tests.subjects.decoders import encodings
from tests.subjects.decoders.encodings import Known
from tests.subjects.model_file.model_graphs import constant_model

SIZE = (64, 96)
ONE = Known(np.array([[10.0, 20, 50, 60]]), np.array([1]), np.array([0.8]), SIZE, classes=3)
BLACK = np.zeros((*SIZE, 3), dtype=np.uint8)


def model(
    folder: Path,
    encode: Callable[[Known], Any] = encodings.yolov8,
    shape: Any = (1, 3, *SIZE),
    metadata: Any = None,
    known: Known = ONE,
    **options: Any,
) -> Subject:
    constant_model(folder / "model.onnx", shape, encode(known), metadata)
    return open_subject({"kind": "onnx", "model": "model.onnx", **options}, folder)


# Golden AP (0.50:0.95, 0.50) on the 64 photographs: an independent decoder (plain loops, OpenCV's
# suppression, scores from 0.05) scored by pycocotools 2.0.11.
@pytest.mark.parametrize(
    ("file", "decoder", "golden"),
    [
        ("detectors/yolox_nano.onnx", "yolox", (0.3445, 0.5063)),
        ("detectors/nanodet.onnx", "nanodet", (0.3076, 0.4478)),
    ],
)
def test_real_detectors_reach_their_average_precision(
    shared: Callable[[str], Path], file: str, decoder: str, golden: tuple[float, float]
) -> None:
    path = shared(file)
    subject = open_subject({"kind": "onnx", "model": path.name}, path.parent)
    photographs = Photographs(shared("coco_val64"))
    answers = subject.predict(photographs.pixels)
    assert subject.reader.decoder.name == decoder  # type: ignore[attr-defined]
    assert subject.classes == COCO_80
    np.testing.assert_allclose(photographs.precision(answers, subject.classes), golden, atol=0.01)
    for answer, pixels in zip(answers, photographs.pixels, strict=True):
        assert answer.boxes.dtype == np.float32  # type: ignore[union-attr]
        height, width = pixels.shape[:2]
        assert (answer.boxes >= 0).all()  # type: ignore[union-attr]
        assert (answer.boxes <= [width, height, width, height]).all()  # type: ignore[union-attr]
    again = subject.predict(photographs.pixels[:4])
    assert all(one == other for one, other in zip(again, answers[:4], strict=True))


def test_names_in_the_models_metadata_are_taken(tmp_path: Path) -> None:
    names = {"names": "{0: 'ant', 1: 'bee', 2: 'cat'}"}
    subject = model(tmp_path, metadata=names)
    assert subject.classes == ("ant", "bee", "cat")


def test_given_names_win_over_metadata_and_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("x\ny\nz\n\n", encoding="utf-8")
    names = {"names": "{0: 'ant', 1: 'bee', 2: 'cat'}"}
    assert model(tmp_path, metadata=names, classes="names.txt").classes == ("x", "y", "z")
    assert model(tmp_path, metadata=names, classes=["p", "q", "r"]).classes == ("p", "q", "r")


def test_unnamed_classes_are_cocos_if_there_are_80_else_numbered(tmp_path: Path) -> None:
    assert model(tmp_path).classes == ("class-0", "class-1", "class-2")
    many = Known(ONE.boxes, ONE.labels, ONE.scores, SIZE, classes=80)
    assert model(tmp_path, known=many).classes == COCO_80


def test_the_wrong_number_of_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"classes: found 2 names, but the model has 3"):
        model(tmp_path, classes=["a", "b"])


def test_classes_must_be_given_where_the_model_cannot_tell_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.onnx: neither .* coco-80, coco-91"):
        model(tmp_path, encodings.plain)


def test_cocos_own_ids_are_read_without_their_gaps(tmp_path: Path) -> None:
    ids = np.array([COCO_90.index("toothbrush"), COCO_90.index("stop sign")])
    boxes = np.array([[10.0, 20, 50, 60], [0, 0, 30, 30]])
    known = Known(boxes, ids, np.array([0.8, 0.7]), SIZE)
    subject = model(tmp_path, encodings.plain, known=known, classes="coco-91")
    [found] = subject.predict([BLACK])
    assert subject.classes == COCO_80
    names = [subject.classes[label] for label in found.labels]  # type: ignore[union-attr]
    assert names == ["toothbrush", "stop sign"]


def test_a_class_id_without_a_name_is_the_subjects_failure(tmp_path: Path) -> None:
    subject = model(tmp_path, encodings.plain, classes=["only"])
    with pytest.raises(SubjectError, match="class id 2, expected 1 to 1"):
        subject.predict([BLACK])


def test_the_first_label_can_be_set(tmp_path: Path) -> None:
    subject = model(tmp_path, encodings.plain, classes=["a", "b", "c"], first_label=0)
    [found] = subject.predict([BLACK])
    assert found.labels.tolist() == [2]  # type: ignore[union-attr]


@pytest.mark.parametrize("shape", [(1, 3, *SIZE), (4, 3, *SIZE), ("N", 3, *SIZE)])
def test_answers_are_the_same_for_any_number_of_images(tmp_path: Path, shape: Any) -> None:
    def repeated(known: Known) -> Any:
        copies = shape[0] if isinstance(shape[0], int) else 1
        return {name: np.tile(a, (copies, 1, 1)) for name, a in encodings.yolov8(known).items()}

    for batch in (None, 3):
        subject = model(tmp_path, repeated, shape, batch=batch)
        assert list(subject.predict([])) == []
        images = [BLACK, np.zeros((30, 200, 3), np.uint8), *[BLACK] * 8]
        answers = subject.predict(images)
        assert len(answers) == 10
        assert answers[0] == answers[9]
        np.testing.assert_allclose(answers[0].boxes, ONE.boxes, atol=1e-3)  # type: ignore[union-attr]
        assert answers[1].boxes.max() > 64  # type: ignore[union-attr]


def test_the_preferred_batch_is_the_models_or_eight(tmp_path: Path) -> None:
    four = {name: np.tile(a, (4, 1, 1)) for name, a in encodings.yolov8(ONE).items()}
    assert model(tmp_path).batch == 1
    assert model(tmp_path, lambda _: four, (4, 3, *SIZE)).batch == 4
    free = model(tmp_path, shape=("N", 3, *SIZE))
    assert (free.batch, free.tolerance) == (8, 0.0)
    together = model(tmp_path, shape=("N", 3, *SIZE), batch=5)
    assert together.batch == 5
    assert together.tolerance > 0


def test_outputs_without_a_batch_are_asked_one_by_one(tmp_path: Path) -> None:
    known = Known(ONE.boxes, ONE.labels, ONE.scores, (320, 320))
    constant_model(tmp_path / "fixed.onnx", (1, 3, 320, 320), encodings.nanodet_split(known))
    subject = open_subject({"kind": "onnx", "model": "fixed.onnx", "batch": 4}, tmp_path)
    assert len(subject.predict([BLACK] * 3)) == 3


def test_finished_boxes_of_a_network_for_any_size_are_in_the_images_own_pixels(
    tmp_path: Path,
) -> None:
    free = ("n", 3, "height", "width")
    subject = model(tmp_path, encodings.plain, free, classes=["a", "b"])
    [found] = subject.predict([np.zeros((300, 500, 3), dtype=np.uint8)])
    np.testing.assert_allclose(found.boxes, ONE.boxes)  # type: ignore[union-attr]
    [cut] = subject.predict([np.zeros((40, 45, 3), dtype=np.uint8)])
    assert cut.boxes.tolist() == [[10, 20, 45, 40]]  # type: ignore[union-attr]


def test_a_size_is_needed_only_where_it_is_free(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"size: found \[32, 32\], but .* fixed at 64 x 96"):
        model(tmp_path, size=32)
    subject = model(tmp_path, shape=(1, 3, "h", "w"), size=list(SIZE))
    [found] = subject.predict([BLACK])
    np.testing.assert_allclose(found.boxes, ONE.boxes, atol=1e-3)  # type: ignore[union-attr]


def test_boxes_outside_the_image_are_cut_or_dropped(tmp_path: Path) -> None:
    boxes = np.array([[-20.0, -10, 30, 30], [200, 10, 260, 40]])
    known = Known(boxes, np.array([0, 1]), np.array([0.9, 0.8]), SIZE, classes=3)
    subject = model(tmp_path, known=known, letterbox="stretch")
    [found] = subject.predict([BLACK])
    np.testing.assert_allclose(found.boxes, [[0, 0, 30, 30]], atol=1e-3)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("box", "stays"),
    [
        ([95.997, 10, 120, 40], False),
        ([-20, 10, 0.004, 40], False),
        ([30.002, 10, 30.0049, 40], False),
        ([10, -30, 40, 0.003], False),
        ([95.98, 10, 120, 40], True),
        ([30.002, 10, 30.02, 40], True),
    ],
)
def test_a_sliver_that_rounding_would_flatten_is_dropped(
    tmp_path: Path, box: list[float], stays: bool
) -> None:
    known = Known(np.array([box]), np.array([0]), np.array([0.9]), SIZE, classes=3)
    subject = model(tmp_path, encodings.plain, known=known, classes=["a", "b", "c"])
    answers = subject.predict([BLACK])
    assert len(answers[0]) == stays
    [settled_once] = checked_predictions(answers, [BLACK], subject)
    [again] = checked_predictions([settled_once], [BLACK], subject)
    assert again == settled_once


def test_scores_are_kept_down_to_the_floor_or_the_threshold(tmp_path: Path) -> None:
    low = Known(ONE.boxes, ONE.labels, np.array([0.1]), SIZE, classes=3)
    counts = {
        (floor, score): len(
            model(tmp_path, known=low, floor=floor, score=score).predict([BLACK])[0]
        )
        for floor, score in [(0.05, 0.3), (0.2, 0.3), (0.2, 0.08)]
    }
    assert counts == {(0.05, 0.3): 1, (0.2, 0.3): 0, (0.2, 0.08): 1}


def test_at_most_so_many_detections_are_given(tmp_path: Path) -> None:
    boxes = np.array([[x, 5.0, x + 8, 20] for x in range(0, 80, 10)])
    scores = np.linspace(0.9, 0.2, 8)
    known = Known(boxes, np.zeros(8, dtype=int), scores, SIZE, classes=3)
    [found] = model(tmp_path, known=known, max_detections=3).predict([BLACK])
    np.testing.assert_allclose(found.scores, scores[:3], atol=1e-6)


def test_overlapping_boxes_of_one_class_are_suppressed_as_told(tmp_path: Path) -> None:
    boxes = np.array([[10.0, 10, 50, 50], [14, 10, 54, 50]])
    known = Known(boxes, np.zeros(2, dtype=int), np.array([0.9, 0.8]), SIZE, classes=3)
    assert len(model(tmp_path, known=known, nms=0.5).predict([BLACK])[0]) == 1
    assert len(model(tmp_path, known=known, nms=1).predict([BLACK])[0]) == 2


def test_not_a_number_is_the_subjects_failure_and_not_silence(tmp_path: Path) -> None:
    def broken(known: Known) -> Any:
        out = encodings.yolov8(known)
        out["output0"][:] = np.nan
        return out

    with pytest.raises(SubjectError, match="NaN"):
        model(tmp_path, broken, decoder="yolov8").predict([BLACK])


def test_the_fingerprint_follows_weights_and_settings_but_not_speed(tmp_path: Path) -> None:
    usual = model(tmp_path).fingerprint
    assert model(tmp_path, threads=1, batch=2, score=0.5).fingerprint == usual
    other = Known(ONE.boxes + 1, ONE.labels, ONE.scores, SIZE, classes=3)
    changed = [
        model(tmp_path, known=other),
        model(tmp_path, floor=0.01),
        model(tmp_path, nms=0.2),
        model(tmp_path, letterbox="stretch"),
        model(tmp_path, channels="bgr"),
        model(tmp_path, mean=[0.5, 0.5, 0.5]),
        model(tmp_path, max_detections=10),
        model(tmp_path, per_class=True),
        model(tmp_path, classes=["a", "b", "c"]),
    ]
    assert len({usual, *(subject.fingerprint for subject in changed)}) == 10


def test_channels_last_and_whole_number_inputs_are_fed_as_they_are(tmp_path: Path) -> None:
    outputs = encodings.ssd_finished_named(ONE)
    constant_model(tmp_path / "m.onnx", [1, *SIZE, 3], outputs, kind=TensorProto.UINT8)
    subject = open_subject(
        {"kind": "onnx", "model": "m.onnx", "classes": ["a", "b", "c"]}, tmp_path
    )
    [found] = subject.predict([BLACK])
    assert found.labels.tolist() == [1]  # type: ignore[union-attr]
    np.testing.assert_allclose(found.boxes, ONE.boxes, atol=1e-3)  # type: ignore[union-attr]


def shown_to(subject: Any, image: Any) -> Any:
    """The input tensor of the network for an image."""
    seen: list[Any] = []
    run = subject._network.run

    def spy(tensor: Any) -> Any:
        seen.append(tensor)
        return run(tensor)

    subject._network.run = spy
    subject.predict([image])
    return seen[0]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"scale": 0.1}, [2, 4, 25]),
        ({"scale": 0.1, "channels": "bgr"}, [25, 4, 2]),
        ({"scale": 0.1, "mean": [1, 2, 3], "std": [1, 2, 1]}, [1, 1, 22]),
    ],
)
def test_pixels_reach_the_network_in_the_numbers_it_was_trained_on(
    tmp_path: Path, options: dict[str, Any], expected: list[float]
) -> None:
    subject = model(tmp_path, **options)
    seen = shown_to(subject, np.full((*SIZE, 3), [20, 40, 250], dtype=np.uint8))
    assert seen.dtype == np.float32
    np.testing.assert_allclose(seen.mean(axis=(0, 2, 3)), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "absent.onnx"}, r"subject\.model: .*absent\.onnx: no such file"),
        ({"model": "text.onnx"}, r"text\.onnx: is not an ONNX file but text"),
        ({"model": "two.onnx"}, r"two\.onnx: the model has 2 inputs"),
        ({"model": "grey.onnx"}, r"grey\.onnx: the model's input is image \[1, 1, 8, 8\]"),
        ({"providers": ["NoSuchProvider"]}, r"found NoSuchProvider, but this onnxruntime"),
        ({"nms": 1.5}, r"subject: nms: found 1\.5"),
        ({"letterbox": "middle"}, r"subject: letterbox: found 'middle'"),
        ({"sise": 3}, r"did you mean 'size'"),
        ({"classes": "absent.txt"}, r"absent\.txt: no such text file"),
        ({"anchors": "absent.npy"}, r"absent\.npy: cannot be read as anchors"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    constant_model(tmp_path / "model.onnx", (1, 3, *SIZE), encodings.yolov8(ONE))
    constant_model(tmp_path / "grey.onnx", (1, 1, 8, 8), encodings.yolov8(ONE))
    (tmp_path / "text.onnx").write_text("not a model", encoding="utf-8")
    info = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, 3, 8, 8]) for n in "abc"]
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["c"])], "g", info[:2], info[2:])
    opset = [helper.make_opsetid("", 13)]
    save(helper.make_model(graph, opset_imports=opset, ir_version=8), tmp_path / "two.onnx")
    with pytest.raises(UserError, match=message):
        open_subject({"kind": "onnx", "model": "model.onnx", **options}, tmp_path)


def test_auto_means_left_out(tmp_path: Path) -> None:
    usual = model(tmp_path)
    said = model(tmp_path, size="auto", nms="auto", batch="auto", decoder="auto", letterbox="auto")
    assert said.fingerprint == usual.fingerprint
    assert said.batch == usual.batch


def test_a_closed_subject_answers_no_more(tmp_path: Path) -> None:
    subject = model(tmp_path)
    subject.close()
    subject.close()
    with pytest.raises(SubjectError, match="closed"):
        subject.predict([BLACK])
