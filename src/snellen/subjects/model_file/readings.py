"""The ways in which one network may be read: decoder, channels, pixel range, fit, cell offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.model_subject import ModelSubject, OutputReader
from snellen.subjects.model_file.preprocessing import IMAGENET_MEAN, IMAGENET_STD, Triple

ZERO: Triple = (0.0, 0.0, 0.0)
ONE: Triple = (1.0, 1.0, 1.0)
TOLERANCE = 0.02
"""How far two ranges may differ at any pixel value, relative to their width, and be the same."""


def _turned(values: Triple) -> Triple:
    return values[2], values[1], values[0]


@dataclass(frozen=True)
class PixelRange:
    """The numbers that a network is fed: (pixel * scale - mean) / std, means and stds in RGB order.

    scale: None for unscaled whole numbers.
    """

    scale: float | None
    mean: Triple = ZERO
    std: Triple = ONE

    def options(self, channels: str) -> dict[str, Any]:
        """The options that ask for it, for a network with these channels."""
        if self.scale is None:
            return {"scale": None, "mean": None, "std": None}
        mean, std = (one if channels == "rgb" else _turned(one) for one in (self.mean, self.std))
        return {"scale": self.scale, "mean": mean, "std": std}

    def is_like(self, other: PixelRange) -> bool:
        """Whether the two give nearly the same numbers."""
        if self.scale is None or other.scale is None:
            return self.scale is other.scale
        ours, theirs = self._ends(), other._ends()
        return bool(np.abs(ours - theirs).max() <= TOLERANCE * np.ptp(ours, axis=0).max())

    def _ends(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The numbers for pixels 0 and 255, (2, 3)."""
        pixels = np.array([[0.0], [255.0]]) * (self.scale or 1.0)
        return np.asarray((pixels - np.array(self.mean)) / np.array(self.std))


UNSCALED = PixelRange(None)
RANGES = (
    PixelRange(1 / 255),
    PixelRange(1.0),
    PixelRange(1 / 255, IMAGENET_MEAN, IMAGENET_STD),
    PixelRange(1 / 127.5, ONE),
)
"""From 0 to 1, from 0 to 255, ImageNet's mean and std, from -1 to 1."""


@dataclass(frozen=True)
class Reading:
    """One way of reading a network. cell_offset: None if boxes do not refer to cells."""

    decoder: str
    channels: str
    letterbox: InputFit
    pixels: PixelRange
    cell_offset: float | None

    @property
    def preparation(self) -> tuple[str, InputFit, PixelRange]:
        """What the network's outputs depend on."""
        return self.channels, self.letterbox, self.pixels


def reading_of(reader: OutputReader) -> Reading:
    """The reading that a reader implements."""
    known = reader.preprocessing
    rgb = known.channels == "rgb"
    own = PixelRange(
        known.scale, *((one if rgb else _turned(one)) for one in (known.mean, known.std))
    )
    same = [one for one in RANGES if one.is_like(own)]
    return Reading(
        decoder=reader.decoder.name,
        channels=known.channels,
        letterbox=known.fit,
        pixels=UNSCALED if reader.raw else (same or [own])[0],
        cell_offset=None if reader.decoder.cell_offset is None else reader.settings.cell_offset,
    )


def option_changes(subject: ModelSubject, reading: Reading) -> dict[str, Any]:
    """The options that turn the subject's own reading into this one, none without effect.

    Raises a `UserError` if it cannot be read so.
    """
    changes: dict[str, Any] = {}

    def now() -> Reading:
        return reading_of(subject.read_with(changes))

    if now().decoder != reading.decoder:
        changes["decoder"] = reading.decoder
    if now().channels != reading.channels:
        changes["channels"] = reading.channels
    if now().letterbox != reading.letterbox:
        changes["letterbox"] = reading.letterbox.value
    if now().pixels != reading.pixels:
        changes |= _pixel_changes(subject.read_with(changes), reading)
    if now().cell_offset != reading.cell_offset:
        changes["cell_offset"] = reading.cell_offset
    return changes


def _pixel_changes(reader: OutputReader, reading: Reading) -> dict[str, Any]:
    """The options of the reading's range that the reader does not have already."""
    now = reader.preprocessing
    wanted = reading.pixels.options(reading.channels)
    if reading.pixels is UNSCALED or reader.raw:
        return wanted
    return {name: value for name, value in wanted.items() if value != getattr(now, name)}


def usual_mistakes(subject: ModelSubject) -> dict[Reading, float]:
    """The readings that one common mistake explains, and how common it is in relation.

    The other order of channels, or another fit of the image.
    """
    given = reading_of(subject.reader)
    other = "bgr" if given.channels == "rgb" else "rgb"
    fits = [fit for fit in InputFit if fit is not given.letterbox and subject.reader.size]
    found = {reading_of(subject.read_with({"channels": other})): 0.5}
    return found | {replace(given, letterbox=fit): 0.15 for fit in fits}


def alternative_readings(subject: ModelSubject) -> list[Reading]:
    """Every combination of what the network could mean, the subject's own reading first."""
    given = reading_of(subject.reader)
    channels = ("rgb", "bgr")
    fits = list(InputFit) if subject.reader.size else [given.letterbox]
    preparations = list(product(channels, fits, _ranges(subject, given)))
    found = [given, *usual_mistakes(subject)]
    for decoder, offset in _decodings(subject, given):
        for order, fit, pixels in preparations:
            found.append(Reading(decoder, order, fit, pixels, offset))
    return list(dict.fromkeys(found))


def _ranges(subject: ModelSubject, given: Reading) -> list[PixelRange]:
    """The ranges worth trying: whole numbers if the network takes them, else the usual ones."""
    if subject.read_with(UNSCALED.options("rgb")).raw:
        return list(dict.fromkeys([given.pixels, UNSCALED]))
    return list(dict.fromkeys([given.pixels, *RANGES]))


def _decodings(subject: ModelSubject, given: Reading) -> Iterator[tuple[str, float | None]]:
    """(decoder, cell offset) of the given decoder and of all others that recognise the outputs."""
    for name in dict.fromkeys([given.decoder, *subject.decoders]):
        try:
            reader = subject.read_with({} if name == given.decoder else {"decoder": name})
        except (UserError, ValueError):  # does not fit the outputs, or not the user's options
            continue
        if reader.decoder.task is not subject.task:
            continue
        offset = reading_of(reader).cell_offset
        yield from ((name, one) for one in ([None] if offset is None else [0.0, 0.5]))


def nearer(reading: Reading, given: Reading) -> list[Reading]:
    """The readings with one difference to the given one undone."""
    found = []
    for part in ("letterbox", "cell_offset", "channels", "pixels", "decoder"):
        one = replace(reading, **{part: getattr(given, part)})
        if part == "decoder":
            one = replace(one, cell_offset=given.cell_offset)
        if one != reading and (one.cell_offset is None) == (reading.cell_offset is None):
            found.append(one)
    return found
