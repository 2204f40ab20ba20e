"""The diagnosis of a failing composition, as the notes of its row hold it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, field_validator

from snellen.methods.combinations.explanation.cause import EARLIER, Cause


class FailingPart(BaseModel):
    """The smallest part of a composition that still shows an event.

    kind, label, new_label: of the event. labels: those of the part. case: its number in the unit.
    minimal: whether the search was finished. triggers: the labels of it that no others can replace;
    empty if unknown.
    """

    model_config = ConfigDict(frozen=True)

    kind: str
    label: str
    new_label: str | None = None
    labels: tuple[str, ...]
    case: int
    minimal: bool = True
    triggers: tuple[str, ...] = ()


class RecordedDiagnosis(BaseModel):
    """The cause of a failure, and the smallest failing part for each event."""

    model_config = ConfigDict(frozen=True)

    cause: str = str(Cause.UNEXPLAINED)
    minimal: tuple[FailingPart, ...] = ()

    @field_validator("cause")
    @classmethod
    def _present_name(cls, value: str) -> str:
        return str(EARLIER.get(value, value))

    @property
    def searched(self) -> tuple[FailingPart, ...]:
        """The parts found by a search that was not cut short."""
        return tuple(one for one in self.minimal if one.minimal)
