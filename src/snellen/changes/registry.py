"""The kinds of recipes, by which a stored recipe is read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from snellen.changes.recipe import Recipe
from snellen.errors import UserError
from snellen.plugins import Registry

RECIPES = Registry(
    "recipe",
    "snellen.changes",
    expected=Recipe,
    builtin={
        "compose": "snellen.changes.compose.compose:Compose",
        "corrupt": "snellen.changes.corruptions.corrupt:Corrupt",
        "corrupt-to": "snellen.changes.corruptions.corrupt:CorruptTo",
        "identity": "snellen.changes.identity:Identity",
        "insert": "snellen.changes.paste.insert:Insert",
        "insert3d": "snellen.changes.insert3d.insert3d:Insert3D",
        "null3d": "snellen.changes.insert3d.null3d:Null3D",
        "masked": "snellen.changes.saliency_mask:SaliencyMask",
        "patch": "snellen.changes.paste.patch:Patch",
        "reencode": "snellen.changes.reencode:Reencode",
        "viewed": "snellen.changes.augmented_view:AugmentedView",
        "several": "snellen.changes.paste.insert_many:InsertMany",
    },
)


def recipe_from_json(values: Mapping[str, Any]) -> Recipe:
    """The recipe with these values, as `Recipe.to_json` returns them.

    >>> recipe_from_json({"kind": "identity"})
    Identity()
    """
    given = dict(values)
    kind = given.pop("kind", None)
    recipe: type[Recipe] = RECIPES.load(str(kind))
    known = {field.name for field in fields(recipe)}
    if not known - recipe.optional <= set(given) <= known:
        raise UserError(
            f"recipe '{kind}' has the fields {sorted(given)}, expected {sorted(known)}; "
            "was it written by another version of Snellen?"
        )
    return recipe(**{name: _hashable(value) for name, value in given.items()})


def _hashable(value: Any) -> Any:
    return tuple(_hashable(item) for item in value) if isinstance(value, list) else value
