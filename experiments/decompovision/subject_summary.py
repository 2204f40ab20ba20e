"""The results of one subject, from its runs' summaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from experiments.decompovision.benchmark import BenchmarkResult
from experiments.decompovision.tolerances import PERSON, Condition
from snellen.methods.requirements.checks.operating_points import OperatingPoint

Summary = Mapping[str, Any]


@dataclass(frozen=True)
class SubjectSummary:
    """A subject. published, matched: summaries at the two operating points.

    wider: as matched, with a wider margin. folder: of the matched run.
    """

    name: str
    published: Summary
    matched: Summary
    wider: Summary
    severities: list[BenchmarkResult]
    folder: Path

    def requirement(self, of: Condition, part: str, kind: str) -> Summary | None:
        """The result of a requirement at the matched point; None if the subject lacks it."""
        return of_name(self.matched, f"{of.label}-{of.transformation}-{part}-{kind}")

    def naive(self, of: Condition, part: str, kind: str) -> Summary | None:
        """The loss of AP of a whole task up to its composed threshold: the naive requirement."""
        found = self.requirement(of, part, kind)
        return None if found is None else found["metrics"]["average precision"]

    def benchmark_precisions(self, of: Condition, *, masks: bool = False) -> tuple[float, ...]:
        """AP at severities 1 to 5."""
        wanted = of.label, of.transformation
        [one] = [one for one in self.severities if (one.label, one.transformation) == wanted]
        return one.masks if masks else one.boxes

    def mean_precision(self, of: Condition) -> float:
        """The benchmark's figure: AP as the mean of five severities."""
        return mean(self.benchmark_precisions(of))

    def clean_precision(self, label: str) -> float:
        """AP of a class's boxes on unchanged scenes."""
        return float(_clean(self.matched, label)["average precision"]["clean"]["value"])


def of_name(summary: Summary, name: str) -> Summary | None:
    """A requirement of a summary."""
    return next((one for one in summary["requirements"] if one["name"] == name), None)


def operating_point(summary: Summary) -> OperatingPoint:
    """Precision and recall of boxes of `person` on unchanged scenes."""
    curves = _clean(summary, PERSON)
    values = (curves[metric]["clean"]["value"] for metric in ("precision", "recall"))
    return OperatingPoint(summary["subject"]["score"], *values)


def _clean(summary: Summary, label: str) -> Summary:
    wanted = label, "correctness"
    groups = summary["own"]["reliability"]
    group = next(one for one in groups if (one["label"], one["kind"]) == wanted)
    found: Summary = next(one for one in group["parts"] if one["part"] == "detection")["curves"]
    return found
