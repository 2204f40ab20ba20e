"""Human thresholds of a task: of each subtask, and of the whole, composed and direct."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from snellen.methods.human.subtasks import Kind, SubtaskName, TaskName
from snellen.methods.human.threshold import Threshold
from snellen.statistics.intervals import CONFIDENCE

ProcedureName: TypeAlias = Literal["icraf", "decompovision", "psychometric"]
CurveName: TypeAlias = Literal["gauss", "weibull"]

FALL = 0.1
"""The share of what people recognise unchanged that is lost at the threshold of a curve."""

UNSTATED = "unstated"
VIFVEC = "vifvec(sigma_nsq=0.4)"
"""The wavelet VIF of ICRAF's data."""


@dataclass(frozen=True)
class EstimateRequest:
    """What to estimate, and how.

    procedure: None for decompovision for boxes, icraf for single answers, and psychometric for
    studies. curve, fall: of the psychometric curve. transformation, kind:
    None for all in the data. p0: the rate to test against, None to take it
    from the data. measure: of visual change, if the data do not name it.
    """

    procedure: ProcedureName | None = None
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
    curve: CurveName = "gauss"
    fall: float = FALL


@dataclass(frozen=True, eq=False)
class HumanEstimate:
    """The thresholds of one task, label, transformation and kind.

    composed: the smallest threshold of the subtasks. direct: estimated for the whole task, if it
    has more than one subtask. resampled: what the bootstrap draws. p0_from: the rate that changed
    images were tested against. own: by our own estimator, beside one as published, and the reasons
    why the two differ. others: by other procedures. evidence: what else the file
    should say. remarks: what the reader should know.
    """

    request: EstimateRequest
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
    own: HumanEstimate | None = None
    reasons: tuple[str, ...] = ()
    others: tuple[HumanEstimate, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values: the composed threshold first, then how it was estimated."""
        single = self.task == "classification"
        parts = {name: one.to_json() for name, one in self.subtasks.items()}
        top = _flat(next(iter(parts.values())) if single else self.composed.to_json(), single)
        return {
            "task": self.task,
            "label": self.request.label,
            "transformation": self.transformation,
            "kind": self.kind,
            **top,
            "procedure": self.request.procedure,
            "as_published": self.request.as_published,
            "one_sided": self.request.one_sided or self.request.procedure == "decompovision",
            "weighted": self.request.weighted,
            "p0_from": self.p0_from,
            "resampled": self.resampled,
            "replicates": self.request.replicates,
            "seed": self.request.seed,
            "measure": self.measure,
            "measure_note": measure_note(self.measure),
            "source": {"file": self.path.name, "sha256": self.sha256},
            "subtasks": {} if single else parts,
            "direct": self.direct.to_json() if self.direct else None,
            **({"own": _short(self.own), "reasons": list(self.reasons)} if self.reasons else {}),
            **({"by_procedure": self._others_json()} if self.others else {}),
            **self.evidence,
        }

    def _others_json(self) -> dict[str, Any]:
        return {str(one.request.procedure): _short(one) for one in self.others}


def _short(estimate: HumanEstimate | None) -> dict[str, Any] | None:
    """The thresholds of an estimate, without their evidence."""
    if estimate is None:
        return None
    kept = ("threshold", "low", "high", "limited_by_data", "told")

    def short(one: Threshold) -> dict[str, Any]:
        values = one.to_json()
        return {name: values[name] for name in kept}

    parts = {name: short(part) for name, part in estimate.subtasks.items()}
    direct = short(estimate.direct) if estimate.direct else None
    return {**short(estimate.composed), "subtasks": parts, "direct": direct}


def measure_note(measure: str) -> str | None:
    """A caveat on the measure, or None."""
    if measure == VIFVEC:
        return (
            "visual change is the wavelet VIF, vifvec, so a requirement with this threshold is "
            "checked with it and not with vifp; ICRAF's own images were made grey with the weights "
            "of red and blue swapped, which Snellen's are not"
        )
    if measure == UNSTATED:
        return "the data do not name the measure of visual change; give it with --measure"
    return None


def _flat(values: dict[str, Any], single: bool) -> dict[str, Any]:
    """The threshold's values, with those of its curve if it has just one."""
    curves = values.pop("curves")
    if not single or len(curves) != 1:
        return values
    return {**values, **{key: curves[0][key] for key in ("p0", "loss", "bins")}}
