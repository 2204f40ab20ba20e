"""Pasting a stencil into an image with any blending."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.alpha_composite import composite, window
from snellen.changes.paste.blending import Blending
from snellen.changes.paste.colour_matching import is_blurred, match_blur, match_palette
from snellen.changes.paste.palette import Palette
from snellen.changes.paste.scene_look import surrounding_palette
from snellen.changes.paste.stencil import Stencil, to_bytes
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
    light: Image | None = None,
    fresh: bool = False,
) -> Image:
    """A copy of the image with the stencil pasted, top-left corner at x, y.

    Only pixels of the stencil's rectangle change. own: for `matched` and `natural`, the palette to
    move towards that of the surroundings; by default that of the stencil. light: the image that the
    surroundings are looked at in, such as one without the object's own shadow; by default `image`.
    fresh: the image may be changed in place, since nobody else has it.
    """
    scene = image if light is None else light
    match _parse(blending):
        case Blending.POISSON:
            return _poisson_paste(image, stencil, x, y)
        case Blending.MATCHED | Blending.NATURAL as kind:
            blur = kind == Blending.NATURAL
            matched = _matched_colours(scene, stencil, x, y, own, blur=blur)
            return composite(image, stencil, x, y, colours=matched, in_place=fresh)
    return composite(image, stencil, x, y, in_place=fresh)


def fade(pasted: Image, scene: Image, opacity: float) -> None:
    """Let the scene's pixels show through pasted ones, in place; both (h, w, 3)."""
    change = pasted.astype(np.float32) - scene
    pasted[...] = to_bytes(scene + np.float32(opacity) * change)


def _parse(blending: str) -> Blending:
    try:
        return Blending(blending)
    except ValueError:
        raise UserError(f"unknown blending '{blending}'{nearest(blending, Blending)}") from None


def _matched_colours(
    image: Image, stencil: Stencil, x: int, y: int, own: Palette | None, *, blur: bool
) -> Image:
    around = surrounding_palette(image, stencil.alpha, x, y, blur=blur)
    known = own or (stencil.sampled_palette if blur else stencil.palette)
    matched = match_palette(stencil.colours, known, around, stencil.lab)
    if known is None or around is None or not is_blurred(around.blur):
        return matched
    return match_blur(matched, stencil.blur if own is None else own.blur, around.blur)


def _poisson_paste(image: Image, stencil: Stencil, x: int, y: int) -> Image:
    from snellen.changes.paste.poisson import poisson

    place = window((image.shape[0], image.shape[1]), stencil.size, x, y)
    part = stencil.cropped(place.own_rows, place.own_columns)
    result = image.copy()
    target = result[place.rows, place.columns]
    target[...] = poisson(target, part.colours, part.alpha > 0)
    return result
