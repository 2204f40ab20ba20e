"""What was measured of one subject, read off its runs' summaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from experiments.decompovision.benchmark import Benchmarked
from experiments.decompovision.tolerances import LABEL
from snellen.methods.requirements.checks.operating_points import OperatingPoint

Summary = Mapping[str, Any]


@dataclass(frozen=True)
class SubjectSummary:
    """A subject. published, matched: summaries at the two operating points. folder: of the last."""

    name: str
    published: Summary
    matched: Summary
    benchmark: list[Benchmarked]
    folder: Path

    def requirement(self, transformation: str, part: str, kind: str) -> Summary | None:
        """What became of a requirement at the matched point; None if it is not the subject's."""
        return of_name(self.matched, f"{LABEL}-{transformation}-{part}-{kind}")

    def naive(self, transformation: str, part: str, kind: str) -> Summary | None:
        """The loss of AP of a whole task up to its composed threshold: the naive requirement."""
        found = self.requirement(transformation, part, kind)
        return None if found is None else found["metrics"]["average precision"]

    def benchmark_precisions(
        self, transformation: str, *, masks: bool = False
    ) -> tuple[float, ...]:
        """AP at severities 1 to 5."""
        [one] = [one for one in self.benchmark if one.transformation == transformation]
        return one.masks if masks else one.boxes

    def mean_precision(self, transformation: str) -> float:
        """The benchmark's figure: AP as the mean of five severities."""
        return mean(self.benchmark_precisions(transformation))

    @property
    def clean_precision(self) -> float:
        """AP of boxes on unchanged scenes."""
        return float(_clean(self.matched)["average precision"]["clean"]["value"])


def of_name(summary: Summary, name: str) -> Summary | None:
    """A requirement of a summary."""
    return next((one for one in summary["requirements"] if one["name"] == name), None)


def operating_point(summary: Summary) -> OperatingPoint:
    """Precision and recall of boxes on unchanged scenes."""
    curves = _clean(summary)
    values = (curves[metric]["clean"]["value"] for metric in ("precision", "recall"))
    return OperatingPoint(summary["subject"]["score"], *values)


def _clean(summary: Summary) -> Summary:
    group = next(one for one in summary["own"]["reliability"] if one["kind"] == "correctness")
    found: Summary = next(one for one in group["parts"] if one["part"] == "detection")["curves"]
    return found
