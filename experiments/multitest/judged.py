"""What a search did to a system: average precision and the paper's classes of error (Table 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.multitest.pipelines import MESHES
from experiments.multitest.running import Asked, Run
from experiments.multitest.things import CAR
from snellen.changes.seed_frame import seed_frame
from snellen.scenes.kitti_evaluation import evaluated_objects
from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti_ap import average_precision
from snellen.vision.kitti_objects import KittiObjects
from snellen.vision.kitti_pairs import Metric
from snellen.vision.solid_errors import ErrorClass, errors

LOOSE = 0.5
READINGS: dict[str, tuple[Metric, float]] = {
    "3D, IoU 0.7": (Metric.SOLID, 0.7),
    "3D, IoU 0.5": (Metric.SOLID, LOOSE),
    "2D, IoU 0.7": (Metric.IMAGE, 0.7),
}
METRICS = {"3D": Metric.SOLID, "2D": Metric.IMAGE}


@dataclass(frozen=True, eq=False)
class Side:
    """Answers beside what is known of the frames."""

    found: tuple[Detections3D, ...]
    known: tuple[KittiObjects, ...]

    def precisions(self, classes: Sequence[str]) -> dict[str, float]:
        """Average precision in percent by reading, of cars at KITTI's moderate level.

        Every score is a threshold: KITTI's own procedure needs more objects than there are.
        """
        return {
            name: average_precision(
                self.found,
                self.known,
                classes=classes,
                name=CAR,
                metric=metric,
                overlap=overlap,
                procedure="definition",
            ).percent
            for name, (metric, overlap) in READINGS.items()
        }

    def errors(self, classes: Sequence[str], score: float) -> dict[tuple[str, ErrorClass], int]:
        """How many errors of each class there are, in 3D and in 2D."""
        counts: Counter[tuple[str, ErrorClass]] = Counter()
        for name, metric in METRICS.items():
            for found, known in zip(self.found, self.known, strict=True):
                made = errors(found, known, classes=classes, name=CAR, metric=metric, score=score)
                counts.update((name, one.kind) for one in made)
        return dict(counts)


@dataclass(frozen=True, eq=False)
class Judged:
    """One search of one system, in one run or several that differ in their seed.

    seeds, tests: the same number of answers, each frame as it was beside what a chain of insertions
    ended with.
    """

    runs: tuple[Run, ...]
    seeds: Side
    tests: Side

    @property
    def classes(self) -> tuple[str, ...]:
        """The system's classes."""
        return self.runs[0].classes

    @property
    def questions(self) -> int:
        """How many insertions were asked about."""
        return sum(run.questions for run in self.runs)

    @property
    def count(self) -> int:
        """How many tests there are."""
        return len(self.tests.found)

    def drops(self) -> dict[str, float]:
        """By how many points average precision falls, by reading."""
        before = self.seeds.precisions(self.classes)
        after = self.tests.precisions(self.classes)
        return {name: before[name] - after[name] for name in before}


def judged(runs: Sequence[Run], scenes: SceneSet) -> Judged:
    """The test cases of runs, with what is known of each, beside their seeds."""
    by_id = {scene.id: scene for scene in scenes}
    frames = [frame for run in runs for frame in run.frames]
    ends = [(by_id[frame.scene], end) for frame in frames for end in frame.ends]
    seeds = Side(tuple(end.before for _, end in ends), tuple(_labelled(scene) for scene, _ in ends))
    tests = Side(tuple(end.after for _, end in ends), tuple(_known(*one) for one in ends))
    return Judged(tuple(runs), seeds, tests)


def _labelled(scene: Scene) -> KittiObjects:
    seed = seed_frame(scene)
    return evaluated_objects(seed.rows or (), seed.frames)


def _known(scene: Scene, end: Asked) -> KittiObjects:
    """What the case is known to show: labels as the insertions left them, and the insertions."""
    changed, _ = end.recipe.changed(scene, {"meshes": MESHES})
    return evaluated_objects([one.row for one in changed.known], changed.seed.frames)
