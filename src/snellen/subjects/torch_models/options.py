"""The options of `kind: torch`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.model_options import ModelOptions, Positive, Share

OF_DARKNET = ("names", "classes", "nms", "max_detections", "size", "letterbox")
OF_OWN_CODE = ("arguments", "files", "version")


class DropoutOptions(Options):
    """How passes are drawn by Monte Carlo dropout."""

    rate: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.3, description="the chance of each channel to be dropped"
    )
    layers: tuple[str, ...] | None = Field(
        default=None,
        description="whose inputs are thinned; null: the layers that read the last features",
    )
    seed: Annotated[int, Field(ge=0)] = Field(default=0, description="other seeds, other draws")


class ExplainOptions(Options):
    """How a heat map comes about, by gradients at a layer."""

    layer: str | None = Field(
        default=None, description="whose output is looked at; null: a late one that decides"
    )
    weighting: Literal["local", "mean"] = Field(
        default="local",
        description="each place by its own gradient (HiResCAM), or all by the mean (Grad-CAM)",
    )


class TorchOptions(Options):
    """A Darknet network as a torch module (cfg, weights), or the user's own detector (target)."""

    kind: Literal["torch"]
    cfg: str | None = Field(default=None, description="a Darknet network's layers")
    weights: str | None = Field(default=None, description="what it learnt")
    names: str | None = Field(default=None, description="a file of class names, one a line")
    classes: tuple[str, ...] | str | None = Field(
        default=None, description="names by id: a list, a file with one a line, or coco-80"
    )
    target: str | None = Field(
        default=None, description="module:factory of a TrainableDetector of your own"
    )
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="what the factory is called with"
    )
    files: tuple[str, ...] = Field(
        default=(), description="files that decide the answers beside the module's parameters"
    )
    version: str = Field(
        default="", description="change it whenever answers may change and nothing else shows it"
    )
    name: str | None = Field(default=None, description="for reports")
    score: Share = Field(default=0.3, description="the operating threshold")
    floor: Share = Field(default=0.05, description="the lowest score that is kept")
    nms: Share | None = Field(
        default=None,
        description="overlap (IoU) above which the lesser box of a class falls; 1: never",
    )
    max_detections: Positive | None = Field(
        default=None, description="at most so many boxes an image; null: 300"
    )
    size: tuple[Positive, Positive] | None = Field(
        default=None, description="height and width in pixels; null: as the cfg says"
    )
    letterbox: InputFit | None = Field(
        default=None, description="how an image fills the input: " + " | ".join(InputFit)
    )
    batch: Positive | None = Field(
        default=None, description="images a call; null: 8, run one by one on a CPU"
    )
    threads: Positive | None = Field(
        default=None, description="torch's, for the whole process; null: as torch likes"
    )
    device: str = Field(default="cpu", description="cpu, cuda, cuda:1, mps...")
    explain: ExplainOptions = Field(
        default_factory=ExplainOptions, description="how an answer is explained"
    )
    dropout: DropoutOptions | None = Field(
        default=None, description="to be asked for passes that differ at random"
    )

    @field_validator("size", mode="before")
    @classmethod
    def _one_number_is_a_square(cls, value: Any) -> Any:
        return (value, value) if isinstance(value, int) else value

    @model_validator(mode="after")
    def _is_one_of_two(self) -> TorchOptions:
        if (self.cfg is None) != (self.weights is None) or (self.cfg is None) == (
            self.target is None
        ):
            raise ValueError(
                "expected either `cfg` and `weights` (a Darknet network), or `target` "
                "(module:factory of your own detector)"
            )
        foreign = OF_OWN_CODE if self.target is None else OF_DARKNET
        given = [key for key in foreign if getattr(self, key)]
        if given:
            way = "a Darknet network" if self.target is None else "a detector of your own"
            raise ValueError(f"`{'`, `'.join(given)}` does not go with {way}")
        return self

    @property
    def lowest(self) -> float:
        """The lowest score kept: the floor, or the threshold where that is lower."""
        return min(self.floor, self.score)

    def of_model(self) -> ModelOptions:
        """What these say as options of a model file."""
        given = {
            "name": self.name,
            "score": self.score,
            "floor": self.floor,
            "nms": self.nms,
            "max_detections": self.max_detections,
            "classes": self.names or self.classes,
            "size": self.size,
            "letterbox": self.letterbox,
        }
        return ModelOptions(**{key: one for key, one in given.items() if one is not None})
