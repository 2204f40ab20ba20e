"""Options of training."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from snellen.configuration import Options

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]


class AugmentationOptions(Options):
    """Augmentation of training pictures; all zero (and scale 1 to 1) for none."""

    flip: Share = Field(default=0.5, description="probability of a horizontal flip")
    scale: tuple[Positive, Positive] = Field(
        default=(0.8, 1.25), description="smallest and largest scale factor"
    )
    shift: Share = Field(default=0.1, description="largest shift, as a share of the input's side")
    hue: Share = Field(
        default=0.02, description="largest change of hue, as a fraction of a full turn"
    )
    saturation: Share = Field(default=0.3, description="largest change of saturation")
    value: Share = Field(default=0.3, description="largest change of brightness")
    mosaic: Share = Field(default=0.0, description="probability of a mosaic of four pictures")
    visible: Share = Field(
        default=0.3,
        description="objects clipped to less than this share of their area are ignored",
    )

    @model_validator(mode="after")
    def _ordered(self) -> AugmentationOptions:
        if self.scale[0] > self.scale[1]:
            raise ValueError(f"scale: found {self.scale}, expected (smallest, largest)")
        return self


NO_AUGMENTATION = AugmentationOptions(
    flip=0, scale=(1, 1), shift=0, hue=0, saturation=0, value=0, mosaic=0
)


class TrainingOptions(Options):
    """Options of training: steps, learning rate, data and stopping."""

    epochs: int = Field(
        default=10, ge=1, description="maximum number of epochs; each ends with a checkpoint"
    )
    steps: int | None = Field(
        default=None,
        ge=1,
        description="steps per epoch; default: number of pictures / batch",
    )
    batch: int = Field(default=8, ge=1, description="pictures per step")
    optimiser: Literal["sgd", "adamw"] = Field(default="sgd", description="sgd | adamw")
    rate: Positive = Field(default=1e-4, description="learning rate after warm-up")
    momentum: Share = Field(default=0.9, description="momentum of sgd; first beta of adamw")
    decay: float = Field(default=5e-4, ge=0, description="weight decay; none on biases and norms")
    warm_up: int = Field(
        default=0, ge=0, description="steps in which the learning rate rises from 0"
    )
    schedule: Literal["cosine", "constant"] = Field(
        default="cosine", description="learning-rate schedule after warm-up: cosine | constant"
    )
    last_rate: Share = Field(
        default=0.1, description="final learning rate of cosine, as a share of `rate`"
    )
    clip: Positive | None = Field(default=10.0, description="gradient clipping: largest norm")
    freeze: tuple[str, ...] | str = Field(
        default=(),
        description="parameters to freeze: name patterns such as 'layer_0.*', 'backbone' or "
        "'but-heads'",
    )
    batch_norm: Literal["frozen", "train"] = Field(
        default="frozen", description="running means and variances: frozen | train"
    )
    average: float | None = Field(
        default=None, gt=0, lt=1, description="decay of a moving average of the weights"
    )
    given: Share = Field(
        default=0.0,
        lt=1,
        description="interpolation of the final weights towards the original ones",
    )
    mix: Share = Field(default=0.5, description="share of repair pictures in training")
    repair_weight: Positive = Field(
        default=1.0, description="loss weight of objects in repair pictures"
    )
    anchor: float = Field(
        default=0.0,
        ge=0,
        description="loss weight of answers that drift from the original ones, except at objects "
        "of repair pictures",
    )
    patience: int | None = Field(
        default=5, ge=1, description="stop after this many epochs without improved validation"
    )
    least_gain: float = Field(default=0.0, ge=0, description="smallest improvement that counts")
    watch: Literal["loss", "ap"] = Field(
        default="loss", description="validation criterion: loss | ap"
    )
    measure_ap: bool = Field(default=False, description="also record AP if `watch` is loss")
    keep: Literal["best", "last"] = Field(
        default="best", description="epoch whose weights are kept: best | last"
    )
    workers: int = Field(default=1, ge=0, description="threads that prepare pictures in advance")
    device: str = Field(default="auto", description="auto | cpu | cuda | cuda:1 ...")
    augmentation: AugmentationOptions = Field(default=AugmentationOptions())
