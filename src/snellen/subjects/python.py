"""`kind: python`: the user's own Python function or callable object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from snellen.configuration.secret_values import without_secrets
from snellen.errors import SubjectError, UserError
from snellen.scenes.frame import Frame
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.passes import Pass
from snellen.subjects.python_target import describe_error, load_target
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Input, Prediction, ShownSubject
from snellen.subjects.torch_models.module_options import is_torch_module, module_options
from snellen.subjects.user_code_options import (
    Traits,
    UserCodeOptions,
    above_floor,
    fingerprint_options,
    traits_of,
)

Call = Callable[[list[Any]], Any]


class TargetOptions(UserCodeOptions):
    """Where the code is, and whether it is a factory."""

    target: str = Field(description="module:attribute; the module may be in this file's folder")
    call: bool = Field(
        default=False, description="whether the target is a factory that returns the callable"
    )
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="arguments of the factory; implies call"
    )


class PythonOptions(TargetOptions):
    """Options of a Python subject."""

    kind: Literal["python"] = "python"
    first_label: int | None = Field(
        default=None,
        ge=0,
        description="a torch module's id of the first class; null: 1, for 0 is the background",
    )


class PythonSubject(ShownSubject):
    """A callable from a list of H x W x 3 uint8 RGB arrays, or of frames, to a list of answers.

    `snellen.subjects.answers.prediction_checks.checked_prediction` and, for frames,
    `checked_solids` define the accepted answers. The arrays are copies, so the callable may change
    them; a frame comes without its ground truth. A callable with `draws = True` may get a `Pass`
    among its images.
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
        """One checked prediction per image or frame."""
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
    """The callable, and the parts of its fingerprint.

    A class is treated as a factory, because calling it only creates objects.
    """
    target = load_target(options.target, folder)
    value = target.value
    if options.call or options.arguments or isinstance(value, type):
        value = _call_target(value, options.target, options.arguments)
    if not callable(value):
        raise UserError(
            f"subject.target: '{options.target}' is of type {type(value).__name__} and cannot be "
            "called; expected a function of a list of images that returns a list of predictions. "
            "A factory needs `call: true`."
        )
    parts = {
        "target": options.target,
        "arguments": without_secrets(options.arguments),
        "sources": [file_digest(path) for path in target.sources],
        **fingerprint_options(options, folder),
    }
    return value, parts


def declared_classes(value: object) -> tuple[str, ...] | None:
    """The names in an object's `classes` (a sequence, or a mapping from ids), or None."""
    classes = getattr(value, "classes", None)
    if isinstance(classes, Mapping):
        classes = [classes[key] for key in sorted(classes)]
    return tuple(str(name) for name in classes) if classes else None


def _call_target(value: Any, target: str, arguments: Mapping[str, Any]) -> Any:
    if not callable(value):
        raise UserError(
            f"subject.target: '{target}' is {type(value).__name__}, expected a class or function "
            f"to call with {dict(arguments)}. Name one, or remove call."
        )
    try:
        return value(**arguments)
    except Exception as error:
        raise UserError(
            f"subject.target: '{target}' called with {dict(arguments)} raised "
            f"{describe_error(error)}"
        ) from error


def _open(options: PythonOptions, folder: Path) -> PythonSubject:
    call, parts = open_target(options, folder)
    if is_torch_module(call):
        from snellen.subjects.torch_models.tensor_list_detector import tensor_list_subject

        return tensor_list_subject(
            call, module_options(options, options.first_label), folder, options.target, parts
        )
    if options.first_label is not None:
        raise UserError(
            f"subject.first_label: '{options.target}' is no torch module, and a function returns "
            "ids from 0, or names. Remove it, and subtract it from the labels in your code."
        )
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


ADAPTER = Adapter(PythonOptions, _open, runs=("target",))
