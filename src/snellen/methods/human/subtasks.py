"""The names of tasks, their subtasks, and what is asked of answers to them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

TaskName: TypeAlias = Literal["classification", "detection", "segmentation"]
SubtaskName: TypeAlias = Literal["localise", "classify", "segment", "whole"]
Kind: TypeAlias = Literal["correctness", "preservation"]
Change: TypeAlias = Annotated[float, Field(ge=0, le=1)]
"""A visual change, or a share."""

WHOLE: SubtaskName = "whole"
SUBTASKS: dict[TaskName, tuple[SubtaskName, ...]] = {
    "classification": ("classify",),
    "detection": ("localise", "classify"),
    "segmentation": ("localise", "classify", "segment"),
}
"""The subtasks of each task, in order."""
