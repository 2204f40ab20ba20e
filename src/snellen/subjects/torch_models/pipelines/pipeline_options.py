"""Options of `kind: transformers`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from snellen.configuration import Options
from snellen.subjects.model_file.model_options import Positive, Share
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask


class PipelineOptions(Options):
    """Options of a pipeline, from a folder or given as an object."""

    name: str | None = Field(default=None, description="name for reports; null: the model's")
    classes: tuple[str, ...] | str | None = Field(
        default=None,
        description="class names: a list, or a file with one per line; null: those of the model's "
        "config. A zero-shot detector looks for these",
    )
    prompt: str = Field(
        default="{}", description="text that a zero-shot detector gets for a class; {} is its name"
    )
    score: Share = Field(default=0.3, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    batch: Positive = Field(default=8, description="images per call")
    deterministic: bool = Field(
        default=True, description="whether the same image always gets the same answer"
    )

    @field_validator("prompt")
    @classmethod
    def _has_a_place_for_the_name(cls, value: str) -> str:
        if value.count("{}") != 1:
            raise ValueError("expected a text with one {}, such as 'a photo of a {}'")
        return value

    @property
    def lowest(self) -> float:
        """The lowest score kept: the floor, or the threshold if that is lower."""
        return min(self.floor, self.score)


class TransformersOptions(PipelineOptions):
    """Options of a model that `save_pretrained` wrote."""

    kind: Literal["transformers"] = "transformers"
    model: str = Field(description="folder written by save_pretrained; nothing is downloaded")
    pipeline: PipelineTask | None = Field(
        default=None, description=f"{' | '.join(PipelineTask)}; null: by the model's architecture"
    )
    device: str = Field(default="cpu", description="cpu, cuda, cuda:1, mps...")
    threads: Positive | None = Field(
        default=None, description="torch threads of the whole process; null: torch's default"
    )
