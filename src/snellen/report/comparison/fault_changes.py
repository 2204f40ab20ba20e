"""Which faults of A are fixed in B, which are still there, and which are new."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.report.comparison.cases import RatePair
from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.scene_rates import rate
from snellen.store.faults import Fault
from snellen.store.struck_targets import same_things
from snellen.vision.arrays import Bools


@dataclass(frozen=True, eq=False)
class FaultChanges:
    """The faults of two runs, matched by what they strike, whatever the cause.

    fixed, still: faults of A; new: of B. not_comparable: faults whose scenes only one run examined.
    """

    fixed: tuple[Fault, ...]
    still: tuple[Fault, ...]
    new: tuple[Fault, ...]
    not_comparable: tuple[Fault, ...]

    def to_json(self) -> dict[str, Any]:
        """The faults of each kind."""
        kinds = ("fixed", "still", "new", "not_comparable")
        return {kind: [fault_json(one) for one in getattr(self, kind)] for kind in kinds}


def fault_json(fault: Fault) -> dict[str, Any]:
    """A fault as plain values."""
    return {
        "id": fault.id,
        "target": fault.target.words,
        "box": fault.target.box,
        "scenes": list(fault.scenes),
        "cause": fault.cause,
        "proven": fault.proven,
        "findings": len(fault.findings),
        "finding": fault.representative.id,
    }


def faulty_scenes(a: Sequence[Fault], b: Sequence[Fault], common: Sequence[str]) -> RatePair:
    """The share of the common scenes in which A, and in which B, has a fault."""
    faulty = [{scene for one in side for scene in one.scenes} for side in (a, b)]
    first, second = (np.array([float(one in side) for one in common]) for side in faulty)
    ones, both = np.ones(len(common)), first * second
    evidence = discordant_pairs(second, first, ones, second - both, first - both)
    return RatePair(rate(first, ones), rate(second, ones), evidence)


def changed_faults(a: Sequence[Fault], b: Sequence[Fault], common: Collection[str]) -> FaultChanges:
    """The faults of A and of B; common: the scenes that both runs examined."""
    old, new = ([one for one in side if _in(one, common)] for side in (a, b))
    same = _same(old, new)
    return FaultChanges(
        tuple(one for place, one in enumerate(old) if not same[place].any()),
        tuple(one for place, one in enumerate(old) if same[place].any()),
        tuple(one for place, one in enumerate(new) if not same[:, place].any()),
        tuple(one for one in (*a, *b) if not _in(one, common)),
    )


def _in(fault: Fault, scenes: Collection[str]) -> bool:
    return any(scene in scenes for scene in fault.scenes)


def _same(a: Sequence[Fault], b: Sequence[Fault]) -> Bools:
    """(A, B): whether the representatives of two faults strike the same thing."""
    places, others = ([one.parts[0].place for one in side] for side in (a, b))
    return same_things(places, others)
