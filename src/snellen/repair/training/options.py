"""What decides how a detector is trained."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from snellen.configuration import Options

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]


class AugmentationOptions(Options):
    """How a training picture differs from its scene. All zero (and scale 1 to 1): not at all."""

    flip: Share = Field(default=0.5, description="chance of a left-right flip")
    scale: tuple[Positive, Positive] = Field(
        default=(0.8, 1.25), description="smallest and largest enlargement"
    )
    shift: Share = Field(default=0.1, description="largest move, as a share of the input's side")
    hue: Share = Field(default=0.02, description="largest turn of the hue, as a share of a turn")
    saturation: Share = Field(default=0.3, description="largest change of saturation")
    value: Share = Field(default=0.3, description="largest change of brightness")
    mosaic: Share = Field(default=0.0, description="chance of four pictures in one")
    visible: Share = Field(
        default=0.3,
        description="an object cut to less than this share of its area is neither taught nor "
        "counted as background",
    )

    @model_validator(mode="after")
    def _ordered(self) -> AugmentationOptions:
        if self.scale[0] > self.scale[1]:
            raise ValueError(f"scale is (smallest, largest), found {self.scale}")
        return self


NO_AUGMENTATION = AugmentationOptions(
    flip=0, scale=(1, 1), shift=0, hue=0, saturation=0, value=0, mosaic=0
)


class TrainingOptions(Options):
    """How a detector is trained: steps, rates, data and when to stop."""

    epochs: int = Field(default=10, ge=1, description="rounds between checkpoints, at most")
    steps: int | None = Field(
        default=None,
        ge=1,
        description="steps an epoch; else as many as show as many pictures as there are",
    )
    batch: int = Field(default=8, ge=1, description="pictures a step")
    optimiser: Literal["sgd", "adamw"] = Field(default="sgd", description="sgd | adamw")
    rate: Positive = Field(default=1e-4, description="learning rate after the warm-up")
    momentum: Share = Field(default=0.9, description="of sgd; the first beta of adamw")
    decay: float = Field(default=5e-4, ge=0, description="weight decay; none on biases and norms")
    warm_up: int = Field(default=0, ge=0, description="steps in which the rate rises from 0")
    schedule: Literal["cosine", "constant"] = Field(
        default="cosine", description="of the rate after the warm-up: cosine | constant"
    )
    last_rate: Share = Field(default=0.1, description="where cosine ends, as a share of `rate`")
    clip: Positive | None = Field(default=10.0, description="largest norm of the gradient")
    freeze: tuple[str, ...] | str = Field(
        default=(),
        description="what is not trained: patterns of parameter names such as 'layer_0.*', or "
        "'backbone', or 'but-heads'",
    )
    batch_norm: Literal["frozen", "train"] = Field(
        default="frozen", description="whether running means and variances change: frozen | train"
    )
    average: float | None = Field(
        default=None, gt=0, lt=1, description="keep a moving average of the weights, of this decay"
    )
    given: Share = Field(
        default=0.0,
        lt=1,
        description="how far the weights that are kept lie on the way back to those given",
    )
    mix: Share = Field(default=0.5, description="share of repair pictures among those shown")
    repair_weight: Positive = Field(
        default=1.0, description="weight in the loss of objects in repair pictures"
    )
    anchor: float = Field(
        default=0.0,
        ge=0,
        description="weight in the loss of answers that differ from those before training, "
        "wherever no object of a repair picture is",
    )
    patience: int | None = Field(
        default=5, ge=1, description="stop after so many epochs without a gain in validation"
    )
    least_gain: float = Field(default=0.0, ge=0, description="what is too small to be a gain")
    watch: Literal["loss", "ap"] = Field(
        default="loss", description="what validation goes by: loss | ap"
    )
    measure_ap: bool = Field(default=False, description="record AP too where `watch` is loss")
    keep: Literal["best", "last"] = Field(
        default="best", description="which epoch's weights the training ends with: best | last"
    )
    workers: int = Field(default=1, ge=0, description="threads that prepare pictures ahead")
    device: str = Field(default="auto", description="auto | cpu | cuda | cuda:1 ...")
    augmentation: AugmentationOptions = Field(default=AugmentationOptions())
