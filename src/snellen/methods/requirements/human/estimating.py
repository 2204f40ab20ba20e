"""Human data to thresholds, whichever form the data have and whichever procedure is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.errors import UserError, nearest
from snellen.methods.requirements.human.binned import Binned
from snellen.methods.requirements.human.box_estimates import of_boxes
from snellen.methods.requirements.human.class_answers import ClassAnswers
from snellen.methods.requirements.human.class_estimates import of_bins, of_classes
from snellen.methods.requirements.human.estimate import Estimate, Wanted
from snellen.methods.requirements.human.opening import HumanData
from snellen.methods.requirements.requirement import Kind


def estimates(data: HumanData, wanted: Wanted) -> list[Estimate]:
    """One estimate for each transformation and kind of the data that is wanted; may be none."""
    if isinstance(data, Binned):
        known = (
            [data.transformation] if data.transformation else [wanted.transformation or "unnamed"]
        )
        fits = wanted.kind in (None, data.kind)
        return [of_bins(data, wanted, name) for name in _named(known, wanted) if fits]
    kinds: Sequence[Kind] = [wanted.kind] if wanted.kind else ["correctness", "preservation"]
    pairs = [(name, kind) for name in _named(data.transformations(), wanted) for kind in kinds]
    if isinstance(data, ClassAnswers):
        return [of_classes(data, wanted, *pair) for pair in pairs]
    return [of_boxes(data, wanted, *pair) for pair in pairs]


def all_estimates(data: Sequence[HumanData], wanted: Wanted) -> list[Estimate]:
    """Those of all files, at least one."""
    found = [one for each in data for one in estimates(each, wanted)]
    if found:
        return found
    has = sorted({name for each in data for name in _transformations(each)})
    name, kind = wanted.transformation, wanted.kind or "any kind"
    clause = nearest(name, has) if name and name not in has else f" of {kind} in these data"
    what = f"transformation '{name}'" if name else "answers"
    raise UserError(f"{data[0].path}: no {what}{clause}. Change --transformation or --kind.")


def _transformations(data: HumanData) -> list[str]:
    return [data.transformation] if isinstance(data, Binned) else data.transformations()


def _named(known: Sequence[str], wanted: Wanted) -> list[str]:
    if wanted.transformation is None:
        return list(known)
    return [one for one in known if one.lower() == wanted.transformation.lower()]
