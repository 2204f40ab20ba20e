"""The evidence of a ladder of counterfactual questions, and the cause that it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from snellen.contract.explanation import UNEXPLAINED, Rung
from snellen.contract.verdict import Case

SLIGHT_RUNGS, NULL_RUNGS = 4, 3
HIDING = 0.05
"""The hidden share of an object from which its occlusion may be the cause."""


class RungName(StrEnum):
    """The counterfactual questions about a finding."""

    IMAGE = "only the image changed"
    CLOUD = "only the cloud changed"
    NULL = "background in the same silhouette"
    SLIGHT = "1 to 2 cm and 1 degree off"
    ASIDE = "moved aside at the same range"
    BEHIND = "behind the struck object"
    OTHER = "another mesh of the class at the same pose"
    FARTHER = "farther along the same bearing"
    ELSEWHERE = "at another place"
    WITHOUT = "with fewer inserted objects"
    SMALLER = "with a smaller mesh"


FOUND_ONCE = (
    RungName.OTHER,
    RungName.ASIDE,
    RungName.ELSEWHERE,
    RungName.IMAGE,
    RungName.CLOUD,
)
"""Rungs in which an inserted object may be found that is missed otherwise."""


class FusionCause(StrEnum):
    """Why an insertion breaks the relation.

    For an object of the frame: camera, lidar: the image, or the cloud, alone does it; both: either
    alone, or only both together; occlusion: it is partly hidden, and only then; seam: background in
    the same silhouette does it, too; any-change: it vanishes when the pose is slightly off.

    For an inserted object that is missed: camera, lidar: it is found until the image, or the cloud,
    shows it, too; occlusion: it is found at the same range with nothing in front; object: another
    mesh of the class is found there; place: it is found at another place; both: neither sensor
    gets it found, here or elsewhere.
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
    hidden: the share of the struck object that others hide. smallest: the smallest failing case.
    """

    inserted: bool
    sensors: str = "both"
    hidden: float = 0.0
    rungs: list[Rung] = field(default_factory=list)
    smallest: Case | None = None

    def counts(self, name: RungName) -> tuple[int, int]:
        """In how many rungs of a name the failure persists, and how many there are."""
        asked = [rung.persists for rung in self.rungs if rung.name == name]
        return sum(asked), len(asked)

    def persists(self, name: RungName) -> bool | None:
        """Whether the failure persists in the only rung of a name; None if it was not asked."""
        persisting, asked = self.counts(name)
        return bool(persisting) if asked else None

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
        others = (
            RungName.OTHER,
            RungName.ASIDE,
            RungName.ELSEWHERE,
            RungName.IMAGE,
            RungName.CLOUD,
        )
        return any(self.persists(name) is False for name in others)

    def _by_occlusion(self) -> bool:
        apart = self.persists(RungName.ASIDE) is False
        return self.hidden > HIDING and apart and self.persists(RungName.BEHIND) is not True

    def _sensor(self) -> str:
        if self.sensors != "both":
            return self.sensors
        image, cloud = self.persists(RungName.IMAGE), self.persists(RungName.CLOUD)
        if image is None or cloud is None:
            return UNEXPLAINED
        if image == cloud:
            return FusionCause.BOTH
        return FusionCause.CAMERA if image else FusionCause.LIDAR

    def _of_missed(self) -> str:
        """A sensor is the cause where the other one alone finds the object."""
        image, cloud = self.persists(RungName.IMAGE), self.persists(RungName.CLOUD)
        if image is not None and cloud is not None and image != cloud:
            return FusionCause.CAMERA if image else FusionCause.LIDAR
        if self.persists(RungName.OTHER) is False:
            return FusionCause.OBJECT
        if self.persists(RungName.ELSEWHERE) is False:
            return FusionCause.PLACE
        asked = self.persists(RungName.OTHER) is not None and image is not None
        return FusionCause.BOTH if asked else UNEXPLAINED
