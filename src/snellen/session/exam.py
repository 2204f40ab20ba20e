"""An exam from Python: of a model file, or of an object of this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.exam.battery import Options
from snellen.exam.exam import MINUTES, Model, Say
from snellen.exam.exam import exam as exam_of_files
from snellen.exam.scorecard import Scorecard
from snellen.session.plain_subject import plain_subject


def exam(
    model: Any,
    data: Model,
    *,
    classes: Sequence[str] | None = None,
    objects: Model | None = None,
    out: str | Path = "exam",
    minutes: float | None = MINUTES,
    questions: int | None = None,
    seed: int = 1,
    resume: bool = False,
    options: Options | None = None,
    say: Say | None = None,
    shown: bool = False,
    **subject_options: Any,
) -> Scorecard:
    """The scorecard of a subject, also written to `out` with an ordinary run folder a method.

    model: a path, the options of a subject, or an object as in `sn.test`: a function, a
    `transformers` pipeline, a torchvision-style module, a MAITE model, a `Subject`. data: a path,
    or the options of a scene set. classes, subject_options: of an object, such as `score`. The
    others are those of `snellen exam`; options: by section, such as
    `{"insertion": {"per_object": 5}}`. say: gets a line for each choice. shown: whether progress
    is shown on standard error.
    """
    given = subject_options if classes is None else {**subject_options, "classes": list(classes)}
    named = isinstance(model, str | Path | Mapping)
    if named and given:
        raise UserError(
            f"{', '.join(sorted(given))}: only for an object. Give the options of the subject as "
            "a mapping, such as {'kind': 'onnx', 'model': 'model.onnx', 'score': 0.4}."
        )
    asked = None if named else plain_subject(model, subject_options, classes, None, Path.cwd())
    return exam_of_files(
        model if asked is None else asked.values,
        data,
        objects=objects,
        out=out,
        minutes=minutes,
        questions=questions,
        seed=seed,
        resume=resume,
        options=options,
        say=say,
        shown=shown,
    )
