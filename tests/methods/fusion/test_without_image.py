"""A LiDAR-only frame has no image: its case is shown from above, and nothing stumbles over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.pages.embedded_pictures import Album
from snellen.pages.finding_pictures import AnsweredFinding
from snellen.pages.gallery import gallery
from snellen.pages.solids.solid_card import SolidCards
from snellen.report.finding_folder import kept, write_finding
from snellen.scenes.registry import open_scenes
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
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
    cards = SolidCards()
    built = cards.rebuilt(cast("OpenedRun", held), cast("Journal", None), finding)
    assert not built.solid.image
    assert built.solid.new.sum() > 100
    shown = built.drawn(AnsweredFinding(finding, (NONE, NONE), CLASSES, 0.5))
    assert (shown.marks.before, shown.marks.after) == ((), ())
    place = write_finding(tmp_path, shown)
    assert (place / "overlay.png").exists()
    again = kept(tmp_path, finding, cards)
    assert again is not None
    assert again.same(built)
    card = shown.card(300_000)
    page = gallery([card], Album())
    assert page.count('class="cloud"') == 1
    assert 'data-first="0"' in page
    assert "from above" in page
