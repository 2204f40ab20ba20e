"""The registry of measures of visual change, including those of plug-ins."""

from __future__ import annotations

import re
from dataclasses import fields

from snellen.errors import UserError, nearest
from snellen.plugins import Registry
from snellen.vision.visual_change.measure import Number, VisualMeasure

VISUAL_MEASURES = Registry(
    "measure of visual change",
    "snellen.visual_measures",
    {
        "vifp": "snellen.vision.visual_change.built_in_measures:Vifp",
        "vifvec": "snellen.vision.visual_change.built_in_measures:Vifvec",
        "vifp_colour": "snellen.vision.visual_change.colour_vif:ColourVifp",
        "vifp_objects": "snellen.vision.visual_change.object_vif:ObjectVifp",
        "ssim": "snellen.vision.visual_change.built_in_measures:Ssim",
        "rmse": "snellen.vision.visual_change.built_in_measures:Rmse",
    },
)

DEFAULT = "vifp(sigma_nsq=2)"
"""The identity of the default measure."""

_IDENTITY = re.compile(r"\s*([\w.-]+)\s*(?:\((.*)\)\s*)?")


def visual_measure(identity: str, where: str = "measure") -> VisualMeasure:
    """The measure of an identity such as `vifp(sigma_nsq=0.4)`; `where` starts each message.

    Parameters that are not given take their defaults.

    >>> visual_measure("vifp").identity, visual_measure("ssim( window = 7 )").identity
    ('vifp(sigma_nsq=2)', 'ssim(window=7, sigma=1.5)')
    """
    found = _IDENTITY.fullmatch(identity)
    if found is None:
        raise UserError(
            f"{where}: found '{identity}', expected a name with parameters in brackets, such as "
            f"{DEFAULT}"
        )
    name, given = found[1], found[2]
    kind: type[VisualMeasure] = VISUAL_MEASURES.load(VISUAL_MEASURES.check(name, where))
    place = f"{where}: {name}"
    parameters = dict(_parameter(kind, text, place) for text in _split(given))
    try:
        return kind(**parameters)
    except UserError as error:
        raise UserError(f"{place}: {error}") from None


def _split(given: str | None) -> list[str]:
    return given.split(",") if given is not None and given.strip() else []


def _parameter(kind: type[VisualMeasure], text: str, place: str) -> tuple[str, Number]:
    """The name and value of a parameter, an integer if its default is one."""
    name, _, value = (part.strip() for part in text.partition("="))
    defaults = {field.name: field.default for field in fields(kind)}
    if name not in defaults:
        raise UserError(f"{place}: unknown parameter '{name}'{nearest(name, defaults)}")
    whole = isinstance(defaults[name], int)
    try:
        return name, int(value) if whole else float(value)
    except ValueError:
        expected = "a whole number" if whole else "a number"
        raise UserError(f"{place}: {name} is '{value}', expected {expected}") from None
