"""A scene along the axis of visual change: real cases of a run, rebuilt from their recipes."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.human.people import ThresholdSource
from snellen.methods.requirements.own_numbers import RequirementNumbers
from snellen.methods.requirements.page.axis_samples import spaced, strip_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import write_requirements
from snellen.report.reopened_run import reopened
from snellen.report.report import write_report
from snellen.report.summary import summarise
from snellen.store.journal import journal_of
from snellen.vision.visual_change.registry import visual_measure
from tests.report.test_page import parsed

MEASURE = "vifp(sigma_nsq=2)"


def required(label: str = "any", task: Any = "detection", **more: Any) -> Requirement:
    subtask = "classify" if task == "classification" else "localise"
    return Requirement(
        **{
            "name": f"{label}-{subtask}",
            "task": task,
            "subtask": subtask,
            "label": label,
            "transformation": "brightness",
            "measure": MEASURE,
            "threshold": 0.6,
            "thresholds": (0.6,),
            "source": ThresholdSource(study="made up"),
            **more,
        }
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The folder of a finished run on generated scenes by the subject's task."""
    made: dict[str, Path] = {}

    def ran(task: str) -> Path:
        if task not in made:
            folder = tmp_path_factory.mktemp(task)
            labels = task == "labels"
            one = required(
                task="classification" if labels else "detection",
                metric="accuracy" if labels else "recall-and-precision",
            )
            write_requirements(folder / "requirements.yaml", [one])
            values = {
                "method": "requirements",
                "seed": 3,
                "subject": {"kind": "planted", "task": task},
                "scenes": {"kind": "synthetic", "count": 12, "seed": 5, "size": [144, 192]},
                "requirements": {"file": "requirements.yaml", "samples": 6},
                "engine": {"workers": 0, "cache": False},
                "out": "run",
            }
            run_campaign(campaign_from(values, folder / "snellen.yaml"))
            made[task] = folder / "run"
        return made[task]

    return ran


@pytest.mark.parametrize("task", ["detection", "labels"])
def test_a_scene_fades_along_the_axis_as_its_cases_did(task: str, run: Any) -> None:
    with closing(journal_of(run(task))) as journal, reopened(run(task), journal) as opened:
        [group] = RequirementNumbers.model_validate(summarise(journal).own).reliability
        strip = strip_of(journal, opened, group)
        assert strip is not None
        scene = opened.scene(strip.scene).pixels()
        rows = journal.rows(
            "SELECT measurements FROM cases JOIN units ON units.number = unit "
            "WHERE role = 'test' AND units.scene = ?",
            (strip.scene,),
        )
        known = {json.loads(text)["delta_v"] for (text,) in rows}
    first, *rest = strip.samples
    assert np.array_equal(first.image, scene)
    assert first.found > 0
    assert (len(first.boxes) > 0) == (task == "detection")
    changes = [one.delta_v for one in rest]
    assert len(rest) == 5
    assert changes == sorted(changes)
    assert set(changes) <= known
    measure = visual_measure(MEASURE)
    for one in rest:
        assert measure.compare(scene, one.image) == pytest.approx(one.delta_v, abs=1e-5)


def test_the_whole_report_shows_thumbnails_and_frames(run: Any, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run("detection").parent, tmp_path / "copy")) / "run"
    write_report(folder)
    page = (folder / "report.html").read_text()
    assert page.count('class="thumb"') == 6
    assert 'class="box"' in page
    assert "brightness, visual change 0.00:" in page


def test_without_the_scenes_the_curves_stay(run: Any, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run("detection"), tmp_path / "alone"))
    (folder / "config.yaml").write_text("method: requirements\n")
    write_report(folder)
    page = (folder / "report.html").read_text()
    assert 'class="thumb"' not in page
    assert "change-0" in parsed(page).ids


def test_classification_has_its_accuracy_and_one_plot(run: Any) -> None:
    with closing(journal_of(run("labels"))) as journal:
        [group] = RequirementNumbers.model_validate(summarise(journal).own).reliability
    [part] = group.parts
    assert part.part == "classify"
    assert set(part.curves) == {"accuracy", "average precision"}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [([], []), ([0.5], [0]), ([0.1, 0.2, 0.3], [0, 1, 2]), ([0.01 * n for n in range(91)], None)],
)
def test_samples_are_spread_over_the_axis(changes: list[float], wanted: list[int] | None) -> None:
    found = spaced(changes, 0.9)
    if wanted is not None:
        assert found == wanted
        return
    assert np.allclose([changes[place] for place in found], np.linspace(0.18, 0.9, 5))
