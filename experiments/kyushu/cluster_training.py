"""Table 3: retraining with insertions at clusters of failing places, or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.kyushu.before_after import PairedTests, paired_tests
from experiments.kyushu.characteristics import JUDGES
from experiments.kyushu.placement_pictures import PLACEMENTS, PlacementKind, pictures
from experiments.kyushu.retraining_rows import PICTURES, more_training
from experiments.kyushu.robustness_runs import SEED, finish_campaign
from experiments.kyushu.run_subset import has_failures, run_part
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
    """A column of Table 3, by each criterion; own: on the instances it was retrained with.

    Empty without such an instance.
    """

    name: str
    pictures: int
    own: Mapping[str, PairedTests]
    held_out: Mapping[str, PairedTests]


@dataclass(frozen=True, eq=False)
class ClusterResults:
    """Table 3. test: the run with more tests on the repair scenes."""

    test: Path
    columns: tuple[Column, ...]


def cluster_results(
    subject: Mapping[str, Any], scenes: Mapping[str, Any], scale: Scale, out: Path
) -> ClusterResults:
    """Four kinds of placement, each used for retraining and tested again."""
    outcome = more_training(subject, scenes, scale, out)
    test = _test(outcome, subject, scale, out / "clusters" / "test")
    columns = [_column(outcome, test, one, out / "clusters" / one.name) for one in PLACEMENTS]
    return ClusterResults(test, tuple(columns))


def _test(outcome: Outcome, subject: Mapping[str, Any], scale: Scale, out: Path) -> Path:
    """A run with more tests per instance on the repair scenes, since clusters need many."""
    plan, split = outcome.workspace.plan, outcome.workspace.split
    section = {**plan.section, "tests_per_level": scale.cluster_tests}
    campaign = replace(plan, section=section).campaign(
        subject, split.scenes[REPAIR], split.objects_of(REPAIR), out, SEED
    )
    print(f"-- testing {scale.cluster_tests} a level on the repair scenes", flush=True)
    return finish_campaign(campaign)


def _column(outcome: Outcome, test: Path, placement: PlacementKind, out: Path) -> Column:
    count = _trained(outcome, test, placement, out / "training")
    if not count:
        return Column(placement.name, 0, {}, {})
    part = run_part(test, lambda one: has_failures(one) and placement.of(one), out / "before")
    values = saved_subject(out / "training")
    print(f"-- testing {placement.name}", flush=True)
    replay_run(part, values, out / "after", watcher=SilentRepairWatcher())
    tests, held = outcome.tests.folder, outcome.rows[0].named.evaluation.before.folder
    replay_run(tests, values, out / "held-out", watcher=SilentRepairWatcher())
    return Column(
        placement.name,
        count,
        {judge: paired_tests(part, out / "after", judge) for judge in JUDGES},
        {judge: paired_tests(held, out / "held-out", judge) for judge in JUDGES},
    )


def _trained(outcome: Outcome, test: Path, placement: PlacementKind, out: Path) -> int:
    """Train a subject on the pictures of a placement into `out`; the number of pictures."""
    failing, random = BEST
    options = RetrainingOptions(failing=failing, random=random, pictures=PICTURES)
    workspace = outcome.workspace
    with pictures(test, placement, options) as made:
        if len(made.scenes) and not (out / SUBJECT).exists():
            print(f"-- training {placement.name}", flush=True)
            train_subject(
                workspace.baseline.values,
                workspace.plan.folder,
                workspace.split.sets[TRAIN],
                made,
                workspace.plan.training,
                validation=0.0,
                seed=SEED,
                name=f"{workspace.baseline.name}, {placement.name}",
                out=out,
                watcher=ProgressLog(),
            )
        return len(made.scenes)
