"""Rungs with numbered names, and evidence in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.explanation.ladder import Counterfactual
from snellen.methods.combinations.explanation.substitutes import OTHERS, Substitutes


def named_rungs(name: str, recipes: Sequence[Compose]) -> list[Counterfactual]:
    """Counterfactuals of one kind, numbered if there are several."""
    if len(recipes) == 1:
        return [(name, recipes[0])]
    return [(f"{name} ({number})", one) for number, one in enumerate(recipes, start=1)]


def on_backgrounds(
    name: str, recipe: Compose, substitutes: Substitutes, count: int = OTHERS
) -> list[Counterfactual]:
    """A composition on other backgrounds."""
    others = substitutes.backgrounds(recipe.background, count)
    made = [replace(recipe, background=one) for one in others]
    return named_rungs(f"{name}, on another background", made)


def share(persists: Sequence[bool]) -> str:
    """How many of how many.

    >>> share([True, False])
    '1 of 2'
    """
    return f"{sum(persists)} of {len(persists)}"


def tried(persists: Sequence[bool], what: str) -> str:
    """In how many of those tried it persists.

    >>> tried([True, False], "other cats"), tried([], "other cats")
    ('1 of 2 other cats', 'no other cats to try')
    """
    return f"{share(persists)} {what}" if persists else f"no {what} to try"


def listed(names: Iterable[str]) -> str:
    """Names in a row.

    >>> listed(["cat", "dog", "pig"])
    'cat, dog and pig'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
