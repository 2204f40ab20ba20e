"""`snellen export`: a run as tables, or its failures as a data set."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.errors import UserError
from snellen.terminal.options import Trusts
from snellen.terminal.output_file import refuse_full

if TYPE_CHECKING:
    from snellen.repair.data_split.leakage import DataPart, SimilarPictures
    from snellen.repair.retraining.retraining_set import RetrainingSet


class ExportFormat(StrEnum):
    """The formats of a set."""

    coco = "coco"
    yolo = "yolo"
    kitti = "kitti"
    voc = "voc"


class ExportTarget(StrEnum):
    """What `--to` names: a format of tables, or of a data set."""

    parquet = "parquet"
    csv = "csv"
    coco = "coco"
    yolo = "yolo"
    kitti = "kitti"
    voc = "voc"
    fiftyone = "fiftyone"


TABLES = (ExportTarget.parquet, ExportTarget.csv)


class ExportPlaces(StrEnum):
    """Which failing places are used."""

    clusters = "clusters"
    failing = "failing"


class ExportScenes(StrEnum):
    """Which scenes are used."""

    failing = "failing"
    tested = "tested"


def export(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="The new folder.", show_default=False)],
    to: Annotated[
        ExportTarget | None,
        typer.Option("--to", help="parquet, csv: tables; fiftyone; else failures as a data set."),
    ] = None,
    retrain: Annotated[
        bool,
        typer.Option("--retrain", help="A set to retrain on; otherwise each failing case."),
    ] = False,
    format: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="As --to; default: kitti for LiDAR frames, else coco."),
    ] = None,
    failing: Annotated[
        int, typer.Option("--failing", min=0, help="Failing places per picture.")
    ] = 3,
    random: Annotated[
        int, typer.Option("--random", min=0, help="Random free places per picture.")
    ] = 0,
    at: Annotated[
        ExportPlaces, typer.Option("--at", help="Failing places to use: clusters first, or any.")
    ] = ExportPlaces.clusters,
    among: Annotated[
        ExportScenes,
        typer.Option("--among", help="Scenes with a failing case, or all tested scenes."),
    ] = ExportScenes.failing,
    pictures: Annotated[
        int, typer.Option("--pictures", min=1, help="Most pictures per scene.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 1,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Do not label inserted objects.")
    ] = False,
    pseudo_labels: Annotated[
        bool,
        typer.Option(
            "--pseudo-labels",
            help="Label scenes without annotations with the subject's own detections.",
        ),
    ] = False,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            "--against",
            help="A YAML file of held-out scenes (and objects) to check for leakage; repeatable.",
        ),
    ] = None,
    ids_may_repeat: Annotated[
        bool, typer.Option("--ids-may-repeat", help="Do not treat equal scene ids as leakage.")
    ] = False,
    trust: Trusts = False,
) -> None:
    """Write a run as tables, or its failures as a data set.

    With --retrain, the data set is one to retrain on.
    """
    del trust  # decided when it was read
    refuse_full(out)
    if to in TABLES:
        _refuse_set_options(to, retrain=retrain, format=format, against=against)
        _export_tables(run, out, to.value)
        return
    if to == ExportTarget.fiftyone:
        _refuse_set_options(to, retrain=retrain, format=format, against=against)
        _export_fiftyone(run, out)
        return
    format = _one_format(to, format)
    from snellen.repair.retraining.set_writer import write_retraining_set

    values = {
        "failing": failing,
        "random": random,
        "at": at.value,
        "among": among.value,
        "pictures": pictures,
        "seed": seed,
        "label_inserted": not as_published,
        "pseudo_labels": pseudo_labels,
    }
    found, own = _made(run, values, retrain=retrain)
    kind = _format(found, format)
    if as_published:
        _refuse_unlabelled(found.run["method"])
    _refuse_copies(found, run)
    parts, alike = _checked(own, against or [], by_id=not ids_may_repeat)
    write_retraining_set(found, out, kind, against=parts, alike=alike)
    _print(found, out, kind, alike)


def _refuse_set_options(
    to: ExportTarget, *, retrain: bool, format: ExportFormat | None, against: list[Path] | None
) -> None:
    given = {"--retrain": retrain, "--format": format, "--against": against}
    wrong = [name for name, value in given.items() if value]
    if wrong:
        raise UserError(
            f"--to {to.value} writes {_content(to)} of the whole run and cannot be combined with "
            f"{', '.join(wrong)}. Omit it, or choose --to coco, yolo, kitti or voc."
        )


def _content(to: ExportTarget) -> str:
    return "tables" if to in TABLES else "the findings"


def _export_fiftyone(run: Path, out: Path) -> None:
    from snellen.session.run import open_run

    count = open_run(run).to_fiftyone(out)
    typer.echo(f"{count} findings, as samples of FiftyOne")
    typer.echo(f"written to {out}; open it with fiftyone.types.FiftyOneDataset")


def _export_tables(run: Path, out: Path, format: str) -> None:
    from snellen.report.exported_tables import write_tables

    counts = write_tables(run, out, format)
    typer.echo(", ".join(f"{count} {name}" for name, count in counts.items()) + f", as {format}")
    typer.echo(f"written to {out}")


def _one_format(to: ExportTarget | None, format: ExportFormat | None) -> ExportFormat | None:
    if to is None:
        return format
    if format is not None and format.value != to.value:
        raise UserError(
            f"--to {to.value} and --format {format.value} name different formats. Give only --to."
        )
    return ExportFormat(to.value)


def _made(run: Path, values: dict[str, Any], *, retrain: bool) -> tuple[RetrainingSet, DataPart]:

    from snellen.configuration import parse
    from snellen.repair.data_split.leakage import DataPart
    from snellen.repair.retraining.options import RetrainingOptions
    from snellen.repair.retraining.set_maker import finding_set, retraining_set
    from snellen.report.reopened_run import reopened
    from snellen.store.opened_journal import opened_journal

    options = parse(RetrainingOptions, values, "export")
    with opened_journal(run) as journal, reopened(run, journal) as opened:
        make = retraining_set if retrain else finding_set
        found = make(journal, opened, options)
        return found, DataPart(f"the run {run}", tuple(opened.scenes.values()), found.objects)


def _refuse_unlabelled(method: str) -> None:
    from snellen.methods.kind import METHODS

    ability = METHODS.load(method).repairs
    if ability is not None and not ability.unlabelled_as_published:
        raise UserError(
            "--as-published leaves inserted objects unlabelled, as MetaOD does. The publication of "
            f"method {method} labels them. Omit the option."
        )


def _refuse_copies(found: RetrainingSet, run: Path) -> None:
    from snellen.repair.data_split.leakage import DataPart, refuse_copies

    used = {one.source.id: one.source for one in found.pictures}
    refuse_copies(DataPart(f"the run {run}", tuple(used.values())))


def _format(found: RetrainingSet, given: ExportFormat | None) -> str:
    if given is not None:
        return given.value
    return "kitti" if _has_frames(found) else "coco"


def _has_frames(found: RetrainingSet) -> bool:
    return any(one.sweep is not None for one in found.scenes)


def _checked(
    own: DataPart, against: list[Path], *, by_id: bool
) -> tuple[list[DataPart], list[SimilarPictures]]:
    if not against:
        return [], []
    from snellen.repair.data_split.held_out_file import held_out_part
    from snellen.repair.data_split.leakage import near_duplicates, refuse_leaks
    from snellen.terminal.progress import progress_counter

    others = [held_out_part(file) for file in against]
    refuse_leaks([own, *others], by_id=by_id)
    with progress_counter("pictures compared") as progress:
        return others, near_duplicates([own, *others], progress)


def _print(found: RetrainingSet, out: Path, kind: str, alike: list[SimilarPictures]) -> None:
    scenes = len({one.source.id for one in found.pictures})
    inserted = sum(len(one.inserted) for one in found.pictures)
    typer.echo(
        f"{len(found.pictures)} pictures of {scenes} scenes with {inserted} insertions, as {kind}"
    )
    if found.left_out:
        typer.echo(
            f"{len(found.left_out)} scenes gave no picture; see {out / 'manifest.json'} for reasons"
        )
    if alike:
        typer.echo(f"{len(alike)} near-duplicate pairs of pictures between sets; see the manifest")
    typer.echo(f"written to {out}; described in {out / 'README.md'}")
