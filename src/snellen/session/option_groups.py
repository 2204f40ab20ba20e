"""The options of a test, sorted by what they belong to: method, engine or subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from snellen.engine.options import EngineOptions
from snellen.errors import UserError, nearest
from snellen.methods.kind import METHODS, MethodKind

Values = dict[str, Any]


@dataclass(frozen=True)
class OptionGroups:
    """The options of a method, of the engine and of the subject."""

    method: Values
    engine: Values
    subject: Values


def option_groups(
    method: str, options: Mapping[str, Any], subject_options: Iterable[str]
) -> OptionGroups:
    """Options by the first group that has the name: method, engine, subject.

    options: also `engine`, `subject_options` and the method's name, each a mapping of its group, as
    in a configuration. subject_options: the names of the subject's.
    """
    kind: MethodKind = METHODS.load(METHODS.check(method, "method"))
    given = dict(options)
    groups = OptionGroups(
        _mapping(given, method), _mapping(given, "engine"), _mapping(given, "subject_options")
    )
    names = {
        "method": set(kind.options.model_fields),
        "engine": set(EngineOptions.model_fields) - {"kind"},
        "subject": set(subject_options) - {"kind"},
    }
    for name, value in given.items():
        group = next((one for one, known in names.items() if name in known), None)
        if group is None:
            raise UserError(
                f"{name}: is an option of neither the method {method}, the engine nor the subject"
                f"{nearest(name, set().union(*names.values()))}"
            )
        getattr(groups, group)[name] = value
    return groups


def _mapping(given: Values, name: str) -> Values:
    value = given.pop(name, None)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UserError(f"{name}: found {value!r}, expected a mapping of options.")
    return dict(value)
