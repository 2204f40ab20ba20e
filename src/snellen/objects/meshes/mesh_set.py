"""The meshes that recipes name: of our own by kind and number, or those of a library folder."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.sizes import KINDS

KEPT = 64
_NUMBERED = re.compile(r"(.+)-(\d+)")


class MeshSet(Protocol):
    """Meshes by name, as `materials["meshes"]` holds them. Small when it is pickled."""

    @property
    def names(self) -> Sequence[str]:
        """The names to choose from."""

    def mesh(self, name: str) -> Mesh:
        """The mesh of a name; the same name always gives the same mesh."""


@dataclass(frozen=True)
class ParametricMeshes:
    """Things of our own: `sedan`, or `sedan-3` for the one that the number draws.

    Size and colours come from a generator seeded by kind and number; without a number it is 0.
    names: those to choose from, `variants` of each of `kinds`; any other number can be asked for.

    >>> own = ParametricMeshes(kinds=("sedan", "van"), variants=2)
    >>> own.names, own.mesh("van-7").label
    (('sedan-0', 'sedan-1', 'van-0', 'van-1'), 'Van')
    """

    kinds: tuple[str, ...] = tuple(KINDS)
    variants: int = 8

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise UserError(f"There is no mesh '{kind}'{nearest(kind, KINDS)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names to choose from, by kind, then by number."""
        return tuple(f"{kind}-{number}" for kind in self.kinds for number in range(self.variants))

    def mesh(self, name: str) -> Mesh:
        """The mesh of a kind, or of a kind and a number."""
        return _drawn(name)


@dataclass(frozen=True)
class NamedMeshes:
    """Meshes in memory by name, and behind them those of another set."""

    own: Mapping[str, Mesh]
    others: MeshSet | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names to choose from, those of the other set last."""
        return (*self.own, *(() if self.others is None else self.others.names))

    def mesh(self, name: str) -> Mesh:
        """The mesh of a name."""
        if name in self.own:
            return self.own[name]
        if self.others is None:
            raise UserError(f"There is no mesh '{name}'{nearest(name, self.own)}.")
        return self.others.mesh(name)


@dataclass(frozen=True)
class CachedMeshes:
    """Another set, such as a library folder, each mesh read once for all that follows."""

    others: MeshSet
    _read: dict[str, Mesh] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> Sequence[str]:
        """The names of the other set."""
        return self.others.names

    def mesh(self, name: str) -> Mesh:
        """The mesh of a name."""
        if name not in self._read:
            self._read[name] = self.others.mesh(name)
        return self._read[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return CachedMeshes, (self.others,)


@lru_cache(maxsize=KEPT)
def _drawn(name: str) -> Mesh:
    numbered = _NUMBERED.fullmatch(name)
    kind, number = (numbered[1], int(numbered[2])) if numbered else (name, 0)
    if kind not in KINDS:
        raise UserError(f"There is no mesh '{name}'{nearest(kind, KINDS)}.")
    return parametric(kind, np.random.default_rng((zlib.crc32(kind.encode()), number)))
