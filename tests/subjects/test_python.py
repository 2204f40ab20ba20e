from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import SubjectError, UserError
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

IMAGES = [np.full((20, 30, 3), value, dtype=np.uint8) for value in (10, 200)]
DETECTOR = """
def detect(images):
    return [
        {"boxes": [[0, 0, image.shape[1], image.shape[0]], [1, 1, 3, 3]],
         "labels": ["cat", "dog"], "scores": [image.mean() / 255, 0.01]}
        for image in images
    ]
detect.classes = ["cat", "dog"]
"""


def write(folder: Path, code: str, name: str = "detector") -> Path:
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def opened(folder: Path, target: str = "detector:detect", **options: Any) -> Subject:
    return open_subject({"kind": "python", "target": target, **options}, folder)


def test_a_function_beside_the_configuration_is_a_subject(tmp_path: Path) -> None:
    subject = opened(write(tmp_path, DETECTOR), score=0.5, floor=0)
    assert isinstance(subject, Subject)
    assert subject.classes == ("cat", "dog")
    assert subject.score == 0.5
    assert subject.deterministic is False, "unknown, so findings are asked again"
    dark, light = subject.predict(IMAGES)
    assert isinstance(light, Detections)
    assert light.boxes.tolist() == [[0, 0, 30, 20], [1, 1, 3, 3]]
    np.testing.assert_allclose(light.scores, [200 / 255, 0.01], rtol=1e-6)
    assert dark != light


def test_what_is_below_the_floor_is_dropped(tmp_path: Path) -> None:
    subject = opened(write(tmp_path, DETECTOR), floor=0.03)
    assert [len(answer) for answer in subject.predict(IMAGES)] == [1, 1]


def test_the_folder_comes_first_while_importing_and_last_afterwards(tmp_path: Path) -> None:
    write(tmp_path, "VALUE = 'mine'", "this")  # `this` is a module of the standard library
    lazy = "def detect(images):\n    import later\n    return later.answers(images)\n"
    write(tmp_path, "import this\nassert this.VALUE == 'mine'\n" + lazy)
    write(tmp_path, "def answers(images):\n    return [[0.5]] * len(images)\n", "later")
    try:
        subject = opened(tmp_path, classes=["cat"], task="labels")
        assert sys.path[-1] == str(tmp_path)
        assert sys.path.count(str(tmp_path)) == 1
        assert subject.predict(IMAGES) == [LabelVector([0.5])] * 2  # type: ignore[arg-type]
    finally:
        sys.modules.pop("this", None)


def test_two_folders_may_use_the_same_module_name(tmp_path: Path) -> None:
    names = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        code = f"def detect(images):\n    pass\ndetect.classes = ['{name}']\n"
        names.append(opened(write(folder, code)).classes)
    assert names == [("one",), ("two",)]


def test_a_class_or_factory_is_called_once_with_its_arguments(tmp_path: Path) -> None:
    code = """
class Detector:
    made = 0
    name = "mine"
    def __init__(self, size=1):
        Detector.made += 1
        self.size = size
        self.classes = {1: "dog", 0: "cat"}
    def __call__(self, images):
        return [{"boxes": [[0, 0, self.size, self.size]], "labels": [1], "scores": [0.9]}
                for _ in images]
    def close(self):
        Detector.made = "closed"
def factory(**arguments):
    return Detector(**arguments)
"""
    write(tmp_path, code)
    chosen: list[tuple[str, dict[str, Any]]] = [
        ("detector:Detector", {"arguments": {"size": 7}}),
        ("detector:Detector", {}),
        ("detector:factory", {"call": True}),
        ("detector:factory", {"arguments": {"size": 7}}),
    ]
    for target, options in chosen:
        subject = opened(tmp_path, target, **options)
        for _ in range(2):
            [answer] = subject.predict(IMAGES[:1])
            assert isinstance(answer, Detections)
            assert answer.boxes[0, 2] == options.get("arguments", {"size": 1})["size"]
        assert subject.classes == ("cat", "dog")
        assert subject.name == "mine"
    module = sys.modules["detector"]
    assert module.Detector.made == 4
    subject.close()
    assert module.Detector.made == "closed"


def test_a_method_of_an_object_can_be_named(tmp_path: Path) -> None:
    code = "class Net:\n    def run(self, images):\n        return [[1.0]] * len(images)\n"
    code += "net = Net()\n"
    subject = opened(write(tmp_path, code), "detector:net.run", classes=["x"], task="labels")
    assert len(subject.predict(IMAGES)) == 2


def test_names_come_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("a\nb\n")
    subject = opened(write(tmp_path, DETECTOR), classes="names.txt")
    assert subject.classes == ("a", "b")
    with pytest.raises(SubjectError, match="'cat', which is not one of the classes"):
        subject.predict(IMAGES)


def test_the_subject_may_not_change_the_images_it_is_given(tmp_path: Path) -> None:
    code = "def detect(images):\n    images[0][:] = 0\n    return [[0.5]]\n"
    image = IMAGES[0].copy()
    opened(write(tmp_path, code), classes=["x"], task="labels").predict([image])
    np.testing.assert_array_equal(image, IMAGES[0])


@pytest.mark.parametrize(
    ("code", "target", "options", "message"),
    [
        (DETECTOR, "detector", {}, "found 'detector', expected 'module:attribute'"),
        (DETECTOR, "detektor:detect", {}, "no module 'detektor' in .*; did you mean 'detector'"),
        (DETECTOR, "detector:detekt", {}, "has no 'detekt'; did you mean 'detect'"),
        ("import nosuchlibrary", "detector:detect", {}, "No module named 'nosuchlibrary'"),
        ("def detect(:", "detector:detect", {}, "fails: SyntaxError"),
        ("1 / 0", "detector:detect", {}, r"fails: ZeroDivisionError: .*detector\.py:1"),
        (
            "detect = 3",
            "detector:detect",
            {"classes": ["x"]},
            "is of type int and cannot be called",
        ),
        ("detect = 3", "detector:detect", {"call": True}, "is int, expected a class or function"),
        (
            "def detect(size):\n    raise ValueError('too small')",
            "detector:detect",
            {"arguments": {"size": 1}},
            r"called with \{'size': 1\} raised ValueError: too small",
        ),
        ("def detect(images):\n    pass", "detector:detect", {}, "does not declare its classes"),
        (DETECTOR, "detector:detect", {"classes": "no.txt"}, "no.txt: no such text file"),
        (DETECTOR, "detector:detect", {"files": ["no.pt"]}, "no.pt: no such file"),
        (DETECTOR, "detector:detect", {"scores": 1}, "scores: unknown key; did you mean 'score'"),
    ],
)
def test_what_cannot_be_opened_says_why(
    tmp_path: Path, code: str, target: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        opened(write(tmp_path, code), target, **options)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise RuntimeError('no memory')", r"raised RuntimeError: no memory \(.*detector\.py:2\)"),
        ("return None", "returned NoneType"),
        ("return [{}]", "1 predictions for 2 images"),
        ("return [{}, {}]", "answer 1 of 2: .*no 'boxes'"),
    ],
)
def test_a_call_that_fails_is_the_subjects_failure(tmp_path: Path, body: str, message: str) -> None:
    write(tmp_path, f"def detect(images):\n    {body}\n")
    with pytest.raises(SubjectError, match=message):
        opened(tmp_path, classes=["x"]).predict(IMAGES)


def test_the_fingerprint_follows_all_that_decides_an_answer(tmp_path: Path) -> None:
    write(tmp_path, "FACTOR = 1", "part")
    write(tmp_path, "import part\nfrom part import FACTOR\n" + DETECTOR)
    (tmp_path / "weights.bin").write_bytes(b"1")
    seen = [opened(tmp_path, files=["weights.bin"]).fingerprint]

    def again(**options: Any) -> str:
        for name in ("detector", "part"):
            sys.modules.pop(name, None)
        return opened(tmp_path, files=["weights.bin"], **options).fingerprint

    assert again() == seen[0], "the same from process to process"
    assert again(score=0.7, name="other", batch=2) == seen[0], "no answer depends on these"
    seen += [again(version="2"), again(floor=0.2), again(classes=["a", "b"])]
    (tmp_path / "weights.bin").write_bytes(b"2")
    seen.append(again())
    write(tmp_path, "FACTOR = 22", "part")
    seen.append(again())
    write(tmp_path, "import part\n" + DETECTOR + "# changed\n")
    seen.append(again())
    assert len(set(seen)) == len(seen)


def test_another_modules_presence_does_not_change_the_fingerprint(tmp_path: Path) -> None:
    write(tmp_path, DETECTOR)
    first = opened(tmp_path).fingerprint
    write(tmp_path, "def detect(images):\n    pass\ndetect.classes = ['x']\n", "other_detector")
    opened(tmp_path, "other_detector:detect")
    sys.modules.pop("detector")
    assert opened(tmp_path).fingerprint == first


def test_the_example_runs_as_it_is() -> None:
    import yaml

    folder = Path(__file__).parents[2] / "examples" / "subjects"
    values = yaml.safe_load((folder / "python.yaml").read_text())["subject"]
    subject = open_subject(values, folder)
    assert subject.task == Task.DETECTION
    scenes = synthetic_scenes(SyntheticOptions(count=10))
    answers = subject.predict([scene.pixels() for scene in scenes])
    for scene, answer in zip(scenes, answers, strict=True):
        assert scene.annotations is not None
        assert isinstance(answer, Detections)
        assert sorted(answer.labels.tolist()) == sorted(scene.annotations.labels.tolist())
