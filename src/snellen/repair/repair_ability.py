"""The abilities of a method that repair needs."""

from __future__ import annotations

from pathlib import Path

from snellen.contract.repairs import Repairs, Retrains
from snellen.errors import UserError
from snellen.methods.kind import METHODS, kinds_offering


def retrains_of(method: str, run: Path) -> Retrains:
    """The method's ability for retraining sets; an error if it has none.

    run: the folder that the error names.
    """
    found = METHODS.load(method).repairs
    if found is None:
        raise UserError(nothing_inserted(method, run))
    assert isinstance(found, Retrains)
    return found


def nothing_inserted(method: str, run: Path) -> str:
    """The error for a run without insertions for a retraining set."""
    return (
        f"{run}: method {method} inserts no objects, which a retraining set needs. Use a run of "
        f"{either(kinds_offering(Retrains))}."
    )


def repairs_of(method: str, run: Path) -> Repairs:
    """The method's ability for repair; an error if it has none.

    run: the folder that the error names.
    """
    found = METHODS.load(method).repairs
    if not isinstance(found, Repairs):
        raise UserError(
            f"{run}: is a run of method {method}; a repair is evaluated on runs of "
            f"{either(kinds_offering(Repairs))}. Pass one of those."
        )
    return found


def either(names: list[str]) -> str:
    """Names as a choice, in words.

    >>> either(["one", "two", "three"]), either(["one"])
    ('one, two or three', 'one')
    """
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
