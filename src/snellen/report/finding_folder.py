"""`findings/<id>/`: one finding as files that need nothing but a viewer."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.errors import UserError
from snellen.pages.finding_pictures import Pictured
from snellen.pages.marks import is_composed
from snellen.pages.overlay import Image
from snellen.pages.pair_picture import draw_composite, draw_pair
from snellen.pages.solids.case_picture import draw_case
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_words import happened, is_camera_and_lidar
from snellen.scenes.pictures import read_picture
from snellen.store.findings import Finding
from snellen.store.run_folder import FINDINGS, OVERLAY

BEFORE, AFTER = "before.png", "after.png"
SMALLEST = "smallest.png"
BIRDS_EYE, CLOUD = "birds_eye.png", "cloud.npz"
RECIPE, REPLAY = "recipe.json", "replay.txt"


class Kept(NamedTuple):
    """The pictures of a finding and the labels of what was put into them.

    before: None for a composition. label: of an inserted object. objects: labels of a composition's
    objects by id. smallest: its smallest part that still fails, where that is not the whole.
    solid: the 3D side of a camera+LiDAR case.
    """

    before: Image | None
    after: Image
    label: str | None = None
    objects: Mapping[str, str] = MappingProxyType({})
    smallest: Image | None = None
    solid: SolidCase | None = None


def replay_command(folder: Path, id: str) -> str:
    """The one command that replays a case.

    >>> replay_command(Path("runs/my run"), "ab12")
    "snellen replay 'runs/my run' ab12"
    """
    return f"snellen replay {shlex.quote(str(folder))} {id}"


def write_finding(folder: Path, pictured: Pictured) -> Path:
    """Write the folder of a finding of the run in `folder`, whole or not at all; its path."""
    finding = pictured.finding
    place = folder / FINDINGS / finding.id
    with _whole(place) as draft:
        write_pair(draft, pictured)
        write_atomically(draft / RECIPE, (json.dumps(_facts(pictured), indent=2) + "\n").encode())
        command = replay_command(folder.resolve(), finding.id)
        write_atomically(draft / REPLAY, f"{command}\n".encode())
    return place


def _facts(pictured: Pictured) -> dict[str, Any]:
    finding = pictured.finding
    facts = {
        "id": finding.id,
        "scene": finding.scene,
        "role": finding.role,
        "status": finding.status,
        "label": pictured.label,
        "recipe": finding.recipe,
    }
    if is_composed(finding.recipe):
        facts["objects"] = dict(pictured.objects)
    return facts


def write_pair(place: Path, pictured: Pictured) -> None:
    """Write before, after and both side by side into a folder; of a composition what there is."""
    lines = happened(pictured.finding)
    images = {AFTER: pictured.after}
    if pictured.solid is not None and pictured.before is not None:
        solid = pictured.solid
        images |= {BEFORE: pictured.before, OVERLAY: draw_case(pictured, lines)}
        images[BIRDS_EYE] = solid.above
        write_atomically(place / CLOUD, solid.case.to_bytes())
    elif is_composed(pictured.finding.recipe) or pictured.before is None:
        images[OVERLAY] = draw_composite(pictured, [*lines, *pictured.told])
        if pictured.smallest is not None:
            images[SMALLEST] = pictured.smallest.image
    else:
        images[BEFORE] = pictured.before
        images[OVERLAY] = draw_pair(pictured.before, pictured.after, pictured.marks, lines)
    for name, image in images.items():
        write_atomically(place / name, as_png(image))


def kept(folder: Path, finding: Finding) -> Kept | None:
    """The pictures as an earlier report kept them, or None if they are not to be had."""
    place = folder / FINDINGS / finding.id
    try:
        facts = json.loads((place / RECIPE).read_text(encoding="utf-8"))
        if facts["recipe"] != finding.recipe or facts["scene"] != finding.scene:
            return None
        after = read_picture(place / AFTER)
        if not is_composed(finding.recipe):
            solid = _kept_cloud(place) if is_camera_and_lidar(finding) else None
            return Kept(read_picture(place / BEFORE), after, facts["label"], solid=solid)
        part = read_picture(place / SMALLEST) if (place / SMALLEST).exists() else None
        return Kept(None, after, objects=dict(facts["objects"]), smallest=part)
    except (OSError, ValueError, KeyError, TypeError, UserError, BadZipFile):
        return None


def _kept_cloud(place: Path) -> SolidCase:
    return SolidCase.from_bytes((place / CLOUD).read_bytes())


def as_png(image: Image) -> bytes:
    """H x W x 3 uint8 RGB as a PNG file, packed quickly rather than tightly."""
    import cv2

    settings = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    if hasattr(cv2, "IMWRITE_PNG_FILTER"):  # not in every OpenCV; one filter takes half the time
        settings += [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP]
    ok, data = cv2.imencode(".png", image[..., ::-1], settings)
    assert ok
    return bytes(np.asarray(data).tobytes())


@contextmanager
def _whole(place: Path) -> Iterator[Path]:
    """A new folder that appears when it is whole; one that is there is filled file by file."""
    if place.exists():
        yield place
        return
    with new_folder(place) as draft:
        yield draft
