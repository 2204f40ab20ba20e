"""The journal of a run: begun with what the run depends on, or continued if that is the same."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.configuration import read_yaml
from snellen.contract.method import Unit
from snellen.disk.free_folder import free_folder, shown_path
from snellen.engine.campaign import Campaign
from snellen.engine.progress import Watcher
from snellen.engine.start.opened_campaign import OpenCampaign
from snellen.errors import UserError, next_step
from snellen.errors.redaction import redacted
from snellen.scenes.content_digest import UNREADABLE, content_digests
from snellen.scenes.image_files.listed_picture import check_listed_sizes
from snellen.store.journal import Journal
from snellen.store.manifests.material_manifest import material_changes, material_manifest
from snellen.store.manifests.unit_manifest import manifest_change
from snellen.store.run_folder import CONFIG, JOURNAL
from snellen.subjects.subject import Subject


def run_journal(folder: Path, job: OpenCampaign, watcher: Watcher) -> Journal:
    """The journal of a new run, or that of the same run begun earlier; others are refused."""
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
        with next_step(free_command(job.campaign)):
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


def free_command(campaign: Campaign) -> str:
    """The command that runs a campaign into a folder that is free."""
    out = shown_path(free_folder(campaign.out_folder))
    return shlex.join(["snellen", "run", str(campaign.file), "--out", str(out)])
