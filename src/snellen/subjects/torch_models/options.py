"""Options of `kind: torch`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.model_options import ModelOptions, Positive, Share

OF_DARKNET = ("names", "classes", "nms", "max_detections", "size", "letterbox")
OF_OWN_CODE = ("arguments", "files", "version")


class DropoutOptions(Options):
    """Options of Monte Carlo dropout."""

    rate: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.3, description="drop probability of each channel"
    )
    layers: tuple[str, ...] | None = Field(
        default=None,
        description="layers with dropout on their inputs; null: those on the last features",
    )
    seed: Annotated[int, Field(ge=0)] = Field(default=0, description="seed of the dropout masks")


class ExplainOptions(Options):
    """Options of gradient-based heat maps."""

    layer: str | None = Field(
        default=None, description="layer whose output is explained; null: a late one, automatic"
    )
    weighting: Literal["local", "mean"] = Field(
        default="local",
        description="weight by each place's gradient (HiResCAM) or by their mean (Grad-CAM)",
    )


class TorchOptions(Options):
    """A Darknet network as a torch module (cfg, weights), or the user's own detector (target)."""

    kind: Literal["torch"]
    cfg: str | None = Field(default=None, description="file of a Darknet network's layers (.cfg)")
    weights: str | None = Field(default=None, description="file of its weights")
    names: str | None = Field(default=None, description="file of class names, one per line")
    classes: tuple[str, ...] | str | None = Field(
        default=None, description="class names by id: a list, a file with one per line, or coco-80"
    )
    target: str | None = Field(
        default=None, description="module:factory of your own TrainableDetector"
    )
    arguments: dict[str, Any] = Field(default_factory=dict, description="arguments of the factory")
    files: tuple[str, ...] = Field(
        default=(), description="files that the answers depend on besides the module's parameters"
    )
    version: str = Field(
        default="", description="change it whenever answers may change and nothing else shows it"
    )
    name: str | None = Field(default=None, description="name for reports")
    score: Share = Field(default=0.3, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    nms: Share | None = Field(default=None, description="NMS IoU threshold; 1 disables NMS")
    max_detections: Positive | None = Field(
        default=None, description="maximum number of boxes per image; null: 300"
    )
    size: tuple[Positive, Positive] | None = Field(
        default=None, description="height and width in pixels; null: as in the cfg"
    )
    letterbox: InputFit | None = Field(
        default=None, description="how an image is fitted to the input: " + " | ".join(InputFit)
    )
    batch: Positive | None = Field(
        default=None, description="images per call; null: 8, run one by one on a CPU"
    )
    threads: Positive | None = Field(
        default=None, description="torch threads of the whole process; null: torch's default"
    )
    device: str = Field(default="cpu", description="cpu, cuda, cuda:1, mps...")
    explain: ExplainOptions = Field(
        default_factory=ExplainOptions, description="how heat maps are computed"
    )
    dropout: DropoutOptions | None = Field(
        default=None, description="Monte Carlo dropout, for stochastic passes"
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
            source = "`cfg` and `weights`" if self.target is None else "`target`"
            raise ValueError(
                f"`{'`, `'.join(given)}` cannot be combined with {source}; remove one of them"
            )
        return self

    @property
    def lowest(self) -> float:
        """The lowest score kept: the floor, or the threshold if that is lower."""
        return min(self.floor, self.score)

    def of_model(self) -> ModelOptions:
        """The same options as those of a model file."""
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
