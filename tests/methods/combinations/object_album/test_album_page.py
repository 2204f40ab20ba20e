from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest

from snellen.methods.combinations.object_album.album_page import (
    SIDES,
    AlbumCaption,
    AlbumCard,
    album,
)
from snellen.methods.combinations.object_album.thumbnail import thumbnail
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.pictures import read_picture
from snellen.vision.arrays import AnyArray
from tests.objects.pictures import cutout

EVIL = '<script>alert("x")</script>&"\'$title${style}'
MOST_BYTES = 15 * 2**20


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def page_of(*cutouts: Cutout, **texts: object) -> str:
    library = MemoryLibrary(cutouts)
    entries = [one for label in library.labels() for one in library.entries(label)]
    return album(library, [AlbumCard(one) for one in entries], AlbumCaption("objects", **texts))  # type: ignore[arg-type]


def decoded(data: bytes) -> AnyArray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED))


def test_nothing_is_fetched_and_only_the_own_script_runs() -> None:
    page = page_of(cutout("car", 1))
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!data:)", page.partition("<main>")[0])
    elements = Elements(page)
    [script] = elements.of("script")
    assert script == {}
    assert not elements.of("link")
    assert all(
        str(image["src"]).startswith("data:image/webp;base64,") for image in elements.of("img")
    )
    [policy] = [one["content"] for one in elements.of("meta") if "http-equiv" in one]
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:;")
    body = page.partition("<script>")[2].partition("</script>")[0]
    import hashlib

    digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_names_stay_text() -> None:
    entry = Entry("00ff00ff00ff00ff", EVIL, 9, 9, 81, 0, origin=EVIL)
    library = MemoryLibrary([cutout("x", 1)])
    library.cutout = lambda id: cutout("x", 1)  # type: ignore[method-assign]
    caption = AlbumCaption(EVIL, EVIL, EVIL, others=[EVIL], file=EVIL)
    page = album(library, [AlbumCard(entry, EVIL)], caption)
    elements = Elements(page)
    assert len(elements.of("script")) == 1
    [body] = elements.of("body")
    assert json.loads(str(body["data-others"])) == [EVIL]
    assert body["data-file"] == EVIL
    [one] = [b for b in elements.of("button") if str(b.get("class", "")).startswith("object")]
    assert one["data-line"] == f"{entry.id}  # {EVIL}, {EVIL}"


def test_every_object_is_there_once_under_its_label_used_ones_first() -> None:
    library = MemoryLibrary([cutout("car", n) for n in range(3)] + [cutout("bus", 9)])
    cars, [bus] = library.entries("car"), library.entries("bus")
    cards = [
        AlbumCard(cars[0], "no label"),
        AlbumCard(cars[1]),
        AlbumCard(cars[2], struck=True),
        AlbumCard(bus),
    ]
    page = album(library, cards, AlbumCaption("4 objects"))
    order = re.findall(r'data-line="([0-9a-f]{16})', page)
    assert order == [bus.id, cars[1].id, cars[2].id, cars[0].id]
    buttons = [b for b in Elements(page).of("button") if "data-line" in b]
    assert [b["aria-pressed"] for b in buttons] == ["false", "false", "true", "false"]
    assert [b["class"] for b in buttons] == ["object", "object", "object", "object rejected"]
    assert '<span class="why">no label</span>' in page
    assert re.findall(r"<h2>(\w+)", page) == ["bus", "car"]
    assert re.findall(r"<option value=\"(label-\d)\">(.*?)</option>", page) == [
        ("label-0", "bus (1)"),
        ("label-1", "car (3)"),
    ]
    assert all(f'id="label-{n}"' in page for n in (0, 1))


@pytest.mark.parametrize("size", [(300, 20), (20, 300), (2, 1), (900, 900), (40, 40)])
def test_a_thumbnail_is_small_keeps_its_shape_and_its_alpha(size: tuple[int, int]) -> None:
    one = cutout("car", 3, size=size).pixels.copy()
    one[: size[0] // 2, :, 3] = 0
    data, width, height = thumbnail(one, 100)
    back = decoded(data)
    assert back.shape == (height, width, 4)
    assert max(width, height) <= min(100, 2 * max(size))
    if min(size) > 10:
        assert width / height == pytest.approx(size[1] / size[0], rel=0.1)
        assert back[: height // 4, :, 3].max() == 0
        assert back[-height // 4 :, :, 3].min() == 255


def test_colours_of_a_thumbnail_are_not_swapped_and_the_hidden_do_not_bleed() -> None:
    pixels = np.zeros((64, 64, 4), np.uint8)
    pixels[:] = (0, 0, 255, 0)
    pixels[16:48, 16:48] = (255, 0, 0, 255)
    data, _, _ = thumbnail(pixels, 32)
    back = decoded(data)
    seen = back[back[..., 3] > 100][:, 2::-1].astype(int)
    assert (np.abs(seen - (255, 0, 0)).max(axis=1) < 40).all()


def test_a_page_without_objects_is_a_page() -> None:
    assert "<section" not in album(MemoryLibrary([]), [], AlbumCaption("0 objects"))


def test_a_page_of_two_thousand_objects_stays_below_15_mb(shared: Callable[[str], Path]) -> None:
    folder = shared("coco_train128/images")
    crops = []
    for path in sorted(folder.iterdir())[:40]:
        image = read_picture(path)[:160, :160]
        opaque = np.full((*image.shape[:2], 1), 255, np.uint8)
        crops.append(Cutout("crop", np.concatenate([image, opaque], axis=2)))
    library = MemoryLibrary(crops)
    entries = list(library.entries("crop"))
    cards = [AlbumCard(entries[n % len(entries)], "also dog, cat") for n in range(2000)]
    page = album(library, cards, AlbumCaption("2000 objects"))
    assert page.count('class="object ') == 2000
    assert len(page.encode()) < MOST_BYTES


def test_pictures_shrink_as_objects_become_many() -> None:
    most, sides = zip(*SIDES, strict=True)
    assert list(most) == sorted(most)
    assert list(sides) == sorted(sides, reverse=True)


def test_the_hint_names_the_file_that_the_page_writes() -> None:
    page = page_of(cutout("car", 1), file="bad ones.txt")
    assert "exclude: bad ones.txt}" in unescape(page)
