"""How a run is carried out. None of these changes a result, but the two budgets."""

from __future__ import annotations

import os
from typing import Literal

from pydantic import Field

from snellen.configuration import Options


class EngineOptions(Options):
    """Options under `engine`."""

    kind: Literal["local"] = Field("local", description="where cases are built and asked about")
    workers: int | Literal["auto"] = Field(
        "auto", description="processes that build cases; 0 builds in a thread of this one"
    )
    batch: int | Literal["auto"] = Field(
        "auto", description="inputs a call to the subject; auto: as many as the subject likes"
    )
    questions: int | None = Field(
        None, ge=1, description="budget: at most so many questions, divided among the scenes"
    )
    seconds: float | None = Field(
        None, gt=0, description="budget: open no scene after so many seconds (not reproducible)"
    )
    cache: bool = Field(True, description="keep predictions on disk and reuse them")
    item_timeout: float = Field(
        60.0, gt=0, description="seconds an input may take before its scene is given up"
    )
    retries: int = Field(2, ge=0, description="how often a failed input is asked again")
    backoff: float = Field(
        0.5, ge=0, description="seconds before the first retry; doubles with each"
    )
    give_up: int = Field(
        10, ge=1, description="stop when so many scenes have failed and none has succeeded"
    )

    def worker_count(self) -> int:
        """How many processes build cases."""
        if self.workers == "auto":
            return max(1, (os.cpu_count() or 1) - 1)
        return max(0, self.workers)

    def batch_size(self, preferred: int) -> int:
        """Inputs a call, given what the subject prefers."""
        return max(1, preferred if self.batch == "auto" else self.batch)
