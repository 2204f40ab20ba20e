"""Compositions of four objects at 640 pixels: ours against the published way, on real cut-outs.

Ours: ten kept of thirty candidates a row by rough layouts, laid out to the pixel, built. Published,
written from its description: thirty candidates a row, each painted: the largest contour of every
object, the touching distance along a ray by bisection, that times 0.7 to 1, a white canvas resized
to 640; then ten kept by farthest-first on the mean Hamming distance of ORB matches. In its favour,
features are computed once an image (the published code does so for every pair) and no PNG is
written. Its polygons are tested for touching as painted by OpenCV, since shapely is no dependency.
CPU time of one thread, cut-outs decoded before.

Run: python -m benchmarks.compositions [FOLDER]; FOLDER has images/ and instances_train2017.json, by
default coco_train128 of the real data.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from snellen.changes.compose.cutout_cache import cutout_pixels
from snellen.methods.combinations.composition.compositions import Arrangement, compositions
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.open_objects import open_objects
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import Image

TARGET = 60
DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
ROWS, PEER_ROWS, KEPT, SAMPLES, PRESENT, LONGEST = 30, 2, 10, 3, 4, 640
PLANE = 4000
NOWHERE = Scene("row", PictureArray(np.zeros((1, 1, 3), np.uint8)), (1, 1))

Points = npt.NDArray[np.float64]


def dealt(library: Library, rng: np.random.Generator) -> list[list[Entry]]:
    """Ten objects for each of four labels."""
    labels = rng.choice(library.labels(), PRESENT, replace=False)
    hands = [library.entries(label) for label in labels]
    return [[hand[int(place)] for place in rng.integers(0, len(hand), KEPT)] for hand in hands]


def ours(library: Library, rng: np.random.Generator, rows: int) -> tuple[float, float, int]:
    """CPU seconds of composing and of building, and the number of compositions."""
    composing = building = 0.0
    number = 0
    for _ in range(rows):
        hands = dealt(library, rng)
        start = time.process_time()
        found = compositions(hands, library, rng, count=KEPT, arrangement=Arrangement())
        middle = time.process_time()
        for one in found:
            one.recipe.build(NOWHERE, {"objects": library})
        composing, building = composing + middle - start, building + time.process_time() - middle
        number += len(found)
    return composing, building, number


def contour(alpha: npt.NDArray[np.uint8]) -> Points:
    """The largest outline of an alpha channel: (P, 2) x and y around the middle of its box."""
    import cv2

    outlines, _ = cv2.findContours(
        (alpha >= 128).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    largest: Points = max(outlines, key=cv2.contourArea)[:, 0].astype(np.float64)
    return largest - np.array(alpha.shape[::-1]) / 2


def painted(polygon: Points, centre: Points) -> tuple[npt.NDArray[np.uint8], slice, slice]:
    """The filled polygon, cropped to its box, and the rows and columns of that in the plane."""
    import cv2

    corners = np.rint(polygon + centre + PLANE / 2).astype(np.int32)
    x, y, width, height = cv2.boundingRect(corners)
    own = np.zeros((height, width), np.uint8)
    cv2.fillPoly(own, [corners - [x, y]], 1)
    return own, slice(y, y + height), slice(x, x + width)


def touching(polygon: Points, union: npt.NDArray[np.uint8], ray: Points) -> float:
    """The distance along the ray at which the polygon just leaves the union, to a pixel."""
    near, far = 0.0, 1000.0
    while far - near > 1:
        distance = (near + far) / 2
        own, rows, columns = painted(polygon, ray * distance)
        near, far = (distance, far) if (own & union[rows, columns]).any() else (near, distance)
    return far


def published_image(objects: list[npt.NDArray[np.uint8]], rng: np.random.Generator) -> Image:
    """One candidate: objects scaled, placed along rays, blended on white, resized."""
    import cv2

    union = np.zeros((PLANE, PLANE), np.uint8)
    boxes: list[npt.NDArray[np.int64]] = []
    scaled: list[npt.NDArray[np.uint8]] = []
    for place in rng.permutation(len(objects)):
        factor = rng.uniform(0.5, 1.5)
        pixels = cv2.resize(objects[place], None, fx=factor, fy=factor)
        polygon = contour(pixels[..., 3])
        angle = rng.uniform(0, 2 * np.pi)
        ray = np.array([np.cos(angle), np.sin(angle)])
        distance = touching(polygon, union, ray) * (1 - rng.uniform(0, 0.3)) if boxes else 0.0
        own, rows, columns = painted(polygon, ray * distance)
        union[rows, columns] |= own
        half = np.array(pixels.shape[1::-1]) / 2
        boxes.append(np.rint(ray * distance - half).astype(np.int64))
        scaled.append(pixels)
    ends = [box + pixels.shape[1::-1] for box, pixels in zip(boxes, scaled, strict=True)]
    origin = np.min(boxes, axis=0)
    width, height = np.max(ends, axis=0) - origin
    canvas = np.full((height, width, 3), 255.0, np.float32)
    for box, pixels in zip(boxes, scaled, strict=True):
        x, y = box - origin
        part = canvas[y : y + pixels.shape[0], x : x + pixels.shape[1]]
        share = pixels[..., 3:].astype(np.float32) / 255
        part[...] = share * pixels[..., :3] + (1 - share) * part
    factor = LONGEST / max(width, height)
    image: Image = cv2.resize(canvas.astype(np.uint8), None, fx=factor, fy=factor)
    return image


def kept_by_orb(images: list[Image]) -> list[int]:
    """Ten images, each the farthest from those before by the mean distance of ORB matches."""
    import cv2

    orb, matcher = cv2.ORB.create(), cv2.BFMatcher(cv2.NORM_HAMMING)
    features = [orb.detectAndCompute(image, None)[1] for image in images]
    away = np.zeros((len(images), len(images)))
    for one in range(len(images)):
        for other in range(one):
            if features[one] is not None and features[other] is not None:
                matches = matcher.match(features[one], features[other])
                away[one, other] = away[other, one] = np.mean([match.distance for match in matches])
    chosen = [0]
    while len(chosen) < KEPT:
        nearest = away[:, chosen].min(axis=1)
        nearest[chosen] = -1
        chosen.append(int(nearest.argmax()))
    return chosen


def published(library: Library, rng: np.random.Generator, rows: int) -> float:
    """CPU seconds of so many rows."""
    spent = 0.0
    for _ in range(rows):
        hands = dealt(library, rng)
        start = time.process_time()
        images = [
            published_image([cutout_pixels(library, hand[k % KEPT].id) for hand in hands], rng)
            for k in range(SAMPLES * KEPT)
        ]
        kept_by_orb(images)
        spent += time.process_time() - start
    return spent


def main() -> None:
    import cv2

    cv2.setNumThreads(1)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "coco_train128"
    if not folder.is_dir():
        print("the photographs are absent; set SNELLEN_DATA to where coco_train128 is")
        return
    values = {"kind": "coco", "annotations": "instances_train2017.json", "images": "images"}
    library = open_objects(values, folder)
    entries = [entry for label in library.labels() for entry in library.entries(label)]
    for entry in entries:
        cutout_pixels(library, entry.id)
    ours(library, np.random.default_rng(0), 1)  # compiles
    composing, building, number = ours(library, np.random.default_rng(1), ROWS)
    theirs = published(library, np.random.default_rng(1), PEER_ROWS) / (PEER_ROWS * KEPT)
    rate = number / (composing + building)
    print(f"{len(entries)} objects of {len(library.labels())} labels, {PRESENT} to a composition")
    print(
        f"composing {composing / number * 1e3:.1f} ms, building {building / number * 1e3:.1f} ms: "
        f"{rate:.0f} compositions a second (target: at least {TARGET})"
    )
    print(
        f"published way: {theirs * 1e3:.0f} ms, {1 / theirs:.2f} compositions a second; "
        f"ours {rate * theirs:.0f} times as many"
    )


if __name__ == "__main__":
    main()
