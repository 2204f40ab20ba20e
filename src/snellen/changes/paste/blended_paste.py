"""Pasting a stencil into an image with any blending."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from snellen.changes.paste.alpha_composite import composite, window
from snellen.changes.paste.blending import Blending
from snellen.changes.paste.colour_matching import (
    Palette,
    match_blur,
    match_palette,
    palette,
    surrounding_palette,
    to_lab,
)
from snellen.changes.paste.stencil import Stencil, to_bytes
from snellen.errors import UserError, nearest
from snellen.vision.arrays import F32, Image

_LABS: WeakKeyDictionary[Stencil, F32] = WeakKeyDictionary()
_PALETTES: WeakKeyDictionary[Stencil, dict[bool, Palette | None]] = WeakKeyDictionary()


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
            stencil = _match_colours(scene, stencil, x, y, own, kind == Blending.NATURAL)
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


def _match_colours(
    image: Image, stencil: Stencil, x: int, y: int, own: Palette | None, blur: bool
) -> Stencil:
    around = surrounding_palette(image, stencil.alpha, x, y, blur=blur)
    own = own or _own_palette(stencil, blur)
    lab = _LABS.get(stencil)
    if lab is None:
        lab = _LABS[stencil] = to_lab(stencil.colours)
    matched = match_palette(stencil.colours, own, around, lab)
    return stencil.with_colours(match_blur(matched, own, around))


def _own_palette(stencil: Stencil, blur: bool) -> Palette | None:
    """The palette of a stencil, computed once, since a run pastes it at many places."""
    known = _PALETTES.setdefault(stencil, {})
    if blur not in known:
        known[blur] = palette(stencil.colours, stencil.alpha, blur=blur)
    return known[blur]


def _poisson_paste(image: Image, stencil: Stencil, x: int, y: int) -> Image:
    from snellen.changes.paste.poisson import poisson

    place = window((image.shape[0], image.shape[1]), stencil.size, x, y)
    part = stencil.cropped(place.own_rows, place.own_columns)
    result = image.copy()
    target = result[place.rows, place.columns]
    target[...] = poisson(target, part.colours, part.alpha > 0)
    return result
