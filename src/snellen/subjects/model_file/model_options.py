"""The options that all model files share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing, Triple

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(gt=0)]


class ModelOptions(Options):
    """How a model file is read; what is left out, null or `auto`, is told from the model."""

    name: str | None = Field(default=None, description="for reports; null: the file's name")
    score: Share = Field(default=0.3, description="the operating threshold")
    floor: Share = Field(default=0.05, description="the lowest score that is kept")
    nms: Share | None = Field(
        default=None,
        description="overlap (IoU) above which the lesser box of a class falls; 1: never",
    )
    per_class: bool = Field(
        default=False,
        description="a box may have several classes, not its best alone (darknet: always)",
    )
    max_detections: Positive = Field(default=300, description="at most so many boxes an image")
    classes: tuple[str, ...] | str | None = Field(
        default=None, description="names by id: a list, a file with one a line, coco-80 or coco-91"
    )
    first_label: int | None = Field(
        default=None, description="the model's id of the first class, mostly 0 or 1"
    )
    decoder: str = Field(
        default="auto", description="how outputs are read: yolox, detr, labels...; see the how-to"
    )
    activation: Literal["none", "sigmoid", "softmax"] | None = Field(
        default=None,
        description="what makes scores of the model's numbers: none | sigmoid | softmax",
    )
    anchors: str | None = Field(
        default=None, description="a file with SSD's anchors: .npy, .csv or text"
    )
    size: tuple[Positive, Positive] | None = Field(
        default=None, description="height and width in pixels, where the model's input may vary"
    )
    letterbox: InputFit | None = Field(
        default=None, description="how an image fills the input: " + " | ".join(InputFit)
    )
    channels: Literal["rgb", "bgr"] | None = Field(
        default=None, description="rgb | bgr, the order of mean and std as well"
    )
    scale: float | None = Field(
        default=None, description="the model reads (pixel * scale - mean) / std, pixels 0 to 255"
    )
    mean: Triple | None = Field(default=None, description="one number a channel")
    std: Triple | None = Field(default=None, description="one number a channel")
    pad: Annotated[int, Field(ge=0, le=255)] | None = Field(
        default=None, description="pixel value around a letterboxed image, 0 to 255"
    )
    threads: Positive | None = Field(default=None, description="null: as many as the runtime likes")
    batch: Positive | None = Field(
        default=None, description="images a call; null: the model's own, or 8"
    )

    @model_validator(mode="before")
    @classmethod
    def _auto_is_left_out(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {key: value for key, value in values.items() if value != "auto"}

    @field_validator("size", mode="before")
    @classmethod
    def _one_number_is_a_square(cls, value: Any) -> Any:
        return (value, value) if isinstance(value, int) else value

    @property
    def lowest(self) -> float:
        """The lowest score kept: the floor, or the threshold where that is lower."""
        return min(self.floor, self.score)

    def preprocessing(self, usual: Preprocessing) -> Preprocessing:
        """A decoder's usual preprocessing with what the options say instead."""
        return Preprocessing(
            fit=self.letterbox or usual.fit,
            channels=self.channels or usual.channels,
            scale=usual.scale if self.scale is None else self.scale,
            mean=usual.mean if self.mean is None else self.mean,
            std=usual.std if self.std is None else self.std,
            pad=usual.pad if self.pad is None else self.pad,
        )

    @property
    def takes_raw_pixels(self) -> bool:
        """Whether nothing is said about scaling pixels."""
        return self.scale is None and self.mean is None and self.std is None


def existing_file(folder: Path, path: str, where: str) -> Path:
    """The file that an option names, relative to `folder`."""
    found = folder / path
    if not found.is_file():
        raise UserError(
            f"{where}: {found}: no such file. Relative paths start at the configuration's folder."
        )
    return found
