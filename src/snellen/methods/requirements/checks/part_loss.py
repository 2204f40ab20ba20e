"""The loss that a part of a task contributes to the loss of the whole, as discordant pairs.

The parts add up to the whole exactly. Of recall and accuracy, a part's loss is the share of all
objects (cases) that were right and are now first wrong at its subtasks, minus the share for which
it is the other way round. Of precision, it is the rise of the share of detections that are first
wrong at its subtasks. A whole task is the part with all subtasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.methods.requirements.evidence.transitions import Transitions, transitions
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.statistics.sample_size import scenes_to_decide
from snellen.statistics.scene_curves import paired_curve
from snellen.vision.arrays import F64


@dataclass(frozen=True, eq=False)
class PartLoss:
    """A loss by scene: what got worse and what got better, and what they are divided by.

    scale: the cases of the pairs over what the metric is a share of.
    """

    pairs: DiscordantPairs
    scale: float = 1.0

    @cached_property
    def curve(self) -> ConfidenceCurve:
        """The loss with its confidence limits."""
        own, scale = paired_curve(self.pairs), self.scale
        return ConfidenceCurve(
            own.value * scale,
            lambda score: own.lower(score) * scale,
            lambda score: own.upper(score) * scale,
            -1.0,
            1.0,
            own.method,
        )

    def more_scenes(self, margin: Margin, alpha: float) -> int | None:
        """How many more scenes like these decide it; None if it is not known to be possible."""
        value = self.curve.value
        if margin.low <= value <= margin.high:
            return None
        null = margin.low if value < margin.low else margin.high
        return scenes_to_decide(self.pairs, null / self.scale, tail=alpha)


def part_loss(part: SubtaskCounts, metric: Metric, both: Arms) -> PartLoss:
    """The loss of a metric between two arms."""
    if metric == "precision":
        return _of_detections(part, both)
    found = transitions(part, metric, both)
    return _of_counts(part, both) if found is None else _of_items(found)


def _of_items(found: Transitions) -> PartLoss:
    """From the same objects before and after."""
    after, before = found.broken + found.still, found.mended + found.still
    return PartLoss(discordant_pairs(after, before, found.items, found.broken, found.mended))


def _of_counts(part: SubtaskCounts, both: Arms) -> PartLoss:
    """From numbers of objects, for runs that did not record which is which."""
    objects, before = _wrong(part, 1, both, before=True)
    _, after = _wrong(part, 1, both, before=False)
    return PartLoss(discordant_pairs(after, before, objects))


def _of_detections(part: SubtaskCounts, both: Arms) -> PartLoss:
    """From numbers of detections, which need not be the same before and after.

    A further wrong detection lowers precision p by p over all detections, a right one that is gone
    by 1 - p, so these are the weights of what changed in a scene. What did not change has no
    influence, as in a paired comparison, and the sum is the loss of precision exactly.
    """
    seen, wrong = _wrong(part, 0, both, before=True)
    seen_after, wrong_after = _wrong(part, 0, both, before=False)
    if not seen.sum() or not seen_after.sum():
        return PartLoss(discordant_pairs(seen * 0, seen * 0, seen * 0))
    right = 1 - wrong.sum() / seen.sum()
    more = wrong_after - wrong
    fewer = (seen - wrong) - (seen_after - wrong_after)
    worse = right * np.maximum(more, 0) + (1 - right) * np.maximum(fewer, 0)
    better = right * np.maximum(-more, 0) + (1 - right) * np.maximum(-fewer, 0)
    cases = np.maximum(seen, seen_after)
    still = np.clip(np.minimum(wrong, wrong_after), 0, cases - np.maximum(worse, better))
    pairs = discordant_pairs(worse + still, better + still, cases, worse, better)
    return PartLoss(pairs, float(cases.sum() / seen_after.sum()))


def _wrong(part: SubtaskCounts, side: int, both: Arms, *, before: bool) -> tuple[F64, F64]:
    """(scenes,) detections or objects, and those first wrong at the subtasks of a part."""
    counts = part.counts[:, side]
    columns = np.stack([counts[:, 0], counts[:, part.start] - counts[:, part.end]], axis=1)
    seen, wrong = both.by_scene(columns, both.before if before else both.after).T
    return seen, wrong
