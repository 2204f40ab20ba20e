"""An exam: what applies to a subject and its scenes, run within one budget, on one scorecard."""

from __future__ import annotations

import math
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.disk.free_folder import free_folder
from snellen.engine.campaign import Campaign, load_campaign
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError, UserError
from snellen.exam.accuracy_row import accuracy_row
from snellen.exam.battery import (
    ExamPlan,
    Options,
    Station,
    battery_of,
    check_options,
    check_sections,
)
from snellen.exam.budget import ExamClock
from snellen.exam.scorecard import FAILED, Scorecard, ScorecardRow, chart_order
from snellen.methods.exam_entry import Examinee
from snellen.report.finding_folder import explain_command
from snellen.report.report import write_report
from snellen.report.verdict.verdict_status import unsettled
from snellen.scenes.recognition import recognise_scenes
from snellen.scenes.registry import open_scenes
from snellen.store.run_folder import FINDINGS, JOURNAL, OVERLAY
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus
from snellen.subjects.recognition import recognise_subject
from snellen.subjects.registry import open_subject
from snellen.terminal.repeated_messages import repetitions_dropped

Model = str | Path | Mapping[str, Any]
Say = Callable[[str], None]
MINUTES = 10.0


def exam(
    model: Model,
    data: Model,
    *,
    objects: Model | None = None,
    out: str | Path = "exam",
    minutes: float | None = MINUTES,
    questions: int | None = None,
    seed: int = 1,
    resume: bool = False,
    skip_invalid: bool = False,
    options: Options | None = None,
    say: Say | None = None,
    shown: bool = False,
) -> Scorecard:
    """The scorecard of a subject, also written to `out` with an ordinary run folder a method.

    model, data: a path, or the options of a subject or a scene set. objects: where objects to
    insert come from, by default the data. minutes: the time of all methods together; None for as
    long as they take. questions: of each method, in place of a time, so that the same seed gives
    the same rows. resume: go on with an interrupted or undecided exam. skip_invalid: leave out
    invalid scenes instead of an error. options: of methods, of the subject or of the engine by
    section, such as `{"insertion": {"per_object": 5}}`, in place of the exam's own. say: gets a
    line for each choice. shown: whether progress is shown on standard error.
    """
    chosen = check_sections(options or {})
    whole = _Exam(Path(out), questions, seed, skip_invalid, chosen, say or _silent, shown)
    with repetitions_dropped():
        return whole.held(model, data, data if objects is None else objects, minutes, resume)


@dataclass(frozen=True)
class _Exam:
    out: Path
    questions: int | None
    seed: int
    skip_invalid: bool
    options: Options
    say: Say
    shown: bool

    def held(
        self, model: Model, data: Model, objects: Model, minutes: float | None, resume: bool
    ) -> Scorecard:
        subject, scenes = recognise_subject(model), recognise_scenes(data)
        subject.values.update(self.options.get("subject", {}))
        fresh = not (self.out.exists() and any(self.out.iterdir()))
        if not (resume or fresh):
            raise UserError(
                f"{self.out}: is not empty. Pass --resume to continue an exam there, or choose "
                "another --out.",
                next=_elsewhere(model, data, self.out),
            )
        base = _base(subject.folder, scenes.folder, data)
        with closing(open_subject(subject.values, base, "the model")) as opened:
            found = open_scenes(
                scenes.values, base, skip_invalid=self.skip_invalid, where="the data"
            )
            examinee = Examinee(opened, found, recognise_scenes(objects).values)
            took = _took(subject.words, scenes.words, examinee)
            for line in took:
                self.say(f"took: {line}")
            if examinee.annotated and not examinee.shared_classes():
                self.say(_strangers(examinee))
            self.out.mkdir(parents=True, exist_ok=True)
            common: dict[str, Any] = {
                "base": str(base),
                "scenes": scenes.values,
                "subject": subject.values,
                "skip_invalid": self.skip_invalid,
            }
            plan = ExamPlan(self.out, self.seed, self.questions, self.options, common)
            with _removed_on_error(self.out) if fresh else nullcontext():
                battery, rows = battery_of(examinee, plan)
                check_options(battery)
        clock = ExamClock(math.inf if minutes is None else 60 * minutes)
        rows.append(accuracy_row([station.config for station in battery], shown=self.shown))
        rows += self._examined(battery, clock)
        made = Scorecard(
            snellen_version=__version__,
            subject=opened.name,
            scenes=len(found),
            seed=self.seed,
            took=took,
            rows=chart_order(rows),
        )
        made.write(self.out)
        return made

    def _examined(self, battery: list[Station], clock: ExamClock) -> list[ScorecardRow]:
        """A row for each method: a first round by weight, then the rest of the time."""
        found: dict[str, Summary | SnellenError] = {}
        for place, one in enumerate(battery):
            later = sum(other.entry.weight for other in battery[place + 1 :])
            found[one.method] = self._run(one, clock.share(one.entry.weight, later))
        for one in _undecided(battery, found) if self.questions is None else ():
            if clock.left > 1:
                found[one.method] = self._run(one, clock.left)
        return [_row(one, found[one.method], self.out) for one in battery]

    def _run(self, station: Station, seconds: float) -> Summary | SnellenError:
        timed = self.questions is None and math.isfinite(seconds)
        budget = [f"engine.seconds={seconds:.1f}"] if timed else []
        self.say(f"examining {station.entry.property} ({station.method})")
        try:
            campaign: Campaign = load_campaign(station.config, budget)
            with display_run(campaign.method) if self.shown else nullcontext() as watcher:
                run_campaign(campaign, resume=(station.folder / JOURNAL).exists(), watcher=watcher)
            return write_report(station.folder)
        except SnellenError as error:
            return error


@contextmanager
def _removed_on_error(out: Path) -> Iterator[None]:
    """Remove a folder that an exam has only just begun, if it cannot go on."""
    try:
        yield
    except UserError:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _elsewhere(model: Model, data: Model, out: Path) -> str:
    """The command that writes to a folder that is free."""
    given = [one if isinstance(one, str | Path) else "..." for one in (model, data)]
    return shlex.join(["snellen", "exam", *map(str, given), "--out", str(free_folder(out))])


def _silent(_: str) -> None:
    """Nothing is shown."""


def _base(subject: Path, scenes: Path, data: Model) -> Path:
    """The root of relative paths: the subject's folder, or that of configured scenes."""
    configured = isinstance(data, str | Path) and Path(data).suffix in (".yaml", ".yml")
    return scenes.resolve() if configured else subject.resolve()


def _took(subject: str, scenes: str, examinee: Examinee) -> tuple[str, ...]:
    one, known = examinee.subject, examinee.scenes
    annotated = sum(scene.annotations is not None for scene in known)
    shared = len(examinee.shared_classes())
    return (
        f"{subject}: {one.task}, {len(one.classes)} classes, score threshold {one.score:g}",
        f"{scenes}: {len(known)} scenes, {annotated} annotated, {shared} class names shared",
    )


def _strangers(examinee: Examinee) -> str:
    """A note that the annotations cannot be used, because no class name is shared."""
    known, own = (", ".join(one.classes[:4]) for one in (examinee.scenes, examinee.subject))
    return (
        f"note: the data name their classes {known}, the model {own}: without a common name, "
        "accuracy is not examined. Give a .yaml with `subject` that sets `classes`: "
        "snellen docs subjects-model-files"
    )


def _undecided(
    battery: list[Station], found: Mapping[str, Summary | SnellenError]
) -> list[Station]:
    """Methods whose verdict is open and that have scenes left, those nearest to a verdict first."""
    nearest = {
        name: one.verdict.more_scenes or one.units.left_out
        for name, one in found.items()
        if isinstance(one, Summary)
        and one.verdict.status == VerdictStatus.UNDECIDED
        and one.units.left_out
    }
    chosen = [one for one in battery if one.method in nearest]
    return sorted(chosen, key=lambda one: nearest[one.method])


def _row(station: Station, found: Summary | SnellenError, out: Path) -> ScorecardRow:
    common = {"property": station.entry.property, "method": station.method}
    if isinstance(found, UserError):
        return ScorecardRow(**common, skipped_because=str(found))
    if isinstance(found, SnellenError):
        return ScorecardRow(**common, status=FAILED, sentence=str(found))
    noisy = found.verdict.status == VerdictStatus.FLAKY and not station.entry.measures_noise
    acuity = None if noisy or unsettled(found) else station.entry.acuity(found)
    worst = found.faults.worst
    folder = out / station.method
    picture = "" if worst is None else f"{station.method}/{FINDINGS}/{worst.finding}/{OVERLAY}"
    return ScorecardRow(
        **common,
        value=None if acuity is None else round(acuity.value, 6),
        low=None if acuity is None else round(acuity.low, 6),
        high=None if acuity is None else round(acuity.high, 6),
        words="" if acuity is None else acuity.words,
        status=str(found.verdict.status),
        sentence=found.verdict.sentence,
        fault="" if worst is None else _sentences(worst.words, worst.says),
        picture=picture if picture and (out / picture).is_file() else "",
        command=_deeper(station, found)
        if worst is None
        else explain_command(folder, worst.finding),
        proven=found.faults.proven,
        violated=sum(one.status == "violated" for one in found.requirements),
    )


def _deeper(station: Station, found: Summary) -> str:
    """The command that asks more: of the scenes that are left, or other cases of the same ones."""
    run = f"snellen run {shlex.quote(str(station.config))}"
    if found.units.left_out:
        return f"{run} --resume --set engine.stop=null"
    other = shlex.quote(f"{station.config.with_suffix('')}-2")
    return f"{run} --set seed={found.seed + 1} --out {other}"


def _sentences(*parts: str) -> str:
    """The parts as sentences.

    >>> _sentences("a car is lost", "Background holds.", "")
    'A car is lost. Background holds.'
    """
    return ". ".join(f"{one[0].upper()}{one[1:]}".rstrip(".") for one in parts if one) + "."
