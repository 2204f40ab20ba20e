"""`snellen visual-change`: the visual change between two images."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json


@listed_under(HelpGroup.DEEPER)
def visual_change(
    reference: Annotated[Path, typer.Argument(help="The original image.", show_default=False)],
    image: Annotated[Path, typer.Argument(help="The changed image.", show_default=False)],
    measure: Annotated[
        str,
        typer.Option(
            "--measure", help='vifp, vifvec, ssim, rmse; with parameters "vifp(sigma_nsq=0.4)".'
        ),
    ] = "vifp",
    as_json: Json = False,
) -> None:
    """Measure the visual change of an image: 0 none, 1 all lost."""
    from snellen.errors import UserError
    from snellen.scenes.pictures import read_picture
    from snellen.vision.visual_change.measure import delta_v
    from snellen.vision.visual_change.registry import visual_measure

    chosen = visual_measure(measure, "--measure")
    before, after = read_picture(reference), read_picture(image)
    try:
        likeness = chosen.against(before)(after)
    except UserError as error:
        raise UserError(f"{reference} and {image}: {error}") from None
    found: dict[str, Any] = {
        "delta_v": delta_v(likeness),
        chosen.score: likeness,
        "measure": chosen.identity,
        "name": chosen.name,
        "parameters": chosen.parameters,
    }
    typer.echo(json.dumps(found, indent=2) if as_json else _text(found, chosen.score))


def _text(found: dict[str, Any], score: str) -> str:
    return (
        f"delta_v {found['delta_v']:.4f}  (0: identical; 1: everything lost)\n"
        f"{score} {found[score]:.4f}\n"
        f"measure {found['measure']}"
    )
