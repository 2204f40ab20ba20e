"""Scene sets for tests: generated ones with all annotations, and small hand-written files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools
from snellen.vision.masks.rle_masks import Masks

CLASSES = ("person", "traffic light", "<b>ö&")
OWN_IDS = (0, 7, 90)


@contextmanager
def new_place() -> Iterator[Path]:
    """An unused path in a temporary folder."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "set"


@st.composite
def boxes_within(draw: st.DrawFn, size: tuple[int, int]) -> tuple[float, ...]:
    """x1 y1 x2 y2 as float32 within the image, at least a hundredth of a pixel wide."""
    sides = []
    for length in (size[1], size[0]):
        ends = st.floats(0, length, width=32).map(lambda v: round(v, 3))
        low, high = sorted((draw(ends), draw(ends)))
        sides.append((low, high) if high - low > 0.01 else (0.0, float(length)))
    (x1, x2), (y1, y2) = sides
    return x1, y1, x2, y2


@st.composite
def pixel_masks(draw: st.DrawFn, size: tuple[int, int]) -> Bools:
    """A non-empty mask: ragged, with holes and several components."""
    seed = draw(st.integers(0, 2**32 - 1))
    share = draw(st.sampled_from([0.05, 0.5, 0.95]))
    mask = np.random.default_rng(seed).random(size) < share
    mask[draw(st.integers(0, size[0] - 1)), draw(st.integers(0, size[1] - 1))] = True
    return mask


@st.composite
def known_objects(draw: st.DrawFn, size: tuple[int, int], masks: bool) -> Annotations:
    """Up to four objects with any flags."""
    count = draw(st.integers(0, 4))
    if not count:
        return Annotations.empty()
    flags = st.lists(st.booleans(), min_size=count, max_size=count)
    return Annotations(
        np.array([draw(boxes_within(size)) for _ in range(count)], dtype=np.float32),
        np.array([draw(st.integers(0, len(CLASSES) - 1)) for _ in range(count)]),
        Masks.from_array([draw(pixel_masks(size)) for _ in range(count)]) if masks else None,
        np.array(draw(flags)),
        np.array(draw(flags)),
    )


@st.composite
def scene_sets(draw: st.DrawFn) -> SceneSet:
    """One to three scenes with pictures in memory, some in folders, all with annotations."""
    scenes = []
    for index in range(draw(st.integers(1, 3))):
        size = (draw(st.integers(1, 24)), draw(st.integers(1, 24)))
        pixels = np.random.default_rng(index).integers(0, 256, (*size, 3), dtype=np.uint8)
        name = draw(st.sampled_from([f"{index}.png", f"val/{index}.png", f"a b/ö{index}.png"]))
        found = draw(known_objects(size, draw(st.booleans())))
        scenes.append(Scene(name, PictureArray(pixels), size, found))
    return SceneSet(tuple(scenes), CLASSES, OWN_IDS)


def write_image(path: Path, size: tuple[int, int] = (20, 30)) -> Path:
    """A small photograph."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(3).integers(0, 256, (*size, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


def write_json(path: Path, content: Any) -> Path:
    """A JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def write_text(path: Path, text: str) -> Path:
    """A text file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
