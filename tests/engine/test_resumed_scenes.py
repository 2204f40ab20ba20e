"""A run is resumed only with the scenes that it was started with, and only with whole rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError, UserError
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.registry import open_scenes
from snellen.store.journal import Journal, journal_of
from tests.engine.conftest import values


def picture(path: Path, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    images = tmp_path / "images"
    images.mkdir()
    for number in range(5):
        picture(images / f"{number}.png", number)
    return images


@pytest.fixture
def half_done(folder: Path) -> Campaign:
    """A run of the folder in which two of five units are missing."""
    plain = {**values(), "scenes": {"kind": "folder", "path": "images"}}
    one = campaign_from(plain, folder.parent / "snellen.yaml")
    run_campaign(one)
    with closing(Journal(one.out_folder / "journal.sqlite")) as journal:
        journal.forget([1, 3])
    return one


def test_the_same_scenes_are_resumed_to_the_same_rows(half_done: Campaign) -> None:
    run_campaign(half_done, resume=True)
    with closing(journal_of(half_done.out_folder)) as journal:
        again = journal.digest()
        assert journal.ended() == set(range(5))
        assert journal.damaged() == []
    fresh = half_done.model_copy(update={"out": "fresh"})
    run_campaign(fresh)
    with closing(journal_of(fresh.out_folder)) as journal:
        assert journal.digest() == again


@pytest.mark.parametrize("number", [0, 1], ids=["examined", "not yet examined"])
def test_a_replaced_image_is_named(half_done: Campaign, folder: Path, number: int) -> None:
    picture(folder / f"{number}.png", 99)
    with pytest.raises(UserError, match=rf"the scenes differ \({number}\.png replaced\)"):
        run_campaign(half_done, resume=True)


def test_one_added_and_one_removed_are_named(half_done: Campaign, folder: Path) -> None:
    (folder / "2.png").rename(folder / "7.png")
    with pytest.raises(UserError, match=r"\(7\.png added; 2\.png removed\)"):
        run_campaign(half_done, resume=True)


Change = Callable[[Path], object]


def edited(change: Callable[[dict[str, Any]], object]) -> Change:
    """A change of the annotations in a COCO file."""

    def edit(place: Path) -> None:
        file = place / "scenes" / "instances.json"
        content = json.loads(file.read_text())
        change(content)
        file.write_text(json.dumps(content))

    return edit


def without_third(content: dict[str, Any]) -> None:
    gone = content["images"].pop(2)["id"]
    content["annotations"] = [a for a in content["annotations"] if a["image_id"] != gone]


COCO: dict[str, tuple[Change, str]] = {
    "a box": (
        edited(lambda content: content["annotations"][0].update(bbox=[1, 1, 9, 9])),
        r"synthetic-00000\.png replaced",
    ),
    "the order": (edited(lambda content: content["images"].reverse()), "their order changed"),
    "one removed": (edited(without_third), r"synthetic-00002\.png removed"),
}


@pytest.mark.parametrize("name", COCO)
def test_changed_annotations_are_named(tmp_path: Path, name: str) -> None:
    change, expected = COCO[name]
    write_coco(open_scenes(values()["scenes"], tmp_path), tmp_path / "scenes")
    files = {"annotations": "scenes/instances.json", "images": "scenes/images"}
    one = campaign_from({**values(), "scenes": {"kind": "coco", **files}}, tmp_path / "a.yaml")
    run_campaign(one)
    change(tmp_path)
    with pytest.raises(UserError, match=rf"the scenes differ \({expected}\)"):
        run_campaign(one, resume=True)


def test_each_file_of_a_frame_counts(tmp_path: Path) -> None:
    write_kitti(open_scenes({"kind": "streets", "count": 2, "seed": 3}, tmp_path), tmp_path / "k")
    plain = {**values(), "subject": {"kind": "planted-3d"}}
    one = campaign_from({**plain, "scenes": {"kind": "kitti", "root": "k"}}, tmp_path / "a.yaml")
    run_campaign(one)
    for kind in ("image_2", "velodyne", "calib", "label_2"):
        first, second = sorted((tmp_path / "k").rglob(f"{kind}/*"))
        whole, other = second.read_bytes(), first.read_bytes()
        # Both frames have one camera.
        second.write_bytes(whole.replace(b"P2: ", b"P2: 1", 1) if kind == "calib" else other)
        with pytest.raises(UserError, match=r"the scenes differ \(000001 replaced\)"):
            run_campaign(one, resume=True)
        second.write_bytes(whole)
    run_campaign(one, resume=True)


@pytest.fixture
def combined(folder: Path) -> Campaign:
    """A finished run of label combinations: objects from a COCO set, on photographs."""
    place = folder.parent
    scenes = {**values()["scenes"], "count": 8}
    write_coco(open_scenes(scenes, place), place / "scenes")
    plain = {
        "method": "combinations",
        "seed": 3,
        "subject": {"kind": "planted", "task": "labels"},
        "scenes": {"kind": "folder", "path": "images"},
        "objects": {
            "kind": "coco",
            "annotations": "scenes/instances.json",
            "images": "scenes/images",
            "prune": "none",
        },
        "combinations": {"max_present": 2, "images": 1, "background": "photographs"},
        "engine": {"workers": 0},
        "out": "run",
    }
    one = campaign_from(plain, place / "snellen.yaml")
    run_campaign(one)
    return one


def test_replaced_backgrounds_are_named(combined: Campaign, folder: Path) -> None:
    run_campaign(combined, resume=True)
    picture(folder / "1.png", 99)
    with pytest.raises(UserError, match=r"the backgrounds differ \(1\.png replaced\)"):
        run_campaign(combined, resume=True)


def test_objects_that_are_gone_are_named(combined: Campaign, folder: Path) -> None:
    edited(without_third)(folder.parent)
    with pytest.raises(UserError, match=r"the objects differ \(\w+ [0-9a-f]{16}.* removed\)"):
        run_campaign(combined, resume=True)


def altered(one: Campaign, statement: str) -> None:
    """Change rows of a run's journal."""
    with closing(sqlite3.connect(one.out_folder / "journal.sqlite")) as db:
        db.execute(statement)
        db.commit()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE manifest SET digest = '0' WHERE number = 2",
        "DELETE FROM manifest WHERE number = 4",
        "UPDATE run SET value = '7' WHERE key = 'units'",
        "UPDATE run SET value = '{' WHERE key = 'subject'",
        "DELETE FROM run WHERE key = 'campaign'",
    ],
)
def test_damaged_facts_are_not_taken_for_changed_scenes(
    half_done: Campaign, statement: str
) -> None:
    altered(half_done, statement)
    with pytest.raises(UserError, match=r"facts of the run, or the list of its scenes, are not"):
        run_campaign(half_done, resume=True)


def test_a_foreign_database_is_left_as_it_is(half_done: Campaign) -> None:
    path = half_done.out_folder / "journal.sqlite"
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE birds (name TEXT)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"not the journal of a run; its tables: birds"):
        run_campaign(half_done, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("size", [5000, 40000])
def test_a_truncated_journal_is_not_resumed(half_done: Campaign, size: int) -> None:
    path = half_done.out_folder / "journal.sqlite"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(SnellenError, match="is damaged or truncated"):
        run_campaign(half_done, resume=True)


def test_damaged_rows_are_examined_again(
    half_done: Campaign, caplog: pytest.LogCaptureFixture
) -> None:
    run_campaign(half_done, resume=True)
    path = half_done.out_folder / "journal.sqlite"
    with closing(journal_of(half_done.out_folder)) as journal:
        whole = journal.digest()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE cases SET status = 'failing' WHERE unit = 2")
        db.execute("DELETE FROM units WHERE number = 4")
        db.commit()
    run_campaign(half_done, resume=True)
    assert "rows of 2.png, 4.png are not the ones that were written" in caplog.text
    with closing(journal_of(half_done.out_folder)) as journal:
        assert journal.digest() == whole
        assert journal.damaged() == []
