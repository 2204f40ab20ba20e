"""The examples of the how-to pages are files that are read."""

from __future__ import annotations

import re
from pathlib import Path

from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.requirements.specification.requirement_file import read_requirements

PAGES = Path(__file__).parents[3] / "docs" / "how-to"


def block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (PAGES / page).read_text(), re.DOTALL)
    assert found, f"{page} has no {language}"
    return found.group(1)


def test_the_requirement_file_on_the_page_is_one(tmp_path: Path) -> None:
    path = tmp_path / "person.yaml"
    path.write_text(block("requirement-files.md", "yaml"))
    [found] = read_requirements(path)
    assert found.tasks == ("detection", "segmentation")


def test_the_boxes_on_the_page_are_read(tmp_path: Path) -> None:
    path = tmp_path / "boxes.csv"
    path.write_text(block("thresholds.md", "csv"))
    found = read_human(path)
    assert isinstance(found, BoxAnswers)
    assert len(set(found.object.tolist()) - {-1}) == 3
    assert found.measure == "vifp(sigma_nsq=0.4)"
