"""A cache of stencils: a run pastes the same object at the same size many times."""

from __future__ import annotations

from threading import Lock
from typing import Protocol

from cachetools import cached

from snellen.changes.byte_cache import byte_cache
from snellen.changes.paste.blending import Blending
from snellen.changes.paste.stencil import Stencil, cut_stencil
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.objects.cutouts.cutout import Cutout

MOST_BYTES = 64 * 2**20


class PasteRecipe(Protocol):
    """The fields of a recipe that pastes the shape of an object."""

    @property
    def object(self) -> str:
        """Id of the cut-out."""

    @property
    def width(self) -> int:
        """In pixels of the scene."""

    @property
    def height(self) -> int:
        """In pixels of the scene."""

    @property
    def blending(self) -> str:
        """A `Blending`."""

    @property
    def feather(self) -> float:
        """Width of the translucent edge in pixels."""


def stencil_for(recipe: PasteRecipe, materials: Materials) -> Stencil:
    """The stencil that a recipe pastes, from the cache if possible.

    An object's id is a hash of its pixels, so a cached stencil is valid for every library.
    """
    hard = recipe.blending in (Blending.HARD, Blending.POISSON)
    feather = 0.0 if hard else float(recipe.feather)
    return _stencil(recipe.object, recipe.width, recipe.height, feather, hard, materials=materials)


@cached(byte_cache(MOST_BYTES), key=lambda *shape, **_: shape, lock=Lock())
def _stencil(
    id: str, width: int, height: int, feather: float, hard: bool, *, materials: Materials
) -> Stencil:
    pixels = _cutout(id, materials).pixels
    return cut_stencil(pixels, width, height, feather=feather, hard=hard)


def _cutout(id: str, materials: Materials) -> Cutout:
    library = materials.get("objects")
    if library is None:
        raise UserError(
            f"the recipe pastes object '{id}', but there is no object library. "
            "Name one under 'objects' in the configuration."
        )
    found: Cutout = library.cutout(id)
    return found
