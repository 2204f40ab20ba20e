"""The evidence of a ladder of counterfactual questions, and the cause that it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from snellen.contract.explanation import UNEXPLAINED, Rung
from snellen.contract.verdict import Case
from snellen.methods.fusion.explanation.rung_names import FOUND_ONCE, MOVED, OTHERS, RungName

SLIGHT_RUNGS, NULL_RUNGS = 4, 3
HIDING, IN_SIGHT = 0.05, 0.02
"""The hidden share of an object from which, and up to which, occlusion may, or cannot, matter."""
ONE_SENSOR = (RungName.IMAGE, RungName.CLOUD)


class FusionCause(StrEnum):
    """Why an insertion breaks the relation.

    For an object of the frame: camera, lidar: the image, or the cloud, alone does it; both: either
    alone, or only both together; occlusion: it is partly hidden, and only then; seam: background in
    the same silhouette does it, too; any-change: it vanishes when the pose is slightly off.

    For an inserted object that is missed: camera, lidar: it is found until the image, or the cloud,
    shows it, too; occlusion: it is found at the same range with nothing in front; object: another
    mesh is found where it is missed; place: it is found at another place; both: neither sensor
    gets it found, nor another mesh, here or elsewhere.
    """

    CAMERA = "camera"
    LIDAR = "lidar"
    BOTH = "both"
    OCCLUSION = "occlusion"
    OBJECT = "object"
    PLACE = "place"
    SEAM = "seam"
    ANY_CHANGE = "any-change"


@dataclass(eq=False)
class Evidence:
    """The rungs asked so far.

    inserted: whether the struck object is an inserted one. sensors: which the finding changes.
    hidden: the share of the struck object that others hide; shares: the same in each rung.
    smallest: the smallest failing case.
    """

    inserted: bool
    sensors: str = "both"
    hidden: float = 0.0
    rungs: list[Rung] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    smallest: Case | None = None

    def add(self, rung: Rung, hidden: float) -> None:
        """Note a rung, and the share of the struck object that is hidden in it."""
        self.rungs.append(rung)
        self.shares.append(hidden)

    def counts(self, *names: RungName) -> tuple[int, int]:
        """In how many rungs of these names the failure persists, and how many there are."""
        asked = [rung.persists for rung in self.rungs if rung.name in names]
        return sum(asked), len(asked)

    def persists(self, name: RungName) -> bool | None:
        """Whether the failure persists in a rung of a name; None if it was not asked."""
        persisting, asked = self.counts(name)
        return bool(persisting) if asked else None

    def holds(self, *names: RungName) -> bool:
        """Whether the failure is gone in at least one rung of these names."""
        persisting, asked = self.counts(*names)
        return persisting < asked

    @property
    def fleeting(self) -> bool:
        """Whether the failure vanishes in at least half of the poses slightly off."""
        persisting, asked = self.counts(RungName.SLIGHT)
        return asked > 0 and 2 * persisting <= asked

    @property
    def of_seam(self) -> bool:
        """Whether most nulls fail in the same way."""
        persisting, asked = self.counts(RungName.NULL)
        return 2 * persisting > asked

    @property
    def nowhere(self) -> bool:
        """Whether no other mesh and no other place gets a missed insertion found, so far."""
        return self.inserted and not self.holds(*FOUND_ONCE)

    @property
    def cause(self) -> str:
        """One word of `FusionCause`, or `unexplained`."""
        if self.fleeting:
            return FusionCause.ANY_CHANGE
        if self.of_seam:
            return FusionCause.SEAM
        if self._by_occlusion():
            return FusionCause.OCCLUSION
        return self._of_missed() if self.inserted else self._sensor()

    @property
    def proven(self) -> bool:
        """Whether the counterfactuals rule out anything but the insertion itself.

        It fails in all poses slightly off; and no null fails, or, since a null cannot miss what is
        not there, an object that was inserted likewise is found.
        """
        if self.cause in (UNEXPLAINED, FusionCause.ANY_CHANGE, FusionCause.SEAM):
            return False
        if self.counts(RungName.SLIGHT) != (SLIGHT_RUNGS, SLIGHT_RUNGS):
            return False
        if not self.inserted:
            return self.counts(RungName.NULL) == (0, NULL_RUNGS)
        return self.holds(*FOUND_ONCE)

    def _by_occlusion(self) -> bool:
        """It vanishes where at most half as much is hidden, and never persists in full sight."""
        if self.hidden <= HIDING:
            return False
        both = [
            (rung, share)
            for rung, share in zip(self.rungs, self.shares, strict=True)
            if rung.name not in (*ONE_SENSOR, RungName.NULL)
        ]
        if any(rung.persists and share <= IN_SIGHT for rung, share in both):
            return False
        gone = [share for rung, share in both if rung.name in self._apart and not rung.persists]
        return min(gone, default=1.0) <= self.hidden / 2

    @property
    def _apart(self) -> tuple[RungName, ...]:
        """The rungs that may show a struck object in sight: the mesh moved, or smaller ones."""
        if self.inserted:
            return (RungName.ASIDE,)
        return MOVED if self.counts(*MOVED)[1] else (RungName.SMALLER, *OTHERS)

    def _sensor(self) -> str:
        if self.sensors != "both":
            return self.sensors
        image, cloud = (self.persists(name) for name in ONE_SENSOR)
        if image is None or cloud is None:
            return UNEXPLAINED
        if image == cloud:
            return FusionCause.BOTH
        return FusionCause.CAMERA if image else FusionCause.LIDAR

    def _of_missed(self) -> str:
        """A sensor is the cause where the other one alone finds the object."""
        image, cloud = (self.persists(name) for name in ONE_SENSOR)
        if image is not None and cloud is not None and image != cloud:
            return FusionCause.CAMERA if image else FusionCause.LIDAR
        if self.holds(*OTHERS):
            return FusionCause.OBJECT
        if self.holds(RungName.ELSEWHERE):
            return FusionCause.PLACE
        if self.holds(RungName.OTHER_ELSEWHERE):
            return FusionCause.OBJECT
        tried = self.counts(*OTHERS)[1] > 0 and self.counts(RungName.ELSEWHERE)[1] > 0
        asked = tried and image is not None
        return FusionCause.BOTH if asked else UNEXPLAINED
