"""An exam: what applies to a subject and its scenes, run within one budget, on one scorecard."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.disk.atomic_file import write_atomically
from snellen.disk.free_folder import free_folder
from snellen.engine.campaign import Campaign, as_yaml, load_campaign
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError, UserError
from snellen.exam.accuracy_row import accuracy_row
from snellen.exam.budget import ExamClock
from snellen.exam.scorecard import FAILED, Scorecard, ScorecardRow, chart_order
from snellen.methods.exam_entry import ExamEntry, Examinee, InapplicableError
from snellen.methods.kind import METHODS, MethodKind
from snellen.report.finding_folder import explain_command
from snellen.report.report import write_report
from snellen.scenes.recognition import recognise_scenes
from snellen.scenes.registry import open_scenes
from snellen.store.run_folder import FINDINGS, JOURNAL, OVERLAY
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus
from snellen.subjects.recognition import recognise_subject
from snellen.subjects.registry import open_subject

Model = str | Path | Mapping[str, Any]
Say = Callable[[str], None]
MINUTES = 10.0


@dataclass(frozen=True, eq=False)
class Station:
    """One method of the battery, with its configuration file."""

    method: str
    entry: ExamEntry
    config: Path

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.config.with_suffix("")


def exam(
    model: Model,
    data: Model,
    *,
    objects: Model | None = None,
    out: str | Path = "exam",
    minutes: float = MINUTES,
    questions: int | None = None,
    seed: int = 1,
    resume: bool = False,
    skip_invalid: bool = False,
    say: Say | None = None,
) -> Scorecard:
    """The scorecard of a subject, also written to `out` with an ordinary run folder a method.

    model, data: a path, or the options of a subject or a scene set. objects: where objects to
    insert come from, by default the data. minutes: the time of all
    methods together. questions: of each method, in place of a time, so that the same seed gives
    the same rows. resume: go on with an interrupted or undecided exam. skip_invalid: leave out
    invalid scenes instead of an error. say: gets a line for each choice.
    """
    return _Exam(Path(out), questions, seed, skip_invalid, say or _silent).held(
        model, data, data if objects is None else objects, minutes, resume
    )


@dataclass(frozen=True)
class _Exam:
    out: Path
    questions: int | None
    seed: int
    skip_invalid: bool
    say: Say

    def held(
        self, model: Model, data: Model, objects: Model, minutes: float, resume: bool
    ) -> Scorecard:
        subject, scenes = recognise_subject(model), recognise_scenes(data)
        if not resume and self.out.exists() and any(self.out.iterdir()):
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
            common = {"subject": subject.values, "scenes": scenes.values, "base": str(base)}
            battery, rows = self._battery(examinee, common)
        clock = ExamClock(60 * minutes)
        rows.append(accuracy_row([station.config for station in battery]))
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

    def _battery(
        self, examinee: Examinee, common: Mapping[str, Any]
    ) -> tuple[list[Station], list[ScorecardRow]]:
        """The methods that apply, each with its file, and a row for each that does not."""
        battery, rows = [], []
        for name in METHODS.kinds():
            if name in METHODS.broken():
                continue
            kind: MethodKind = METHODS.load(name)
            entry = kind.opened_exam()
            if entry is None:
                continue
            station = Station(name, entry, self.out / f"{name}.yaml")
            try:
                self._configure(station, examinee, common)
                battery.append(station)
            except InapplicableError as error:
                row = ScorecardRow(property=entry.property, method=name, skipped_because=str(error))
                rows.append(row)
        return battery, rows

    def _configure(self, station: Station, examinee: Examinee, common: Mapping[str, Any]) -> None:
        setup = station.entry.setup(examinee, station.config)
        options = dict(setup.options)
        if "file" in options:  # written beside the configuration, not at the base
            options["file"] = str((self.out / options["file"]).resolve())
        kind: MethodKind = METHODS.load(station.method)
        values = {
            "method": station.method,
            "seed": self.seed,
            "base": common["base"],
            **({"scenes": common["scenes"]} if kind.scenes else {}),
            "subject": {**common["subject"], **setup.subject},
            **({} if setup.objects is None else {"objects": dict(setup.objects)}),
            station.method: options,
            "engine": {"stop": "decided", "questions": self.questions},
            **({"skip_invalid": True} if self.skip_invalid else {}),
            "out": str(station.folder.resolve()),
        }
        write_atomically(station.config, as_yaml(values).encode())

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
        budget = [] if self.questions else [f"engine.seconds={seconds:.1f}"]
        self.say(f"examining {station.entry.property} ({station.method})")
        try:
            campaign: Campaign = load_campaign(station.config, budget)
            run_campaign(campaign, resume=(station.folder / JOURNAL).exists())
            return write_report(station.folder)
        except SnellenError as error:
            return error


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
    acuity, worst = station.entry.acuity(found), found.faults.worst
    folder = out / station.method
    picture = "" if worst is None else f"{station.method}/{FINDINGS}/{worst.finding}/{OVERLAY}"
    again = f"snellen run {shlex.quote(str(station.config))} --resume"
    return ScorecardRow(
        **common,
        value=None if acuity is None else round(acuity.value, 6),
        low=None if acuity is None else round(acuity.low, 6),
        high=None if acuity is None else round(acuity.high, 6),
        words="" if acuity is None else acuity.words,
        status=str(found.verdict.status),
        sentence=found.verdict.sentence,
        fault="" if worst is None else f"{worst.words} {worst.says}".strip(),
        picture=picture if picture and (out / picture).is_file() else "",
        command=again if worst is None else explain_command(folder, worst.finding),
        proven=found.faults.proven,
        violated=sum(one.status == "violated" for one in found.requirements),
    )
