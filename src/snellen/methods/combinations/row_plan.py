"""The rows of a run: the labels of each, and their coverage."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.combinations.array_cache import cached_array
from snellen.methods.combinations.covering.array_files import read_array
from snellen.methods.combinations.covering.cover import cover, missing_of
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.options import CombinationOptions
from snellen.objects.label_names import plain_name
from snellen.vision.arrays import Bools


@dataclass(frozen=True, eq=False)
class RowPlan:
    """The rows to compose, and their coverage.

    rows: the ids of the labels present in each, sorted; the empty row is always included.
    left_out: rows of a given array that show a label without objects. facts: for the journal.
    """

    rows: tuple[tuple[int, ...], ...]
    left_out: int
    facts: dict[str, Any]


def label_ids(wanted: Sequence[str], classes: Sequence[str], where: str) -> list[int]:
    """The ids of labels by name, ignoring spelling variants; all where none is named."""
    known = {plain_name(name): id for id, name in enumerate(classes)}
    for name in wanted:
        if plain_name(name) not in known:
            clause = nearest(name, list(classes))
            raise UserError(f"{where}: the subject has no label '{name}'{clause}")
    chosen = {known[plain_name(name)] for name in wanted}
    return sorted(chosen) if wanted else list(range(len(classes)))


def plan_rows(
    options: CombinationOptions,
    classes: Sequence[str],
    usable: Collection[int],
    seed: int,
    folder: Path,
) -> RowPlan:
    """The rows over the labels wanted; usable: the ids of labels that have objects.

    A label without objects is absent from every row, so combinations with it are not covered.
    """
    labels = label_ids(options.labels, classes, "combinations.labels")
    there = [one for one in labels if one in usable]
    if options.array is not None:
        whole, bound = _given(folder / options.array, classes), None
        labels = sorted({int(one) for one in np.flatnonzero(whole.any(axis=0))} | set(labels))
    else:
        whole, bound = _covered(options, classes, there, seed)
    missing = np.ones(len(classes), dtype=bool)
    missing[list(usable)] = False
    showable = ~(whole & missing).any(axis=1)
    kept = whole[showable]
    most = max(int(whole.sum(axis=1).max(initial=1)), 1) if bound is None else options.max_present
    names = [classes[one] for one in labels]
    facts = _coverage(options, names, classes, kept[:, labels], most, bound)
    rows = [tuple(int(one) for one in np.flatnonzero(row)) for row in kept]
    if () not in rows:
        rows.append(())
    return RowPlan(tuple(dict.fromkeys(rows)), int((~showable).sum()), facts)


def _covered(
    options: CombinationOptions, classes: Sequence[str], labels: Sequence[int], seed: int
) -> tuple[Bools, int]:
    """A covering array over all of the subject's labels, and the lower bound on its rows."""
    if len(labels) < options.strength:
        raise UserError(
            f"combinations: {len(labels)} labels have a usable object, but combinations of "
            f"{options.strength} were requested. Run `snellen objects validate` to see why objects "
            "are rejected, or give more objects."
        )
    names = [classes[one] for one in labels]
    asked: dict[str, Any] = {
        "labels": names,
        "strength": options.strength,
        "max_present": options.max_present,
        **_constraints(options, names, classes),
        "seed": seed,
        "effort": options.effort,
        "rows": options.rows,
        "method": "as-published" if options.as_published else "snellen",
    }
    rows, bound = cached_array(asked, lambda: cover(**asked))
    whole = np.zeros((len(rows), len(classes)), dtype=bool)
    whole[:, list(labels)] = rows
    return whole, bound


def _constraints(
    options: CombinationOptions, names: Sequence[str], classes: Sequence[str]
) -> dict[str, Any]:
    """The constraints on these labels.

    A label that needs one that is not among them cannot be shown.
    """
    forbid = _among(options.forbid, names, classes)
    implies = {}
    for label, others in options.implies.items():
        one, *more = (
            classes[label_ids([name], classes, "combinations.implies")[0]]
            for name in (label, *others)
        )
        if one in names and set(more) <= set(names):
            implies[one] = more
        elif one in names:
            forbid.append([one])
    exclusive = _among(options.exclusive, names, classes, rest=True)
    return {"forbid": forbid, "exclusive": exclusive, "implies": implies}


def _among(
    groups: Sequence[Sequence[str]],
    names: Sequence[str],
    classes: Sequence[str],
    *,
    rest: bool = False,
) -> list[list[str]]:
    """The constraints restricted to these labels; rest: keep incomplete groups."""
    found = []
    for group in groups:
        ids = label_ids(group, classes, "combinations.exclusive" if rest else "combinations.forbid")
        kept = [classes[one] for one in ids if classes[one] in names]
        if len(kept) == len(ids) or (rest and len(kept) > 1):
            found.append(kept)
    return found


def _given(path: Path, classes: Sequence[str]) -> Bools:
    names, rows = read_array(path)
    ids = [label_ids([name], classes, str(path))[0] for name in names]
    if len(set(ids)) != len(ids):
        raise UserError(f"{path}: a label has two columns. Give each label one column.")
    whole = np.zeros((len(rows), len(classes)), dtype=bool)
    whole[:, ids] = rows
    return whole


def _coverage(
    options: CombinationOptions,
    names: list[str],
    classes: Sequence[str],
    rows: Bools,
    most: int,
    bound: int | None,
) -> dict[str, Any]:
    """How many combinations of label values the rows cover."""
    problem = problem_of(names, options.strength, most, **_constraints(options, names, classes))
    bare = np.zeros((1, len(names)), dtype=bool)
    missing = sum(1 for _ in missing_of(problem, np.concatenate([rows, bare])))
    total = problem.combinations()
    return {
        "rows": len(rows),
        "bound": bound,
        "strength": options.strength,
        "max_present": most,
        "combinations": total,
        "covered": total - missing,
        "uncovered": missing,
    }
