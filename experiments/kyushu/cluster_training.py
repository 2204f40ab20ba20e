"""Table 3: retraining with insertions at clusters of failing places, or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.kyushu.before_after import Both, both_of
from experiments.kyushu.characteristics import JUDGES
from experiments.kyushu.placement_pictures import PLACINGS, Placing, pictures
from experiments.kyushu.retraining_rows import PICTURES, more_training
from experiments.kyushu.robustness_runs import SEED, carried_out
from experiments.kyushu.run_subset import failed, part_of_run
from experiments.kyushu.scale import BEST, Scale
from experiments.progress_log import ProgressLog
from snellen.repair.data_split.division import REPAIR, TRAIN
from snellen.repair.evaluation.run_replay import replay_run
from snellen.repair.repair_outcome import Outcome
from snellen.repair.repair_watcher import SilentRepairWatcher
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.trained_subject import SUBJECT, saved_subject, train_subject


@dataclass(frozen=True, eq=False)
class Column:
    """A column of Table 3, by each way of judging; own: on the instances it was retrained with.

    Nothing is known (empty) where there was no such instance.
    """

    name: str
    pictures: int
    own: Mapping[str, Both]
    held_out: Mapping[str, Both]


@dataclass(frozen=True, eq=False)
class Clustered:
    """Table 3. test: the run with more tests on the repair scenes."""

    test: Path
    columns: tuple[Column, ...]


def clustered(
    subject: Mapping[str, Any], scenes: Mapping[str, Any], scale: Scale, out: Path
) -> Clustered:
    """Four ways to place insertions, each retrained and tested again."""
    outcome = more_training(subject, scenes, scale, out)
    test = _test(outcome, subject, scale, out / "clusters" / "test")
    columns = [_column(outcome, test, one, out / "clusters" / one.name) for one in PLACINGS]
    return Clustered(test, tuple(columns))


def _test(outcome: Outcome, subject: Mapping[str, Any], scale: Scale, out: Path) -> Path:
    """More tests an instance on the repair scenes: clusters need several failing places."""
    plan, split = outcome.workspace.plan, outcome.workspace.split
    section = {**plan.section, "tests_per_level": scale.cluster_tests}
    campaign = replace(plan, section=section).campaign(
        subject, split.scenes[REPAIR], split.objects_of(REPAIR), out, SEED
    )
    print(f"-- testing {scale.cluster_tests} a level on the repair scenes", flush=True)
    return carried_out(campaign)


def _column(outcome: Outcome, test: Path, placing: Placing, out: Path) -> Column:
    count = _trained(outcome, test, placing, out / "training")
    if not count:
        return Column(placing.name, 0, {}, {})
    part = part_of_run(test, lambda one: failed(one) and placing.of(one), out / "before")
    values = saved_subject(out / "training")
    print(f"-- testing {placing.name}", flush=True)
    replay_run(part, values, out / "after", watcher=SilentRepairWatcher())
    tests, held = outcome.tests.folder, outcome.rows[0].named.evaluation.before.folder
    replay_run(tests, values, out / "held-out", watcher=SilentRepairWatcher())
    return Column(
        placing.name,
        count,
        {judge: both_of(part, out / "after", judge) for judge in JUDGES},
        {judge: both_of(held, out / "held-out", judge) for judge in JUDGES},
    )


def _trained(outcome: Outcome, test: Path, placing: Placing, out: Path) -> int:
    """How many pictures a placing has; the subject that they give is then in `out`."""
    failing, random = BEST
    options = RetrainingOptions(failing=failing, random=random, pictures=PICTURES)
    workspace = outcome.workspace
    with pictures(test, placing, options) as made:
        if len(made.scenes) and not (out / SUBJECT).exists():
            print(f"-- training {placing.name}", flush=True)
            train_subject(
                workspace.baseline.values,
                workspace.plan.folder,
                workspace.split.sets[TRAIN],
                made,
                workspace.plan.training,
                validation=0.0,
                seed=SEED,
                name=f"{workspace.baseline.name}, {placing.name}",
                out=out,
                watcher=ProgressLog(),
            )
        return len(made.scenes)
