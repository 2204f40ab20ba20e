"""A run: one execution of a campaign, recorded in a run folder."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from snellen.configuration.stored_configuration import store_configuration
from snellen.engine.budget import allowances
from snellen.engine.campaign import Campaign, check_trusted
from snellen.engine.examination import examination, least_allowance
from snellen.engine.looks import Looks
from snellen.engine.open_unit import OpenUnit
from snellen.engine.progress import RunTally, SilentWatcher, Watcher
from snellen.engine.seeds import unit_generator
from snellen.engine.start.opened_campaign import OpenCampaign, open_campaign
from snellen.engine.start.run_journal import free_command, run_journal
from snellen.engine.units import run_units
from snellen.errors import UserError
from snellen.methods.kind import view_of
from snellen.store.journal import Journal
from snellen.store.manifests.unit_manifest import unit_names
from snellen.store.run_folder import CONFIG, JOURNAL, claim_run_folder
from snellen.store.run_looks import level_of

log = logging.getLogger(__name__)


def run_campaign(
    campaign: Campaign,
    *,
    resume: bool = False,
    retry_errors: bool = False,
    watcher: Watcher | None = None,
) -> RunTally:
    """Run or resume a campaign in its folder; every finished unit is in the journal."""
    check_trusted(campaign)
    with claim_run_folder(campaign.out_folder) as folder:
        _check_folder(folder, campaign, resume=resume)
        watcher = watcher or SilentWatcher()
        with (
            open_campaign(campaign, watcher) as job,
            closing(run_journal(folder, job, watcher)) as journal,
        ):
            _examine_damaged_again(journal)
            if retry_errors:
                journal.forget_errors()
            ended, every = journal.ended(), _units(job)
            units = [one for one in every if one.number not in ended]
            looks = None
            if campaign.engine.stop is not None:
                looks = Looks(every, ended, journal, _decision(job, journal), campaign.seed)
            options, materials = campaign.engine, job.method.materials
            return run_units(units, job.subject, materials, options, journal, watcher, looks)


def _decision(job: OpenCampaign, journal: Journal) -> Callable[[], bool]:
    """Whether the verdict of a run is decided by what its journal has now."""

    def decided() -> bool:
        from snellen.methods.view import RunRecord  # imports the page code

        return view_of(job.campaign.method).decided(
            RunRecord.of(journal), partial(level_of, journal)
        )

    return decided


def _check_folder(folder: Path, campaign: Campaign, *, resume: bool) -> None:
    recorded = (folder / JOURNAL).exists()
    if recorded and not resume:
        raise UserError(
            f"{folder}: already contains a run. "
            "Pass --resume to continue it, or choose another `out`.",
            next=free_command(campaign),
        )
    if not recorded:
        store_configuration(folder / CONFIG, campaign.resolved(), campaign.file)


def check_resumable(campaign: Campaign) -> None:
    """Refuse to continue a run that was never started."""
    folder = campaign.out_folder
    if not any((folder / name).exists() for name in (JOURNAL, CONFIG)):
        raise UserError(
            f"{folder}: --resume: found no run to continue. Start it without --resume, or correct "
            "`out`.",
            next=f"snellen run {shlex.quote(str(campaign.file))}",
        )


def _examine_damaged_again(journal: Journal) -> None:
    damaged = journal.damaged()
    if damaged:
        names = unit_names(journal, damaged)
        journal.forget(damaged)
        log.warning(
            "%s: the rows of %s are not the ones that were written, so %d units are examined "
            "again. Check the disk.",
            journal.path,
            names,
            len(damaged),
        )


def _units(job: OpenCampaign) -> Sequence[OpenUnit]:
    """The units that the budget covers."""
    campaign, method, units = job.campaign, job.method, job.method.units()
    steady = job.subject.deterministic
    share = campaign.engine.explain
    least = least_allowance(method, steady=steady, explanation=share)
    shares = allowances(len(units), campaign.engine.questions, least)
    if units and not any(one is None or one for one in shares):
        raise UserError(
            f"{campaign.file}: engine.questions: found {campaign.engine.questions}, but one scene "
            f"takes at least {least}. Raise it."
        )
    return [
        OpenUnit(
            number=number,
            unit=unit,
            questions=examination(
                method,
                unit,
                unit_generator(campaign.seed, campaign.method, unit.id),
                allowance=allowance,
                steady=steady,
                classes=job.subject.classes,
                explanation=share,
            ),
        )
        for number, (unit, allowance) in enumerate(zip(units, shares, strict=True))
        if allowance != 0
    ]
