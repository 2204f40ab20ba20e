"""A run: one execution of a campaign, recorded in a run folder."""

from __future__ import annotations

import json
import logging
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.configuration import read_yaml
from snellen.configuration.stored_configuration import store_configuration
from snellen.contract.method import Method, Setting, Unit
from snellen.disk.free_folder import free_folder, shown_path
from snellen.engine.budget import allowances
from snellen.engine.campaign import Campaign, check_trusted
from snellen.engine.examination import examination, least_allowance
from snellen.engine.looks import Looks
from snellen.engine.open_unit import OpenUnit
from snellen.engine.progress import RunTally, SilentWatcher, Watcher
from snellen.engine.seeds import unit_generator
from snellen.engine.units import run_units
from snellen.errors import UserError, next_step
from snellen.errors.redaction import redacted
from snellen.methods.kind import METHODS, MethodKind, view_of
from snellen.scenes.content_digest import UNREADABLE, content_digests
from snellen.scenes.image_files.listed_picture import check_listed_sizes
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.store.journal import Journal
from snellen.store.manifests.material_manifest import material_changes, material_manifest
from snellen.store.manifests.unit_manifest import manifest_change, unit_names
from snellen.store.run_folder import CONFIG, JOURNAL, claim_run_folder
from snellen.store.run_looks import level_of
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpenCampaign:
    """A campaign with its subject and scenes loaded."""

    campaign: Campaign
    subject: Subject
    scenes: SceneSet
    method: Method


def scenes_of(campaign: Campaign) -> SceneSet:
    """The scenes of a campaign; empty if it names none."""
    if campaign.scenes is None:
        return SceneSet(())
    return open_scenes(
        campaign.scenes,
        campaign.folder,
        skip_invalid=campaign.skip_invalid,
        where=f"{campaign.file}: scenes",
    )


@contextmanager
def open_campaign(
    campaign: Campaign, watcher: Watcher | None = None, *, subject: Subject | None = None
) -> Iterator[OpenCampaign]:
    """Load a campaign's scenes, subject and method; the subject is closed at the end.

    subject: replaces the campaign's own, such as one that only has its recorded traits.
    """
    check_trusted(campaign, subject=subject is None)
    scenes = scenes_of(campaign)
    where = f"{campaign.file}: subject"
    with closing(subject or open_subject(campaign.subject, campaign.folder, where)) as asked:
        kind: MethodKind = METHODS.load(campaign.method)
        options = kind.options.model_validate(campaign.method_options)
        setting = Setting(
            asked,
            scenes,
            campaign.folder,
            campaign.seed,
            campaign.objects,
            campaign.skip_invalid,
            (watcher or SilentWatcher()).preparing,
        )
        with _checked_next(campaign.file):
            method = kind.prepare(options, setting)
        yield OpenCampaign(campaign, asked, scenes, method)


def _checked_next(file: Path) -> AbstractContextManager[None]:
    """Errors end with a check of the configuration, if it is a file."""
    if not file.is_file():
        return nullcontext()
    return next_step(f"snellen check {shlex.quote(str(file))}")


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
            closing(_journal(folder, job, watcher)) as journal,
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
            next=_elsewhere(campaign),
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


def _elsewhere(campaign: Campaign) -> str:
    """The command that runs a campaign into a folder that is free."""
    out = shown_path(free_folder(campaign.out_folder))
    return shlex.join(["snellen", "run", str(campaign.file), "--out", str(out)])


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


def _journal(folder: Path, job: OpenCampaign, watcher: Watcher) -> Journal:
    journal = Journal(folder / JOURNAL)
    units = job.method.units()
    facts = {
        "snellen_version": __version__,
        "method": job.campaign.method,
        "seed": job.campaign.seed,
        "campaign": job.campaign.digest(),
        "subject": traits_of(job.subject),
        "scenes": len(job.scenes),
        "skipped": [[redacted(one.where), redacted(one.why)] for one in job.scenes.skipped],
        "units": len(units),
        "facts": json.loads(json.dumps(dict(job.method.facts))),
        "materials": material_manifest(job.method, job.scenes),
    }
    manifest = _manifest(units, watcher)
    try:
        with next_step(_elsewhere(job.campaign)):
            if journal.facts_hold() is False:
                raise UserError(
                    f"{journal.path}: the facts of the run, or the list of its scenes, are not the "
                    "ones that were written, so resuming could mix two runs. Choose another `out`."
                )
            if journal.get("campaign") is None:
                journal.begin({**facts, "started": time.time()}, manifest)
            else:
                _check_same_run(folder, job, journal, facts, manifest)
    except BaseException:
        journal.close()
        raise
    return journal


def _manifest(units: Sequence[Unit], watcher: Watcher) -> dict[str, str]:
    """Digests of the scenes' content by unit id, in the order of the units."""
    scenes = list({id(one.scene): one.scene for one in units}.values())
    progress = partial(watcher.preparing, "reading scenes")
    found = dict(zip(map(id, scenes), content_digests(scenes, progress), strict=True))
    check_listed_sizes(one for one in scenes if found[id(one)] == UNREADABLE)
    return {one.id: found[id(one.scene)] for one in units}


def _check_same_run(
    folder: Path,
    job: OpenCampaign,
    journal: Journal,
    facts: dict[str, Any],
    manifest: Mapping[str, str],
) -> None:
    recorded, materials = journal.manifest(), journal.get("materials")
    changed = manifest_change(manifest if recorded is None else recorded, manifest)
    unlike = [] if materials is None else material_changes(materials, facts["materials"])
    checked = (
        (
            f"the configuration differs{_changed_keys(folder, job.campaign)}",
            journal.get("campaign") != facts["campaign"],
        ),
        ("the subject differs", journal.get("subject") != facts["subject"]),
        (f"the scenes differ ({changed})", bool(changed)),
        ("the number of scenes differs", journal.get("units") != facts["units"]),
        (" and ".join(unlike), bool(unlike)),
        (
            f"what the method prepared differs{_unlike(journal.get('facts'), facts['facts'])}",
            journal.get("facts") != facts["facts"],
        ),
    )
    for what, differs in checked:
        if differs:
            raise UserError(
                f"{folder}: {what} from what this run was started with, so resuming would mix two "
                "runs. Choose another `out`, or undo the change."
            )


def _unlike(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    """A clause with the keys whose values differ."""
    known = before or {}
    keys = [key for key in {**known, **now} if known.get(key) != now.get(key)]
    return f" in {', '.join(keys)}" if keys else ""


def _changed_keys(folder: Path, campaign: Campaign) -> str:
    """A clause with the keys that differ from the configuration in a run folder."""
    try:
        old, new = read_yaml(folder / CONFIG), campaign.resolved()
    except UserError:
        return ""
    keys = [key for key in new if key not in ("out", "base") and old.get(key) != new[key]]
    return f" in {', '.join(keys)}" if keys else ""


def traits_of(subject: Subject) -> dict[str, Any]:
    """What a journal records of a subject, to check that it is still the same."""
    return {
        "name": subject.name,
        "task": str(subject.task),
        "fingerprint": subject.fingerprint,
        "classes": list(subject.classes),
        "score": subject.score,
        "deterministic": subject.deterministic,
        "tolerance": subject.tolerance,
    }


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
