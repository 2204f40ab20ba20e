"""What a detector is trained on: original scenes, repair scenes, and those it is judged by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from snellen.errors import UserError
from snellen.scenes.scene import Scene, SceneSet

Weights = Mapping[str, Sequence[float]]
NO_SCENES = SceneSet(())


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Annotated scenes by their part in the training.

    original: what the detector was, or could have been, trained on. repair: what it is to be taught
    besides, such as failing cases. validation, repair_validation: scenes of either sort that it is
    not trained on, by which the best epoch is chosen. weights: by id of a scene, the weight of each
    of its annotated objects in the loss; 1 where nothing is said.
    """

    original: SceneSet
    repair: SceneSet = NO_SCENES
    validation: SceneSet = NO_SCENES
    repair_validation: SceneSet = NO_SCENES
    weights: Weights = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.original) + len(self.repair):
            raise UserError("there are no scenes to train on. Give original or repair scenes.")
        for taught, judged in (
            (self.original, self.validation),
            (self.repair, self.repair_validation),
        ):
            both = {scene.id for scene in taught} & {scene.id for scene in judged}
            if both:
                raise UserError(
                    f"scene {min(both)} is both trained on and validated by ({len(both)} such). "
                    "Keep the two apart, or the best epoch is the one that knows them by heart."
                )

    @property
    def key(self) -> str:
        """A digest of which scenes play which part with which weights; not of their pixels."""
        state = hashlib.blake2b(digest_size=16)
        parts = (self.original, self.repair, self.validation, self.repair_validation)
        for scenes in parts:
            state.update(repr([scene.id for scene in scenes]).encode())
        weights = sorted((key, [float(one) for one in row]) for key, row in self.weights.items())
        state.update(repr(weights).encode())
        return state.hexdigest()


def with_validation(
    data: TrainingData, share: float, seed: int, group: Callable[[Scene], str] = lambda s: s.id
) -> TrainingData:
    """The same with a share of original and repair scenes set apart for validation.

    group: scenes with the same value go to the same side, also across the two sorts: give the id of
    the scene that a repair picture was made from, so that no picture is judged on a scene that was
    taught. Which side depends on seed and group alone.
    """

    def apart(scene: Scene) -> bool:
        digest = hashlib.blake2b(f"{seed}\0{group(scene)}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) < share * 2**64

    def divided(scenes: SceneSet) -> tuple[SceneSet, SceneSet]:
        sides = (tuple(s for s in scenes if apart(s) is side) for side in (False, True))
        taught, judged = (replace(scenes, scenes=side) for side in sides)
        return taught, judged

    original, validation = divided(data.original)
    repair, repair_validation = divided(data.repair)
    return TrainingData(original, repair, validation, repair_validation, data.weights)
