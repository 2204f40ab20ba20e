"""What retraining sets ask of fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.recipe import Recipe
from snellen.contract.repairs import Retrains
from snellen.contract.verdict import TEST

if TYPE_CHECKING:
    pass


class FusionRetrains(Retrains):
    """Retraining frames: a case tests the place of the last object that it puts in."""

    @property
    def unlabelled_as_published(self) -> bool:
        """False: its authors label what they insert."""
        return False

    def insertion(self, role: str, recipe: Recipe) -> Recipe | None:
        """The recipe of a test that puts anything in."""
        put_in = isinstance(recipe, Insert3D) and bool(recipe.objects)
        return recipe if role == TEST and put_in else None
