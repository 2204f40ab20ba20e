"""The same cases of two subjects side by side, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError
from snellen.repair.evaluation.evaluation_sides import CaseOutcome, EvaluationSide, Instance, Key
from snellen.statistics.intervals import Array

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairedCases:
    """N cases that both subjects were asked about.

    scenes: ids of the scenes that both examined, with cases or without. scene: (N,) the place of
    each case's. instance: (N,) the place of each case's among `instances`, -1 for none. level: (N,)
    1 the nearest, 0 for none. names: (N,) class of the instance. before, after: as each did.
    """

    scenes: tuple[str, ...]
    instances: tuple[Instance, ...]
    scene: Places
    instance: Places
    level: Places
    names: tuple[str, ...]
    before: tuple[CaseOutcome, ...]
    after: tuple[CaseOutcome, ...]

    def __len__(self) -> int:
        return len(self.scene)

    @property
    def broken(self) -> tuple[Flags, Flags]:
        """(N,) each: which cases fail before and after, an instance that is gone being one."""
        return _flags([one.broken for one in self.before]), _flags(
            [one.broken for one in self.after]
        )

    @property
    def gone(self) -> tuple[Flags, Flags]:
        """(N,) each: cases of instances that are not found on the scene as it is."""
        return _flags([one.gone for one in self.before]), _flags([one.gone for one in self.after])

    def sums(self, struck: Flags, chosen: Flags | None = None) -> tuple[Array, Array]:
        """(scenes,) each: struck cases and all cases of each scene; chosen: of some cases."""
        within = np.ones(len(self), dtype=bool) if chosen is None else chosen
        count = len(self.scenes)
        return (
            np.bincount(self.scene[struck & within], minlength=count).astype(np.float64),
            np.bincount(self.scene[within], minlength=count).astype(np.float64),
        )

    def by_instance(self, struck: Flags) -> Array:
        """(instances,) struck cases of each."""
        known = self.instance >= 0
        return np.bincount(
            self.instance[struck & known], minlength=len(self.instances)
        ).astype(np.float64)  # fmt: skip

    @property
    def instance_scenes(self) -> Places:
        """(instances,) the place of each one's scene."""
        found = np.zeros(len(self.instances), dtype=np.int64)
        known = self.instance >= 0
        found[self.instance[known]] = self.scene[known]
        return found


def pair_cases(
    before: EvaluationSide, after: EvaluationSide, *, controls: bool = False
) -> PairedCases:
    """The tests (or the controls) of the scenes that both sides examined to the end.

    A scene that ended in an error on one side is left out on both.
    """
    units = [unit for unit in before.scenes if unit in after.scenes]
    if not units:
        raise UserError(
            f"{before.folder} and {after.folder}: no scene was examined to the end in both. "
            "Look into their errors with `snellen report`."
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
            f"such as one of scene '{missing[0][0]}'. Replay that run again, into a new folder."
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


def _flags(values: list[bool]) -> Flags:
    return np.array(values, dtype=bool)
