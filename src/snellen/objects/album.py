"""An HTML page of objects by label, on which a person strikes out bad ones; one file, no server."""

from __future__ import annotations

import base64
import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib.resources import files
from string import Template

import numpy as np

from snellen.disk.page_policy import content_policy
from snellen.objects.contact_sheet import resized
from snellen.objects.library.exclusion_file import exclusion_line
from snellen.objects.library.library import Entry, Library
from snellen.vision.arrays import F32, Bytes

QUALITY = 75
SIDES = ((800, 144), (2500, 112), (6000, 80))
"""Largest number of objects on a page, and the longer side of their thumbnails in pixels."""
SMALLEST = 56
REACH = 17
"""Width of the blur in pixels: one compression block and one more pixel."""
FILE = "struck-out.txt"


@dataclass(frozen=True)
class AlbumCard:
    """An object on the page. why: the reason it is not used, or "". struck: already struck out."""

    entry: Entry
    why: str = ""
    struck: bool = False


@dataclass(frozen=True)
class AlbumCaption:
    """The text at the head of the page.

    title, summary: the heading and the line below it. note: a highlighted line, or "". others:
    lines of the exclusion file for objects that are not on the page. file: its name.
    """

    title: str
    summary: str = ""
    note: str = ""
    others: Sequence[str] = ()
    file: str = FILE


def album(library: Library, cards: Sequence[AlbumCard], caption: AlbumCaption) -> str:
    """The page as HTML. It fetches nothing and runs no script but its own."""
    by_label: dict[str, list[AlbumCard]] = defaultdict(list)
    for card in cards:
        by_label[card.entry.label].append(card)
    side = next((side for most, side in SIDES if len(cards) <= most), SMALLEST)
    labels = sorted(by_label)
    ids = list(dict.fromkeys(card.entry.id for card in cards))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pictures = dict(zip(ids, pool.map(partial(_image_tag, library, side), ids), strict=True))
    script = _resource("album.js")
    return Template(_resource("album.html")).substitute(
        policy=content_policy(script),
        style=_resource("album.css"),
        script=script,
        title=escape(caption.title),
        summary=escape(caption.summary),
        note=f'<p class="note">{escape(caption.note)}</p>' if caption.note else "",
        file=escape(caption.file),
        others=escape(json.dumps(list(caption.others))),
        cell=side + 12,
        options="".join(
            f'<option value="label-{n}">{escape(label)} ({len(by_label[label])})</option>'
            for n, label in enumerate(labels)
        ),
        sections="\n".join(
            _section(label, by_label[label], pictures, f"label-{n}")
            for n, label in enumerate(labels)
        ),
    )


def thumbnail(pixels: Bytes, side: int) -> tuple[bytes, int, int]:
    """A WebP file of a cut-out (H x W x 4 RGBA) with alpha, and its width and height.

    Its longer side is `side` pixels; cut-outs are enlarged at most twice.
    """
    import cv2

    height, width = pixels.shape[:2]
    scale = min(side / width, side / height, 2.0)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = _extend_colours(resized(pixels, size))
    swapped = np.ascontiguousarray(np.rint(small).astype(np.uint8)[..., [2, 1, 0, 3]])
    done, data = cv2.imencode(".webp", swapped, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    assert done
    return bytes(np.asarray(data).tobytes()), *size


def _extend_colours(picture: F32) -> F32:
    """RGBA with the colours of the edge extended outwards, to avoid dark compression artefacts."""
    import cv2

    alpha = picture[..., 3:]
    weights = cv2.blur(alpha, (REACH, REACH))[..., None]
    colours = cv2.blur(picture[..., :3] * alpha, (REACH, REACH)) / np.maximum(weights, 1e-3)
    return np.concatenate([np.where(alpha > 0, picture[..., :3], colours), alpha], axis=2)


def _image_tag(library: Library, side: int, id: str) -> str:
    data, width, height = thumbnail(library.cutout(id).pixels, side)
    return (
        f'<img src="data:image/webp;base64,{base64.b64encode(data).decode()}" width="{width}" '
        f'height="{height}" alt="" loading="lazy" decoding="async">'
    )


def _section(label: str, cards: Sequence[AlbumCard], pictures: Mapping[str, str], id: str) -> str:
    ordered = sorted(cards, key=lambda card: bool(card.why))
    inner = "\n".join(_card(card, pictures[card.entry.id]) for card in ordered)
    return (
        f'<section id="{id}"><h2>{escape(label)} <small></small></h2>'
        f'<div class="grid">\n{inner}\n</div></section>'
    )


def _card(card: AlbumCard, picture: str) -> str:
    entry = card.entry
    text = f"{entry.width} × {entry.height} pixels"
    text += f", from {entry.origin}" if entry.origin else ""
    spoken = f"{entry.label}, {text}" + (f", not used: {card.why}" if card.why else "")
    why = f'<span class="why">{escape(card.why)}</span>' if card.why else ""
    return (
        f'<button type="button" class="object{" rejected" if card.why else ""}" '
        f'aria-pressed="{str(card.struck).lower()}" aria-label="{escape(spoken)}" '
        f'title="{escape(f"{text} · {entry.id}")}" data-line="{escape(exclusion_line(entry))}">'
        f'<span class="ground">{picture}</span>{why}</button>'
    )


def _resource(name: str) -> str:
    return files("snellen.objects").joinpath(name).read_text(encoding="utf-8")
