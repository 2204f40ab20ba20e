"""A repair's configuration, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import parse, read_yaml, set_key
from snellen.contract.repairs import Repairs
from snellen.engine.campaign import Campaign, campaign_from
from snellen.errors import UserError, next_step
from snellen.methods.defaults import REPAIR_METHOD
from snellen.methods.kind import METHODS, kinds_offering
from snellen.repair.digests import digest_of
from snellen.repair.options import RepairFile
from snellen.repair.training.options import TrainingOptions
from snellen.store.run_folder import LOCK
from snellen.subjects.registry import check_code

FILE = "repair.yaml"
FREE = ("out", "configurations", "grid", "iterate", "fresh", "margin", "engine")
"""Keys that may change when a repair is resumed: finished stages stay valid."""
SHORT = {"patience": None, "keep": "last"}
"""Defaults of a repair: arms are compared after the same number of steps."""


@dataclass(frozen=True)
class RepairPlan:
    """A checked configuration. section: the method's options. folder: base of paths."""

    options: RepairFile
    section: Mapping[str, Any]
    folder: Path
    file: Path

    @property
    def out(self) -> Path:
        """The repair folder."""
        return (self.folder / self.options.out).resolve()

    @property
    def training(self) -> TrainingOptions:
        """Options of training: by default no early stopping, and the last epoch's weights."""
        given = self.options.training
        short = {key: one for key, one in SHORT.items() if key not in given.model_fields_set}
        return given.model_copy(update=short)

    def resolved(self) -> dict[str, Any]:
        """JSON values that reproduce this plan from any folder."""
        values = self.options.model_dump(mode="json")
        values |= {"base": str(self.folder), "out": str(self.out)}
        values["training"] = self.training.model_dump(mode="json")
        return {**values, self.options.method: dict(self.section)}

    def key(self) -> str:
        """A digest of everything that may not change when a repair is resumed."""
        values = {key: value for key, value in self.resolved().items() if key not in FREE}
        values["training"] = {k: v for k, v in values["training"].items() if k != "workers"}
        return digest_of(values, self.options.engine.questions)

    def campaign(
        self,
        subject: Mapping[str, Any],
        scenes: Mapping[str, Any],
        objects: Mapping[str, Any] | None,
        out: Path,
        seed: int,
    ) -> Campaign:
        """A run of the plan's method."""
        options = self.options
        values = {
            "method": options.method,
            "seed": seed,
            "subject": dict(subject),
            "scenes": dict(scenes),
            "objects": None if objects is None else dict(objects),
            "engine": options.engine.model_dump(mode="json"),
            "skip_invalid": options.skip_invalid,
            "out": str(out),
            "base": str(self.folder),
            options.method: dict(self.section),
        }
        return campaign_from(values, self.file)


def load_plan(path: Path, overrides: Sequence[str] = ()) -> RepairPlan:
    """The plan in a configuration file, or in a repair folder, with `key=value` on top."""
    file = path / FILE if path.is_dir() else path
    with next_step("snellen docs repair"):
        if path.is_dir() and not file.exists():
            raise UserError(
                f"{path}: is not a repair folder, it has no {FILE}. Pass a configuration."
            )
        if not file.exists():
            raise UserError(f"{path}: no such file, expected the configuration of a repair.")
        values = read_yaml(file)
        if path.is_dir() or (path.name == FILE and (path.parent / LOCK).exists()):
            check_code(file, values)
        if path.is_dir():
            values["out"] = str(path.resolve())
        for one in overrides:
            set_key(values, one)
        return plan_from(values, file)


def plan_from(values: Mapping[str, Any], file: Path) -> RepairPlan:
    """The plan that a mapping describes; messages begin with `file`, paths at its folder."""
    given = {key: value for key, value in values.items() if value is not None}
    method = given.get("method", REPAIR_METHOD)
    if isinstance(method, str) and not _offers(method):
        raise UserError(
            f"{file}: method: found '{method}', expected one of "
            f"{', '.join(kinds_offering(Repairs))}: a repair needs insertions."
        )
    sections = {key: given.pop(key) for key in METHODS.kinds() if key in given and _offers(key)}
    options = parse(RepairFile, given, str(file))
    section = sections.get(options.method, {})
    if not isinstance(section, Mapping):
        raise UserError(f"{file}: {options.method}: found {section!r}, expected keys and values")
    folder = Path(options.base) if options.base else file.resolve().parent
    plan = RepairPlan(options, section, folder, file)
    checked = plan.campaign(options.subject, {"kind": "synthetic"}, None, plan.out, options.seed)
    return RepairPlan(options, checked.options, folder, file)


def _offers(method: str) -> bool:
    """Whether there is a method of that name that supports repair."""
    return method in METHODS.kinds() and isinstance(METHODS.load(method).repairs, Repairs)
