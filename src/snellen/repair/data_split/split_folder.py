"""The split of a repair on disk: the contents of each part, and how a run opens it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.errors import UserError
from snellen.objects.library.library_index import write_index
from snellen.repair.data_split.division import EVALUATE, INSERTING, DividedObjects, Division
from snellen.repair.data_split.leakage import DataPart, SimilarPictures, near_duplicates
from snellen.repair.digests import digest_of
from snellen.repair.repair_plan import RepairPlan
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.folder import write_folder
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet

FILE, FOLDER = "split.json", "split"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Split:
    """A stored split. scenes, objects: `scenes:` and `objects:` of a run, by use.

    sets, parts: the same opened, parts in the order of uses. alike: near-duplicate pictures of
    different parts. key: a digest of everything.
    """

    scenes: Mapping[str, dict[str, Any]]
    objects: Mapping[str, dict[str, Any]]
    sets: Mapping[str, SceneSet]
    parts: Mapping[str, DataPart]
    alike: tuple[SimilarPictures, ...]
    key: str

    def objects_of(self, use: str) -> dict[str, Any]:
        """The objects that a use inserts."""
        return self.objects[use if use in self.objects else EVALUATE]


def pictures_alike(
    found: Division, root: Path, progress: Progress | None = None
) -> tuple[SimilarPictures, ...]:
    """Near-duplicate pictures of different parts, as recorded when the repair started.

    Identical pixels are an error.
    """
    if not (root / FILE).exists():
        return tuple(near_duplicates(found.parts(), progress))
    before = json.loads((root / FILE).read_text(encoding="utf-8"))
    return tuple(SimilarPictures(**one) for one in before["looks_alike"])


def stored_split(
    plan: RepairPlan, found: Division, root: Path, alike: tuple[SimilarPictures, ...]
) -> Split:
    """The split in a repair folder: written, or if it exists, checked to be the same."""
    facts = _facts(plan, found)
    if (root / FILE).exists():
        before = json.loads((root / FILE).read_text(encoding="utf-8"))
        _check_same(root, before, json.loads(json.dumps(facts)))
    else:
        _write(found, root)
        text = json.dumps({**facts, "looks_alike": [asdict(one) for one in alike]}, indent=1)
        write_atomically(root / FILE, (text + "\n").encode())
    return _opened(plan, found, root, alike, digest_of(facts))


def _facts(plan: RepairPlan, found: Division) -> dict[str, Any]:
    return {
        "seed": plan.options.seed,
        "scenes": {use: {s.id: s.digest for s in some} for use, some in found.scenes.items()},
        "objects": {use: sorted(some.ids) for use, some in found.objects.items()},
        "left_out": [{"scene": one.where, "why": one.why} for one in found.left_out],
    }


def _check_same(root: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for name in ("scenes", "objects"):
        for use, some in now[name].items():
            if before[name].get(use) != some:
                raise UserError(
                    f"{root / FILE}: the {name} of '{use}' differ from those that this repair "
                    "started with. Restore them, or choose another `out`."
                )


def _write(found: Division, root: Path) -> None:
    """Write copies of what was split; scene sets given per use are read in place."""
    shutil.rmtree(root / FOLDER, ignore_errors=True)
    with new_folder(root / FOLDER) as draft:
        for use, scenes in found.scenes.items() if found.whole else ():
            write = write_coco if _annotated(scenes) else write_folder
            write(scenes, draft / "scenes" / use)
        for use in INSERTING:
            _write_objects(found.objects[use], draft / "objects" / use)


def _annotated(scenes: SceneSet) -> bool:
    return all(scene.annotations is not None for scene in scenes)


def _write_objects(objects: DividedObjects, out: Path) -> None:
    """Write a library of these objects, with the records pruned from their scenes."""
    sources = set(objects.sources.values())
    records = [
        one
        for one in objects.library.records()
        if (one.entry.id in objects.ids if not one.why else one.entry.source in sources)
    ]
    for record in (one for one in records if one.file and not one.why):
        (out / record.file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(objects.library.path / record.file, out / record.file)
    write_index(out, records, objects.library.facts())


def _opened(
    plan: RepairPlan, found: Division, root: Path, alike: tuple[SimilarPictures, ...], key: str
) -> Split:
    place = root / FOLDER
    values = {
        use: _scene_section(place / "scenes" / use, some)
        if found.whole
        else plan.options.scenes[use]
        for use, some in found.scenes.items()
    }
    skip = plan.options.skip_invalid
    sets = {
        use: open_scenes(one, plan.folder, skip_invalid=skip) if found.whole else found.scenes[use]
        for use, one in values.items()
    }
    parts = {
        use: replace(part, scenes=tuple(sets[use]))
        for use, part in zip(found.scenes, found.parts(), strict=True)
    }
    objects = {use: {"kind": "library", "path": str(place / "objects" / use)} for use in INSERTING}
    return Split(values, objects, sets, parts, alike, key)


def _scene_section(folder: Path, scenes: SceneSet) -> dict[str, Any]:
    if not _annotated(scenes):
        return {"kind": "folder", "path": str(folder), "classes": list(scenes.classes)}
    annotations, images = folder / "instances.json", folder / "images"
    return {"kind": "coco", "annotations": str(annotations), "images": str(images)}
