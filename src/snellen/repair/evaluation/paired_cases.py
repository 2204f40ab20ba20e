"""The same cases of two subjects as columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.errors import UserError
from snellen.repair.evaluation.evaluation_sides import CaseOutcome, EvaluationSide, Instance, Key
from snellen.vision.arrays import F64, Bools, Ints


@dataclass(frozen=True, eq=False)
class PairedCases:
    """N cases put to both subjects.

    scenes: ids of the scenes that both completed, with cases or without. scene: (N,) index of
    each case's scene. instance: (N,) index of each case's instance in `instances`, -1 for none.
    level: (N,) 1 is the nearest, 0 for none. names: (N,) class of the instance. before, after:
    (N,) outcomes of each subject.
    """

    scenes: tuple[str, ...]
    instances: tuple[Instance, ...]
    scene: Ints
    instance: Ints
    level: Ints
    names: tuple[str, ...]
    before: tuple[CaseOutcome, ...]
    after: tuple[CaseOutcome, ...]

    def __len__(self) -> int:
        return len(self.scene)

    @property
    def failed(self) -> tuple[Bools, Bools]:
        """(N,) each: whether a case fails before and after, undetected instances included."""
        return _flags([one.failed for one in self.before]), _flags(
            [one.failed for one in self.after]
        )

    @property
    def undetected(self) -> tuple[Bools, Bools]:
        """(N,) each: whether the case's instance is not detected in the unchanged scene."""
        return _flags([one.undetected for one in self.before]), _flags(
            [one.undetected for one in self.after]
        )

    @cached_property
    def weights(self) -> F64:
        """(N,) the cases that each stands for, over Kish's effective size: all 1 if all are alike.

        Controls were drawn with different chances.
        """
        each = np.array([one.weight for one in self.before], dtype=np.float64)
        return each * each.sum() / np.sum(each**2) if len(each) else each

    def sums(self, flagged: Bools, chosen: Bools | None = None) -> tuple[F64, F64]:
        """(scenes,) each: flagged cases and all cases of each scene, weighted.

        chosen: restricts both.
        """
        within = np.ones(len(self), dtype=bool) if chosen is None else chosen
        struck, count = flagged & within, len(self.scenes)
        return (
            np.bincount(self.scene[struck], self.weights[struck], count).astype(np.float64),
            np.bincount(self.scene[within], self.weights[within], count).astype(np.float64),
        )

    def by_instance(self, flagged: Bools) -> F64:
        """(instances,) flagged cases of each."""
        named = self.instance >= 0
        return np.bincount(
            self.instance[flagged & named], minlength=len(self.instances)
        ).astype(np.float64)  # fmt: skip

    @property
    def instance_scenes(self) -> Ints:
        """(instances,) index of each one's scene."""
        found = np.zeros(len(self.instances), dtype=np.int64)
        named = self.instance >= 0
        found[self.instance[named]] = self.scene[named]
        return found


def pair_cases(
    before: EvaluationSide, after: EvaluationSide, *, controls: bool = False
) -> PairedCases:
    """The tests (or the controls) of the scenes that both sides completed.

    A scene that ended in an error on one side is excluded from both.
    """
    units = [unit for unit in before.scenes if unit in after.scenes]
    if not units:
        raise UserError(
            f"{before.folder} and {after.folder}: no scene was completed in both. See their errors "
            "with `snellen report`."
        )
    scenes = tuple(dict.fromkeys(before.scenes[unit] for unit in units))
    first, second = (
        side.controls() if controls else side.tests() for side in (before, after)
    )  # fmt: skip
    wanted = set(units)
    keys = [key for key in first if key[0] in wanted]
    _check(before, after, keys, second)
    return _columns(scenes, [first[key] for key in keys], [second[key] for key in keys])


def _check(
    before: EvaluationSide, after: EvaluationSide, keys: list[Key], found: dict[Key, CaseOutcome]
) -> None:
    missing = [key for key in keys if key not in found]
    if missing:
        raise UserError(
            f"{after.folder}: lacks {len(missing)} of the {len(keys)} cases of {before.folder}, "
            f"for example one of scene '{missing[0][0]}'. Replay that run into a new folder."
        )


def _columns(
    scenes: tuple[str, ...], before: list[CaseOutcome], after: list[CaseOutcome]
) -> PairedCases:  # fmt: skip
    place = {scene: number for number, scene in enumerate(scenes)}
    named = dict.fromkeys(one.instance for one in before if one.instance is not None)
    instances = {instance: number for number, instance in enumerate(named)}
    return PairedCases(
        scenes,
        tuple(instances),
        np.array([place[one.scene] for one in before], dtype=np.int64),
        np.array([-1 if one.instance is None else instances[one.instance] for one in before],
                 dtype=np.int64),
        np.array([one.level for one in before], dtype=np.int64),
        tuple(one.name for one in before),
        tuple(before),
        tuple(after),
    )  # fmt: skip


def _flags(values: list[bool]) -> Bools:
    return np.array(values, dtype=bool)
