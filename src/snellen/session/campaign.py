"""Tests from Python: of plain objects, or of a configuration."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from snellen.disk.trust import TRUST
from snellen.engine.campaign import campaign_from, load_campaign
from snellen.engine.progress import Watcher
from snellen.engine.run import check_resumable, run_campaign
from snellen.errors import UserError, next_step
from snellen.methods.defaults import INIT_METHOD
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.library_index import INDEX
from snellen.report.report import write_report
from snellen.session.option_groups import option_groups
from snellen.session.plain_scenes import PlainScenes, plain_scenes
from snellen.session.plain_subject import plain_subject, subject_option_names
from snellen.session.run import Run
from snellen.session.run_source import RunSource
from snellen.store.run_folder import JOURNAL

RUNS = "runs"
"""The folder of new run folders, in the working folder."""
FILE = Path("sn.test")
"""Where the messages about the arguments of `test` start."""


@next_step("snellen docs python")
def test(
    subject: Any,
    scenes: Any = None,
    method: str = INIT_METHOD,
    *,
    objects: Any = None,
    classes: Sequence[str] | None = None,
    seed: int = 1,
    out: str | Path | None = None,
    watcher: Watcher | None = None,
    **options: Any,
) -> Run:
    """The run of a method on a subject over scenes, given as plain objects.

    subject: a function of one image (H x W x 3 uint8 RGB) that returns boxes, labels and scores, as
    a mapping, a tuple, `Detections` or `supervision.Detections`, or one score per class; a model
    file; `module:attribute`; a MAITE model; a `Subject`. scenes: a list of images, or of pairs of
    an image and its annotations; a folder, a COCO file, a MAITE data set, a `SceneSet`. objects:
    what is put into scenes, likewise; default: cut out of the scenes. classes: the subject's class
    names by id. out: the run folder, which must not have a run; default: a new one in `runs`.
    options: those of the method, the engine and the subject, by name.

    >>> import os, tempfile
    >>> os.chdir(tempfile.mkdtemp())
    >>> run = test({"kind": "planted"}, "synthetic", "identity", workers=0)
    >>> run.summary.failing_cases, run.folder.as_posix()
    (0, 'runs/identity-1')
    """
    here = Path.cwd()
    kind: MethodKind = METHODS.load(METHODS.check(method, "method"))
    if objects is not None and not kind.objects and "objects" in kind.options.model_fields:
        options, objects = {**options, "objects": objects}, None
    groups = option_groups(method, options, subject_option_names(subject, here))
    shown = None if scenes is None else plain_scenes(scenes, classes, here)
    if shown is None and kind.scenes:
        raise UserError(f"scenes: missing; the method {method} needs scenes. Give some.")
    first = None if shown is None else shown.scenes[0]
    asked = plain_subject(subject, groups.subject, classes, first, here)
    shapes = _objects(objects, shown if kind.objects else None, classes, here)
    with _run_folder(out, method) as folder:
        places = folder.absolute() / "scenes", folder.absolute() / "objects"
        values = {
            "method": method,
            "seed": seed,
            "subject": asked.values,
            "scenes": None if shown is None else shown.described(places[0]),
            "objects": _described(shapes, places[shapes is not shown]),
            "engine": {**({} if asked.live is None else {"cache": False}), **groups.engine},
            method: groups.method,
            "base": str(here),
            "out": str(folder),
        }
        made = campaign_from({key: one for key, one in values.items() if one is not None}, FILE)
        if shown is not None:
            shown.write(places[0])
        if isinstance(shapes, PlainScenes) and shapes is not shown:
            shapes.write(places[1])
        run_campaign(made, watcher=watcher)
        write_report(made.out_folder)
    return Run(RunSource(folder, (asked.live,)))


def _objects(
    objects: Any, scenes: PlainScenes | None, classes: Sequence[str] | None, folder: Path
) -> PlainScenes | dict[str, Any] | None:
    """What objects come from; the scenes by default, None for a method without objects."""
    if objects is None:
        return scenes
    if isinstance(objects, Mapping):
        return dict(objects)
    if isinstance(objects, str | Path) and (folder / objects / INDEX).is_file():
        return {"kind": "library", "path": str((folder / objects).resolve())}
    return plain_scenes(objects, classes, folder, what="objects")


def _described(objects: PlainScenes | dict[str, Any] | None, folder: Path) -> dict[str, Any] | None:
    return objects.described(folder) if isinstance(objects, PlainScenes) else objects


@next_step("snellen docs python")
def run(
    campaign: str | Path | Mapping[str, Any],
    *,
    resume: bool = False,
    watcher: Watcher | None = None,
    trust: bool = False,
) -> Run:
    """The run of a campaign, given as a configuration file or as the mapping in one.

    Relative paths in a mapping start at the working folder. trust: whether to run code that the
    configuration of a run folder names although you did not write it on this machine.

    >>> import os, tempfile
    >>> os.chdir(tempfile.mkdtemp())
    >>> done = run({
    ...     "method": "identity",
    ...     "subject": {"kind": "planted"},
    ...     "scenes": {"kind": "synthetic", "count": 3},
    ...     "engine": {"workers": 0, "cache": False},
    ...     "out": "run",
    ... })
    >>> done.summary.cases, done.summary.failing_cases
    (3, 0)
    """
    if isinstance(campaign, Mapping):
        made = campaign_from(campaign, Path("configuration"))
    else:
        made = load_campaign(Path(campaign))
        if trust:
            TRUST.add(made.file.parent)
    if resume:
        check_resumable(made)
    run_campaign(made, resume=resume, watcher=watcher)
    write_report(made.out_folder)
    return Run(RunSource(made.out_folder))


@contextmanager
def _run_folder(out: str | Path | None, method: str) -> Iterator[Path]:
    """The folder of a new run; removed if nothing was recorded in it."""
    folder = _free_folder(method) if out is None else Path(out)
    if (folder / JOURNAL).exists():
        raise UserError(f"{folder}: already contains a run. Choose another `out`, or None.")
    new = out is None or not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    except BaseException:
        if new and not (folder / JOURNAL).exists():
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _free_folder(method: str) -> Path:
    """A new folder in `runs`, named after the method and the first free number."""
    number = 1
    while True:
        folder = Path(RUNS) / f"{method}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise UserError(f"{folder}: cannot be created: {error}. Pass out=...") from None
        else:
            return folder
