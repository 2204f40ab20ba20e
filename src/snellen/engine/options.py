"""How a run is executed. Only the budgets, `stop` and the share of explanations change a result."""

from __future__ import annotations

import os
from typing import Literal

from pydantic import Field

from snellen.configuration import Options
from snellen.engine.budget import EXPLANATION_SHARE


class EngineOptions(Options):
    """Options under `engine`."""

    kind: Literal["local"] = Field(
        "local", description="where cases are built and the subject is called"
    )
    workers: int | Literal["auto"] = Field(
        "auto", description="processes that build cases; 0: a thread of the main process"
    )
    batch: int | Literal["auto"] = Field(
        "auto", description="inputs per call to the subject; auto: what the subject prefers"
    )
    questions: int | None = Field(
        None, ge=1, description="budget: maximum number of questions, divided among the scenes"
    )
    seconds: float | None = Field(
        None, gt=0, description="budget: seconds after which no scene is opened (not reproducible)"
    )
    explain: float = Field(
        EXPLANATION_SHARE,
        ge=0,
        le=0.6,
        description="share of the budget for explaining findings; 0: explain none",
    )
    stop: Literal["decided"] | None = Field(
        None, description="decided: end the run as soon as its verdict is decided"
    )
    cache: bool = Field(True, description="store predictions on disk and reuse them")
    item_timeout: float = Field(
        60.0, gt=0, description="timeout per input, in seconds; then its scene fails"
    )
    retries: int = Field(2, ge=0, description="number of retries of a failed input")
    backoff: float = Field(
        0.5, ge=0, description="seconds before the first retry, doubled with each"
    )
    give_up: int = Field(
        10, ge=1, description="stop after this many failed scenes if none has succeeded"
    )

    def worker_count(self) -> int:
        """How many processes build cases."""
        if self.workers == "auto":
            return max(1, (os.cpu_count() or 1) - 1)
        return max(0, self.workers)

    def batch_size(self, preferred: int) -> int:
        """Inputs per call, given what the subject prefers."""
        return max(1, preferred if self.batch == "auto" else self.batch)
