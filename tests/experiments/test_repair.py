"""The repair of YOLOv4-tiny, small: what is held out, and what its tables say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.coco import photographs, scenes
from experiments.repair.__main__ import ARMS, main
from experiments.repair.photograph_split import Uses, folds, held_back_split, tuning_split
from experiments.repair.pooled_evaluation import join_cases, opened_folds, pool_folds
from experiments.repair.repair_run import SEED, repair
from experiments.repair.settings import CHOSEN, QUICK, QUICK_NAMES, QUICK_TESTED, TRIES
from hypothesis import given
from hypothesis import strategies as st

from snellen.disk.json_values import finite_or_none
from snellen.repair.evaluation import evaluation_sides as sides
from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.training.options import TrainingOptions
from snellen.scenes.registry import open_scenes

Shared = Callable[[str], Path]
NAMES = [f"{number:012d}.jpg" for number in range(200)]


@pytest.mark.parametrize("found", [tuning_split(NAMES), held_back_split(NAMES), *folds(NAMES)])
def test_every_photograph_has_one_use(found: Uses) -> None:
    every = [*found.train, *found.repair, *found.evaluate]
    assert sorted(every) == NAMES
    assert all((found.train, found.repair, found.evaluate))


def test_nothing_was_tried_on_the_other_half() -> None:
    tried, other = tuning_split(NAMES), held_back_split(NAMES)
    assert {*tried.train, *tried.repair} == set(other.evaluate)


def test_every_photograph_is_held_out_once() -> None:
    assert sorted(one for fold in folds(NAMES) for one in fold.evaluate) == NAMES


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


@pytest.mark.thorough
def test_failing_cases_are_repaired_and_few_scenes_show_nothing(
    shared: Shared, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shared("coco_train128").parent
    main(["quick", "--data", str(data), "--runs", str(tmp_path)])
    output = json.loads((tmp_path / "quick" / "repair" / "evaluation.json").read_text())
    found: dict[str, Any] = {one["name"]: one for one in output["evaluations"]}
    assert list(found) == ["more-training", "failing", "synthetic"]
    for one in found.values():
        assert one["held_out"]["held_out"] is True
        assert one["failure_rate"]["before"]["failing"] >= 5
        assert one["scenes"] == len(tuning_split(QUICK_NAMES).evaluate)
        assert one["verdict"]["word"] == "not shown", "so few scenes show nothing"
    changes = {name: one["failure_rate"]["difference"]["value"] for name, one in found.items()}
    assert changes["failing"] < min(0.0, changes["more-training"], changes["synthetic"])
    assert found["failing"]["clean_ap"]["difference"]["value"] > -0.01
    _check_pooled(data, tmp_path, output["evaluations"])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| failing")]
    assert f"{100 * found['failing']['failure_rate']['after']['value']:.1f}%" in rows[0]


def _check_pooled(data: Path, runs: Path, output: list[dict[str, Any]]) -> None:
    """One repair pooled is that repair, whichever way the figures are reckoned."""
    few = tuning_split([one for one in photographs(data) if one in QUICK_NAMES])
    out = runs / "quick" / "repair"
    outcome = repair(data, out, few, QUICK_TESTED, QUICK.options(), ARMS, fresh=False)
    one = next(one for one in output if one["name"] == "failing")
    with opened_folds([outcome], "failing") as opened:
        found = pool_folds(opened, SEED, few.evaluate)
        single = pool_folds(opened, SEED, few.evaluate[:1])
    assert finite_or_none(found.failures.difference.to_json()) == one["failure_rate"]["difference"]
    assert found.precision is not None
    assert finite_or_none(found.precision.to_json()) == one["clean_ap"]
    assert found.equal is not None
    assert finite_or_none(found.equal.to_json()) == one["equal_reports"]
    assert (found.verdict, found.scenes) == (one["verdict"]["word"], one["scenes"])
    assert finite_or_none(found.shares.to_json()) == one["shares"]["failed_before"]
    assert single.scenes == 1


def _paired(scenes: Sequence[str], cases: int, seed: int) -> PairedCases:
    """Cases of random scenes, some of an instance of their scene, with random outcomes."""
    rng = np.random.default_rng(seed)
    scene = np.sort(rng.integers(0, len(scenes), cases))
    kinds = [None if rng.random() < 0.2 else (scenes[n], int(rng.integers(3))) for n in scene]
    instances = tuple(dict.fromkeys(one for one in kinds if one is not None))
    tested = [
        tuple(
            sides.CaseOutcome(
                scenes[n], str(number), kind, 1, "dog", bool(rng.random() < 0.4), False
            )
            for number, (n, kind) in enumerate(zip(scene, kinds, strict=True))
        )
        for _ in range(2)
    ]
    return PairedCases(
        tuple(scenes),
        instances,
        scene,
        np.array([-1 if one is None else instances.index(one) for one in kinds]),
        rng.integers(1, 4, cases),
        tuple(str(rng.integers(3)) for _ in range(cases)),
        tested[0],
        tested[1],
    )


@given(st.integers(0, 2**32), st.integers(1, 4), st.data())
def test_joined_comparisons_have_the_cases_of_all(
    seed: int, count: int, data: st.DataObject
) -> None:
    parts = [
        _paired([f"{number}-{n}" for n in range(3)], 5 + number, seed + number)
        for number in range(count)
    ]
    every = [scene for part in parts for scene in part.scenes]
    only = data.draw(st.sets(st.sampled_from(every), min_size=1))
    kept = np.array([one.scene in only for part in parts for one in part.before])
    found = join_cases(parts, kept, only)
    assert found.scenes == tuple(one for one in every if one in only)
    wanted = [one for part in parts for one in part.before if one.scene in only]
    assert list(found.before) == wanted
    assert [found.scenes[n] for n in found.scene] == [one.scene for one in wanted]
    assert [None if n < 0 else found.instances[n] for n in found.instance] == [
        one.instance for one in wanted
    ]
    columns = [(part.level, part.names, part.after, part.before) for part in parts]
    rows = [row for part in columns for row in zip(*part, strict=True) if row[3].scene in only]
    assert rows == list(zip(found.level, found.names, found.after, found.before, strict=True))
