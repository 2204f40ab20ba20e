"""The sections of a Darknet `.cfg` file: `[kind]`, then `key=value` lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from snellen.errors import UserError

T = TypeVar("T")
LARGEST = 100_000
"""No network has a layer with a larger number, and shapes computed from it stay small."""
SECTIONS = 2_000


@dataclass(frozen=True)
class Section:
    """One section: its kind, its values as text, and its place (file and line) for messages."""

    kind: str
    place: str
    values: Mapping[str, str]

    def whole(self, key: str, usual: int, low: int = 1, high: int = LARGEST) -> int:
        """An integer from `low` to `high`."""
        if key not in self.values:
            return usual
        found = self._read(key, int, "a whole number")
        if not low <= found <= high:
            raise self._mistake(key, f"a whole number from {low:,} to {high:,}")
        return found

    def number(self, key: str, usual: float) -> float:
        """A number."""
        return self._read(key, _finite, "a number") if key in self.values else usual

    def numbers(self, key: str) -> tuple[float, ...]:
        """Comma-separated numbers, none if the key is missing."""
        return self._read(key, _split(_finite), "comma-separated numbers", "")

    def wholes(self, key: str) -> tuple[int, ...]:
        """Comma-separated integers, none if the key is missing."""
        return self._read(key, _split(int), "comma-separated whole numbers", "")

    def one_of(self, key: str, usual: str, valid: Collection[str]) -> str:
        """One of the valid words."""
        found = self.values.get(key, usual)
        if found not in valid:
            raise UserError(
                f"{self.place}: [{self.kind}] {key}: found '{found}', expected one of "
                f"{', '.join(valid)}"
            )
        return found

    def layers(self, key: str, index: int) -> tuple[int, ...]:
        """Absolute indices of earlier layers; negative ones are relative to layer `index`."""
        found = tuple(one if one >= 0 else index + one for one in self.wholes(key))
        if not found or not all(0 <= one < index for one in found):
            raise UserError(
                f"{self.place}: [{self.kind}] {key}: found '{self.values.get(key, '')}', "
                f"expected indices of layers before this one, which is {index}"
            )
        return found

    def _read(
        self, key: str, convert: Callable[[str], T], expected: str, usual: str | None = None
    ) -> T:
        text = self.values.get(key, usual or "")
        try:
            return convert(text)
        except ValueError:
            raise self._mistake(key, expected) from None

    def _mistake(self, key: str, expected: str) -> UserError:
        found = self.values.get(key, "")
        return UserError(f"{self.place}: [{self.kind}] {key}: found '{found}', expected {expected}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def _split(convert: Callable[[str], T]) -> Callable[[str], tuple[T, ...]]:
    return lambda text: tuple(convert(part) for part in text.split(",") if part.strip())


def read_sections(path: Path) -> list[Section]:
    """The sections of a file, at least one; `#` and `;` start comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path}: cannot be read as a Darknet cfg: {error}. Give the network's .cfg file."
        ) from None
    found: list[tuple[str, str, dict[str, str]]] = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].split(";")[0].strip()
        if text.startswith("["):
            found.append((text.strip("[]").strip(), f"{path}: line {number}", {}))
        elif text:
            key, _, value = text.partition("=")
            if not found or not value:
                raise UserError(
                    f"{path}: line {number}: found '{text}', expected [layer] or key=value"
                )
            found[-1][2][key.strip()] = value.strip()
    if not found:
        raise UserError(f"{path}: the file is empty, expected a Darknet cfg that starts with [net]")
    if len(found) > SECTIONS:
        raise UserError(f"{path}: found {len(found):,} layers, expected at most {SECTIONS:,}.")
    return [Section(*one) for one in found]
