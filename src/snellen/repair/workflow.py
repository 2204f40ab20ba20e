"""A repair from its configuration to its outcome: test, repair, test again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from snellen.disk.atomic_file import write_atomically
from snellen.engine.campaign import as_yaml
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
    """What is asked of a repair beside its configuration.

    resume: go on with what is in the folder. evaluate: of subjects that were repaired before, do
    nothing but evaluate them. grid: the rows of the grid instead of the configurations. rounds: of
    iterated repair at most, None for no iteration.
    """

    resume: bool = False
    evaluate: bool = False
    grid: bool = False
    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and (self.grid or self.evaluate):
            other = "--grid" if self.grid else "--evaluate"
            raise UserError(f"--iterate does not go with {other}. Give one of them.")
        if self.rounds is not None and self.rounds < 1:
            raise UserError(f"--iterate: found {self.rounds}, expected 1 round or more")


def run_repair(
    plan: RepairPlan, asked: RepairRequest | None = None, watcher: RepairWatcher | None = None
) -> Outcome:
    """Carry a repair out in its folder, or go on with it, and write its outcome there."""
    asked = asked or RepairRequest()
    _refuse_or_accept(plan, asked)
    with _bench(plan, watcher or SilentRepairWatcher()) as bench:
        if asked.rounds is not None:
            way = arm_of(plan.options.iterate.way, plan)
            return write_outcome(iterate_repair(bench, way, asked.rounds))
        ways, others = arms_of(plan), grid_of(plan)
        if asked.evaluate:
            return write_outcome(reevaluate(bench, [*ways, *others]))
        asked_for = (others, ways) if asked.grid else (ways, others)
        return write_outcome(compare_arms(bench, *asked_for))


def _refuse_or_accept(plan: RepairPlan, asked: RepairRequest) -> None:
    file = plan.out / FILE
    if not file.exists():
        if asked.evaluate:
            raise UserError(
                f"{plan.out}: there is no repair in this folder, so there is nothing to evaluate. "
                "Leave --evaluate out."
            )
        if plan.out.exists() and (not plan.out.is_dir() or _used(plan)):
            raise UserError(f"{plan.out}: is there already and is no repair. Choose another `out`.")
        return
    if not (asked.resume or asked.evaluate):
        raise UserError(
            f"{plan.out}: there is a repair in this folder already. Pass --resume to go on with "
            "it, or choose another `out`."
        )
    if load_plan(file).key() != plan.key():
        raise UserError(
            f"{plan.out}: the configuration is not the one this repair was started with, so going "
            "on would mix two repairs. Choose another `out`, or restore what was changed."
        )


def _used(plan: RepairPlan) -> bool:
    return any(not one.name.startswith(".") for one in plan.out.iterdir())


@contextmanager
def _bench(plan: RepairPlan, watcher: RepairWatcher) -> Iterator[Workspace]:
    """The bench of a plan; nothing is written before all that it names was opened and checked."""
    watcher.begun("looking at subject, scenes and objects")
    given, found = _opened(plan, watcher)
    watcher.begun("comparing pictures")
    seen = partial(watcher.preparing, "pictures")
    alike = pictures_alike(found, plan.out, seen)
    with claim_run_folder(plan.out) as root:
        write_atomically(root / FILE, as_yaml(plan.resolved()).encode())
        yield Workspace(plan, stored_split(plan, found, root, alike), Stages(root), given, watcher)


def _opened(plan: RepairPlan, watcher: RepairWatcher) -> tuple[Candidate, Division]:
    values, where = plan.options.subject, f"{plan.file}: subject"
    with closing(open_subject(values, plan.folder, where)) as subject:
        detector_of(subject, where)
        found = division(plan, subject, partial(watcher.preparing, CUTTING))
        return Candidate(values, subject.name, subject.fingerprint), found
