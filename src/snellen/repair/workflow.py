"""A repair from configuration to outcome: test, repair, test again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from snellen.configuration.stored_configuration import store_configuration
from snellen.errors import UserError
from snellen.objects.library.open_objects import CUTTING
from snellen.repair.arm_comparison import compare_arms
from snellen.repair.data_split.division import Division, division
from snellen.repair.data_split.split_folder import pictures_alike, stored_split
from snellen.repair.iteration import iterate_repair
from snellen.repair.reevaluation import reevaluate
from snellen.repair.repair_arms import arm_of, arms_of, grid_of
from snellen.repair.repair_outcome import Outcome, write_outcome
from snellen.repair.repair_plan import FILE, RepairPlan, load_plan
from snellen.repair.repair_watcher import RepairWatcher, SilentRepairWatcher
from snellen.repair.stages import Stages
from snellen.repair.trained_subject import detector_of
from snellen.repair.workspace import Candidate, Workspace
from snellen.store.run_folder import claim_run_folder
from snellen.subjects.registry import open_subject


@dataclass(frozen=True)
class RepairRequest:
    """What to do with a repair's configuration.

    resume: continue the repair in the folder. evaluate: only evaluate earlier repaired subjects.
    grid: train the rows of the grid instead of the configurations. rounds: most rounds of an
    iterated repair, None for no iteration.
    """

    resume: bool = False
    evaluate: bool = False
    grid: bool = False
    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and (self.grid or self.evaluate):
            other = "--grid" if self.grid else "--evaluate"
            raise UserError(f"--iterate cannot be combined with {other}. Pass one of them.")
        if self.rounds is not None and self.rounds < 1:
            raise UserError(f"--iterate: found {self.rounds}, expected at least 1 round")


def run_repair(
    plan: RepairPlan, request: RepairRequest | None = None, watcher: RepairWatcher | None = None
) -> Outcome:
    """Run or resume a repair in its folder, and write its outcome there."""
    request = request or RepairRequest()
    _refuse_or_accept(plan, request)
    with _workspace(plan, watcher or SilentRepairWatcher()) as workspace:
        if request.rounds is not None:
            arm = arm_of(plan.options.iterate.way, plan)
            return write_outcome(iterate_repair(workspace, arm, request.rounds))
        arms, others = arms_of(plan), grid_of(plan)
        if request.evaluate:
            return write_outcome(reevaluate(workspace, [*arms, *others]))
        requested = (others, arms) if request.grid else (arms, others)
        return write_outcome(compare_arms(workspace, *requested))


def _refuse_or_accept(plan: RepairPlan, request: RepairRequest) -> None:
    file = plan.out / FILE
    if not file.exists():
        if request.evaluate:
            raise UserError(
                f"{plan.out}: there is no repair in this folder to evaluate. Omit --evaluate."
            )
        if plan.out.exists() and (not plan.out.is_dir() or _used(plan)):
            raise UserError(f"{plan.out}: exists and is not a repair folder. Choose another `out`.")
        return
    if not (request.resume or request.evaluate):
        raise UserError(
            f"{plan.out}: already contains a repair. Pass --resume to continue it, or choose "
            "another `out`."
        )
    if load_plan(file).key() != plan.key():
        raise UserError(
            f"{plan.out}: the configuration differs from the one that started this repair; "
            "resuming would mix two repairs. Choose another `out`, or restore the configuration."
        )


def _used(plan: RepairPlan) -> bool:
    return any(not one.name.startswith(".") for one in plan.out.iterdir())


@contextmanager
def _workspace(plan: RepairPlan, watcher: RepairWatcher) -> Iterator[Workspace]:
    """The workspace of a plan; nothing is written before its inputs are opened and checked."""
    watcher.stage_started("loading subject, scenes and objects")
    baseline, found = _opened(plan, watcher)
    watcher.stage_started("comparing pictures")
    alike = pictures_alike(found, plan.out, partial(watcher.preparing, "pictures"))
    with claim_run_folder(plan.out) as root:
        store_configuration(root / FILE, plan.resolved(), plan.file)
        yield Workspace(
            plan, stored_split(plan, found, root, alike), Stages(root), baseline, watcher
        )


def _opened(plan: RepairPlan, watcher: RepairWatcher) -> tuple[Candidate, Division]:
    values, where = plan.options.subject, f"{plan.file}: subject"
    with closing(open_subject(values, plan.folder, where)) as subject:
        detector_of(subject, where)
        found = division(plan, subject, partial(watcher.preparing, CUTTING))
        return Candidate(values, subject.name, subject.fingerprint), found
