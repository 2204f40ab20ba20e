"""The sheets: cut-outs on a chequered ground, and photographs with one insertion each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.random import Generator
from PIL import Image as Pillow
from PIL import ImageDraw

from snellen.changes.measures.registry import take_measurements
from snellen.changes.paste.insert import Insert
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.plan import InsertionScene, plan_insertions
from snellen.objects.contact_sheet import contact_sheet
from snellen.objects.label_names import plain_name
from snellen.objects.library.folder_library import FolderLibrary
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections

OBJECTS, PAGE = 200, 50
TILE, COLUMNS, ROWS = 330, 5, 4


def object_sheets(libraries: Sequence[FolderLibrary], out: Path, rng: Generator) -> str:
    """The yield of the libraries; writes sheets of at most 200 of their objects."""
    lines, shown = [], list[tuple[FolderLibrary, str, str]]()
    for library in libraries:
        records = library.records()
        kept = [one.entry for one in records if not one.why]
        lines.append(f"{len(kept)} of {len(records)} objects kept")
        drawn = sorted(rng.permutation(len(kept))[: OBJECTS * 3 // 4].tolist())
        shown += [(library, kept[place].id, kept[place].label) for place in drawn]
    for start in range(0, min(OBJECTS, len(shown)), PAGE):
        page = shown[start : start + PAGE]
        captions = [[f"{start + n + 1} {label}"] for n, (_, _, label) in enumerate(page)]
        pixels = [library.cutout(id).pixels for library, id, _ in page]
        sheet = contact_sheet(pixels, captions, columns=10)
        Pillow.fromarray(sheet).save(out / f"objects_{start // PAGE + 1}.png")
    return "\n".join(lines)


def insertion_sheets(
    scenes: Sequence[Scene],
    library: FolderLibrary,
    subject: Subject,
    out: Path,
    count: int,
    seed: int,
) -> str:
    """Tested scenes and mean measures; writes sheets of one insertion in each of `count` scenes."""
    tiles, measured, asked = list[Pillow.Image](), list[dict[str, float]](), 0
    for number, scene in enumerate(scenes):
        if len(tiles) == count:
            break
        [found] = subject.predict([scene.pixels()])
        assert isinstance(found, Detections)
        objects = found.rounded().above(subject.score)
        asked += len(objects) > 0
        for one in _insertion(scene, objects, library, subject, seed + number):
            case = one.build(scene, {"objects": library})
            materials = {"objects": library}
            measured.append(take_measurements(("seam", "hog"), scene, one, case, materials))
            label = library.cutout(one.object).label
            tiles.append(_tile(case, one, f"{len(tiles) + 1} {label} {scene.id}"))
    _write_pages(tiles, out)
    means = {name: np.mean([one[name] for one in measured]) for name in ("seam", "hog")}
    return f"{len(tiles)} of {asked} scenes tested; " + ", ".join(
        f"{name} {value:.3f}" for name, value in means.items()
    )


def _insertion(
    scene: Scene, objects: Detections, library: FolderLibrary, subject: Subject, seed: int
) -> Iterator[Insert]:
    """One of the insertions of a scene, none if there is no room."""
    rng = np.random.default_rng(seed)
    options = InsertionOptions(per_object=1)
    prepared = InsertionScene.of(scene, objects, subject.classes, options)
    ids = {plain_name(name): number for number, name in enumerate(subject.classes)}
    planned = plan_insertions(prepared, library, ids, rng) if len(objects) else []
    if planned:
        yield planned[int(rng.integers(len(planned)))].recipe


def _tile(case: Image, recipe: Insert, caption: str) -> Pillow.Image:
    """A case, small, with a red line above and below what was inserted."""
    picture = Pillow.fromarray(case)
    scale = TILE / max(picture.size)
    tile = Pillow.new("RGB", (TILE + 6, TILE + 22), "white")
    tile.paste(picture.resize([round(side * scale) for side in picture.size]), (3, 3))
    pen, (x, y) = ImageDraw.Draw(tile), (recipe.x * scale + 3, recipe.y * scale + 3)
    width, height = recipe.width * scale, recipe.height * scale
    pen.line([x + width / 2, y - 14, x + width / 2, y - 3], fill=(255, 0, 0), width=2)
    pen.line([x, y + height + 7, x + width, y + height + 7], fill=(255, 0, 0), width=1)
    pen.text((3, TILE + 8), caption, fill=(0, 0, 0))
    return tile


def _write_pages(tiles: Sequence[Pillow.Image], out: Path) -> None:
    for start in range(0, len(tiles), COLUMNS * ROWS):
        page = Pillow.new("RGB", ((TILE + 6) * COLUMNS, (TILE + 22) * ROWS), "white")
        for place, tile in enumerate(tiles[start : start + COLUMNS * ROWS]):
            page.paste(tile, ((TILE + 6) * (place % COLUMNS), (TILE + 22) * (place // COLUMNS)))
        page.save(out / f"insertions_{start // (COLUMNS * ROWS) + 1}.png")
