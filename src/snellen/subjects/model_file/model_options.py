"""Options shared by all model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing, Triple

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(gt=0)]


class ModelOptions(Options):
    """How a model file is read; options left out, null or `auto` are inferred from the model."""

    name: str | None = Field(default=None, description="name for reports; null: the file's name")
    score: Share = Field(default=0.3, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    nms: Share | None = Field(default=None, description="NMS IoU threshold; 1 disables NMS")
    per_class: bool = Field(
        default=False,
        description="whether a box may have several classes, not only its best (darknet: always)",
    )
    max_detections: Positive = Field(default=300, description="maximum number of boxes per image")
    classes: tuple[str, ...] | str | None = Field(
        default=None,
        description="class names by id: a list, a file with one per line, coco-80 or coco-91",
    )
    first_label: int | None = Field(
        default=None, description="the model's id of the first class, usually 0 or 1"
    )
    decoder: str = Field(
        default="auto",
        description="format of the outputs: yolox, detr, labels...; `snellen docs "
        "subjects-model-files` lists them",
    )
    activation: Literal["none", "sigmoid", "softmax"] | None = Field(
        default=None,
        description="activation of the class scores: none | sigmoid | softmax",
    )
    cell_offset: Share | None = Field(
        default=None,
        description="reference point of a cell, for boxes relative to cells: 0 corner, 0.5 centre",
    )
    anchors: str | None = Field(default=None, description="file of SSD anchors: .npy, .csv or text")
    size: tuple[Positive, Positive] | None = Field(
        default=None, description="height and width in pixels, for a model with variable input"
    )
    letterbox: InputFit | None = Field(
        default=None, description="how an image is fitted to the input: " + " | ".join(InputFit)
    )
    channels: Literal["rgb", "bgr"] | None = Field(
        default=None, description="rgb | bgr, also the order of mean and std"
    )
    scale: float | None = Field(
        default=None, description="the model reads (pixel * scale - mean) / std, pixels 0 to 255"
    )
    mean: Triple | None = Field(default=None, description="one number per channel")
    std: Triple | None = Field(default=None, description="one number per channel")
    pad: Annotated[int, Field(ge=0, le=255)] | None = Field(
        default=None, description="pixel value around a letterboxed image, 0 to 255"
    )
    threads: Positive | None = Field(
        default=None, description="number of threads; null: the runtime's default"
    )
    batch: Positive | None = Field(
        default=None, description="images per call; null: the model's own, or 8"
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
        """The lowest score kept: the floor, or the threshold if that is lower."""
        return min(self.floor, self.score)

    def preprocessing(self, default: Preprocessing) -> Preprocessing:
        """A decoder's default preprocessing, overridden by the options."""
        return Preprocessing(
            fit=self.letterbox or default.fit,
            channels=self.channels or default.channels,
            scale=default.scale if self.scale is None else self.scale,
            mean=default.mean if self.mean is None else self.mean,
            std=default.std if self.std is None else self.std,
            pad=default.pad if self.pad is None else self.pad,
        )

    @property
    def takes_raw_pixels(self) -> bool:
        """Whether no option asks for scaled pixels."""
        return self.scale is None and self.mean is None and self.std is None


def existing_file(folder: Path, path: str, where: str) -> Path:
    """The file that an option names, relative to `folder`."""
    found = folder / path
    if not is_file(found):
        raise UserError(
            f"{where}: {found}: no such file. Relative paths start at the configuration's folder."
        )
    return found
