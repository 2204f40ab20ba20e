"""A run replayed: its cases put to another subject, in a new run folder."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.configuration import options_of_kind
from snellen.configuration.stored_configuration import store_configuration
from snellen.engine.campaign import Campaign, campaign_from, check_trusted
from snellen.engine.examination import examination
from snellen.engine.open_unit import OpenUnit
from snellen.engine.progress import RunTally, SilentWatcher, Watcher
from snellen.engine.seeds import unit_generator
from snellen.engine.start.run_journal import traits_of
from snellen.engine.units import run_units
from snellen.errors import UserError
from snellen.objects.library.folder_library import FolderLibrary
from snellen.repair.evaluation.recorded_cases import recorded_units
from snellen.repair.evaluation.replay_method import ReplayMethod
from snellen.repair.repair_ability import repairs_of
from snellen.report.reopened_run import Reopened, reopened
from snellen.scenes.registry import READERS
from snellen.store.journal import Journal, journal_of
from snellen.store.run_folder import CONFIG, JOURNAL, claim_run_folder
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject

REPLAY = "replay"
"""The journal's key for the run that a replay was made of."""


def replay_run(
    run: Path,
    subject: Mapping[str, Any] | None,
    out: Path,
    *,
    folder: Path | None = None,
    watcher: Watcher | None = None,
) -> RunTally:
    """Put the tests and controls of a finished run to a subject; `out` becomes a run folder.

    subject: the section `subject:` of a configuration, with paths relative to `folder` (the
    working folder if None). None is the run's own subject, for its answers on every scene,
    including those without a case. Resumes an interrupted replay in `out`.
    """
    with closing(journal_of(run)) as journal, reopened(run, journal) as old, claim_run_folder(out):
        if subject is None:
            check_trusted(old.campaign)
        _refuse(run, journal)
        repairs = repairs_of(old.campaign.method, run)
        campaign = _campaign(old, subject, folder or Path.cwd(), out)
        asked = open_subject(campaign.subject, campaign.folder, f"{out / CONFIG}: subject")
        with closing(asked), closing(_journal(out, journal, campaign, old, asked)) as new:
            facts = journal.get("facts") or {}
            method = ReplayMethod(
                repairs.for_subject(old.method, asked, facts),
                repairs,
                asked,
                recorded_units(journal),
                old.subject.score,
            )
            return _ask(campaign, method, asked, new, watcher or SilentWatcher())


def _ask(
    campaign: Campaign, method: ReplayMethod, subject: Subject, journal: Journal, watcher: Watcher
) -> RunTally:
    """Run every unit that has not ended yet through the engine: batched and cached."""
    ended, steady = journal.ended(), subject.deterministic
    units = [
        OpenUnit(
            number,
            unit,
            examination(
                method,
                unit,
                unit_generator(campaign.seed, REPLAY, unit.id),
                allowance=None,
                steady=steady,
                classes=subject.classes,
            ),
        )
        for number, unit in enumerate(method.units())
        if number not in ended
    ]
    return run_units(units, subject, method.materials, campaign.engine, journal, watcher)


def _refuse(run: Path, journal: Journal) -> None:
    if journal.get(REPLAY) is not None:
        raise UserError(
            f"{run}: is itself a replay. Pass the original run, '{journal.get(REPLAY)['run']}'."
        )
    if journal.get("finished") is None:
        raise UserError(f"{run}: is not finished. Continue it with snellen run --resume.")


def _campaign(
    old: Reopened, subject: Mapping[str, Any] | None, folder: Path, out: Path
) -> Campaign:
    """The run's configuration with another subject and the library of objects that it used.

    Objects named by the scenes they are cut from could differ for another subject.
    """
    values = old.campaign.resolved() | {"out": str(out.resolve())}
    library = old.materials.get("objects")
    if isinstance(library, FolderLibrary):
        values["objects"] = {"kind": "library", "path": str(library.path.resolve())}
    if subject is not None:
        scenes = _absolute(values["scenes"], old.campaign.folder, f"{old.campaign.file}: scenes")
        values |= {"subject": dict(subject), "scenes": scenes, "base": str(folder.resolve())}
    return campaign_from(values, out / CONFIG)


def _absolute(scenes: Mapping[str, Any], folder: Path, where: str) -> dict[str, Any]:
    """The section `scenes:` with absolute paths."""
    options = options_of_kind(READERS, scenes, where)
    return {
        name: str((folder / value).resolve()) if isinstance(value, Path) else scenes[name]
        for name, value in options
    }


def _journal(
    out: Path, journal: Journal, campaign: Campaign, old: Reopened, subject: Subject
) -> Journal:
    """The journal of the replay, new or resumed."""
    _same_classes(out, old, subject)
    run = journal.path.parent.resolve()
    whence = {"of": journal.get("campaign"), "by": old.subject.fingerprint, "run": run.name}
    facts = {
        "snellen_version": __version__,
        "method": campaign.method,
        "seed": campaign.seed,
        "campaign": _digest(whence, campaign),
        "subject": traits_of(subject),
        **{key: journal.get(key) for key in ("scenes", "skipped", "units")},
        "facts": json.loads(json.dumps(journal.get("facts"))),
        REPLAY: whence,
    }
    fresh = not (out / JOURNAL).exists()
    if fresh:
        store_configuration(out / CONFIG, campaign.resolved(), out / CONFIG)
    new = Journal(out / JOURNAL)
    if fresh or new.get("campaign") is None:
        new.put({**facts, "started": time.time()})
    elif any(new.get(key) != facts[key] for key in ("campaign", "subject")):
        new.close()
        raise UserError(f"{out}: contains another run or replay. Choose another folder.")
    return new


def _same_classes(out: Path, old: Reopened, subject: Subject) -> None:
    if tuple(subject.classes) != tuple(old.subject.classes):
        raise UserError(
            f"{out}: the subject's classes are {list(subject.classes)[:5]}..., the run's "
            f"{list(old.subject.classes)[:5]}...; the same tests need the same classes, in order."
        )


def _digest(whence: Mapping[str, Any], campaign: Campaign) -> str:
    """A digest that differs from any run's, so that a run cannot resume a replay."""
    text = json.dumps([REPLAY, whence["of"], whence["by"], campaign.digest()])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
