"""Pasting a stencil into an image by any of the blendings."""

from __future__ import annotations

from snellen.changes.paste.alpha_composite import composite, window
from snellen.changes.paste.blending import Blending
from snellen.changes.paste.colour_matching import (
    Palette,
    match_palette,
    palette,
    surrounding_palette,
)
from snellen.changes.paste.stencil import Stencil
from snellen.errors import UserError, nearest
from snellen.vision.arrays import Image


def paste(
    image: Image,
    stencil: Stencil,
    x: int,
    y: int,
    blending: str,
    *,
    own: Palette | None = None,
) -> Image:
    """A copy of the image with the stencil pasted, its top-left corner at x, y.

    Only pixels of the stencil's rectangle change. own: for `matched`, the palette that is to be
    moved towards the surroundings', the stencil's own if none is given.
    """
    match _known(blending):
        case Blending.POISSON:
            return _cloned(image, stencil, x, y)
        case Blending.MATCHED:
            stencil = _matched(image, stencil, x, y, own)
    return composite(image, stencil, x, y)


def _known(blending: str) -> Blending:
    try:
        return Blending(blending)
    except ValueError:
        raise UserError(f"unknown blending '{blending}'{nearest(blending, Blending)}") from None


def _matched(image: Image, stencil: Stencil, x: int, y: int, own: Palette | None) -> Stencil:
    there = surrounding_palette(image, stencil.alpha, x, y)
    own = own or palette(stencil.colours, stencil.alpha)
    return stencil.with_colours(match_palette(stencil.colours, own, there))


def _cloned(image: Image, stencil: Stencil, x: int, y: int) -> Image:
    from snellen.changes.paste.poisson import poisson

    place = window((image.shape[0], image.shape[1]), stencil.size, x, y)
    part = stencil.cropped(place.own_rows, place.own_columns)
    result = image.copy()
    target = result[place.rows, place.columns]
    target[...] = poisson(target, part.colours, part.alpha > 0)
    return result
