"""Where the cut-outs of a library come from, which the check for leaks asks."""

from __future__ import annotations

from pathlib import Path

from snellen.objects.library.open_objects import open_objects
from snellen.repair.data_split.held_out_file import sources_in
from snellen.scenes.registry import open_scenes
from tests.repair.retraining.conftest import CAMPAIGN


def test_sources_in_a_library_are_those_of_its_cutouts(run: Path, finished: Path) -> None:
    library = open_objects(CAMPAIGN["objects"], finished)
    found = sources_in(library)
    digests = {
        one.digest
        for one in open_scenes({"kind": "synthetic", "count": 8, "seed": 9, "shade": "deep"}, run)
    }
    assert found
    assert set(found.values()) <= digests
    assert all(library.cutout(id).source == source for id, source in found.items())
