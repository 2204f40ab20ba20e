"""The examples of the page on camera+LiDAR systems run unchanged."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import yaml

from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections3d import Detections3D
from tests.subjects.fusion.streets import car, cloud, frame

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "fusion_subjects"
PAGE = ROOT / "docs" / "how-to" / "subjects-fusion.md"


def example(name: str, folder: Path) -> Subject:
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    values = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))["subject"]
    if "command" in values:
        values["command"] = [sys.executable, *values["command"][1:]]
    return open_subject(values, folder)


def test_the_examples_of_the_page_give_one_answer_three_ways(tmp_path: Path) -> None:
    frames = [
        frame(None, cloud([car(13, 2)], step=0.5)),
        frame(None, cloud([car(22, 2)], step=0.5)),
        frame(None, np.zeros((1, 4))),
    ]
    answers = []
    for name in ("python", "kitti_program", "kitti_script"):
        subject = example(name, tmp_path / name)
        assert subject.task == Task.DETECTION_3D
        answers.append([one for one in subject.predict(frames) if isinstance(one, Detections3D)])
        subject.close()
    assert [len(one) for one in answers[0]] == [1, 1, 0]
    for told in answers[1:]:
        for one, other in zip(answers[0], told, strict=True):
            np.testing.assert_allclose(other.boxes, one.boxes, atol=2e-3)
            np.testing.assert_allclose(other.image_boxes, one.image_boxes, atol=0.1)
            np.testing.assert_allclose(other.scores, one.scores, atol=1e-4)


def test_the_page_shows_the_examples_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"# examples/fusion_subjects/(\S+)", text)
    assert len(shown) == len(list(EXAMPLES.glob("*.yaml")))
    for name in shown:
        assert (EXAMPLES / name).read_text(encoding="utf-8").strip() in text, name
