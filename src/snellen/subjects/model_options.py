"""The options that all model files share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.subjects.letterbox import Fit
from snellen.subjects.preprocessing import Preprocessing, Triple

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(gt=0)]


class ModelOptions(Options):
    """How a model file is read; what is left out, or `auto`, is told from the model.

    score: the operating threshold. floor: the lowest score kept. nms: the overlap (IoU) above which
    the lesser of two boxes of one class falls, 1 for never. size: (height, width) for a model whose
    input may vary. mean, std, scale: `(pixel * scale - mean) / std`.
    """

    name: str | None = None
    score: Share = 0.3
    floor: Share = 0.05
    nms: Share | None = None
    max_detections: Positive = 300
    classes: tuple[str, ...] | str | None = None
    first_label: int | None = None
    decoder: str = "auto"
    activation: Literal["none", "sigmoid", "softmax"] | None = None
    anchors: str | None = None
    size: tuple[Positive, Positive] | None = None
    letterbox: Fit | None = None
    channels: Literal["rgb", "bgr"] | None = None
    scale: float | None = None
    mean: Triple | None = None
    std: Triple | None = None
    pad: Annotated[int, Field(ge=0, le=255)] | None = None
    threads: Positive | None = None
    batch: Positive | None = None

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


def existing(folder: Path, path: str, where: str) -> Path:
    """The file that an option names, relative to `folder`."""
    found = folder / path
    if not found.is_file():
        raise UserError(
            f"{where}: {found}: no such file. Relative paths start at the configuration's folder."
        )
    return found
