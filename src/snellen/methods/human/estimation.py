"""Thresholds from human data of any form, by any procedure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from snellen.errors import UserError, nearest
from snellen.methods.human.answers.answer_files import HumanData
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ClassAnswers
from snellen.methods.human.box_estimates import (
    estimate_from_boxes,
    estimate_from_exports,
)
from snellen.methods.human.class_estimates import (
    estimate_from_bins,
    estimate_from_classes,
)
from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.methods.human.subtasks import Kind


def estimates(data: HumanData, request: EstimateRequest) -> list[HumanEstimate]:
    """One estimate for each requested transformation and kind in the data; may be none."""
    if request.procedure is None:
        boxes = isinstance(data, BoxAnswers | ExportAnswers)
        request = replace(request, procedure="decompovision" if boxes else "icraf")
    if request.procedure == "psychometric":
        raise UserError(
            f"{data.path}: --procedure psychometric needs to know who answered; such files do not "
            "say. Give the folder of a study, or use icraf or decompovision."
        )
    if isinstance(data, BinnedAnswers):
        names = (
            [data.transformation] if data.transformation else [request.transformation or "unnamed"]
        )
        fits = request.kind in (None, data.kind)
        return [estimate_from_bins(data, request, name) for name in _named(names, request) if fits]
    kinds: Sequence[Kind] = [request.kind] if request.kind else ["correctness", "preservation"]
    pairs = [(name, kind) for name in _named(data.transformations(), request) for kind in kinds]
    if isinstance(data, ClassAnswers):
        return [estimate_from_classes(data, request, *pair) for pair in pairs]
    if isinstance(data, ExportAnswers):
        return [estimate_from_exports(data, request, *pair) for pair in pairs]
    return [estimate_from_boxes(data, request, *pair) for pair in pairs]


def all_estimates(data: Sequence[HumanData], request: EstimateRequest) -> list[HumanEstimate]:
    """The estimates of all files, at least one."""
    found = [one for each in data for one in estimates(each, request)]
    if found:
        return found
    has = sorted({name for each in data for name in _transformations(each)})
    name, kind = request.transformation, request.kind or "any kind"
    clause = nearest(name, has) if name and name not in has else f" of {kind} in these data"
    what = f"transformation '{name}'" if name else "answers"
    raise UserError(f"{data[0].path}: no {what}{clause}. Change --transformation or --kind.")


def _transformations(data: HumanData) -> list[str]:
    return [data.transformation] if isinstance(data, BinnedAnswers) else data.transformations()


def _named(names: Sequence[str], request: EstimateRequest) -> list[str]:
    if request.transformation is None:
        return list(names)
    return [one for one in names if one.lower() == request.transformation.lower()]
