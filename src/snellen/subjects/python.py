"""A subject that is the user's own Python function, or an object that can be called like one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from snellen.errors import SubjectError, UserError
from snellen.scenes.frame import Frame
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.passes import Pass
from snellen.subjects.python_target import describe_error, load_target
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Input, Prediction
from snellen.subjects.user_code_options import (
    Traits,
    UserCodeOptions,
    above_floor,
    fingerprint_options,
    traits_of,
)

Call = Callable[[list[Any]], Any]


class TargetOptions(UserCodeOptions):
    """How code is found, and whether it must be called once to get what is asked."""

    target: str = Field(description="module:attribute; the module may stand beside this file")
    call: bool = Field(
        default=False, description="the target is called once, and what it returns is asked"
    )
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="what it is called with; implies call"
    )


class PythonOptions(TargetOptions):
    """Options of a Python subject."""

    kind: Literal["python"] = "python"


class PythonSubject:
    """A callable from a list of H x W x 3 uint8 RGB arrays, or of frames, to a list of answers.

    What an answer may be, `snellen.subjects.answers.prediction_checks.checked_prediction` and, for
    frames, `checked_solids` say.
    The arrays are copies, so the callable may change them; a frame comes without what is known.
    One that says `draws = True` may be given a `Pass` among its images.
    """

    def __init__(self, call: Call, traits: Traits, fingerprint: str) -> None:
        self._call = call
        self._floor = traits.floor
        self.name = traits.name
        self.task = traits.task
        self.classes = traits.classes
        self.score = traits.score
        self.batch = traits.batch
        self.deterministic = traits.deterministic
        self.tolerance = traits.tolerance
        self.fingerprint = fingerprint
        self.draws = bool(getattr(call, "draws", False))

    def predict(self, images: Sequence[Input]) -> Sequence[Prediction]:
        """One checked prediction for each image or frame."""
        try:
            answers = self._call([_copy(image) for image in images])
        except SubjectError:
            raise
        except Exception as error:
            raise SubjectError(f"'{self.name}' raised {describe_error(error)}") from error
        predictions = checked_batch(answers, images, self.classes, self.task)
        return [above_floor(prediction, self._floor) for prediction in predictions]

    def close(self) -> None:
        """Call the callable's own `close`, if it has one."""
        close = getattr(self._call, "close", None)
        if callable(close):
            close()


def _copy(given: Input) -> Input:
    if isinstance(given, Pass):
        return Pass(given.image.copy(), given.number)
    if not isinstance(given, Frame):
        return given.copy()
    image = None if given.image is None else given.image.copy()
    return Frame(image, given.points.copy(), given.calibration)


def open_target(options: TargetOptions, folder: Path) -> tuple[Any, dict[str, Any]]:
    """What is to be asked, and what decides its answers, for a fingerprint.

    A class is called too, since to ask a class would only make objects of it.
    """
    target = load_target(options.target, folder)
    value = target.value
    if options.call or options.arguments or isinstance(value, type):
        value = _call_target(value, options.target, options.arguments)
    if not callable(value):
        raise UserError(
            f"subject.target: '{options.target}' is {type(value).__name__}, expected a callable "
            "from a list of images to a list of predictions. A factory needs call: true."
        )
    parts = {
        "target": options.target,
        "arguments": options.arguments,
        "sources": [file_digest(path) for path in target.sources],
        **fingerprint_options(options, folder),
    }
    return value, parts


def declared_classes(value: object) -> tuple[str, ...] | None:
    """The names in an object's own `classes`, a sequence or a mapping from ids, if it has any."""
    classes = getattr(value, "classes", None)
    if isinstance(classes, Mapping):
        classes = [classes[key] for key in sorted(classes)]
    return tuple(str(name) for name in classes) if classes else None


def _call_target(value: Any, target: str, arguments: Mapping[str, Any]) -> Any:
    if not callable(value):
        raise UserError(
            f"subject.target: '{target}' is {type(value).__name__}, which cannot be called with "
            f"the arguments {dict(arguments)}. Name a class or function, or drop call."
        )
    try:
        return value(**arguments)
    except Exception as error:
        raise UserError(
            f"subject.target: '{target}' called with {dict(arguments)} raised {describe_error(error)}"
        ) from error


def _open(options: PythonOptions, folder: Path) -> PythonSubject:
    call, parts = open_target(options, folder)
    traits = traits_of(
        options,
        folder,
        name=str(getattr(call, "name", options.target)),
        classes=declared_classes(call),
        where=f"subject.target: '{options.target}'",
    )
    fingerprint = fingerprint_of(
        kind="python", task=traits.task, classes=traits.classes, floor=traits.floor, **parts
    )
    return PythonSubject(call, traits, fingerprint)


ADAPTER = Adapter(PythonOptions, _open)
