"""One finding explained by hand: its counterfactual questions, asked now or in the run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.contract.fault_target import is_among
from snellen.contract.method import Unit
from snellen.contract.verdict import Case, Status
from snellen.disk.writable import is_writable
from snellen.engine.explanation import explained_alone
from snellen.engine.open_unit import OpenUnit
from snellen.engine.progress import SilentWatcher
from snellen.engine.seeds import unit_generator
from snellen.engine.start.run_journal import traits_of
from snellen.engine.target_causes import FindingTargets
from snellen.engine.units import run_units
from snellen.errors import UserError
from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord
from snellen.report.explanation_page import write_page
from snellen.report.finding_folder import replay_command, write_explanation, write_finding
from snellen.report.picture_source import pictures_of
from snellen.report.reopened_run import Reopened, reopened, reopened_if_possible
from snellen.report.replay import judged_case, recorded_answers
from snellen.store.explanations import RecordedExplanation, causes, explanation_of
from snellen.store.findings import Finding, case_with_events, finding_of, is_finding_role
from snellen.store.journal import Journal
from snellen.store.opened_journal import opened_journal
from snellen.store.run_folder import FINDINGS, JOURNAL
from snellen.store.struck_targets import struck_targets


@dataclass(frozen=True, eq=False)
class ExplainedFinding:
    """An explanation with where it is written. page: None if no picture could be rebuilt.

    recorded: whether the run had it; otherwise the subject was asked.
    """

    explanation: RecordedExplanation
    folder: Path
    page: Path | None
    recorded: bool


def explain(
    folder: Path, id: str, *, again: bool = False, out: Path | None = None
) -> ExplainedFinding:
    """Explain a finding of the run in `folder`, and write the answers with pictures.

    id: of the finding, or a prefix. again: ask even if the run has its explanation. out: where page
    and values go; by default the finding's folder.
    """
    with opened_journal(folder) as journal:
        finding = finding_of(journal, id)
        _check_finding(folder, finding)
        known = None if again else explanation_of(journal, finding)
        if known is not None:
            with reopened_if_possible(folder, journal) as run:
                return _written(folder, journal, run, known, journal, out)
        with (
            reopened(folder, journal) as run,
            asked_explanation(folder, journal, run, finding) as (
                explanation,
                answers,
            ),
        ):
            return _written(folder, journal, run, explanation, answers, out)


def _check_finding(folder: Path, finding: Finding) -> None:
    if not is_finding_role(finding.role) or finding.status != Status.FAILING:
        raise UserError(
            f"{folder}: case '{finding.id}' is no finding: it is a {finding.role} that is "
            f"{finding.status}, and only what fails can be explained. The ids of findings are in "
            "its report.html."
        )


@contextmanager
def asked_explanation(
    folder: Path, journal: Journal, run: Reopened, finding: Finding
) -> Iterator[tuple[RecordedExplanation, Journal]]:
    """The explanation of a finding, asked through the engine, and the journal of its answers."""
    method, subject = run.method, run.subject
    if not method.explains:
        raise UserError(
            f"{folder}: method '{run.campaign.method}' asks no counterfactual questions, so its "
            f"findings can't be explained. Replay it with: {replay_command(folder, finding.id)}"
        )
    traits = traits_of(subject.opened())
    if traits != journal.get("subject"):
        raise UserError(
            f"{folder}: the subject is not the one of the run: {_difference(traits, journal)}. Its "
            "answers would explain another finding. Restore it, or make a new run."
        )
    [(unit_id,)] = journal.rows("SELECT id FROM units WHERE number = ?", (finding.unit,))
    unit = Unit(unit_id, run.scene(finding.scene))
    answers = recorded_answers(journal, finding)
    case = _as_explained(journal, run, finding, judged_case(run, finding, answers, answers))
    rng = unit_generator(run.campaign.seed, run.campaign.method, unit_id)
    with tempfile.TemporaryDirectory() as place, closing(Journal(Path(place) / JOURNAL)) as new:
        new.put({"subject": traits, "method": run.campaign.method})
        options = run.campaign.engine.model_copy(
            update={"workers": 0, "questions": None, "seconds": None}
        )
        asking = OpenUnit(0, unit, explained_alone(method, unit, case, rng))
        run_units([asking], subject.opened(), run.materials, options, new, SilentWatcher())
        found = explanation_of(new, case_with_events(new, 0, 0))
        assert found is not None
        yield replace(found, finding=finding), new


def _as_explained(journal: Journal, run: Reopened, finding: Finding, case: Case) -> Case:
    """A finding without events on what another one proves, as the run explained it.

    A finding that the run did not explain is explained as a whole, and so are all of a method that
    explains every finding.
    """
    known, place = causes(journal), (finding.unit, finding.number)
    if place not in known or run.method.explained_findings is None:
        return case
    struck = struck_targets(journal, [finding])
    own = zip(struck[place], known[place], strict=True)
    classes = run.subject.opened().classes
    proven = [
        target
        for other, named in known.items()
        if other[0] == finding.unit and other != place
        for target, cause in zip(struck[other], named, strict=True)
        if cause.proven
    ]
    left = [one for one, cause in own if not cause.known and is_among(one, proven)]
    return FindingTargets(run.method, (case,), classes, {}).without(0, left)


def _difference(traits: dict[str, Any], journal: Journal) -> str:
    """The first trait that differs from that in the journal."""
    then = journal.get("subject")
    name = next(key for key in {**then, **traits} if then.get(key) != traits.get(key))
    return f"{name} was {then.get(name)!r} and is now {traits.get(name)!r}"


def _written(
    folder: Path,
    journal: Journal,
    run: Reopened | None,
    explanation: RecordedExplanation,
    answers: Journal,
    out: Path | None,
) -> ExplainedFinding:
    """Write the values, and the page if the cases can be rebuilt and there is a place for it."""
    finding = explanation.finding
    place = out or folder / FINDINGS / finding.id
    if out is None and not is_writable(folder, "the explanation and its page; `--out` has a place"):
        return ExplainedFinding(explanation, place, None, answers is journal)
    view = view_of(journal.get("method"))
    if out is None and not place.exists():
        for picture in pictures_of(folder, RunRecord.of(journal, run), [finding], view):
            write_finding(folder, picture)
    place.mkdir(parents=True, exist_ok=True)
    write_explanation(place, explanation)
    page = None
    if run is not None:
        page = write_page(place, explanation, run, journal, answers)
    return ExplainedFinding(explanation, place, page, answers is journal)
