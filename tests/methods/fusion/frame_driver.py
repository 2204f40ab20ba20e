"""A method driven by hand: its questions built, asked and answered one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from snellen.contract.explanation import Explanation
from snellen.contract.method import Setting
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import CHECK, CONTROL, TEST, Case, Verdict
from snellen.engine.builders import build
from snellen.engine.examination import examination
from snellen.engine.seeds import unit_generator
from snellen.engine.subject_thread import checked_predictions
from snellen.methods.fusion.method import FusionMethod, prepare
from snellen.methods.fusion.options import FusionOptions
from snellen.scenes.frame import Frame
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import InputKind, Subject

SEED = 1


def planted(fault: str = "none", **options: Any) -> Subject:
    return open_subject({"kind": "planted-3d", "fault": fault, **options}, Path())


def method(
    subject: Subject, scenes: list[Scene], options: Mapping[str, Any] | None = None
) -> FusionMethod:
    setting = Setting(subject, SceneSet(tuple(scenes)), Path(), SEED)
    return prepare(FusionOptions.model_validate(options or {}), setting)


def examined(
    tested: FusionMethod,
    allowance: int | None = None,
    *,
    explained: bool = False,
    whole: bool = False,
) -> list[Verdict]:
    """The verdict of each scene. whole: for a subject that looks at pixels and points."""
    subject, made = tested.setting.subject, []
    for unit in tested.units():
        rng = unit_generator(SEED, "fusion", unit.id)
        steady = subject.deterministic
        asking = examination(
            tested,
            unit,
            rng,
            allowance=allowance,
            steady=steady,
            classes=subject.classes,
            explanation=0.3 * explained,
        )
        asked = next(asking)
        while True:
            built = [(_whole if whole else _built)(one, tested) for one in asked]
            shown = [frame for frame, _ in built]
            said = checked_predictions(subject.predict(shown), shown, subject)
            answers = [Answer(one, told) for one, (_, told) in zip(said, built, strict=True)]
            try:
                asked = asking.send(answers)
            except StopIteration as end:
                made.append(end.value)
                break
    return made


_kept: dict[tuple[str, str], tuple[Frame, dict[str, float]]] = {}


def _whole(asked: Question, tested: FusionMethod) -> tuple[Frame, dict[str, float]]:
    made = build(asked.scene, asked.recipe, asked.measures, tested.materials, InputKind.FRAME)
    assert isinstance(made.image, Frame)
    return made.image, made.measurements


def _built(asked: Question, tested: FusionMethod) -> tuple[Frame, dict[str, float]]:
    """The case, built once for all planted subjects, which look at nothing but what is known.

    What they do not look at is left out, to keep memory small.
    """
    key = asked.scene.id, asked.recipe.digest
    if key not in _kept:
        frame, measured = _whole(asked, tested)
        blank = np.broadcast_to(np.uint8(0), (*asked.scene.size, 3))
        _kept[key] = replace(frame, image=blank, points=frame.points[:64].copy()), measured
    return _kept[key]


def forget_built_cases() -> None:
    """To be called between sets of scenes whose ids are the same."""
    _kept.clear()


def cases_in(verdicts: list[Verdict]) -> list[Case]:
    return [case for verdict in verdicts for case in verdict.cases if case.role == TEST]


def controls_in(verdicts: list[Verdict]) -> list[Case]:
    """Controls and checks."""
    roles = (CONTROL, CHECK)
    return [one for verdict in verdicts for one in verdict.cases if one.role.startswith(roles)]


def explanations_in(verdicts: list[Verdict]) -> list[Explanation]:
    return [one for verdict in verdicts for one in verdict.explanations.values()]
