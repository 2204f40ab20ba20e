"""`kind: python`: the user's own Python function or callable object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from snellen.configuration.secret_values import without_secrets
from snellen.errors import SubjectError, UserError
from snellen.errors.plain_text import describe_error
from snellen.scenes.frame import Frame
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.passes import Pass
from snellen.subjects.python_target import load_target
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Input, Prediction, ShownSubject, Subject
from snellen.subjects.subprocess.isolated_subject import IsolatedSubject
from snellen.subjects.subprocess.supervision import SupervisionOptions
from snellen.subjects.torch_models.module_options import is_torch_module, module_options
from snellen.subjects.user_code.target_identity import identity_of
from snellen.subjects.user_code.user_code_options import (
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


class PythonOptions(TargetOptions, SupervisionOptions):
    """Options of a Python subject."""

    kind: Literal["python"] = "python"
    first_label: int | None = Field(
        default=None,
        ge=0,
        description="a torch module's id of the first class; null: 1, for 0 is the background",
    )
    isolate: bool = Field(
        default=False, description="run it in a process of its own, which is supervised"
    )
    start: float = Field(
        default=120.0, gt=0, description="with isolate: maximum seconds for loading it"
    )


class PythonSubject(ShownSubject):
    """A callable from a list of H x W x 3 uint8 RGB arrays, or of frames, to a list of answers.

    `snellen.subjects.answers.prediction_checks.checked_prediction` and, for frames,
    `checked_solids` define the accepted answers. The arrays are copies, so the callable may change
    them; a frame comes without its ground truth. A callable with `draws = True` may get a `Pass`
    among its images. uncached: why its answers cannot be cached, or nothing: what cannot be
    identified may be another function under the same name.
    """

    def __init__(self, call: Call, traits: Traits, fingerprint: str, uncached: str = "") -> None:
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
        self.uncached = uncached

    def predict(self, images: Sequence[Input]) -> Sequence[Prediction]:
        """One checked prediction per image or frame."""
        try:
            answers = self._call([_copy(image) for image in images])
        except SubjectError:
            raise
        except (Exception, SystemExit) as error:
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


def open_target(options: TargetOptions, folder: Path) -> tuple[Any, dict[str, Any], str]:
    """The callable, the parts of its fingerprint, and why its answers cannot be cached, if so.

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
    identity, uncached = identity_of(target, value)
    parts = {
        "target": options.target,
        "arguments": without_secrets(options.arguments),
        **identity,
        **fingerprint_options(options, folder),
    }
    return value, parts, uncached


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
    except (Exception, SystemExit) as error:
        raise UserError(
            f"subject.target: '{target}' called with {dict(arguments)} raised "
            f"{describe_error(error)}"
        ) from error


def _open(options: PythonOptions, folder: Path) -> Subject:
    if options.isolate:
        values = options.model_copy(update={"isolate": False, "memory": None})
        return IsolatedSubject(values.model_dump(), folder, options, options.start)
    if options.memory is not None:
        raise UserError(
            "subject.memory: limits the memory of a process of its own. Add isolate: true, or "
            "remove it."
        )
    return open_in_process(options, folder)


def open_in_process(options: PythonOptions, folder: Path) -> PythonSubject:
    """The subject in this process."""
    call, parts, uncached = open_target(options, folder)
    if is_torch_module(call):
        from snellen.subjects.torch_models.tensor_list_detector import tensor_list_subject

        subject = tensor_list_subject(
            call, module_options(options, options.first_label), folder, options.target, parts
        )
        subject.uncached = uncached
        return subject
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
    return PythonSubject(call, traits, fingerprint, uncached)


ADAPTER = Adapter(PythonOptions, _open, runs=("target",))
