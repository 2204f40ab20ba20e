"""COCO's run-length code of a mask: pixels to runs, runs to the compressed string, and back.

The string stores each run (from the fourth on, its difference to the run two before) in groups of
five bits, low group first, sign in the last group, each group offset by 48 to be printable.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Runs


def runs_of(mask: Bools) -> Runs:
    """Run lengths of an H x W mask, column-major, zeros first.

    >>> runs_of(np.array([[False, True], [True, True]])).tolist()
    [1, 3]
    """
    flat = np.asarray(mask, dtype=bool).ravel(order="F")
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    edges = np.concatenate(([0], changes, [flat.size]))
    runs = np.diff(edges)
    if flat.size and flat[0]:
        runs = np.concatenate(([0], runs))
    return runs.astype(np.uint32)


def compress(runs: Runs) -> str:
    """COCO's compressed string of run lengths.

    >>> decompress(compress(np.array([1, 3, 500], dtype=np.uint32))).tolist()
    [1, 3, 500]
    """
    values = runs.astype(np.int64)
    values[3:] -= runs[1:-2].astype(np.int64)
    out = bytearray()
    for value in values.tolist():
        more = True
        while more:
            group = value & 0x1F
            value >>= 5
            more = value != (-1 if group & 0x10 else 0)
            out.append((group | 0x20 if more else group) + 48)
    return out.decode("ascii")


def decompress(text: str | bytes) -> Runs:
    """Run lengths from COCO's compressed string."""
    data = text.encode("ascii") if isinstance(text, str) else text
    runs: list[int] = []
    value = shift = 0
    for byte in data:
        group = byte - 48
        value |= (group & 0x1F) << shift
        shift += 5
        if group & 0x20:
            continue
        if group & 0x10:
            value -= 1 << shift
        runs.append(value + runs[-2] if len(runs) > 2 else value)
        value = shift = 0
    if shift or any(run < 0 for run in runs):
        raise ValueError(
            "the compressed mask is damaged: it ends inside a number or has a negative run"
        )
    return np.array(runs, dtype=np.uint32)
