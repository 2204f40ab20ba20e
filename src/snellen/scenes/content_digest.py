"""A hash of all that a scene gives to a test: image, point cloud, mask and annotations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from snellen.errors import UserError
from snellen.scenes.scene import Scene

THREADS = 4
UNREADABLE = "unreadable"
"""The digest of a scene whose files can't be read; its unit will end in an error."""


def content_digest(scene: Scene) -> str:
    """A hash of the scene's content; equal digests mean equal inputs and equal truth."""
    state = hashlib.blake2b(digest_size=16)
    try:
        state.update(scene.digest.encode())
        if scene.region is not None:
            state.update(scene.region.read_bytes())
        if scene.sweep is not None:
            state.update(repr(scene.sweep.labels()).encode())
    except (OSError, UserError):
        return UNREADABLE
    known = scene.annotations
    if known is not None:
        for array in (known.boxes, known.labels, known.crowd, known.ignore, known.areas):
            state.update(f"{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
        for run in () if known.masks is None else known.masks.runs:
            state.update(run.tobytes() + b";")
    return state.hexdigest()


def content_digests(
    scenes: Sequence[Scene], progress: Callable[[int, int], None] | None = None
) -> list[str]:
    """`content_digest` of each scene, in order; progress: called with done and total."""
    found = []
    with ThreadPoolExecutor(THREADS) as pool:
        for done, digest in enumerate(pool.map(content_digest, scenes), start=1):
            found.append(digest)
            if progress is not None:
                progress(done, len(scenes))
    return found
