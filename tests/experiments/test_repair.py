"""The repair of YOLOv4-tiny, small: what is held out, and what its tables say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from experiments.coco import photographs, scenes
from experiments.repair.__main__ import main
from experiments.repair.halves import uses
from experiments.repair.settings import CHOSEN, QUICK_NAMES, TRIES

from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.training.options import TrainingOptions
from snellen.scenes.registry import open_scenes

Shared = Callable[[str], Path]
NAMES = [f"{number:012d}.jpg" for number in range(200)]


@pytest.mark.parametrize("tries", [True, False])
def test_every_photograph_has_one_use(tries: bool) -> None:
    found = uses(NAMES, tries=tries)
    every = [*found.train, *found.repair, *found.evaluate]
    assert sorted(every) == NAMES
    assert all((found.train, found.repair, found.evaluate))


def test_nothing_was_tried_on_what_is_evaluated_in_the_end() -> None:
    tried, final = uses(NAMES, tries=True), uses(NAMES, tries=False)
    assert not set(tried.evaluate) & set(final.evaluate)
    assert {*tried.train, *tried.repair} == set(final.evaluate)


def test_every_try_is_a_training_of_its_own_and_one_was_chosen() -> None:
    found = [one.options() for one in TRIES.values()]
    for one in found:
        TrainingOptions.model_validate(one["training"])
        RetrainingOptions.model_validate(one["retraining"])
        assert found.count(one) == 1
    assert CHOSEN in TRIES.values()


def test_two_folders_are_one_set(shared: Shared, tmp_path: Path) -> None:
    data = shared("coco_val64").parent
    shared("coco_train128")
    names = photographs(data)
    assert len(set(names)) == 192
    some = open_scenes(scenes(data, tmp_path / "some.json", names[:3]), tmp_path)
    assert sorted(scene.id for scene in some) == names[:3]
    assert all(scene.annotations for scene in some)


def test_failing_cases_are_repaired_and_few_scenes_show_nothing(
    shared: Shared, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shared("coco_train128").parent
    main(["quick", "--data", str(data), "--runs", str(tmp_path)])
    told = json.loads((tmp_path / "quick" / "repair" / "evaluation.json").read_text())
    found: dict[str, Any] = {one["name"]: one for one in told["evaluations"]}
    assert list(found) == ["more-training", "failing", "synthetic"]
    for one in found.values():
        assert one["held_out"]["held_out"] is True
        assert one["failure_rate"]["before"]["failing"] >= 5
        assert one["scenes"] == len(uses(QUICK_NAMES, tries=True).evaluate)
        assert one["verdict"]["word"] == "not shown", "so few scenes show nothing"
    changes = {name: one["failure_rate"]["difference"]["value"] for name, one in found.items()}
    assert changes["failing"] < min(0.0, changes["more-training"], changes["synthetic"])
    assert found["failing"]["clean_ap"]["difference"]["value"] > -0.01
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| failing")]
    assert f"{100 * found['failing']['failure_rate']['after']['value']:.1f}%" in rows[0]
