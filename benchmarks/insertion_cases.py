"""Building and judging insertion cases at 640x480: ours against the published flow.

Ours: the engine's own build (feather blending, the scene decoded once, each object cut to size once
for its ten places; beside it with the look that is the default in photographs) and the method's own
relation on 8 detections a side. Published: for each case the scene is opened as PNG, the object
resized and pasted with itself as mask, and the case saved as PNG; that flow's judging, two Python
processes a case, is left out. CPU time of one thread.

Run: python -m benchmarks.insertion_cases
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from snellen.changes.paste.insert import Insert
from snellen.engine.builders import build
from snellen.methods.insertion.comparison import compare_insertion
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.pictures import write_picture
from snellen.scenes.scene import PictureFile, Scene
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.detections import Detections

TARGET = 500
SIZE = (480, 640)
SCENES, OBJECTS, PLACES = 6, 8, 10
PUBLISHED_CASES = 24


def cutouts(rng: np.random.Generator) -> list[Cutout]:
    """Textured ellipses with a soft edge, 60 to 240 pixels a side."""
    found = []
    for height, width in rng.integers(60, 241, (OBJECTS, 2)):
        y, x = (np.linspace(-1, 1, n) for n in (height, width))
        depth = 1 - np.hypot(y[:, None], x[None])
        alpha = np.clip(depth * min(height, width) / 3, 0, 1) * 255
        colours = rng.integers(0, 256, (height, width, 3))
        found.append(Cutout("thing", np.dstack([colours, alpha]).astype(np.uint8)))
    return found


def plan(
    scenes: list[Scene], objects: list[Cutout], rng: np.random.Generator
) -> list[tuple[Scene, Insert]]:
    """For each scene each object at a size of its own, 40 to 200 pixels wide, at ten places."""
    cases = []
    for scene in scenes:
        for cutout in objects:
            width = int(rng.integers(40, 201))
            height = min(round(width * cutout.size[0] / cutout.size[1]), 400)
            for _ in range(PLACES):
                x = int(rng.integers(SIZE[1] - width))
                y = int(rng.integers(SIZE[0] - height))
                cases.append((scene, Insert(cutout.id, x, y, width, height)))
    return cases


def answers(rng: np.random.Generator, place: Insert) -> tuple[Detections, Detections]:
    """8 detections before; after, the inserted object, one lost, and the others jittered."""
    corner = rng.uniform(0, 400, (8, 2))
    boxes = np.hstack([corner, corner + rng.uniform(20, 80, (8, 2))]).astype(np.float32)
    labels, scores = rng.integers(0, 5, 8), rng.uniform(0.4, 1, 8).astype(np.float32)
    own = [place.x, place.y, place.x + place.width, place.y + place.height]
    jitter = rng.normal(0, 0.5, (7, 4)).astype(np.float32)
    after = np.vstack([boxes[1:] + jitter, np.array([own], dtype=np.float32)])
    before = Detections(boxes, labels, scores)
    return before, Detections(
        after, np.append(labels[1:], 2), np.append(scores[1:], np.float32(0.9))
    )


def published(case: tuple[Scene, Insert], object_file: Path, out: Path) -> None:
    scene, place = case
    assert isinstance(scene.picture, PictureFile)
    background = Pillow.open(scene.picture.path)
    thing = Pillow.open(object_file).resize((place.width, place.height))
    background.paste(thing, (place.x, place.y), thing)
    background.save(out)


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def main() -> None:
    import cv2

    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    objects = cutouts(rng)
    materials = {"objects": MemoryLibrary(objects)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scenes = []
        for scene in synthetic_scenes(SyntheticOptions(count=SCENES, size=SIZE)):
            path = folder / f"{scene.id}.png"
            write_picture(path, scene.pixels())
            scenes.append(Scene(scene.id, PictureFile(path), SIZE))
        cases = plan(scenes, objects, rng)
        told = [answers(rng, place) for _, place in cases]
        boxes = [(p.x, p.y, p.x + p.width, p.y + p.height) for _, p in cases]

        def judged() -> None:
            for (before, after), box in zip(told, boxes, strict=True):
                compare_insertion(before, after, box, 2, score=0.5)

        def built() -> None:
            for scene, place in cases:
                build(scene, place, (), materials)

        judged()  # loops are compiled when they have had enough to do
        building, judging = cpu(built), cpu(judged)
        natural = cpu(
            lambda: [
                build(s, replace(p, blending="natural", shadow=0.4), (), materials)
                for s, p in cases
            ]
        )
        thing = folder / "thing.png"
        Pillow.fromarray(objects[0].pixels).save(thing)

        def as_published() -> None:
            for case in cases[:PUBLISHED_CASES]:
                published(case, thing, folder / "new.png")

        theirs = cpu(as_published)
    count = len(cases)
    pixels = np.mean([place.width * place.height for _, place in cases])
    rate, published_rate = count / (building + judging), PUBLISHED_CASES / theirs
    print(f"{count} cases of 640x480, objects of {pixels:.0f} pixels in the mean")
    print(
        f"building {building / count * 1e3:.2f} ms, judging {judging / count * 1e3:.2f} ms a case: "
        f"{rate:.0f} cases a second (target: at least {TARGET})"
    )
    looked = count / (natural + judging)
    print(f"with natural blending and shadows, as in photographs: {looked:.0f} cases a second")
    print(
        f"published flow, without its judging: {published_rate:.1f} cases a second; "
        f"ours, with judging, {rate / published_rate:.0f} times as many"
    )


if __name__ == "__main__":
    main()
