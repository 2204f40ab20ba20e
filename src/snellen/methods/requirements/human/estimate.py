"""What people tolerate of a task: the threshold of each subtask, and of the whole in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from snellen.methods.requirements.human.threshold import Threshold
from snellen.methods.requirements.specification.requirement import Kind, SubtaskName, TaskName
from snellen.statistics.intervals import CONFIDENCE

ProcedureName: TypeAlias = Literal["icraf", "decompovision"]

UNSTATED = "unstated"
VIFVEC = "vifvec"
"""The wavelet VIF of ICRAF's MATLAB code; no measure of ours equals it."""


@dataclass(frozen=True)
class EstimateRequest:
    """What is to be estimated, and how.

    transformation, kind: None takes all that the data have. p0: the rate to test against, None for
    that of the data. measure: what visual change was measured with, where the data do not say.
    """

    procedure: ProcedureName = "icraf"
    transformation: str | None = None
    kind: Kind | None = None
    task: TaskName | None = None
    label: str = "any"
    p0: float | None = None
    as_published: bool = False
    one_sided: bool = False
    weighted: bool = False
    measure: str | None = None
    replicates: int = 200
    confidence: float = CONFIDENCE
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Estimate:
    """The thresholds of one task, label, transformation and kind.

    composed: the smallest threshold of the subtasks. direct: the whole task's own, where it has
    more than one subtask. resampled: what the bootstrap drew again. p0_from: what the rate is that
    changed images were tested against.
    """

    wanted: EstimateRequest
    task: TaskName
    transformation: str
    kind: Kind
    measure: str
    path: Path
    sha256: str
    resampled: str
    p0_from: str
    subtasks: Mapping[SubtaskName, Threshold]
    composed: Threshold
    direct: Threshold | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values: the composed threshold first, then how it was found."""
        single = len(self.subtasks) == 1
        parts = {name: one.to_json() for name, one in self.subtasks.items()}
        top = _flat(next(iter(parts.values())) if single else self.composed.to_json(), single)
        return {
            "task": self.task,
            "label": self.wanted.label,
            "transformation": self.transformation,
            "kind": self.kind,
            **top,
            "procedure": self.wanted.procedure,
            "as_published": self.wanted.as_published,
            "one_sided": self.wanted.one_sided or self.wanted.procedure == "decompovision",
            "weighted": self.wanted.weighted,
            "p0_from": self.p0_from,
            "resampled": self.resampled,
            "replicates": self.wanted.replicates,
            "seed": self.wanted.seed,
            "measure": self.measure,
            "measure_note": measure_note(self.measure),
            "source": {"file": self.path.name, "sha256": self.sha256},
            "subtasks": {} if single else parts,
            "direct": self.direct.to_json() if self.direct else None,
        }


def measure_note(measure: str) -> str | None:
    """What a reader must know of the measure before using the threshold."""
    if measure == VIFVEC:
        return (
            "visual change was measured with the wavelet VIF of MATLAB (vifvec), which is not "
            "Snellen's vifp: a requirement with this threshold cannot be checked with vifp"
        )
    if measure == UNSTATED:
        return "the data do not say what visual change was measured with; state it with --measure"
    return None


def _flat(values: dict[str, Any], single: bool) -> dict[str, Any]:
    """The facts of the threshold; those of its curve among them if it has just one."""
    curves = values.pop("curves")
    if not single or len(curves) != 1:
        return values
    return {**values, "p0": curves[0]["p0"], "bins": curves[0]["bins"]}
