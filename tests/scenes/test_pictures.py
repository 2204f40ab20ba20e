from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.scenes.pictures import picture_size, read_picture, write_picture
from snellen.vision.arrays import Bytes, UInts16

TURNS = {
    1: lambda a: a,
    2: np.fliplr,
    3: lambda a: np.rot90(a, 2),
    4: np.flipud,
    5: lambda a: np.swapaxes(a, 0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.swapaxes(np.rot90(a, 2), 0, 1),
    8: lambda a: np.rot90(a, 1),
}


@pytest.fixture
def colour() -> Bytes:
    """Left red, right blue, a green bar: no symmetry that could hide a wrong rotation."""
    pixels = np.zeros((20, 32, 3), dtype=np.uint8)
    pixels[:, :16] = (200, 10, 30)
    pixels[:, 16:] = (20, 40, 220)
    pixels[3:7, :8] = (0, 180, 60)
    return pixels


def _saved(image: Image.Image, path: Path, **settings: Any) -> Path:
    image.save(path, **settings)
    return path


def test_every_lossless_kind_gives_the_same_pixels(tmp_path: Path, colour: Bytes) -> None:
    image = Image.fromarray(colour)
    alpha = Image.fromarray(np.dstack([colour, np.full((20, 32), 255, np.uint8)]))
    wide = colour[..., ::-1].astype(np.uint16) * 257
    cv2.imwrite(str(tmp_path / "wide.png"), wide)
    cv2.imwrite(str(tmp_path / "wide.tif"), wide)
    cv2.imwrite(str(tmp_path / "wide_alpha.png"), np.dstack([wide, wide[..., 0]]))
    files = [
        _saved(image, tmp_path / "a.png"),
        _saved(image, tmp_path / "a.bmp"),
        _saved(image, tmp_path / "a.tif"),
        _saved(image, tmp_path / "a.ppm"),
        _saved(image, tmp_path / "a.webp", lossless=True),
        _saved(alpha, tmp_path / "alpha.png"),
        _saved(image.quantize(8), tmp_path / "palette.png"),
        _saved(image.quantize(8), tmp_path / "a.gif"),
        tmp_path / "wide.png",
        tmp_path / "wide.tif",
        tmp_path / "wide_alpha.png",
    ]
    for file in files:
        found = read_picture(file)
        assert found.dtype == np.uint8, file.name
        assert found.flags.writeable, file.name
        assert found.flags.c_contiguous, file.name
        np.testing.assert_array_equal(found, colour, err_msg=file.name)
        assert picture_size(file) == (20, 32)


@pytest.mark.parametrize("kind", ["L", "1", "LA", "I;16", "P"])
def test_grey_kinds_have_three_equal_channels(tmp_path: Path, kind: str) -> None:
    grey = np.zeros((10, 12), dtype=np.uint8)
    grey[2:5, 3:9] = 255
    image = Image.fromarray(grey)
    if kind == "I;16":
        image = Image.fromarray(grey.astype(np.uint16) * 257)
    elif kind != "L":
        image = image.convert(kind)
    found = read_picture(_saved(image, tmp_path / "grey.png"))
    np.testing.assert_array_equal(found, np.repeat(grey[..., None], 3, axis=2))


def test_grey_and_colour_jpeg_agree(tmp_path: Path) -> None:
    grey = np.tile(np.arange(0, 256, 4, dtype=np.uint8), (40, 1))
    found = read_picture(_saved(Image.fromarray(grey), tmp_path / "grey.jpg", quality=98))
    assert found.shape == (40, 64, 3)
    assert np.abs(found[..., 0].astype(int) - grey).max() <= 3


def test_cmyk_jpeg_is_not_inverted(tmp_path: Path, colour: Bytes) -> None:
    cmyk = Image.fromarray(colour).convert("CMYK")
    found = read_picture(_saved(cmyk, tmp_path / "cmyk.jpg", quality=98, subsampling=0))
    assert Image.open(tmp_path / "cmyk.jpg").mode == "CMYK"
    assert np.abs(found.astype(int) - colour).mean() < 4
    tiff = read_picture(_saved(cmyk, tmp_path / "cmyk.tif"))
    np.testing.assert_array_equal(tiff, np.array(cmyk.convert("RGB")))


def test_alpha_is_dropped_and_the_colours_under_it_kept(tmp_path: Path, colour: Bytes) -> None:
    hidden = np.zeros((20, 32), np.uint8)
    rgba = Image.fromarray(np.dstack([colour, hidden]))
    palette = Image.fromarray(colour).quantize(8)
    files = [
        _saved(rgba, tmp_path / "a.png"),
        _saved(rgba, tmp_path / "a.webp", lossless=True, exact=True),
        _saved(rgba, tmp_path / "a.tif"),
        _saved(palette, tmp_path / "p.png", transparency=0),
        _saved(palette, tmp_path / "q.png", transparency=bytes([0, 128, 255])),
        _saved(Image.fromarray(colour), tmp_path / "t.png", transparency=(200, 10, 30)),
    ]
    for file in files:
        np.testing.assert_array_equal(read_picture(file), colour, err_msg=file.name)


def test_16_bit_values_are_rounded_not_cut(tmp_path: Path) -> None:
    values = np.arange(65536, dtype=np.uint16).reshape(256, 256)
    expected = np.round(values / 257).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "grey.png"), values)
    cv2.imwrite(str(tmp_path / "grey.tif"), values)
    cv2.imwrite(str(tmp_path / "rgb.png"), np.dstack([values] * 3))
    for name in ("grey.png", "grey.tif", "rgb.png"):
        found = read_picture(tmp_path / name)
        np.testing.assert_array_equal(found, np.dstack([expected] * 3), err_msg=name)


def _wide_tiff(pixels: UInts16, turn: int) -> bytes:
    """A hand-written 16-bit RGB TIFF: neither Pillow nor OpenCV writes one with an orientation."""
    height, width = pixels.shape[:2]
    data = pixels.astype("<u2").tobytes()
    tags = [(256, 4, width), (257, 4, height), (258, 3, -1), (259, 3, 1), (262, 3, 2)]
    tags += [(273, 4, -2), (274, 3, turn), (277, 3, 3), (278, 4, height), (279, 4, len(data))]
    after = 8 + 2 + 12 * len(tags) + 4
    out = b"II*\0" + struct.pack("<IH", 8, len(tags))
    for tag, kind, value in tags:
        value = {-1: after, -2: after + 6}.get(value, value)
        out += struct.pack("<HHII", tag, kind, 3 if tag == 258 else 1, value)
    return out + struct.pack("<I", 0) + struct.pack("<3H", 16, 16, 16) + data


@pytest.mark.parametrize("turn", range(1, 9))
def test_every_exif_orientation_is_turned_upright(tmp_path: Path, colour: Bytes, turn: int) -> None:
    expected = TURNS[turn](colour)
    exif = Image.Exif()
    exif[0x0112] = turn
    image = Image.fromarray(colour)
    files = [
        _saved(image, tmp_path / "a.jpg", exif=exif, quality=98, subsampling=0),
        _saved(image, tmp_path / "a.png", exif=exif),
        _saved(image, tmp_path / "a.webp", exif=exif, lossless=True),
        _saved(image, tmp_path / "a.tif", tiffinfo={274: turn}),
        _saved(image.convert("CMYK"), tmp_path / "cmyk.jpg", exif=exif, quality=98, subsampling=0),
        _saved(image.quantize(8), tmp_path / "palette.png", exif=exif),
        tmp_path / "wide.tif",
        tmp_path / "wide.png",
    ]
    (tmp_path / "wide.tif").write_bytes(_wide_tiff(colour.astype(np.uint16) * 257, turn))
    _write_wide_png(tmp_path / "wide.png", colour, exif)
    for file in files:
        assert picture_size(file) == expected.shape[:2], file.name
        found = read_picture(file)
        assert found.shape == expected.shape, file.name
        slack = 12 if file.suffix == ".jpg" else 0
        assert np.abs(found.astype(int) - expected).mean() <= slack / 4, file.name


def _write_wide_png(path: Path, colour: Bytes, exif: Image.Exif) -> None:
    cv2.imwrite(str(path), colour[..., ::-1].astype(np.uint16) * 257)
    plain = path.read_bytes()
    tagged = io.BytesIO()
    Image.new("RGB", (1, 1)).save(tagged, "PNG", exif=exif)
    donor = tagged.getvalue()
    start = donor.index(b"eXIf") - 4
    chunk = donor[start : start + 12 + struct.unpack(">I", donor[start : start + 4])[0]]
    path.write_bytes(plain[:33] + chunk + plain[33:])


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".tif", ".webp"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_truncated_file_is_an_error_and_never_grey(
    tmp_path: Path, suffix: str, share: float
) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    path = _saved(Image.fromarray(noise), tmp_path / f"photo{suffix}")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UserError, match=f"photo{suffix}: cannot be read as an image"):
        read_picture(path)


def test_a_jpeg_without_its_last_bytes_is_an_error(tmp_path: Path, colour: Bytes) -> None:
    for kind in ("baseline", "progressive"):
        path = _saved(
            Image.fromarray(colour), tmp_path / f"{kind}.jpg", progressive=kind == "progressive"
        )
        path.write_bytes(path.read_bytes()[:-20] + bytes(20))
        with pytest.raises(UserError, match=kind):
            read_picture(path)


BROKEN: list[tuple[str, bytes, str]] = [
    ("empty.jpg", b"", "cannot be read as an image"),
    ("text.png", b"<html>not found</html>", "cannot be read as an image"),
]


@pytest.mark.parametrize(("name", "data", "why"), BROKEN)
def test_a_file_that_is_no_image_is_named(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(data)
    for read in (read_picture, picture_size):
        with pytest.raises(UserError, match=f"{name}: {why}"):
            read(tmp_path / name)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for read in (read_picture, picture_size):
        with pytest.raises(UserError, match=r"gone.jpg: no such image file"):
            read(tmp_path / "gone.jpg")


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_32_bit_numbers_have_no_known_white(tmp_path: Path, dtype: type) -> None:
    path = _saved(Image.fromarray(np.ones((4, 4), dtype=dtype)), tmp_path / "depth.tif")
    with pytest.raises(UserError, match=r"depth.tif: .*32-bit"):
        read_picture(path)


def test_written_pictures_come_back(tmp_path: Path, colour: Bytes) -> None:
    write_picture(tmp_path / "deep" / "a.png", colour)
    np.testing.assert_array_equal(read_picture(tmp_path / "deep" / "a.png"), colour)
    write_picture(tmp_path / "a.jpg", colour, quality=98)
    assert np.abs(read_picture(tmp_path / "a.jpg").astype(int) - colour).mean() < 8
    with pytest.raises(UserError, match=r"a.bmp"):
        write_picture(tmp_path / "a.bmp", colour)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jpg", "deep"]
