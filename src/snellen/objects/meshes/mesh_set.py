"""Sets of meshes that recipes refer to by name: parametric ones, or those of a library folder."""

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

MAX_CACHED = 64
_NUMBERED = re.compile(r"(.+)-(\d+)")


class MeshSet(Protocol):
    """Meshes by name, as in `materials["meshes"]`. Small when pickled."""

    @property
    def names(self) -> Sequence[str]:
        """The names to choose from."""

    def mesh(self, name: str) -> Mesh:
        """The mesh of a name; the same name always gives the same mesh."""


@dataclass(frozen=True)
class ParametricMeshes:
    """Parametric meshes by kind and number, such as `sedan-3`; `sedan` is `sedan-0`.

    Size and colours are drawn from a generator seeded by kind and number. `names` has `variants` of
    each of `kinds`; `mesh` accepts any number.

    >>> own = ParametricMeshes(kinds=("sedan", "van"), variants=2)
    >>> own.names, own.mesh("van-7").label
    (('sedan-0', 'sedan-1', 'van-0', 'van-1'), 'Van')
    """

    kinds: tuple[str, ...] = tuple(KINDS)
    variants: int = 8

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise UserError(f"unknown mesh '{kind}'{nearest(kind, KINDS)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names to choose from, by kind, then by number."""
        return tuple(f"{kind}-{number}" for kind in self.kinds for number in range(self.variants))

    def mesh(self, name: str) -> Mesh:
        """The mesh of a kind, or of a kind and a number."""
        return _parametric(name)


@dataclass(frozen=True)
class NamedMeshes:
    """Meshes in memory by name, with another set as fallback."""

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
            raise UserError(f"unknown mesh '{name}'{nearest(name, self.own)}.")
        return self.others.mesh(name)


@dataclass(frozen=True)
class CachedMeshes:
    """Another set, such as a library folder, of which each mesh is read once."""

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


@lru_cache(maxsize=MAX_CACHED)
def _parametric(name: str) -> Mesh:
    numbered = _NUMBERED.fullmatch(name)
    kind, number = (numbered[1], int(numbered[2])) if numbered else (name, 0)
    if kind not in KINDS:
        raise UserError(f"unknown mesh '{name}'{nearest(kind, KINDS)}.")
    return parametric(kind, np.random.default_rng((zlib.crc32(kind.encode()), number)))
