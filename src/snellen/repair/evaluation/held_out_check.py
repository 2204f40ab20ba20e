"""Whether what a repair is judged on was held out from it: scenes and objects."""

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

UNKNOWN = "it is not known what the subject was trained on and repaired with"


@dataclass(frozen=True)
class PartFacts:
    """A set of scenes and objects: its name and how many of each."""

    name: str
    scenes: int
    objects: int


@dataclass(frozen=True)
class HeldOut:
    """What a repair was judged on against what it was made with.

    held_out: whether they share neither a scene nor an object; None where it is not known what the
    subject was trained on. why: in words, if not. alike: pictures of the two that look alike though
    they are not the same.
    """

    held_out: bool | None
    why: str
    judged_on: PartFacts
    trained_on: tuple[PartFacts, ...] = ()
    alike: tuple[SimilarPictures, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
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
    """Hold what a repair is judged on against all that it was made with.

    trained_on: None, or nothing at all, where it is not known. by_id: scenes with equal ids are the
    same; turn it off for data sets that number their scenes alike. look: also hold every two
    pictures against each other, which reads them all.
    """
    own = _facts(judged_on)
    if not trained_on:
        return HeldOut(None, UNKNOWN, own)
    told = tuple(_facts(part) for part in trained_on)
    judged_on = replace(_once(judged_on), held_out=True)
    alike: list[SimilarPictures] = []
    try:
        for part in trained_on:
            both = [replace(_once(part), held_out=False), judged_on]
            refuse_leaks(both, by_id=by_id)
            alike += near_duplicates(both) if look else []
    except UserError as leak:
        return HeldOut(False, str(leak), own, told)
    return HeldOut(True, "", own, told, tuple(alike))


def _facts(part: DataPart) -> PartFacts:
    return PartFacts(part.name, len(part.scenes), len(part.objects))


def _once(part: DataPart) -> DataPart:
    """The part with each content once: that it has one twice is no leak."""
    found = {scene.digest: scene for scene in reversed(part.scenes)}
    return replace(part, scenes=tuple(found.values()))
