"""The subject of a test, from what a user has: a callable, a model, a file or a subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.changes.identity import Identity
from snellen.configuration import options_of_kind, parse
from snellen.engine.subject_thread import checked_predictions
from snellen.errors import SnellenError, UserError
from snellen.scenes.scene import Scene
from snellen.session.object_kinds import object_kind
from snellen.session.origins import origin_of, remember_origin
from snellen.session.plain_answer import Batched, OneByOne
from snellen.subjects.answers.value_checks import detached
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.live import LiveSubject
from snellen.subjects.python import PythonSubject, declared_classes
from snellen.subjects.recognition import (
    KINDS,
    PICKLED,
    check_model_file,
    guess_subject,
    is_saved_pipeline,
)
from snellen.subjects.registry import ADAPTERS, READ_AS
from snellen.subjects.registry import open_subject as open_configured
from snellen.subjects.subject import Subject, Task
from snellen.subjects.user_code.callable_digest import CallableDigest, callable_digest
from snellen.subjects.user_code.user_code_options import (
    Traits,
    UserCodeOptions,
    fingerprint_options,
    traits_of,
)
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

Values = dict[str, Any]
WHERE = "subject"
BLANK = (224, 224)
"""Size of the image that a callable is tried on where a method has no scenes."""
EXPECTED = (
    "expected a function of an image, a model file (.onnx, .tflite, .cfg, .weights), "
    "'module:attribute', a MAITE model, a transformers pipeline or the folder of one, a "
    "torchvision-style module, a Subject, or the mapping of a configuration"
)


@dataclass(frozen=True)
class PlainSubject:
    """A subject as a configuration describes it. live: the object of this process, if it is one."""

    values: Values
    live: LiveSubject | None = None


class CallableOptions(UserCodeOptions):
    """Options of a callable that is given as an object.

    batched: whether it takes a list of images and returns a list of answers; otherwise it takes
    one image. fingerprint: changes whenever an answer may change; without one, the code and what it
    refers to decide, and nothing is cached if they cannot be followed.
    """

    task: Task | None = None  # type: ignore[assignment]
    batched: bool = False
    fingerprint: str | None = None


def open_subject(
    subject: str | Path | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    /,
    **options: Any,
) -> Subject:
    """A loaded subject.

    subject: a model file, `module:attribute`, or the mapping of a configuration. options: those of
    its kind, such as `score`, `classes` or `decoder`; without `subject`, `kind` is one of them.
    folder: where relative paths start; default: the working folder.

    >>> open_subject(kind="planted").name
    'perfect'
    """
    place = Path.cwd() if folder is None else Path(folder)
    if subject is None and "kind" not in options:
        raise UserError(f"open_subject: found neither a subject nor kind=...; {EXPECTED}.")
    values = {**({} if subject is None else named_subject(subject, place)), **options}
    opened = open_configured(values, place, WHERE)
    remember_origin(opened, values, place)
    return opened


def named_subject(subject: object, folder: Path) -> Values:
    """The section of a configuration that a file, a target or a mapping stands for."""
    if isinstance(subject, Mapping):
        return dict(subject)
    if not isinstance(subject, str | Path):
        raise UserError(f"subject: found {type(subject).__name__}; {EXPECTED}.")
    path = folder / subject
    if isinstance(subject, str) and ":" in subject and not path.exists():
        return {"kind": "python", "target": subject}
    if isinstance(subject, str) and subject in ADAPTERS.kinds():
        return {"kind": subject}
    if is_saved_pipeline(path):
        return guess_subject(path.resolve(), folder)
    if path.suffix in (*KINDS, *PICKLED, ".py"):
        check_model_file(path)
        return guess_subject(path.resolve(), folder)
    raise UserError(f"subject: found '{subject}'; {EXPECTED}.")


def subject_option_names(subject: object, folder: Path) -> set[str]:
    """The names of the options that a subject of this form takes."""
    if isinstance(subject, str | Path | Mapping):
        kind = ADAPTERS.check(named_subject(subject, folder).get("kind"), f"{WHERE}.kind")
        return {*ADAPTERS.load(kind).options.model_fields, READ_AS}
    form = object_kind(subject)
    return set(CallableOptions.model_fields) if form is None else form.option_names()


def plain_subject(
    subject: object,
    options: Values,
    classes: Sequence[str] | None,
    scene: Scene | None,
    folder: Path,
) -> PlainSubject:
    """The subject of a test, tried on one scene if it is an object of this process.

    options: of the subject. scene: the first one, None where a method has no scenes.
    """
    given = dict(options)
    if classes is not None:
        given["classes"] = [str(one) for one in classes]
    if isinstance(subject, str | Path | Mapping):
        values = {**named_subject(subject, folder), **given}
        _check_options(values)
        return PlainSubject(values)
    if isinstance(subject, Subject) and not isinstance(subject, type):
        return _opened(subject, given)
    if not callable(subject):
        raise UserError(f"subject: found {type(subject).__name__}; {EXPECTED}.")
    form = object_kind(subject)
    live = form.live(subject, given, WHERE) if form else _of_callable(subject, given, scene)
    if scene is not None:
        try_out(live, scene)
    return PlainSubject(live.values, live)


def _check_options(values: Values) -> None:
    options_of_kind(ADAPTERS, {k: v for k, v in values.items() if k != READ_AS}, WHERE)


def _opened(subject: Subject, given: Values) -> PlainSubject:
    if given:
        raise UserError(
            f"{', '.join(sorted(given))}: an opened subject has its own. Give it when you open the "
            "subject, or leave it out."
        )
    origin = origin_of(subject)
    if origin is not None:
        return PlainSubject(origin)
    live = LiveSubject(subject, subject.fingerprint)
    return PlainSubject(live.values, live)


def _of_callable(subject: Any, given: Values, scene: Scene | None) -> LiveSubject:
    chosen = parse(CallableOptions, given, WHERE)
    found = callable_digest(subject)  # before it is asked, which may change its state
    name = str(getattr(subject, "name", None) or getattr(subject, "__name__", "") or "")
    name = type(subject).__name__ if name in ("", "<lambda>") else name
    call = (Batched if chosen.batched else OneByOne)(subject)
    task = chosen.task or _task(call, scene)
    traits = traits_of(
        chosen.model_copy(update={"task": task}),
        Path.cwd(),
        name=name,
        classes=declared_classes(subject),
        where=f"subject: '{name}'",
    )
    uncached = "" if chosen.fingerprint else found.reason
    fingerprint = chosen.fingerprint or (_fingerprint(found, chosen, traits) if found.text else "")
    return LiveSubject(PythonSubject(call, traits, fingerprint, uncached), fingerprint or None)


def _fingerprint(found: CallableDigest, chosen: CallableOptions, traits: Traits) -> str:
    return fingerprint_of(
        kind="callable",
        code=found.text,
        batched=chosen.batched,
        task=traits.task,
        classes=traits.classes,
        floor=traits.floor,
        **fingerprint_options(chosen, Path.cwd()),
    )


def _task(call: OneByOne | Batched, scene: Scene | None) -> Task:
    """Labels if the callable answers with one score per class, else detection."""
    image = np.full((*BLANK, 3), 127, np.uint8) if scene is None else scene.pixels().copy()
    try:
        answer = call([image])[0]
    except Exception:  # asked again and reported with its cause before the run starts
        return Task.DETECTION
    if isinstance(answer, Mapping):
        return Task.DETECTION if "boxes" in answer or not answer else Task.LABELS
    if isinstance(answer, list | tuple):
        answer = np.asarray(answer)
    flat = getattr(detached(answer), "ndim", 0) == 1
    return Task.LABELS if flat or isinstance(answer, LabelVector) else Task.DETECTION


def try_out(subject: Subject, scene: Scene) -> None:
    """Ask a subject about one scene; a wrong answer is an error before the run starts."""
    shown = Identity().build_input(scene, {}, subject.task.input_kind)
    try:
        [answer] = checked_predictions(subject.predict([shown]), [shown], subject)
    except UserError:
        raise
    except SnellenError as error:
        frames = scene.sweep is not None and subject.task != Task.DETECTION_3D
        hint = " A function of camera+LiDAR frames needs task='detection-3d'." if frames else ""
        raise UserError(f"subject: asked about scene '{scene.id}': {error}{hint}") from error
    if isinstance(answer, Detections) and len(answer) and answer.boxes.max() <= 1:
        height, width = scene.size
        raise UserError(
            f"subject: asked about scene '{scene.id}': all boxes are between 0 and 1, expected "
            f"pixels. Multiply x by the width ({width}) and y by the height ({height})."
        )
