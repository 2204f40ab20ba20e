"""The ladder of counterfactual questions about an insertion that breaks the relation."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.measures.registry import VISIBILITY
from snellen.changes.recipe import Recipe
from snellen.contract.explanation import Explanation, Rung
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case
from snellen.methods.fusion.explanation.evidence import HIDING, Evidence
from snellen.methods.fusion.explanation.evidence_words import says
from snellen.methods.fusion.explanation.rung_names import MOVED, RungName
from snellen.methods.fusion.explanation.struck_target import StruckTarget, worst_target
from snellen.methods.fusion.explanation.trials import Trial, Trials
from snellen.methods.fusion.null_controls import NullMaker
from snellen.methods.fusion.object_visibility import ObjectVisibility
from snellen.methods.fusion.options import Sensors
from snellen.methods.fusion.prepared_frame import PreparedFrame, placed_by
from snellen.methods.fusion.relation import FusionRelation
from snellen.vision.detections3d import Detections3D

Asking = Generator[list[Question], Sequence[Answer], list[bool | None]]


@dataclass(frozen=True, eq=False)
class InsertionLadder:
    """Counterfactual questions about one finding, nearest first.

    finding: the case. judge: judges an answer about a recipe. evidence: the answers so far.
    """

    finding: Case
    trials: Trials
    relation: FusionRelation
    judge: Callable[[Recipe, Answer], Case]
    evidence: Evidence

    @classmethod
    def of(
        cls,
        case: Case,
        frame: PreparedFrame,
        relation: FusionRelation,
        judge: Callable[[Recipe, Answer], Case],
        rng: np.random.Generator,
    ) -> InsertionLadder:
        """The ladder about the worst hard event of a finding."""
        recipe, scene = case.recipe, frame.scene
        assert isinstance(recipe, Insert3D)
        placed = placed_by(recipe, frame.choices)
        target = worst_target(case, placed, relation.frames, scene.size)
        hidden = _hidden_share(target, relation.visibility(placed, case.measurements))
        nulls = NullMaker.of(scene, relation.truth, relation.before, relation.score)
        sensors = recipe.sensors if min(scene.size) > 0 else str(Sensors.LIDAR)
        return cls(
            case,
            Trials(recipe, placed, target, relation.before, hidden, frame, nulls, rng),
            relation,
            judge,
            Evidence(target.inserted is not None, sensors, hidden),
        )

    @property
    def explanation(self) -> Explanation:
        """What is known so far."""
        known = self.evidence
        return Explanation(
            str(known.cause),
            tuple(known.rungs),
            known.smallest,
            known.proven,
            says(known),
            self.trials.target.events(self.finding),
        )

    @property
    def settled(self) -> bool:
        """Whether slight changes undo the failure, or background suffices: nothing more to ask."""
        return self.evidence.fleeting or self.evidence.of_seam

    def ask(self, trials: Sequence[Trial], about: Trials | None = None) -> Asking:
        """Ask these rungs; for each, whether the failure persists, None where it can't be said.

        about: what they are trials of, if not of the finding itself.
        """
        if not trials:
            return []
        of = about or self.trials
        answers = yield [Question(of.frame.scene, recipe, (VISIBILITY,)) for _, recipe in trials]
        found: list[bool | None] = []
        for (name, recipe), answer in zip(trials, answers, strict=True):
            case = self.judge(recipe, answer)
            visible = self.relation.visibility(
                placed_by(recipe, of.frame.choices), case.measurements
            )
            still = self._persists(case, visible, of)
            hidden = _hidden_share(of.target, visible)
            unseen = name in MOVED and not visible.demanded(of.culprit)
            large = name == RungName.SLIGHT and abs(hidden - of.hidden) > HIDING
            found.append(None if large or (unseen and not still) else still)
            if found[-1] is not None:
                self.evidence.add(Rung(name, case, found[-1]), hidden)
        return found

    def _persists(self, case: Case, visible: ObjectVisibility, of: Trials) -> bool | None:
        """Whether the failure is there; None if the struck object need not be found."""
        recipe, target = case.recipe, of.target
        if target.inserted is None:
            return None if visible.excuses(target.before) else target.strikes(case)
        assert isinstance(recipe, Insert3D)
        assert isinstance(case.after, Detections3D)
        after, one = case.after, visible.placed[target.inserted]
        if recipe.sensors != of.recipe.sensors:
            return self.relation.misses(after, one, in_image=recipe.sensors == "camera")
        if not visible.demanded(target.inserted):
            return None
        return self.relation.misses(after, one) or self.relation.misses(after, one, in_image=True)


def _hidden_share(target: StruckTarget, visible: ObjectVisibility) -> float:
    """The share of the struck object that others hide, 0 to 1; 0 for a phantom."""
    if target.inserted is not None:
        left = visible.inserted(target.inserted)
        return 1.0 - min(left.lidar, left.image)
    return 0.0 if target.before is None else visible.hidden_share(target.before)
