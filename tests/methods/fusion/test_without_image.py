"""A LiDAR-only frame has no image: its case is shown from above, and nothing stumbles over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from snellen.report.solid_rebuild import rebuilt_solid

from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.pages.embedded_pictures import Album
from snellen.pages.finding_pictures import Pictured, Solid
from snellen.pages.gallery import card_of, gallery
from snellen.pages.solids.solid_marks import marks_of, solid_marks
from snellen.report.finding_folder import kept, write_finding
from snellen.report.reopened_run import Reopened
from snellen.scenes.registry import open_scenes
from snellen.vision.detections3d import Detections3D
from tests.pages.solids.solid_findings import CLASSES, solid_event, solid_finding

NONE = Detections3D.empty()


def test_a_case_without_an_image_is_drawn_from_above(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    options = {"kind": "kitti", "root": str(shared("kitti")), "limit": 1, "images": "absent"}
    [scene] = open_scenes(options, Path())
    held: Any = SimpleNamespace(
        scene=lambda _: scene, materials={"meshes": ParametricMeshes(variants=4)}
    )
    missed = solid_event("inserted-missed", before=None, box=None, solid=(12.0, -2, 0, 4, 2, 2, 0))
    finding = solid_finding(missed)
    built = rebuilt_solid(cast("Reopened", held), finding)
    assert built.solid is not None
    assert not built.solid.image
    assert built.solid.new.sum() > 100
    drawn = solid_marks(finding, (NONE, NONE), CLASSES, 0.5, built.solid)
    marks = marks_of(finding, (NONE, NONE), CLASSES, 0.5, solid=built.solid)
    assert (marks.before, marks.after) == ((), ())
    shown = Pictured(finding, built.before, built.after, marks, built.label, (NONE, NONE),
                     solid=Solid(built.solid, drawn))  # fmt: skip
    place = write_finding(tmp_path, shown)
    assert (place / "overlay.png").exists()
    again = kept(tmp_path, finding)
    assert again is not None
    assert again.solid is not None
    assert again.solid.same(built.solid)
    assert np.array_equal(again.after, built.after)
    card = card_of(shown, 300_000)
    page = gallery([card], Album())
    assert page.count('class="cloud"') == 1
    assert 'data-first="0"' in page
    assert "from above" in page
