"""What a new configuration starts from: the given subject and data, recognised, opened, checked."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from snellen.errors import UserError
from snellen.methods.exam_entry import Examinee, ExamSetup, InapplicableError
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.library_index import INDEX
from snellen.objects.library.open_objects import LIBRARY
from snellen.scenes.recognition import guess_scenes, recognise_scenes
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.subjects.recognition import guess_subject, recognise_subject
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject

Values = dict[str, Any]


@dataclass(frozen=True)
class Given:
    """What the user named for a method, each a file, a folder or a Python name; None if nothing.

    skip_invalid: leave out invalid scenes and annotations.
    """

    method: str
    subject: str | None = None
    scenes: str | None = None
    objects: str | None = None
    skip_invalid: bool = False


@dataclass(frozen=True)
class StartingPoint:
    """The sections of a new configuration.

    opened: the scenes, None if none were given. took: what was recognised, a line each. missing:
    the keys that the user must fill in.
    """

    subject: Values
    scenes: Values
    objects: Values
    opened: SceneSet | None = None
    took: tuple[str, ...] = ()
    missing: tuple[str, ...] = field(default=())


def starting_point(given: Given, folder: Path) -> StartingPoint:
    """The sections for what is given, with paths relative to `folder`; what is not there raises."""
    kind: MethodKind = METHODS.load(METHODS.check(given.method, "--method"))
    subject, about = _subject(given.subject, folder)
    scenes, shown = _scenes(given.scenes, folder, "--scenes")
    objects, source = scenes, shown
    if given.objects is not None:
        objects, source = _objects(given.objects, folder)
    opened = None
    if given.scenes is not None:
        opened = open_scenes(scenes, folder, skip_invalid=given.skip_invalid, where="--scenes")
    if kind.objects and source:
        _check_objects(objects, folder, given.skip_invalid)
    if given.subject is not None and opened is not None:
        subject, tested = _opened(subject, opened, folder)
        with closing(tested):
            setup = _setup(given, kind, Examinee(tested, opened, objects))
        subject, objects = {**subject, **setup.subject}, {**objects, **(setup.objects or {})}
    took = [about, shown, *([source] if kind.objects and source != shown else [])]
    names = (("subject", about), ("scenes", shown if kind.scenes else "-"))
    missing = tuple(name for name, words in names if not words)
    return StartingPoint(subject, scenes, objects, opened, tuple(filter(None, took)), missing)


def _subject(given: str | None, folder: Path) -> tuple[Values, str]:
    if given is None:
        return guess_subject(None, folder), ""
    found = recognise_subject(given)
    values = _relative(found.values, given, folder)
    if values == found.values:  # its paths or modules start at its own folder
        _check_beside(found.folder, given, folder)
    return values, f"subject: {found.words}"


def _scenes(given: str | None, folder: Path, option: str) -> tuple[Values, str]:
    if given is None:
        return guess_scenes(None, folder), ""
    found = recognise_scenes(given)
    if Path(given).suffix in (".yaml", ".yml") and found.values.get("data") is None:
        _check_beside(found.folder, given, folder)
    return _relative(found.values, given, folder), f"{option.lstrip('-')}: {found.words}"


def _objects(given: str, folder: Path) -> tuple[Values, str]:
    if (Path(given) / INDEX).is_file():
        values = {"kind": LIBRARY, "path": str(Path(given).resolve())}
        return _relative(values, given, folder), f"objects: the library {given}"
    return _scenes(given, folder, "--objects")


def _relative(values: Mapping[str, Any], given: str, folder: Path) -> Values:
    """The options with absolute paths relative to the folder, unless the user gave one."""
    if Path(given).is_absolute():
        return dict(values)
    return {
        key: os.path.relpath(one, folder.resolve())
        if isinstance(one, str) and Path(one).is_absolute()
        else one
        for key, one in values.items()
    }


def _check_beside(place: Path, given: str, folder: Path) -> None:
    if Path(given).is_absolute() or place.resolve() == folder.resolve():
        return
    config = os.path.relpath(place.resolve() / "snellen.yaml")
    raise UserError(
        f"{given}: its paths start at {place}, but the configuration would be in {folder}. Write "
        "it beside that file.",
        next=f"snellen init {shlex.quote(config)} ...",
    )


def _check_objects(objects: Values, folder: Path, skip_invalid: bool) -> None:
    """Refuse a source of objects that has none to cut out."""
    if objects["kind"] == LIBRARY:
        return
    scenes = open_scenes(objects, folder, skip_invalid=skip_invalid, where="--objects")
    if not any(one.annotations is not None and len(one.annotations) for one in scenes):
        raise UserError(
            f"--objects: the {len(scenes)} scenes have no annotations, and objects are cut out "
            "along annotations. Name annotated scenes or a library of objects.",
            next="snellen docs objects",
        )


def _opened(subject: Values, scenes: SceneSet, folder: Path) -> tuple[Values, Subject]:
    """The subject and its options, with the class names of the scenes if it needs names."""
    try:
        return subject, open_subject(subject, folder, "--subject")
    except UserError as error:
        if "classes" not in str(error) or not scenes.classes:
            raise
    named = {**subject, "classes": list(scenes.classes)}
    return named, open_subject(named, folder, "--subject")


def _setup(given: Given, kind: MethodKind, examinee: Examinee) -> ExamSetup:
    """How the method is set up for this subject; an error if it does not apply to it."""
    entry = kind.opened_exam()
    if entry is None:
        return ExamSetup()
    with TemporaryDirectory() as draft:
        try:
            return entry.setup(examinee, Path(draft, "snellen.yaml"))
        except InapplicableError as error:
            raise UserError(
                f"--method {given.method}: cannot be used here: {error}. `snellen exam` runs the "
                "methods that apply.",
                next=shlex.join(["snellen", "exam", str(given.subject), str(given.scenes)]),
            ) from None
