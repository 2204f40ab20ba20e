"""The abilities that repair needs of a method, found by asking its kind."""

from __future__ import annotations

from pathlib import Path

from snellen.contract.repairs import Repairs, Retrains
from snellen.errors import UserError
from snellen.methods.kind import METHODS, kinds_offering


def retrains_of(method: str, run: Path) -> Retrains:
    """What retraining sets may ask of the method of a run; an error if it does not offer it.

    run: the folder that the error names.
    """
    found = METHODS.load(method).repairs
    if found is None:
        raise UserError(nothing_inserted(method, run))
    assert isinstance(found, Retrains)
    return found


def nothing_inserted(method: str, run: Path) -> str:
    """That there is nothing to make a retraining set of, and which methods have it."""
    return (
        f"{run}: method {method} inserts no objects, which a retraining set needs. Use a run of "
        f"{either(kinds_offering(Retrains))}."
    )


def repairs_of(method: str, run: Path) -> Repairs:
    """What repair may ask of the method of a run; an error if it does not offer it.

    run: the folder that the error names.
    """
    found = METHODS.load(method).repairs
    if not isinstance(found, Repairs):
        raise UserError(
            f"{run}: is a run of method {method}; a repair is evaluated on runs of "
            f"{either(kinds_offering(Repairs))}. Give one of those."
        )
    return found


def either(names: list[str]) -> str:
    """Names as a choice, in words.

    >>> either(["one", "two", "three"]), either(["one"])
    ('one, two or three', 'one')
    """
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
