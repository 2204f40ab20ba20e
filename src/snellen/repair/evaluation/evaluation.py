"""The evaluation of a repair: every figure before and after, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.disk.json_values import finite_or_none
from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.clean_precision import CleanPrecision
from snellen.repair.evaluation.equal_reports import EqualReports
from snellen.repair.evaluation.fresh_run import FreshRun
from snellen.repair.evaluation.held_out_check import HeldOut
from snellen.repair.evaluation.instance_shares import InstanceShares
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.statistics.intervals import Rate


@dataclass(frozen=True)
class EvaluatedSubject:
    """A subject and the folder with its answers. score: its operating threshold.

    asked_at: seconds since 1970; not in the JSON values, which depend on answers alone.
    """

    name: str
    fingerprint: str
    score: float
    folder: Path
    asked_at: float | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "score": self.score,
            "folder": self.folder.name,
        }


@dataclass(frozen=True)
class Evaluation:
    """The same tests of two subjects. Differences are after minus before; intervals are by scene.

    failures: F_r, with tests of undetected instances as failing. failures_detected: F_r among
    instances that both detect in the unchanged scene. undetected: the share of instances not
    detected there. repaired, new: shares of all tests. shares: among instances that failed
    before, as published; all_shares: among all. uncertainty: the mean over instances measured
    twice. equal: at equally many reported objects.
    """

    method: str
    seed: int
    before: EvaluatedSubject
    after: EvaluatedSubject
    verdict: RepairVerdict
    reasons: tuple[str, ...]
    margin: float
    scenes: int
    instances: int
    failures: Change
    failures_detected: Change
    undetected: Change
    repaired: Rate
    new: Rate
    shares: InstanceShares
    all_shares: InstanceShares
    by_level: Mapping[int, Change]
    by_class: Mapping[str, Change]
    controls: Change | None
    uncertainty: Change | None
    precision: CleanPrecision | None
    equal: EqualReports | None
    fresh: FreshRun | None
    held: HeldOut
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON values, NaN as None; `snellen docs before-and-after` describes them."""
        values = {
            "snellen_version": __version__,
            "method": self.method,
            "seed": self.seed,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "verdict": {"word": str(self.verdict), "reasons": list(self.reasons)},
            "margin": self.margin,
            "scenes": self.scenes,
            "instances": self.instances,
            "failure_rate": self.failures.to_json(),
            "failure_rate_found": self.failures_detected.to_json(),
            "gone": self.undetected.to_json(),
            "per_hundred": {
                "repaired": _hundred(self.repaired),
                "new": _hundred(self.new),
            },
            "shares": {
                "failed_before": self.shares.to_json(),
                "all": self.all_shares.to_json(),
            },
            "by_level": {str(level): one.to_json() for level, one in self.by_level.items()},
            "by_class": {name: one.to_json() for name, one in self.by_class.items()},
            "control_rate": _optional(self.controls),
            "uncertainty": _optional(self.uncertainty),
            "clean_ap": _optional(self.precision),
            "equal_reports": _optional(self.equal),
            "fresh": _optional(self.fresh),
            "held_out": self.held.to_json(),
            "warnings": list(self.warnings),
        }
        return dict(finite_or_none(values))


def _optional(
    one: Change | CleanPrecision | EqualReports | FreshRun | None,
) -> dict[str, Any] | None:
    return None if one is None else one.to_json()


def _hundred(rate: Rate) -> dict[str, Any]:
    """A rate per hundred tests."""
    values = rate.to_json()
    for key in ("value", "low", "high"):
        value = values[key]
        values[key] = None if value is None else 100 * float(value)
    return {**values, "tests": int(rate.cases), "count": int(rate.failing)}
