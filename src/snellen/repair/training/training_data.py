"""Training data: original scenes, repair scenes and validation scenes."""

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
    """Annotated scenes by their use in training.

    original: what the detector was, or could have been, trained on. repair: additional scenes,
    such as failing cases. validation, repair_validation: scenes of either kind that are not
    trained on, for choosing the best epoch. weights: by id of a scene, the loss weight of each of
    its annotated objects; default 1.
    """

    original: SceneSet
    repair: SceneSet = NO_SCENES
    validation: SceneSet = NO_SCENES
    repair_validation: SceneSet = NO_SCENES
    weights: Weights = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.original) + len(self.repair):
            raise UserError("there are no scenes to train on. Provide original or repair scenes.")
        for trained, validated in (
            (self.original, self.validation),
            (self.repair, self.repair_validation),
        ):
            both = {scene.id for scene in trained} & {scene.id for scene in validated}
            if both:
                raise UserError(
                    f"scene {min(both)} is used for both training and validation ({len(both)} "
                    "such scenes). Separate them, or validation would reward memorisation."
                )

    @property
    def key(self) -> str:
        """A digest of the scenes' ids, uses and weights; not of their pixels."""
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
    """The data with a share of original and repair scenes used for validation.

    group: scenes with the same value are on the same side, also across the two kinds: return the
    id of the scene that a repair picture was made from, so that no validation picture shows a
    training scene. The side depends on seed and group alone.
    """

    def validates(scene: Scene) -> bool:
        digest = hashlib.blake2b(f"{seed}\0{group(scene)}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) < share * 2**64

    def split(scenes: SceneSet) -> tuple[SceneSet, SceneSet]:
        sides = (tuple(s for s in scenes if validates(s) is side) for side in (False, True))
        trained, validated = (replace(scenes, scenes=side) for side in sides)
        return trained, validated

    original, validation = split(data.original)
    repair, repair_validation = split(data.repair)
    return TrainingData(original, repair, validation, repair_validation, data.weights)
