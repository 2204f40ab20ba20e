"""What a search for an array keeps in memory."""

from __future__ import annotations

from math import comb

from snellen.errors import UserError

MOST_BYTES = 4_000_000_000
COPIES = 4
"""Copies of the rows that are kept at the same time."""


def check_size(labels: int, strength: int, most: int) -> None:
    """Raise a `UserError` if an array of this size does not fit into memory."""
    needed = search_bytes(labels, strength, most)
    if needed > MOST_BYTES:
        raise UserError(
            f"labels: {labels} labels at strength {strength} need about {needed / 1e9:.1f} GB, "
            f"more than {MOST_BYTES / 1e9:.0f} GB. Use fewer labels, lower the strength, or raise "
            "it for a few labels only (strength_on)."
        )


def search_bytes(labels: int, strength: int, most: int) -> int:
    """The bytes of the tables and rows of a search: a table has a byte for each tuple of labels.

    >>> round(search_bytes(2000, 2, 4) / 1e6), round(search_bytes(20, 3, 4) / 1e6, 2)
    (143, 0.07)
    """
    size = min(strength, most)
    rows = -(-comb(labels, size) // max(1, comb(min(most, labels), size)))
    sets = 8 * comb(labels, size) + 16 * comb(labels, strength)
    absent = 12 * labels**2 if strength == 2 else labels * rows // 8
    return int(labels**size) + sets + absent + COPIES * 8 * most * rows
