"""Human performance and its source, as a threshold is stored with them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from snellen.configuration import Options
from snellen.methods.human.subtasks import Change


class HumanLoss(Options):
    """What people lose, on average, up to a threshold: low and high are one-sided 95% bounds."""

    value: float
    low: float
    high: float


class People(Options):
    """Human performance in B bins of visual change.

    metric: `precision`, `recall` or `accuracy`. delta_v, share, answers: (B,) the mean
    visual change, the share of right answers, and their number. loss: up to the threshold, if the
    answers to unchanged images are known.
    """

    metric: str
    delta_v: tuple[Change, ...]
    share: tuple[Change, ...]
    answers: tuple[int, ...]
    loss: HumanLoss | None = None

    @model_validator(mode="after")
    def _even(self) -> People:
        if not len(self.delta_v) == len(self.share) == len(self.answers) > 0:
            raise ValueError("delta_v, share and answers must be non-empty lists of equal length")
        return self


class ThresholdSource(Options):
    """The human data that a threshold comes from.

    study: a citation or a name. file, sha256: the data, or the packaged table, that was read.
    low, high: the threshold's interval, if the data allow one. limited_by_data: people never get
    worse in the data, so the threshold is where the data end. people: their performance. measure:
    of visual change, in which the threshold was estimated.
    """

    study: str
    file: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    procedure: str | None = None
    low: Change | None = None
    high: Change | None = None
    limited_by_data: bool | None = None
    people: tuple[People, ...] | None = None
    measure: str | None = None

    @model_serializer(mode="wrap")
    def _stored(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The values as stored, without a measure in runs and files that never named one."""
        values: dict[str, Any] = plain(self)
        if values.get("measure") is None:
            values.pop("measure", None)
        return values
