from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.objects.library.folder_library import FolderLibrary, read_cutout, write_cutout
from snellen.objects.library.library_builder import CutPlan, build_library
from snellen.objects.library.library_index import INDEX
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.objects.library.prune_rules import PruneOptions
from snellen.scenes.scene import SceneSet
from tests.objects.pictures import cutout, disc, scene_of, set_of

SIZE = (90, 120)


def scenes() -> SceneSet:
    first = scene_of(
        [
            disc(SIZE, (30, 40), 20),
            disc(SIZE, (85, 45), 25),
            disc(SIZE, (10, 75), 20) & (np.indices(SIZE)[0] > 62),
        ],
        [0, 1, 0],
    )
    second = scene_of([disc(SIZE, (60, 45), 30)], [0], id="second", seed=1)
    return set_of(first, second, classes=("red/ball", "cube"))


@pytest.fixture
def library(tmp_path: Path) -> FolderLibrary:
    build_library(scenes(), CutPlan("masks", PruneOptions()), tmp_path / "lib", {"made": "here"})
    return FolderLibrary(tmp_path / "lib")


def test_a_library_gives_back_what_was_cut(library: FolderLibrary) -> None:
    assert library.labels() == ("cube", "red/ball")
    assert [entry.origin for entry in library.entries("red/ball")] == ["scene", "second"]
    assert library.entries("moon") == ()
    first, second = scenes()
    [entry] = library.entries("cube")
    found = library.cutout(entry.id)
    assert found.id == entry.id
    assert found.source == first.digest == entry.source
    assert found.size == (entry.height, entry.width) == (50, 50)
    inside = np.s_[20:30, 20:30]
    assert (found.pixels[inside][..., :3] == first.pixels()[20:70, 60:110][inside]).all()
    assert library.entries("red/ball")[1].source == second.digest


def test_what_was_pruned_stays_in_the_index_with_its_reason(library: FolderLibrary) -> None:
    records = library.records()
    assert [record.why for record in records] == ["", "", "touches the border", ""]
    assert [bool(record.file) for record in records] == [True, True, False, True]
    files = {path.relative_to(library.path).as_posix() for path in library.path.rglob("*.png")}
    assert files == {record.file for record in records if record.file}
    assert library.facts()["pruned"] == {"touches the border": 1}
    assert library.facts()["made"] == "here"


def test_the_index_can_be_queried_with_sqlite_alone(library: FolderLibrary) -> None:
    with closing(sqlite3.connect(library.path / INDEX)) as connection:
        rows = connection.execute(
            "SELECT label, width, height, source, hash, occluded FROM objects "
            "WHERE kept AND area > 2000 ORDER BY area"
        ).fetchall()
    assert [row[0] for row in rows] == ["red/ball"]
    assert int(rows[0][4], 16) == library.entries("red/ball")[1].hash


def test_a_hash_with_its_highest_bit_set_survives(tmp_path: Path) -> None:
    bright = np.zeros((64, 64, 3), np.uint8)
    bright[:32] = 250
    from snellen.scenes.scene import PictureArray, Scene

    seen = scene_of([np.pad(np.ones((40, 40), bool), 12)], [0])
    scene = Scene("s", PictureArray(bright), (64, 64), seen.annotations)
    build_library(set_of(scene), CutPlan("masks", PruneOptions()), tmp_path / "lib")
    [entry] = FolderLibrary(tmp_path / "lib").entries("ball")
    assert entry.hash >> 63 == 1


def test_a_library_travels_to_another_process_as_its_path(library: FolderLibrary) -> None:
    sent = pickle.dumps(library)
    assert len(sent) < 500
    again = pickle.loads(sent)
    [entry] = again.entries("cube")
    assert (again.cutout(entry.id).pixels == library.cutout(entry.id).pixels).all()
    assert again.cutout(entry.id) is again.cutout(entry.id), "decoded once"


def test_co_occurrence_counts_pruned_objects_too(
    library: FolderLibrary,
) -> None:
    assert library.co_occurrence().companions(["cube"]) == {"red/ball": 1.0}
    assert library.co_occurrence().companions(["red/ball"]) == {"cube": 0.5}


def test_colours_under_transparent_pixels_survive_the_file(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 4), dtype=np.uint8)
    pixels[:10, :, 3] = 0
    write_cutout(tmp_path / "a.png", pixels)
    assert (read_cutout(tmp_path / "a.png") == pixels).all()


def test_a_folder_that_is_no_library_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"not an object library.*snellen objects build"):
        FolderLibrary(tmp_path)
    (tmp_path / INDEX).write_text("not a database, just some text that is long enough " * 20)
    with pytest.raises(UserError, match="cannot be read as the index"):
        FolderLibrary(tmp_path)


def test_an_index_of_another_version_is_reported(library: FolderLibrary) -> None:
    with closing(sqlite3.connect(library.path / INDEX)) as connection, connection:
        connection.execute("UPDATE facts SET value = '99' WHERE key = 'format'")
    with pytest.raises(UserError, match="has format 99"):
        FolderLibrary(library.path)


def test_a_missing_damaged_or_changed_file_is_reported(library: FolderLibrary) -> None:
    [record] = [one for one in library.records() if one.entry.label == "cube"]
    path, id = library.path / record.file, record.entry.id
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(UserError, match="cannot be read as a PNG"):
        library.cutout(id)
    Image.fromarray(np.zeros((50, 50, 4), np.uint8)).save(path)
    with pytest.raises(UserError, match="changed or damaged"):
        library.cutout(id)
    Image.fromarray(np.zeros((50, 50, 3), np.uint8)).save(path)
    with pytest.raises(UserError, match="no alpha channel"):
        library.cutout(id)
    path.unlink()
    with pytest.raises(UserError, match="no such cut-out"):
        library.cutout(id)
    with pytest.raises(UserError, match="no object 'beef'"):
        library.cutout("beef")


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken(done: int, total: int) -> None:
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        build_library(scenes(), CutPlan("masks", PruneOptions()), tmp_path / "lib", progress=broken)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="not empty"):
        build_library(scenes(), CutPlan("masks", PruneOptions()), tmp_path)


def test_a_library_in_memory_has_each_once_and_in_order() -> None:
    one, two, other = cutout("car", 1), cutout("car", 2), cutout("bus", 3)
    library = MemoryLibrary([two, one, two, other])
    assert library.labels() == ("bus", "car")
    assert [entry.id for entry in library.entries("car")] == [two.id, one.id]
    assert library.cutout(other.id) is other
    with pytest.raises(UserError, match="no object"):
        library.cutout("beef")
