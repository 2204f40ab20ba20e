"""The sheets: cut-outs on a chequered ground, and photographs with one insertion each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.random import Generator
from PIL import Image as Pillow
from PIL import ImageDraw

from snellen.changes.measures.registry import take_measurements
from snellen.changes.paste.insert import Insert
from snellen.contract.subject_annotations import annotated_objects, label_map
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.plan import InsertionScene, plan_insertions
from snellen.objects.contact_sheet import contact_sheet
from snellen.objects.label_names import plain_name
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections

OBJECTS, PAGE = 200, 50
MEASURES = ("seam", "hog")
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


@dataclass(frozen=True, eq=False)
class Way:
    """A way to insert: its options, and the libraries that objects come from."""

    name: str
    options: InsertionOptions
    libraries: Sequence[FolderLibrary]

    @cached_property
    def library(self) -> MemoryLibrary:
        """All objects, under COCO's names."""
        found = {
            entry.id: one.cutout(entry.id)
            for one in self.libraries
            for label in one.labels()
            for entry in one.entries(label)
        }
        names = [plain_name(one.label) for one in found.values()]
        return MemoryLibrary(
            [replace(one, label=name) for one, name in zip(found.values(), names, strict=True)]
        )


def insertion_sheets(
    scenes: Sequence[tuple[SceneSet, Scene]],
    ways: Sequence[Way],
    subject: Subject,
    out: Path,
    count: int,
    seed: int,
) -> str:
    """Tested scenes and mean measures of each way; writes shuffled sheets and their key."""
    shown, lines = list[tuple[str, Image, Insert, str]](), list[str]()
    for way in ways:
        found, asked = _insertions(scenes, way, subject, count, seed)
        materials = {"objects": way.library}
        cases = [(scene, one, one.build(scene, materials)) for scene, one in found]
        measured = [take_measurements(MEASURES, *case, materials) for case in cases]
        means = {name: np.mean([one[name] for one in measured]) for name in MEASURES}
        words = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
        tested = len({scene.id for scene, _ in found})
        lines.append(f"{way.name}: {len(found)} insertions in {tested} of {asked} scenes; {words}")
        labels = [way.library.cutout(one.object).label for _, one in found]
        shown += [
            (way.name, case, one, name) for (_, one, case), name in zip(cases, labels, strict=True)
        ]
    order = np.random.default_rng(seed).permutation(len(shown))
    mixed = [shown[place] for place in order]
    _write_pages([_tile(c, r, f"{n} {name}") for n, (_, c, r, name) in enumerate(mixed)], out)
    (out / "key.json").write_text(json.dumps([way for way, *_ in mixed]), "utf-8")
    return "\n".join(lines)


def _insertions(
    scenes: Sequence[tuple[SceneSet, Scene]], way: Way, subject: Subject, count: int, seed: int
) -> tuple[list[tuple[Scene, Insert]], int]:
    """At most `count` insertions, two in a scene, and the number of scenes with detections."""
    found, asked = list[tuple[Scene, Insert]](), 0
    for number, (scene_set, scene) in enumerate(scenes):
        if len(found) >= count:
            break
        [answer] = subject.predict([scene.pixels()])
        assert isinstance(answer, Detections)
        objects = answer.rounded().above(subject.score)
        asked += len(objects) > 0
        labels = label_map(scene_set, subject.classes)
        known = annotated_objects(scene, labels, len(subject.classes))
        prepared = InsertionScene.of(scene, objects, subject.classes, way.options, known)
        rng = np.random.default_rng([seed, number])
        found += [(scene, one) for one in _drawn(prepared, way, subject, rng)]
    return found[:count], asked


def _drawn(prepared: InsertionScene, way: Way, subject: Subject, rng: Generator) -> list[Insert]:
    """At most two of the insertions of a scene, around different objects."""
    if not len(prepared.objects):
        return []
    ids = {plain_name(name): number for number, name in enumerate(subject.classes)}
    planned = plan_insertions(prepared, way.library, ids, rng)
    mixed = [planned[place] for place in rng.permutation(len(planned))]
    other = [one for one in mixed[1:] if one.target != mixed[0].target]
    return [one.recipe for one in (*mixed[:1], *other[:1])]


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
