"""A study's answers by the procedures of ICRAF and DecompoVision."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.procedures.answer_tally import (
    image_weights,
    rate_of,
    tally_answers,
)
from snellen.methods.human.procedures.decompovision import MINIMAL, DecompoVision
from snellen.methods.human.procedures.icraf import WIDTH, Icraf, lowest_half
from snellen.methods.human.procedures.reference_rate import reference
from snellen.methods.human.procedures.threshold_scan import ThresholdScan, smallest
from snellen.methods.human.subtasks import Kind, SubtaskName
from snellen.methods.human.threshold import Threshold, threshold_of
from snellen.study.estimates.thresholds.subtask_answers import StudyAnswers, SubtaskSide


def published_thresholds(
    answers: StudyAnswers,
    parts: Mapping[SubtaskName, list[SubtaskSide]],
    kind: Kind,
    request: EstimateRequest,
    where: str,
) -> tuple[dict[SubtaskName, Threshold], Threshold]:
    """The threshold of each subtask by the requested procedure, and the smallest of them.

    Scenes are drawn with replacement; all subtasks share the draws.
    """
    rng = np.random.default_rng(request.seed)
    weights = image_weights(len(answers.scenes), request.replicates, rng)

    def scan(side: SubtaskSide) -> ThresholdScan:
        tally = tally_answers(answers.judged(side.changed), weights, WIDTH)
        icraf = request.procedure == "icraf"
        if kind == "correctness":
            own = rate_of(answers.judged(side.unchanged), weights)
        else:
            own = lowest_half(tally) if icraf else tally.rate(MINIMAL)
        p0 = reference(own, request, where)
        if icraf:
            procedure = Icraf(request.as_published, request.one_sided, request.weighted)
            return procedure.scan(tally, p0, side.what)
        return DecompoVision(request.as_published).scan(tally, p0, side.what)

    scans = {
        name: smallest([scan(side) for side in sides if side.changed])
        for name, sides in parts.items()
    }
    found = {name: threshold_of(one, request.confidence) for name, one in scans.items()}
    return found, threshold_of(smallest(list(scans.values())), request.confidence)
