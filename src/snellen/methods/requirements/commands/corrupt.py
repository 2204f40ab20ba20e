"""Corrupt an image by hand, to see what a run would do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.errors import UserError
from snellen.terminal.options import Json
from snellen.terminal.output_file import output_file, refuse_overwriting

if TYPE_CHECKING:
    from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
    from snellen.scenes.scene import Scene


def _list(asked: bool) -> None:
    if asked:
        from snellen.changes.corruptions.registry import CORRUPTIONS

        typer.echo("\n".join(CORRUPTIONS.kinds()))
        raise typer.Exit


def corrupt(
    image: Annotated[Path, typer.Argument(help="An image file.", show_default=False)],
    kind: Annotated[str, typer.Option("--kind", help="Such as frost; --list names them all.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write, .png or .jpg.")],
    level: Annotated[
        float | None, typer.Option("--level", help="How much, 0 (nothing) to 1.")
    ] = None,
    delta_v: Annotated[
        float | None, typer.Option("--delta-v", help="How much visual change, 0 to 1.")
    ] = None,
    severity: Annotated[
        int | None, typer.Option("--severity", help="How much as ImageNet-C counts, 1 to 5.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="What is random in it.")] = 0,
    measure: Annotated[
        str, typer.Option("--measure", help="Of visual change, such as 'vifp(sigma_nsq=0.4)'.")
    ] = "vifp",
    as_json: Json = False,
    listed: Annotated[
        bool,
        typer.Option("--list", callback=_list, is_eager=True, help="Print the kinds, and end."),
    ] = False,
) -> None:
    """Corrupt one image, as a run would, and say at which level and by how much visual change."""
    from snellen.scenes.scene import PictureArray, PictureFile, Scene

    del listed
    amount = _amount(level, delta_v, severity)
    refuse_overwriting(out, image)
    pixels = PictureFile(image).pixels()
    scene = Scene(str(image), PictureArray(pixels), (pixels.shape[0], pixels.shape[1]))
    told = _corrupted(scene, _recipe(kind, amount, measure, seed), measure, out)
    typer.echo(json.dumps(told, indent=1) if as_json else _told(told))


def _amount(level: float | None, delta_v: float | None, severity: int | None) -> tuple[str, float]:
    """Which one of the three was given, and its value."""
    given = {"--level": level, "--delta-v": delta_v, "--severity": severity}
    found = [(name, value) for name, value in given.items() if value is not None]
    if len(found) != 1:
        names = " and ".join(name for name, _ in found) or "none"
        raise UserError(
            f"how much: found {names}, expected one of --level, --delta-v and --severity. "
            "Give the one you want, such as --severity 3."
        )
    return found[0]


def _recipe(kind: str, amount: tuple[str, float], measure: str, seed: int) -> Corrupt | CorruptTo:
    from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
    from snellen.changes.corruptions.registry import CORRUPTIONS, corruption

    CORRUPTIONS.check(kind, "--kind")
    name, value = amount
    if name == "--delta-v":
        return CorruptTo(kind, value, measure, seed)
    if name == "--level":
        return Corrupt(kind, value, seed)
    if value not in range(1, 6):
        raise UserError(f"--severity: found {value}, expected a whole number from 1 to 5.")
    return Corrupt(kind, corruption(kind).severities[int(value) - 1], seed)


def _corrupted(
    scene: Scene, recipe: Corrupt | CorruptTo, measure: str, out: Path
) -> dict[str, Any]:
    """Write the case; what it is, and the visual change that it really has."""
    from snellen.changes.corruptions.corrupt import CorruptTo
    from snellen.scenes.pictures import write_picture
    from snellen.vision.visual_change.registry import visual_measure

    measured = visual_measure(measure, "--measure")
    try:
        case = recipe.build(scene, {})
    except UserError as error:
        raise UserError(f"{scene.id}: {error}") from None
    with output_file(out):
        write_picture(out, case)
    told = {
        "kind": recipe.corruption,
        "level": recipe.level_in(scene) if isinstance(recipe, CorruptTo) else recipe.level,
        "delta_v": round(measured.compare(scene.pixels(), case), 6),
        "measure": measured.identity,
        "seed": recipe.seed,
        "out": str(out),
    }
    if isinstance(recipe, CorruptTo):
        told["wanted"] = recipe.delta_v
        told["reach"] = recipe.calibration(scene).reach
    return told


def _told(told: dict[str, Any]) -> str:
    lines = [
        f"{told['kind']} at level {told['level']:.4f}, seed {told['seed']}",
        f"  delta_v {told['delta_v']:.4f} by {told['measure']}  (0: looks the same; 1: all lost)",
    ]
    if told.get("wanted", 0) > told.get("reach", 1):
        lines.append(f"  no level makes {told['wanted']:g} here; the most is {told['reach']:.4f}")
    return "\n".join([*lines, f"written to {told['out']}"])
