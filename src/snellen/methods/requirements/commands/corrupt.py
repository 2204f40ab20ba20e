"""`snellen corrupt`: corrupt one image by hand, as a run would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.errors import UserError
from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json
from snellen.terminal.output_file import output_file, refuse_overwriting

if TYPE_CHECKING:
    from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
    from snellen.scenes.scene import Scene


def _print_kinds(requested: bool) -> None:
    if requested:
        from snellen.changes.corruptions.registry import CORRUPTIONS

        typer.echo("\n".join(CORRUPTIONS.kinds()))
        raise typer.Exit


@listed_under(HelpGroup.DEEPER)
def corrupt(
    image: Annotated[Path, typer.Argument(help="An image file.", show_default=False)],
    kind: Annotated[
        str, typer.Option("--kind", help="Kind of corruption, such as frost; see --list.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The file to write, .png or .jpg.")],
    level: Annotated[
        float | None, typer.Option("--level", help="Level, 0 (unchanged) to 1.")
    ] = None,
    delta_v: Annotated[
        float | None, typer.Option("--delta-v", help="Visual change, 0 to 1.")
    ] = None,
    severity: Annotated[
        int | None, typer.Option("--severity", help="ImageNet-C severity, 1 to 5.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    measure: Annotated[
        str,
        typer.Option("--measure", help="Measure of visual change, such as 'vifp(sigma_nsq=0.4)'."),
    ] = "vifp",
    as_json: Json = False,
    listed: Annotated[
        bool,
        typer.Option(
            "--list", callback=_print_kinds, is_eager=True, help="Print the kinds and exit."
        ),
    ] = False,
) -> None:
    """Corrupt one image, as a run would.

    Prints the level and the visual change.
    """
    from snellen.scenes.scene import PictureArray, PictureFile, Scene

    del listed
    amount = _amount(level, delta_v, severity)
    refuse_overwriting(out, image)
    pixels = PictureFile(image).pixels()
    scene = Scene(str(image), PictureArray(pixels), (pixels.shape[0], pixels.shape[1]))
    result = _corrupted(scene, _recipe(kind, amount, measure, seed), measure, out)
    typer.echo(json.dumps(result, indent=1) if as_json else _text(result))


def _amount(level: float | None, delta_v: float | None, severity: int | None) -> tuple[str, float]:
    """The one option of the three that was passed, and its value."""
    given = {"--level": level, "--delta-v": delta_v, "--severity": severity}
    found = [(name, value) for name, value in given.items() if value is not None]
    if len(found) != 1:
        names = " and ".join(name for name, _ in found) or "none"
        raise UserError(
            f"amount: found {names}, expected one of --level, --delta-v and --severity. "
            "Pass one of them, such as --severity 3."
        )
    return found[0]


def _recipe(kind: str, amount: tuple[str, float], measure: str, seed: int) -> Corrupt | CorruptTo:
    from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
    from snellen.changes.corruptions.corruption import SEVERITIES
    from snellen.changes.corruptions.registry import CORRUPTIONS

    CORRUPTIONS.check(kind, "--kind")
    name, value = amount
    if name == "--delta-v":
        return CorruptTo(kind, value, measure, seed)
    if name == "--level":
        return Corrupt(kind, value, seed)
    if value not in range(1, 6):
        raise UserError(f"--severity: found {value}, expected an integer from 1 to 5.")
    return Corrupt(kind, SEVERITIES[int(value) - 1], seed, int(value))


def _corrupted(
    scene: Scene, recipe: Corrupt | CorruptTo, measure: str, out: Path
) -> dict[str, Any]:
    """Write the case; returns its facts, with the measured visual change."""
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
    result = {
        "kind": recipe.corruption,
        "level": recipe.level_in(scene) if isinstance(recipe, CorruptTo) else recipe.level,
        "delta_v": round(measured.compare(scene.pixels(), case), 6),
        "measure": measured.identity,
        "seed": recipe.seed,
        "out": str(out),
    }
    if isinstance(recipe, CorruptTo):
        result["wanted"] = recipe.delta_v
        result["reach"] = recipe.calibration(scene).reach
    return result


def _text(result: dict[str, Any]) -> str:
    lines = [
        f"{result['kind']} at level {result['level']:.4f}, seed {result['seed']}",
        f"  delta_v {result['delta_v']:.4f} by {result['measure']}  (0: identical; 1: all lost)",
    ]
    if result.get("wanted", 0) > result.get("reach", 1):
        lines.append(
            f"  {result['wanted']:g} is not reachable; the maximum is {result['reach']:.4f}"
        )
    return "\n".join([*lines, f"written to {result['out']}"])
