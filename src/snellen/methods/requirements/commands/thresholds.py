"""`snellen thresholds`: the visual change that people tolerate, from their answers."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.methods.human.estimate import HumanEstimate


class Procedure(StrEnum):
    """The published estimation procedures."""

    icraf = "icraf"
    decompovision = "decompovision"
    psychometric = "psychometric"


class CurveForm(StrEnum):
    """The form of the psychometric curve."""

    gauss = "gauss"
    weibull = "weibull"


class ThresholdKind(StrEnum):
    """What must be preserved: correctness, or the answer to the unchanged image."""

    correctness = "correctness"
    preservation = "preservation"


class HumanTask(StrEnum):
    """The task that people performed."""

    classification = "classification"
    detection = "detection"
    segmentation = "segmentation"


@listed_under(HelpGroup.DEEPER)
def thresholds(
    data: Annotated[
        Path,
        typer.Argument(
            help="A study folder, a CSV file of bins or answers, or a folder of MTurk exports."
        ),
    ],
    procedure: Annotated[
        Procedure | None,
        typer.Option(
            "--procedure",
            help="Estimation procedure; default: psychometric for a study, decompovision for "
            "boxes, else icraf.",
        ),
    ] = None,
    task: Annotated[
        HumanTask | None, typer.Option("--task", help="The task that people performed.")
    ] = None,
    transformation: Annotated[
        str | None, typer.Option("--transformation", help="Only this transformation.")
    ] = None,
    kind: Annotated[ThresholdKind | None, typer.Option("--kind", help="Only this kind.")] = None,
    label: Annotated[str, typer.Option("--label", help="The class, or 'any'.")] = "any",
    p0: Annotated[
        float | None,
        typer.Option("--p0", min=0, max=1, help="Baseline rate; default: from the data."),
    ] = None,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Reproduce the published code, defects included.")
    ] = False,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="icraf: only lower rates count as failing.")
    ] = False,
    weighted: Annotated[
        bool, typer.Option("--weighted", help="icraf: weight bins by their number of answers.")
    ] = False,
    measure: Annotated[
        str | None, typer.Option("--measure", help="The measure of visual change in the data.")
    ] = None,
    annotations: Annotated[
        Path | None,
        typer.Option(
            "--annotations",
            help="MTurk exports: Pascal VOC folder of the originals; default: beside them.",
        ),
    ] = None,
    curve: Annotated[
        CurveForm, typer.Option("--curve", help="psychometric: form of the curve.")
    ] = CurveForm.gauss,
    fall: Annotated[
        float,
        typer.Option(
            "--fall",
            min=0.01,
            max=0.9,
            help="psychometric: share of what people recognise unchanged that is lost at the "
            "threshold.",
        ),
    ] = 0.1,
    replicates: Annotated[
        int, typer.Option("--replicates", min=10, help="Number of bootstrap replicates.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 1,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="The plot to write (.svg or .html).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Estimate the visual change that people tolerate.

    With its interval.
    """
    from snellen.methods.human.answers.answer_files import read_all_human
    from snellen.methods.human.estimate import EstimateRequest
    from snellen.methods.human.estimation import all_estimates
    from snellen.methods.human.human_formats import human_format

    wanted = EstimateRequest(
        procedure=procedure.value if procedure else None,
        transformation=transformation,
        kind=kind.value if kind else None,
        task=task.value if task else None,
        label=label,
        p0=p0,
        as_published=as_published,
        one_sided=one_sided,
        weighted=weighted,
        measure=measure,
        replicates=replicates,
        seed=seed,
        curve=curve.value,
        fall=fall,
    )
    form = human_format(data)
    if form is not None:
        found = form.estimates(data, wanted)
    else:
        found = all_estimates(read_all_human(data, annotations), wanted)
    if plot is not None:
        from snellen.methods.human.human_plot import write_human_plot

        write_human_plot(plot, found)
    if as_json:
        items = [one.to_json() for one in found]
        typer.echo(json.dumps(items[0] if len(items) == 1 else {"thresholds": items}, indent=1))
        return
    for one in found:
        _print(one)
    for note in dict.fromkeys(note for one in found for note in _notes(one)):
        typer.echo(f"note: {note}")
    if plot is not None:
        typer.echo(f"plot: {plot}")


def _print(one: HumanEstimate) -> None:
    label = "" if one.request.label == "any" else f"{one.request.label}, "
    typer.echo(f"{label}{one.transformation}, {one.kind}: {one.composed.words()}")
    if one.task != "classification":
        for name, part in one.subtasks.items():
            typer.echo(f"  {name}: {part.words()}")
    if one.direct is not None:
        typer.echo(f"  whole task, estimated directly: {one.direct.words()}")
    if one.own is not None:
        typer.echo(f"  by our own estimator: {one.own.composed.words()}")
        for name, part in one.own.subtasks.items() if len(one.own.subtasks) > 1 else ():
            typer.echo(f"    {name}: {part.words()}")
    for other in one.others:
        typer.echo(f"  by {other.request.procedure}: {other.composed.words()}")
        for name, part in other.subtasks.items() if len(other.subtasks) > 1 else ():
            typer.echo(f"    {name}: {part.words()}")


def _notes(one: HumanEstimate) -> list[str]:
    from snellen.methods.human.estimate import measure_note
    from snellen.methods.human.threshold import notes

    curves = [curve for part in one.subtasks.values() for curve in part.curves]
    said = [f"{one.transformation}, {note}" for curve in curves for note in notes(curve)]
    return [*said, *one.reasons, *one.remarks, *filter(None, [measure_note(one.measure)])]
