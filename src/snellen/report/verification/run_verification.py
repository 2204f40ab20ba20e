"""What a run folder can be trusted with: its journal, its scenes and its files, checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.configuration import read_yaml
from snellen.configuration.stored_configuration import is_own
from snellen.disk.json_text import checked_json, read_small_json
from snellen.engine.campaign import load_campaign
from snellen.errors import SnellenError, UserError
from snellen.methods.view import RunRecord
from snellen.report.finding_folder import RECIPE
from snellen.report.reopened_run import Reopened, reopened
from snellen.report.summary import summary_of
from snellen.scenes.content_digest import content_digests
from snellen.store.journal import Journal, journal_of
from snellen.store.journal_format.journal_schema import ADOPTED
from snellen.store.manifests.material_manifest import material_changes, material_manifest
from snellen.store.manifests.unit_manifest import manifest_change, names_in_words, unit_names
from snellen.store.opened_journal import check_facts
from snellen.store.run_folder import CONFIG, FINDINGS, SUMMARY


@dataclass
class Verification:
    """What was checked and holds, what is wrong, and what could not be checked; in sentences."""

    holds: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong

    def say(self, holds: bool, if_so: str, if_not: str) -> None:
        """Record the outcome of a check."""
        (self.holds if holds else self.wrong).append(if_so if holds else if_not)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"sound": self.sound, **self.__dict__}


NEVER = (
    "that the subject gave these answers: only asking it again shows that, with `snellen replay` "
    "for one case or a new run for all"
)

SENTENCES = ("sentence", "facts", "words")


def verify_run(folder: Path) -> Verification:
    """The verification of a run folder; nothing in it is changed, and the subject is not asked."""
    found = Verification()
    with closing(journal_of(folder)) as journal, ExitStack() as stack:
        try:
            _check_structure(journal, found)
            _check_rows(journal, found)
            _check_facts(journal, found)
            if found.sound:
                check_facts(journal)
        except UserError as error:
            found.wrong.append(str(error))
        if not found.sound:
            found.unknown.append("everything else, which is read from the journal")
            return found
        _check_end(journal, found)
        _check_configuration(folder, journal, found)
        _check_manifest(journal, found)
        run = None
        try:
            run = stack.enter_context(reopened(folder, journal))
            _check_scenes(run, journal, found)
            _check_materials(run, journal, found)
        except (SnellenError, OSError) as error:
            found.unknown.append(f"whether the scenes are still the same: {error}")
        _check_findings(folder, journal, found)
        _check_summary(folder, RunRecord.of(journal, run), found)
    found.unknown.append(NEVER)
    return found


def _check_structure(journal: Journal, found: Verification) -> None:
    [(structure,), *_] = journal.rows("PRAGMA integrity_check(1)")
    found.say(structure == "ok", "the journal's structure", f"the journal's structure: {structure}")


def _check_facts(journal: Journal, found: Verification) -> None:
    holds = journal.facts_hold()
    if holds is None:
        found.unknown.append("the facts of the run, which have no checksum")
        return
    found.say(
        holds,
        "the facts of the run and its manifest, by their checksum",
        "the facts of the run, or its manifest, are not the ones that were written",
    )


def _check_end(journal: Journal, found: Verification) -> None:
    """An unfinished run is sound, but not complete."""
    ended, units = len(journal.ended()), journal.get("units")
    if journal.get("finished") is None:
        found.unknown.append(f"the rest of the run: {ended} of {units} units have ended")


def _check_rows(journal: Journal, found: Verification) -> None:
    damaged, ended = journal.damaged(), len(journal.ended())
    found.say(
        not damaged,
        f"the rows of {ended} units, by their checksums",
        f"the rows of {unit_names(journal, damaged)} are not the ones that were written",
    )
    if journal.get(ADOPTED):
        found.unknown.append("rows written by a version of Snellen without checksums")


def _check_configuration(folder: Path, journal: Journal, found: Verification) -> None:
    try:
        same = load_campaign(folder / CONFIG).digest() == journal.get("campaign")
        own = is_own(folder / CONFIG, read_yaml(folder / CONFIG))
    except SnellenError as error:
        found.unknown.append(f"the configuration: {error}")
        return
    if own:
        found.holds.append(f"{CONFIG} was written by you on this machine")
    else:
        found.unknown.append(f"who wrote {CONFIG}: it has no voucher of yours that fits")
    found.say(same, f"{CONFIG} is the one of the run", f"{CONFIG} is not the one of the run")


def _check_manifest(journal: Journal, found: Verification) -> None:
    recorded = journal.manifest()
    if recorded is None:
        found.unknown.append("the scenes: the run has no manifest of them")
        return
    strange = [id for (id,) in journal.rows("SELECT id FROM units") if id not in recorded]
    found.say(
        not strange,
        f"every examined unit is among the {len(recorded)} of the manifest",
        f"{names_in_words(strange)} were examined, but are not in the manifest",
    )


def _check_scenes(run: Reopened, journal: Journal, found: Verification) -> None:
    recorded = journal.manifest()
    if recorded is None:
        return
    units = run.method.units()
    digests = content_digests([one.scene for one in units])
    now = {unit.id: digest for unit, digest in zip(units, digests, strict=True)}
    changed = manifest_change(recorded, now)
    found.say(not changed, "the scenes are still the same", f"the scenes have changed: {changed}")


def _check_materials(run: Reopened, journal: Journal, found: Verification) -> None:
    recorded = journal.get("materials")
    if recorded is None:
        return
    changed = material_changes(recorded, material_manifest(run.method, run.sources))
    kinds = ", ".join(recorded)
    found.say(
        not changed, f"the {kinds} are still the same", f"since the run, {', '.join(changed)}"
    )


def _check_findings(folder: Path, journal: Journal, found: Verification) -> None:
    wrong = list(_wrong_findings(folder, journal))
    count = len(_recipes(folder))
    found.say(
        not wrong,
        f"{count} finding folders agree with the journal",
        f"finding folders that do not agree with the journal: {names_in_words(wrong)}",
    )


def _recipes(folder: Path) -> list[Path]:
    """The recipes of findings, sorted; what a killed process was writing has a hidden name."""
    return sorted((folder / FINDINGS).glob(f"[!.]*/{RECIPE}"))


def _wrong_findings(folder: Path, journal: Journal) -> Iterator[str]:
    for file in _recipes(folder):
        rows = journal.rows(
            "SELECT recipe, units.scene FROM cases JOIN units ON units.number = cases.unit "
            "WHERE cases.id = ?",
            (file.parent.name,),
        )
        try:
            facts = read_small_json(file)
            same = [(checked_json(recipe), scene) for recipe, scene in rows] == [
                (facts["recipe"], facts["scene"])
            ]
        except (OSError, ValueError, KeyError, TypeError):
            same = False
        if not same:
            yield file.parent.name


def _check_summary(folder: Path, record: RunRecord, found: Verification) -> None:
    if not (folder / SUMMARY).is_file():
        found.unknown.append(f"{SUMMARY}: there is none; `snellen report` writes it")
        return
    found.say(
        _recorded_numbers(folder) == _numbers(summary_of(record).to_text()),
        f"{SUMMARY} says what the journal says",
        f"{SUMMARY} does not say what the journal says; `snellen report` rewrites it",
    )


def _recorded_numbers(folder: Path) -> Any:
    try:
        return _numbers((folder / SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValueError, AttributeError):
        return None


def _numbers(text: str) -> Any:
    """A summary without its sentences, which are shorter if the scenes were not at hand."""
    return _without_sentences(checked_json(text))


def _without_sentences(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_sentences(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = value.keys() - set(SENTENCES)
    return {key: _without_sentences(one) for key, one in value.items() if key in kept}
