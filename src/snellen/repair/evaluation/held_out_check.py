"""Whether evaluation scenes and objects were held out from a repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from snellen.errors import UserError
from snellen.repair.data_split.leakage import (
    DataPart,
    SimilarPictures,
    near_duplicates,
    refuse_leaks,
)

UNKNOWN = "the training and repair data of the subject are unknown"


@dataclass(frozen=True)
class PartFacts:
    """A set of scenes and objects: its name and the numbers of each."""

    name: str
    scenes: int
    objects: int


@dataclass(frozen=True)
class HeldOut:
    """The evaluation data of a repair checked against its training data.

    held_out: whether they share no scene and no object; None if the training data are unknown.
    why: the reason if not held out. alike: near-duplicate pictures of the two.
    """

    held_out: bool | None
    why: str
    judged_on: PartFacts
    trained_on: tuple[PartFacts, ...] = ()
    alike: tuple[SimilarPictures, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "held_out": self.held_out,
            "why": self.why,
            "judged_on": asdict(self.judged_on),
            "trained_on": [asdict(one) for one in self.trained_on],
            "alike": [asdict(one) for one in self.alike],
        }


def held_out(
    judged_on: DataPart,
    trained_on: Sequence[DataPart] | None,
    *,
    by_id: bool = True,
    look: bool = True,
) -> HeldOut:
    """Check the evaluation data of a repair against its training data.

    trained_on: None or empty if unknown. by_id: scenes with equal ids are the same; turn it off
    for data sets that use the same numbering. look: also search for near-duplicates, which reads
    all pictures.
    """
    own = _facts(judged_on)
    if not trained_on:
        return HeldOut(None, UNKNOWN, own)
    parts = tuple(_facts(part) for part in trained_on)
    judged_on = replace(_once(judged_on), held_out=True)
    alike: list[SimilarPictures] = []
    try:
        for part in trained_on:
            both = [replace(_once(part), held_out=False), judged_on]
            refuse_leaks(both, by_id=by_id)
            alike += near_duplicates(both) if look else []
    except UserError as leak:
        return HeldOut(False, str(leak), own, parts)
    return HeldOut(True, "", own, parts, tuple(alike))


def _facts(part: DataPart) -> PartFacts:
    return PartFacts(part.name, len(part.scenes), len(part.objects))


def _once(part: DataPart) -> DataPart:
    """The part without duplicates: those within a part are no leakage."""
    found = {scene.digest: scene for scene in reversed(part.scenes)}
    return replace(part, scenes=tuple(found.values()))
