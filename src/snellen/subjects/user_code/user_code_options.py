"""Options and traits shared by subjects that run the user's own code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.errors.plain_text import escaped
from snellen.subjects.fingerprints import file_digest
from snellen.subjects.model_file.class_table import read_class_names
from snellen.subjects.subject import Prediction, Task
from snellen.vision.label_vector import LabelVector

Share = Annotated[float, Field(ge=0, le=1)]
BATCH_TOLERANCE = 1e-4


class UserCodeOptions(Options):
    """Facts about the user's code that Snellen cannot infer."""

    kind: str = ""
    name: str | None = Field(default=None, description="name for reports")
    task: Task = Field(default=Task.DETECTION, description="what it predicts")
    classes: tuple[str, ...] | str | None = Field(
        default=None, description="class names by id: a list, or a file with one name per line"
    )
    score: Share = Field(default=0.3, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    batch: int = Field(default=8, ge=1, description="images per call")
    deterministic: bool = Field(
        default=False, description="whether the same image always gets the same answer"
    )
    tolerance: Share | None = Field(
        default=None, description="how far a score may differ between batch sizes"
    )
    version: str = Field(
        default="", description="change it whenever answers may change and nothing else shows it"
    )
    files: tuple[str, ...] = Field(
        default=(), description="files that the answers depend on, such as weights"
    )


@dataclass(frozen=True)
class Traits:
    """The traits of a subject that runs the user's own code, with defaults filled in."""

    name: str
    task: Task
    classes: tuple[str, ...]
    score: float
    floor: float
    batch: int
    deterministic: bool
    tolerance: float


def traits_of(
    options: UserCodeOptions,
    folder: Path,
    *,
    name: str,
    classes: tuple[str, ...] | None,
    where: str,
) -> Traits:
    """The traits from the options; `name` and `classes` as declared by the code, if any."""
    given = None if options.classes is None else read_class_names(options.classes, folder)
    names = given or classes
    if not names:
        raise UserError(
            f"{where} does not declare its classes. Set subject.classes: a list of names, "
            "or a file with one name per line, in the order of the ids."
        )
    default = 0.0 if options.batch == 1 else BATCH_TOLERANCE
    return Traits(
        name=escaped(options.name or name),
        task=options.task,
        classes=tuple(map(escaped, names)),
        score=options.score,
        floor=min(options.floor, options.score),
        batch=options.batch,
        deterministic=options.deterministic,
        tolerance=default if options.tolerance is None else options.tolerance,
    )


def fingerprint_options(options: UserCodeOptions, folder: Path) -> dict[str, Any]:
    """The options that affect answers, for a fingerprint; files by their content."""
    return {
        "version": options.version,
        "files": [file_digest(folder / file) for file in options.files],
    }


def above_floor(prediction: Prediction, floor: float) -> Prediction:
    """The prediction without detections below the floor."""
    return prediction if isinstance(prediction, LabelVector) else prediction.above(floor)
