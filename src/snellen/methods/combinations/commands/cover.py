"""`snellen cover`: build or check a covering array of label combinations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.methods.combinations.covering.covering_array import CoveringArray


@listed_under(HelpGroup.DEEPER)
def cover(
    labels: Annotated[
        str | None, typer.Option("--labels", help="Number of labels, or a file with one per line.")
    ] = None,
    strength: Annotated[
        int, typer.Option("--strength", help="Labels per combination: 2 for pairs.")
    ] = 2,
    max_present: Annotated[
        int, typer.Option("--max-present", help="Most labels present per row.")
    ] = 4,
    forbid: Annotated[
        Path | None,
        typer.Option(
            "--forbid", help="A file of label sets that never occur together, one per line."
        ),
    ] = None,
    must_include: Annotated[
        Path | None, typer.Option("--must-include", help="A CSV file of rows to include.")
    ] = None,
    exclusive: Annotated[
        str, typer.Option("--exclusive", help="Groups of mutually exclusive labels: a,b;c,d,e.")
    ] = "",
    implies: Annotated[
        str, typer.Option("--implies", help="Labels that need others: a:b;c:d,e (if a, then b).")
    ] = "",
    strength_on: Annotated[
        list[str] | None,
        typer.Option("--strength-on", help="A higher strength for some labels: a,b,c,d:3."),
    ] = None,
    extend: Annotated[
        Path | None, typer.Option("--extend", help="A CSV file of an array to extend.")
    ] = None,
    rows: Annotated[int | None, typer.Option("--rows", help="Maximum number of rows.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 1,
    effort: Annotated[str, typer.Option("--effort", help="quick, normal or thorough.")] = "normal",
    method: Annotated[
        str, typer.Option("--method", help="snellen, or as-published for comparison.")
    ] = "snellen",
    check: Annotated[
        Path | None, typer.Option("--check", help="Check this CSV file instead.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The file to write: .csv, or .sparse.csv to list labels."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a small covering array of labels.

    Its rows contain every combination of the given strength.
    """
    from snellen.errors import UserError
    from snellen.methods.combinations.covering.array_files import (
        combinations_in,
        groups_of,
        implications_of,
        labels_of,
        read_array,
        strength_of,
        write_array,
    )
    from snellen.methods.combinations.covering.cover import cover as covered

    constraints: dict[str, Any] = {
        "forbid": combinations_in(forbid) if forbid else (),
        "exclusive": groups_of(exclusive),
        "implies": implications_of(implies),
        "strength_on": dict(strength_of(one) for one in strength_on or ()),
    }
    if check is not None:
        _check(check, labels, strength, max_present, constraints, as_json)
        return
    if labels is None or out is None:
        raise UserError(
            "cover: needs --labels and --out, or --check FILE. See: snellen cover --help"
        )
    given = labels_of(labels)
    names = [str(i) for i in range(given)] if isinstance(given, int) else given
    array = covered(
        given,
        strength,
        max_present,
        **constraints,
        must_include=read_array(must_include, names)[1] if must_include else (),
        extend=read_array(extend, names)[1] if extend else None,
        rows=rows,
        seed=seed,
        effort=effort,
        method=method,
    )
    write_array(out, array.names, array.members)
    _print(array, out, as_json)


def _check(
    path: Path,
    labels: str | None,
    strength: int,
    most: int,
    constraints: dict[str, Any],
    as_json: bool,
) -> None:
    from snellen.errors import FINE, VIOLATED
    from snellen.methods.combinations.covering.array_check import check_array
    from snellen.methods.combinations.covering.array_files import labels_of, read_array

    given = labels_of(labels) if labels else None
    names = [str(i) for i in range(given)] if isinstance(given, int) else given
    head, array = read_array(path, names)
    found = check_array(head, array, strength, most, **constraints)
    if as_json:
        typer.echo(json.dumps(found.as_json(), indent=1))
    else:
        typer.echo(f"{path}: {len(array)} rows; {found.summary()}")
        for line in found.lines():
            typer.echo(f"  {line}")
    raise typer.Exit(FINE if found.complete else VIOLATED)


def _print(array: CoveringArray, out: Path, as_json: bool) -> None:
    if as_json:
        facts = {
            "rows": len(array.members),
            "bound": array.bound,
            "gap": round(array.gap, 6),
            "complete": array.complete,
            "combinations": array.combinations,
            "missing": array.missing,
            "infeasible": array.infeasible,
            "implied": array.implied,
            "seconds": round(array.seconds, 3),
            "method": array.method,
            "out": str(out),
        }
        typer.echo(json.dumps(facts, indent=1))
        return
    state = "complete" if array.complete else f"{array.missing} combinations not covered"
    typer.echo(f"{len(array.members)} rows (lower bound {array.bound}), {state}: {out}")
    for one in array.infeasible:
        typer.echo(f"  infeasible because of constraints: {', '.join(one)}")
    for first, second in array.implied:
        typer.echo(f"  infeasible because of constraints: {first} without {second}")
    if not array.complete:
        typer.echo(f"list them: snellen cover --check {out} with the same options")
