"""The battery of an exam: the methods that apply, each with its configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration.stored_configuration import store_configuration
from snellen.engine.campaign import load_campaign
from snellen.errors import UserError
from snellen.exam.scorecard import ScorecardRow
from snellen.methods.exam_entry import ExamEntry, Examinee, InapplicableError
from snellen.methods.kind import METHODS, MethodKind

Options = Mapping[str, Mapping[str, Any]]
"""Values by section of a configuration: a method's name, `subject` or `engine`."""


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


@dataclass(frozen=True)
class ExamPlan:
    """What all configurations of an exam share.

    out: the exam's folder. questions: of each method. options: the user's, by section. common:
    `base`, `scenes`, `subject` and `skip_invalid` of every configuration.
    """

    out: Path
    seed: int
    questions: int | None
    options: Options
    common: Mapping[str, Any]

    def configure(self, station: Station, examinee: Examinee) -> None:
        """Write the configuration of a method; raises `InapplicableError` if it does not apply."""
        setup = station.entry.setup(examinee, station.config)
        options = dict(setup.options)
        if "file" in options:  # written beside the configuration, not at the base
            options["file"] = str((self.out / options["file"]).resolve())
        kind: MethodKind = METHODS.load(station.method)
        own, engine = (self.options.get(name, {}) for name in (station.method, "engine"))
        values = {
            "method": station.method,
            "seed": self.seed,
            "base": self.common["base"],
            **({"scenes": self.common["scenes"]} if kind.scenes else {}),
            "subject": {**self.common["subject"], **setup.subject},
            **({} if setup.objects is None else {"objects": dict(setup.objects)}),
            station.method: {**options, **own},
            "engine": {"stop": "decided", "questions": self.questions, **engine},
            **({"skip_invalid": True} if self.common["skip_invalid"] else {}),
            "out": str(station.folder.resolve()),
        }
        store_configuration(station.config, values, station.config)


def battery_of(examinee: Examinee, plan: ExamPlan) -> tuple[list[Station], list[ScorecardRow]]:
    """The methods that apply, each with its file, and a row for each that does not."""
    battery, rows = [], []
    for name in METHODS.kinds():
        if name in METHODS.broken():
            continue
        kind: MethodKind = METHODS.load(name)
        entry = kind.opened_exam()
        if entry is None:
            continue
        station = Station(name, entry, plan.out / f"{name}.yaml")
        try:
            plan.configure(station, examinee)
            battery.append(station)
        except InapplicableError as error:
            row = ScorecardRow(property=entry.property, method=name, skipped_because=str(error))
            rows.append(row)
    return battery, rows


def check_options(battery: list[Station]) -> None:
    """Refuse options of the user's that a method or the engine does not take."""
    for one in battery:
        try:
            load_campaign(one.config)
        except UserError as error:
            why = str(error).replace(f"{one.config}: ", "")
            raise UserError(f"options: {why}", next="snellen docs exam") from None


def check_sections(options: Options) -> Options:
    """The options; an error if a section is neither a method's nor `subject` or `engine`."""
    known = [*METHODS.kinds(), "subject", "engine"]
    for name, values in options.items():
        if name not in known or not isinstance(values, Mapping):
            raise UserError(
                f"options: found the section '{name}' with {type(values).__name__}; expected a "
                f"mapping in one of {', '.join(known)}. Write it as METHOD.KEY=VALUE."
            )
    return options
