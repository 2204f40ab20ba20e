"""A run is resumed only with the scenes that it was started with, and only with whole rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import UserError
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
