"""The visual changes to test: the same ones whichever requirements are checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.corruptions.random_fields import seeded_generator, uniforms
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.scenes.scene import Scene
from snellen.vision.visual_change.object_vif import WholeBox, whole_boxes
from snellen.vision.visual_change.registry import visual_measure

SEEDS = 2**31
MEASURES = ("delta_v", "level")
"""What is measured of every changed image."""


@dataclass(frozen=True)
class ChangeAxis:
    """A transformation, and the measure of its visual change."""

    transformation: str
    measure: str


def axes_of(requirements: Iterable[Requirement]) -> tuple[ChangeAxis, ...]:
    """One axis per transformation and measure.

    Cases are built once and shared by all requirements, thresholds and subtasks.
    """
    found = {(one.transformation, visual_measure(one.measure).identity) for one in requirements}
    return tuple(ChangeAxis(*one) for one in sorted(found))


def sample_changes(
    axis: ChangeAxis,
    count: int,
    *,
    most: float,
    scene: str,
    seed: int,
    boxes: tuple[WholeBox, ...] = (),
) -> list[CorruptTo]:
    """`count` cases of one scene, spread evenly from no visual change to `most`.

    Each depends on the seed, the scene's id, the transformation and its own number alone: not on
    the requirements, nor on how many cases there are. The number of the case picks a point of the
    van der Corput sequence, and all points of a scene are shifted by one random number, so that any
    count is spread over the range, and a power of two puts one case into each of `count` parts.
    boxes: of the scene's objects, used by measures at the objects alone.
    """
    rng = seeded_generator(seed, f"{scene}\0{axis.transformation}")
    shift, draw = uniforms(rng, 2).tolist()
    used = boxes if visual_measure(axis.measure).at_objects else ()
    return [
        CorruptTo(
            axis.transformation,
            round((shift + radical_inverse(number)) % 1.0 * most, 4),
            axis.measure,
            int(draw * SEEDS),
            used,
        )
        for number in range(count)
    ]


def object_boxes(scene: Scene) -> tuple[WholeBox, ...]:
    """The boxes of everything that is annotated in a scene; none if nothing is."""
    if scene.annotations is None:
        return ()
    return whole_boxes(scene.annotations.boxes.tolist(), scene.size)


def radical_inverse(number: int) -> float:
    """The van der Corput sequence in base 2: the binary digits mirrored at the point.

    >>> [radical_inverse(number) for number in range(5)]
    [0.0, 0.5, 0.25, 0.75, 0.125]
    """
    digits = f"{number:b}"
    return float(int(digits[::-1], 2) / 2 ** len(digits))
