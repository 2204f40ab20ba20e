"""Stencils that were cut lately: a run pastes the same object at the same size many times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Protocol

from snellen.changes.paste.blending import Blending
from snellen.changes.paste.stencil import Stencil, cut_stencil
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.objects.cutouts.cutout import Cutout

MOST_BYTES = 64 * 2**20


class PasteRecipe(Protocol):
    """What a recipe that pastes an object's shape says of it."""

    @property
    def object(self) -> str:
        """Id of the cut-out."""

    @property
    def width(self) -> int:
        """Pixels in the scene."""

    @property
    def height(self) -> int:
        """Pixels in the scene."""

    @property
    def blending(self) -> str:
        """A `Blending`."""

    @property
    def feather(self) -> float:
        """Pixels."""


def stencil_for(recipe: PasteRecipe, materials: Materials) -> Stencil:
    """The stencil that a recipe pastes, cut now or kept from before.

    An object's id is a hash of its pixels, so a stencil kept is right for every library.
    """
    hard = recipe.blending in (Blending.HARD, Blending.POISSON)
    feather = 0.0 if hard else float(recipe.feather)
    key = (recipe.object, recipe.width, recipe.height, feather, hard)
    kept = _kept.get(key)
    if kept is None:
        pixels = _cutout(recipe.object, materials).pixels
        kept = cut_stencil(pixels, recipe.width, recipe.height, feather=feather, hard=hard)
        _kept.put(key, kept)
    return kept


def _cutout(id: str, materials: Materials) -> Cutout:
    library = materials.get("objects")
    if library is None:
        raise UserError(
            f"the recipe pastes object '{id}', but there is no object library. "
            "Name one under 'objects' in the configuration."
        )
    found: Cutout = library.cutout(id)
    return found


class _Kept:
    """The stencils used last, up to so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._items: OrderedDict[Hashable, Stencil] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Stencil | None:
        with self._lock:
            found = self._items.get(key)
            if found is not None:
                self._items.move_to_end(key)
            return found

    def put(self, key: Hashable, stencil: Stencil) -> None:
        with self._lock:
            if key not in self._items:
                self._items[key] = stencil
                self._bytes += stencil.nbytes
            while self._bytes > self._most and len(self._items) > 1:
                self._bytes -= self._items.popitem(last=False)[1].nbytes


_kept = _Kept(MOST_BYTES)
