"""What retraining sets need from fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.recipe import Recipe
from snellen.contract.repairs import Retrains
from snellen.contract.verdict import TEST

if TYPE_CHECKING:
    pass


class FusionRetrains(Retrains):
    """Retraining frames: a case tests the place of its last inserted object."""

    @property
    def unlabelled_as_published(self) -> bool:
        """False: the authors label insertions."""
        return False

    def insertion(self, role: str, recipe: Recipe) -> Recipe | None:
        """The recipe of a test with an insertion."""
        put_in = isinstance(recipe, Insert3D) and bool(recipe.objects)
        return recipe if role == TEST and put_in else None
