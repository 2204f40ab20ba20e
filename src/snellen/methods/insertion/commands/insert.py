"""`snellen insert`: build one case by hand, as a run would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.errors import UserError
from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.output_file import output_file, refuse_overwriting

if TYPE_CHECKING:
    from snellen.changes.paste.insert import Insert
    from snellen.objects.cutouts.cutout import Cutout


@listed_under(HelpGroup.DEEPER)
def insert(
    image: Annotated[Path, typer.Argument(help="The scene: an image file.", show_default=False)],
    object: Annotated[
        Path, typer.Option("--object", help="The cut-out: a PNG file with an alpha channel.")
    ],
    at: Annotated[
        str,
        typer.Option("--at", metavar="X,Y", help="Position of its top-left corner, in pixels."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The file to write, .png or .jpg.")],
    width: Annotated[
        int | None, typer.Option("--width", help="Width in pixels; default: that of the cut-out.")
    ] = None,
    height: Annotated[
        int | None, typer.Option("--height", help="Height in pixels; default: by the width.")
    ] = None,
    blending: Annotated[
        str, typer.Option("--blending", help="feather, hard, poisson, matched or natural.")
    ] = "feather",
    feather: Annotated[
        float, typer.Option("--feather", min=0, help="Width of the soft edge, in pixels.")
    ] = 1.5,
    shadow: Annotated[
        float, typer.Option("--shadow", min=0, max=1, help="Light that a contact shadow takes.")
    ] = 0.0,
    label: Annotated[str, typer.Option("--label", help="The name of the object's class.")] = "",
) -> None:
    """Insert one object into one image, as a run would.

    Also measures how natural it looks.
    """
    from snellen.changes.measures.registry import take_measurements
    from snellen.changes.paste.insert import Insert
    from snellen.objects.library.memory_library import MemoryLibrary
    from snellen.scenes.pictures import write_picture
    from snellen.scenes.scene import PictureArray, PictureFile, Scene

    x, y = _corner(at)
    refuse_overwriting(out, image, object)
    pixels = PictureFile(image).pixels()
    scene = Scene(image.stem, PictureArray(pixels), (pixels.shape[0], pixels.shape[1]))
    cutout = _cutout(object, label or object.stem)
    size = _size(cutout, width, height)
    recipe = Insert(cutout.id, x, y, *size, blending, feather, shadow=shadow)
    materials = {"objects": MemoryLibrary([cutout])}
    case = recipe.build(scene, materials)
    with output_file(out):
        write_picture(out, case)
    values = take_measurements(("seam", "hog"), scene, recipe, case, materials)
    typer.echo(_text(cutout, recipe, values, out))


def _corner(text: str) -> tuple[int, int]:
    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise UserError(
            f"--at: found '{text}', expected X,Y: two integers without a space, such as 120,80, "
            "the position of the object's top-left corner in pixels."
        ) from None
    return x, y


def _cutout(path: Path, label: str) -> Cutout:
    """The cut-out in a file, cropped to its visible pixels, as in a library."""
    from snellen.objects.cutouts.alpha import window_of
    from snellen.objects.cutouts.cutout import Cutout
    from snellen.objects.library.folder_library import read_cutout
    from snellen.scenes.pictures import picture_size

    picture_size(path)  # raises a clear error for a file that is not a picture
    pixels = read_cutout(path)
    window = window_of(pixels[..., 3] > 0)
    if window is None:
        raise UserError(f"{path}: is fully transparent, so there is no object to insert.")
    x1, y1, x2, y2 = window
    return Cutout(label, pixels[y1:y2, x1:x2])


def _size(cutout: Cutout, width: int | None, height: int | None) -> tuple[int, int]:
    """(width, height) in pixels; a missing value keeps the cut-out's aspect ratio."""
    rows, columns = cutout.size
    if width is None:
        width = columns if height is None else max(1, round(columns * height / rows))
    return width, max(1, round(rows * width / columns)) if height is None else height


def _text(cutout: Cutout, recipe: Insert, values: dict[str, float], out: Path) -> str:
    return (
        f"{cutout.label}, {recipe.width} x {recipe.height} pixels, top-left corner at "
        f"{recipe.x},{recipe.y}, blending {recipe.blending}\n"
        f"  seam {values['seam']:.2f}  (0: edges as soft as the scene's own; 1: a hard edge)\n"
        f"  hog  {values['hog']:.3f}  (share of the scene's gradients that is preserved)\n"
        f"written to {out}"
    )
