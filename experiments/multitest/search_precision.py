"""Average precision and the paper's error classes after a search (Table 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.multitest.frame_objects import CAR
from experiments.multitest.fusion_runs import Run
from experiments.multitest.pipelines import MESHES
from snellen.methods.fusion.precision import PrecisionSide, labelled, labelled_with
from snellen.scenes.scene import SceneSet
from snellen.vision.kitti.evaluation_pairs import OverlapMetric
from snellen.vision.kitti.multitest_errors import ErrorClass

LOOSE = 0.5
READINGS: dict[str, tuple[OverlapMetric, float]] = {
    "3D, IoU 0.7": (OverlapMetric.SOLID, 0.7),
    "3D, IoU 0.5": (OverlapMetric.SOLID, LOOSE),
    "2D, IoU 0.7": (OverlapMetric.IMAGE, 0.7),
}
METRICS = {"3D": OverlapMetric.SOLID, "2D": OverlapMetric.IMAGE}


def precisions(side: PrecisionSide, classes: Sequence[str]) -> dict[str, float]:
    """Average precision in percent by reading, of cars at KITTI's moderate level."""
    return {
        name: side.precision(classes, CAR, metric, overlap).percent
        for name, (metric, overlap) in READINGS.items()
    }


def errors(
    side: PrecisionSide, classes: Sequence[str], score: float
) -> dict[tuple[str, ErrorClass], int]:
    """The number of errors of each class, in 3D and in 2D."""
    return {
        (name, kind): count
        for name, metric in METRICS.items()
        for kind, count in side.errors(classes, CAR, metric, score).items()
    }


@dataclass(frozen=True, eq=False)
class SearchResult:
    """One search of one system, in one run or several that differ in their seed.

    seeds, tests: the same number of answers, on each original frame and on the last case of a
    chain of insertions.
    """

    runs: tuple[Run, ...]
    seeds: PrecisionSide
    tests: PrecisionSide

    @property
    def classes(self) -> tuple[str, ...]:
        """The system's classes."""
        return self.runs[0].classes

    @property
    def questions(self) -> int:
        """The number of tested insertions."""
        return sum(run.questions for run in self.runs)

    @property
    def count(self) -> int:
        """The number of tests."""
        return len(self.tests.detections)

    def drops(self) -> dict[str, float]:
        """The fall of average precision in points, by reading."""
        before = precisions(self.seeds, self.classes)
        after = precisions(self.tests, self.classes)
        return {name: before[name] - after[name] for name in before}


def search_result(runs: Sequence[Run], scenes: SceneSet) -> SearchResult:
    """The test cases of runs with their seeds and truths."""
    by_id = {scene.id: scene for scene in scenes}
    frames = [frame for run in runs for frame in run.frames]
    ends = [(by_id[frame.scene], end) for frame in frames for end in frame.ends]
    seeds = PrecisionSide(
        tuple(end.before for _, end in ends), tuple(labelled(scene) for scene, _ in ends)
    )
    meshes = {"meshes": MESHES}
    tests = PrecisionSide(
        tuple(end.after for _, end in ends),
        tuple(labelled_with(scene, end.recipe, meshes) for scene, end in ends),
    )
    return SearchResult(tuple(runs), seeds, tests)
