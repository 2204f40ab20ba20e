"""`sn.test` on plain objects: what works, and what is refused with the next step."""

from __future__ import annotations

import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
import yaml
from PIL import Image as Pillow

import snellen as sn
from snellen.errors import UserError
from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections

SCENES: dict[str, Any] = {"count": 3, "seed": 5, "size": [96, 128], "objects": [1, 2]}
OBJECTS = {"kind": "synthetic", "count": 6, "seed": 9, "shade": "deep", "prune": "none"}
QUICK: dict[str, Any] = {"workers": 0, "retries": 0}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def scenes() -> sn.SceneSet:
    return sn.open_scenes("synthetic", **SCENES)


def planted() -> sn.Subject:
    return sn.open_subject(kind="planted", fault="loses", distance=12)


def rows(folder: Path) -> str:
    journal = Journal(folder / JOURNAL)
    try:
        return journal.digest()
    finally:
        journal.close()


def answers(form: Callable[[Detections], Any]) -> Callable[[Any], Any]:
    subject = planted()

    def detect(image: Any) -> Any:
        [found] = subject.predict([image])
        assert isinstance(found, Detections)
        return form(found)

    return detect


def tensors(found: Detections) -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    values = {"boxes": found.boxes, "labels": found.labels, "scores": found.scores}
    made = {name: torch.tensor(np.array(value)) for name, value in values.items()}
    return {**made, "boxes": made["boxes"].requires_grad_()}


def supervision(found: Detections) -> Any:
    pytest.importorskip("supervision")
    from snellen.vision.detection_formats import to_supervision

    return to_supervision(found)


def named_supervision(found: Detections) -> Any:
    one = supervision(found)
    one.data["class_name"] = np.array([scenes().classes[id] for id in found.labels])
    one.class_id = one.class_id * 0  # the names count
    return one


def lists(found: Detections) -> Any:
    return found.boxes.tolist(), found.labels.tolist(), found.scores.tolist()


FORMS: dict[str, Callable[[Detections], Any]] = {
    "Detections": lambda found: found,
    "tuple of arrays": lambda found: (found.boxes, found.labels, found.scores),
    "lists": lists,
    "a list of three": lambda found: list(lists(found)),
    "mapping": lambda found: dict(zip(("boxes", "labels", "scores"), lists(found), strict=True)),
    "list of one mapping": lambda found: [tensors(found)],
    "tensors": tensors,
    "names": lambda found: (
        found.boxes,
        [scenes().classes[id] for id in found.labels],
        found.scores,
    ),
    "object": lambda found: SimpleNamespace(
        boxes=found.boxes, labels=found.labels, scores=found.scores
    ),
    "supervision": supervision,
    "supervision with names": named_supervision,
    "nothing found as a list": lambda found: lists(found) if len(found) else [],
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The rows of the same test with an opened subject."""
    folder = tmp_path_factory.mktemp("expected") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder.parent / "cache"))
        run = sn.test(planted(), scenes(), "identity", out=folder, **QUICK)
    assert run.summary.cases == 3
    return rows(folder)


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_an_answer_does_not_change_a_row(form: str, expected: str) -> None:
    run = sn.test(
        answers(FORMS[form]),
        scenes(),
        "identity",
        classes=scenes().classes,
        deterministic=True,
        **QUICK,
    )
    assert rows(run.folder) == expected


def test_a_function_of_a_list_of_images_is_called_with_lists(expected: str) -> None:
    one, sizes = answers(lambda found: found), []

    def detect(images: list[Any]) -> list[Any]:
        sizes.append(len(images))
        return [one(image) for image in images]

    options: dict[str, Any] = {"deterministic": True, "batched": True, **QUICK}
    run = sn.test(detect, scenes(), "identity", classes=scenes().classes, **options)
    assert rows(run.folder) == expected
    assert max(sizes) > 1


BOX = [[10.0, 20.0, 40.0, 60.0]]
WRONG: dict[str, tuple[Callable[[Any], Any], str]] = {
    "x y width height": (
        lambda image: ([[60.0, 50.0, 30.0, 20.0]], [0], [0.9]),
        r"x y width height.*x \+ width",
    ),
    "shares": (lambda image: ([[0.1, 0.2, 0.4, 0.6]], [0], [0.9]), "between 0 and 1.*width"),
    "one corner": (lambda image: ([[10.0, 20.0]], [0], [0.9]), r"shape \(1, 2\)"),
    "percent": (lambda image: (BOX, [0], [90]), "0 to 1"),
    "an unknown name": (lambda image: (BOX, ["zebra"], [0.9]), "'zebra'.*not one of the classes"),
    "an id too large": (lambda image: (BOX, [9], [0.9]), "0 to 5"),
    "too few scores": (lambda image: (BOX * 2, [0, 1], [0.9]), "2 boxes, 2 labels, 1 scores"),
    "nothing": (lambda image: None, "NoneType"),
    "a missing key": (lambda image: {"boxes": BOX, "labels": [0]}, "no 'scores'"),
    "not a number": (lambda image: ([[np.nan, 0, 5, 5]], [0], [0.9]), "finite"),
    "a raised error": (lambda image: 1 / 0, "ZeroDivisionError"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_answer_ends_before_the_run_starts(mistake: str, tmp_path: Path) -> None:
    detect, said = WRONG[mistake]
    with pytest.raises(UserError, match=f"(?s)subject: .*{said}"):
        sn.test(detect, scenes(), "identity", classes=scenes().classes, **QUICK)
    assert not (tmp_path / "runs").exists() or not any((tmp_path / "runs").iterdir())


def test_a_callable_without_class_names_is_refused() -> None:
    with pytest.raises(UserError, match=r"'detect'.*classes"):
        sn.test(answers(lambda found: found), scenes(), "identity", **QUICK)


IMAGE = np.full((40, 50, 3), 90, np.uint8)
GOOD_IMAGES = {
    "colour": IMAGE,
    "grey": IMAGE[..., 0],
    "grey with an axis": IMAGE[..., :1],
    "Pillow": Pillow.fromarray(IMAGE),
    "Pillow with alpha": Pillow.fromarray(IMAGE).convert("RGBA"),
    "not contiguous": np.asfortranarray(IMAGE),
}
BAD_IMAGES = {
    "float": (IMAGE / 255, r"scenes\[1\].*float64.*255"),
    "large float": (IMAGE * 1.0, r"astype\('uint8'\)"),
    "integer": (IMAGE.astype(np.int64), "int64.*uint8"),
    "channels first": (IMAGE.transpose(2, 0, 1), r"transpose\(1, 2, 0\)"),
    "alpha": (np.dstack([IMAGE, IMAGE[..., 0]]), "alpha"),
    "empty": (IMAGE[:0], r"shape \(0, 50, 3\)"),
    "text": ("absent.png", "no such file"),
    "object": (object(), r"scenes\[1\]"),
}


def nothing(image: Any) -> list[Any]:
    assert image.shape == IMAGE.shape
    assert image.dtype == np.uint8
    return []


@pytest.mark.parametrize("form", GOOD_IMAGES)
def test_images_are_taken_in_common_forms(form: str) -> None:
    run = sn.test(nothing, [IMAGE, GOOD_IMAGES[form]], "identity", classes=["a"], **QUICK)
    assert run.summary.units.errors == 0
    assert run.summary.scenes == 2


@pytest.mark.parametrize("form", BAD_IMAGES)
def test_other_images_are_refused_by_their_place(form: str, tmp_path: Path) -> None:
    image, said = BAD_IMAGES[form]
    with pytest.raises(UserError, match=f"(?s){said}"):
        sn.test(nothing, [IMAGE, image], "identity", classes=["a"], **QUICK)
    assert not (tmp_path / "runs").exists()


def test_annotated_arrays_are_tested_like_the_scenes_they_come_from() -> None:
    """Arrays are stored without loss, so that the run can be reopened by another process."""
    given = scenes()
    options: dict[str, Any] = {"per_object": 2, "controls": 0.5, "objects": OBJECTS, **QUICK}
    pairs = [
        (one.pixels(), {"boxes": one.annotations.boxes, "labels": one.annotations.labels})
        for one in given
        if one.annotations is not None
    ]
    run = sn.test(answers(lambda found: found), pairs, classes=given.classes, **options)
    read = sn.open_scenes(yaml.safe_load((run.folder / "config.yaml").read_text())["scenes"])
    for one, other in zip(read, given, strict=True):
        assert np.array_equal(one.pixels(), other.pixels())
        assert one.annotations is not None
        assert other.annotations is not None
        assert np.allclose(one.annotations.boxes, other.annotations.boxes)
        names = [read.classes[id] for id in one.annotations.labels]
        assert names == [given.classes[id] for id in other.annotations.labels]
    assert run.summary.failing_cases > 0
    assert run.findings[0].after.shape == (96, 128, 3)


def test_objects_come_from_the_scenes_by_default() -> None:
    run = sn.test(planted(), scenes(), per_object=1, relocate=False, **QUICK)
    config = yaml.safe_load((run.folder / "config.yaml").read_text())
    assert config["objects"]["kind"] == config["scenes"]["kind"] == "synthetic"
    assert config["objects"]["seed"] == 5
    assert not (run.folder / "scenes").exists(), "what has a name is not copied"


def test_live_answers_are_never_cached(tmp_path: Path) -> None:
    """A redefined function of the same name must not get the answers of the former one."""
    calls = []

    def make(count: int) -> Callable[[Any], Any]:
        def detect(image: Any) -> Any:
            calls.append(count)
            return BOX * count, [0] * count, [0.9] * count

        return detect

    names, seen = ["a"], []
    for count in (1, 2):
        run = sn.test(make(count), [IMAGE], "identity", classes=names, **QUICK)
        seen.append((len(calls), run.summary.subject.fingerprint))
        assert run.summary.cache_hits == 0
    assert seen[1][0] > seen[0][0]
    assert seen[0][1] != seen[1][1], "two objects are two subjects"


def test_another_process_says_that_it_lacks_the_subject() -> None:
    run = sn.test(
        answers(lambda found: found),
        scenes(),
        classes=scenes().classes,
        objects=OBJECTS,
        per_object=2,
        **QUICK,
    )
    finding = run.findings[0]
    assert finding.explain(again=True).cause, "this process has it"
    command = [sys.executable, "-m", "snellen"]
    report = subprocess.run([*command, "report", str(run.folder)], capture_output=True, text=True)
    assert report.returncode == 0, report.stderr
    replay = [*command, "replay", str(run.folder), finding.id]
    done = subprocess.run(replay, capture_output=True, text=True)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "'detect' is a Python object of the process that made the run" in said
    assert "Traceback" not in said


def test_runs_get_the_first_free_number_and_are_never_mixed() -> None:
    folders = [sn.test(planted(), scenes(), "identity", **QUICK).folder for _ in range(2)]
    assert [one.as_posix() for one in folders] == ["runs/identity-1", "runs/identity-2"]
    with pytest.raises(UserError, match="already contains a run"):
        sn.test(planted(), scenes(), "identity", out=folders[0], **QUICK)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"per_obejct": 3}, "did you mean 'per_object'"),
        ({"wrokers": 3}, "did you mean 'workers'"),
        ({"per_object": "many"}, "insertion.per_object: found 'many'"),
        ({"method": "insretion"}, "did you mean 'insertion'"),
        ({"seed": -1}, "seed"),
        ({"engine": 3}, "engine: found 3"),
    ],
)
def test_wrong_options_are_named_and_leave_nothing(
    options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=said):
        sn.test({"kind": "planted"}, "synthetic", **options)
    assert not any(tmp_path.glob("runs/*"))


def test_options_reach_method_engine_and_subject() -> None:
    run = sn.test(
        {"kind": "planted"}, "synthetic", objects=OBJECTS, per_object=1, questions=60, workers=0
    )
    config = yaml.safe_load((run.folder / "config.yaml").read_text())
    assert config["insertion"]["per_object"] == 1
    assert config["engine"]["questions"] == 60
    detect = answers(lambda found: found)
    other = sn.test(detect, scenes(), "identity", classes=scenes().classes, score=0.7, **QUICK)
    assert other.summary.subject.score == 0.7


def test_a_function_of_scores_is_a_classifier() -> None:
    def classify(image: Any) -> Any:
        return np.array([image.mean() / 255, 0.5])

    for form in (classify, lambda image: {"day": float(image.mean() / 255)}):
        run = sn.test(form, [IMAGE], "identity", classes=["day", "night"], **QUICK)
        assert run.summary.subject.task == "labels"


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("absent.onnx", "absent.onnx: no such model file"),
        ("absent.pt", "absent.pt: no such model file"),
        ("model.txt", "expected a function of an image, a model file"),
        (3, "found int; expected a function"),
        ("missing:detect", "no module 'missing'"),
        ({"kind": "onx"}, "did you mean 'onnx'"),
    ],
)
def test_what_is_no_subject_is_refused(subject: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        sn.test(subject, scenes(), "identity", **QUICK)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("absent", "absent: no such file or folder"),
        (3, "found int; expected a list of images"),
        ([], "empty list"),
        (None, "missing; the method identity needs scenes"),
        ([(IMAGE, {"boxes": BOX, "labels": [0]})], "Pass classes"),
        ([(IMAGE, 7)], "annotations: found int"),
        ([(IMAGE, Annotations.empty()), IMAGE], r"scenes\[1\] has no annotations"),
    ],
)
def test_what_are_no_scenes_is_refused(given: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        sn.test({"kind": "planted"}, given, "identity", **QUICK)


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        ({"boxes": BOX, "labels": ["zebra"]}, "'zebra'"),
        ({"boxes": [[9, 9, 3, 3]], "labels": [0]}, "x1 y1 x2 y2"),
        ({"boxes": BOX, "labels": [0, 0]}, "1 boxes but 2 labels"),
        ({"boxes": BOX}, "boxes .* and labels"),
    ],
)
def test_wrong_annotations_are_named_by_their_scene(annotations: Any, said: str) -> None:
    with pytest.raises(UserError, match=rf"scenes\[0\]: annotations: .*{said}"):
        sn.test(nothing, [(IMAGE, annotations)], "identity", classes=["a"], **QUICK)


def test_image_files_and_folders_are_scenes(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    Pillow.fromarray(IMAGE).save(tmp_path / "photos" / "a.png")
    by_folder = sn.test(nothing, "photos", "identity", classes=["a"], **QUICK)
    by_file = sn.test(nothing, [tmp_path / "photos" / "a.png"], "identity", classes=["a"], **QUICK)
    assert by_folder.summary.scenes == by_file.summary.scenes == 1


class MaiteModel:
    metadata: ClassVar = {"id": "maite-model", "index2label": {1: "left", 4: "right"}}

    def __call__(self, batch: Any) -> list[Any]:
        return [
            SimpleNamespace(boxes=np.array(BOX), labels=np.array([4]), scores=np.array([0.9]))
            for _ in batch
        ]


class MaiteData:
    metadata: ClassVar = {"id": "maite-data", "index2label": {0: "left", 1: "right"}}

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> Any:
        target = SimpleNamespace(boxes=np.array(BOX), labels=np.array([1]), scores=np.ones(1))
        image = np.full((3, 80, 90), 40 * place, np.uint8)
        return image, target, {"id": f"image-{place}"}


def test_maite_models_and_data_sets_are_taken_as_they_are() -> None:
    run = sn.test(MaiteModel(), MaiteData(), "identity", **QUICK)
    assert run.summary.subject.name == "maite-model"
    assert run.summary.scenes == 2
    read = sn.open_scenes(yaml.safe_load((run.folder / "config.yaml").read_text())["scenes"])
    assert [read.classes[int(one.annotations.labels[0])] for one in read] == ["right", "right"]  # type: ignore[union-attr]


def test_open_subject_and_open_scenes_say_what_they_expect() -> None:
    assert sn.open_scenes({"kind": "synthetic", "count": 2}).classes == scenes().classes
    assert sn.open_subject({"kind": "planted"}, Path()).name == "perfect"
    for call in (sn.open_subject, sn.open_scenes):
        with pytest.raises(UserError, match="kind"):
            call()
    with pytest.raises(UserError, match="did you mean 'count'"):
        sn.open_scenes("synthetic", cuont=3)
    with pytest.raises(UserError, match="did you mean 'distance'"):
        sn.open_subject(kind="planted", distnace=3)


@pytest.mark.parametrize("questions", [12, 30, 60, None])
def test_a_steady_function_is_never_called_flaky(questions: int | None) -> None:
    """A small budget leaves failures unconfirmed; that says nothing about the subject."""

    def loses_by_pixels(image: Any) -> Any:
        [found] = planted().predict([image])
        assert isinstance(found, Detections)
        kept = np.random.default_rng(zlib.crc32(image.tobytes())).random(len(found)) > 0.5
        return found.boxes[kept], found.labels[kept], found.scores[kept]

    options = QUICK if questions is None else {**QUICK, "questions": questions}
    given = sn.open_scenes("synthetic", **{**SCENES, "count": 6, "size": [160, 200]})
    run = sn.test(loses_by_pixels, given, "insertion", classes=given.classes, **options)
    assert run.summary.flaky_cases == 0
    assert "different answers" not in run.summary.verdict.sentence
    assert (run.summary.failing_cases + run.summary.unconfirmed_cases > 0) == bool(run.findings)
    assert run.findings or questions == 12
