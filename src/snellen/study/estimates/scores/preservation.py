"""Whether people answer a changed picture as most people answer the original of its scene."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from snellen.study.estimates.scores.outline_mask import mask_iou, outline_mask
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.task_scores import ScoredStudy, true_mask
from snellen.study.trial import StudyTask
from snellen.vision.arrays import Bools

Topic = tuple[StudyTask, str, str, str | None]


def preserved_answers(study: ScoredStudy) -> ScoredStudy:
    """The answers to changed pictures, right where they agree with the majority on the original.

    A choice must be the most frequent one (of a tie, the one given first). An object must be found
    if at least half of the people found it in the original; others are left out, as are scenes
    that nobody saw unchanged. An outline must overlap the pixels that at least half of the
    outlines of the original cover.
    """
    originals: dict[Topic, list[ScoredAnswer]] = defaultdict(list)
    for one in study.answers:
        if one.unchanged and one.unit is not ScoredUnit.BOX:
            originals[_topic(one)].append(one)
    majorities = _Majorities(study, originals)
    return study.of([found for one in study.answers for found in majorities.judged(one)])


def _topic(one: ScoredAnswer) -> Topic:
    """What a question is about: the same for an original and its changed versions."""
    return one.task, one.scene, one.label, one.object


class _Majorities:
    """The majority's answers to originals, by topic."""

    def __init__(self, study: ScoredStudy, originals: dict[Topic, list[ScoredAnswer]]) -> None:
        self.study = study
        self.originals = originals
        self.masks: dict[Topic, Bools] = {}

    def judged(self, one: ScoredAnswer) -> Iterator[ScoredAnswer]:
        """The answer judged by the majority, if it can be."""
        topic = _topic(one)
        before = self.originals.get(topic)
        if one.unchanged or one.unit is ScoredUnit.BOX or before is None:
            return
        if one.task is StudyTask.LOCALISE:
            if 2 * sum(each.right for each in before) >= len(before):
                yield one
        elif one.outline is not None:
            mask = self._mask(topic)
            own = outline_mask(one.outline, mask.shape)
            yield replace(one, right=mask_iou(own, mask) >= self.study.options.mask_iou)
        else:
            [(choice, _)] = Counter(each.choice for each in before).most_common(1)
            yield replace(one, right=one.choice == choice)

    def _mask(self, topic: Topic) -> Bools:
        """The pixels that at least half of the outlines of the original cover."""
        if topic not in self.masks:
            _, scene, _, name = topic
            [target] = [one for one in self.study.record.objects[scene] if one.id == name]
            size = true_mask(target).shape
            drawn = [one.outline for one in self.originals[topic] if one.outline is not None]
            covered = np.mean([outline_mask(one, size) for one in drawn], axis=0)
            self.masks[topic] = np.asarray(covered >= 0.5)
        return self.masks[topic]
