"""A scene along an axis of visual change: thumbnails with what the subject still finds."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.requirements.own_numbers import CurveGroup
from snellen.methods.requirements.page.axis_samples import Sample, Strip
from snellen.pages.embedded_pictures import Album, thumbnail
from snellen.pages.markup import Markup, joined, tag

THUMBNAIL = 260
"""Pixels, twice the usual width on the page."""


def strip_row(strip: Strip | None, group: CurveGroup, album: Album) -> Markup | None:
    """The pictures in a row, least changed first; None without any."""
    if strip is None or not strip.samples:
        return None
    items = [_thumb(one, group, album) for one in strip.samples]
    framed = any(one.boxes for one in strip.samples)
    what = "objects" if group.label == "any" else group.label
    caption = f"Cases of {strip.scene} along the axis, with their visual change"
    return joined(
        tag("ol", items, class_="strip"),
        tag("p", f"{caption}; boxes: {what} found by the subject." if framed else f"{caption}.",
            class_="facts"),
    )  # fmt: skip


def _thumb(one: Sample, group: CurveGroup, album: Album) -> Markup:
    height, width = one.image.shape[:2]
    frames = [tag("span", class_="box", style=_placed(box, width, height)) for box in one.boxes]
    label = (
        f"{group.transformation}, visual change {one.delta_v:.2f}: {one.found} "
        f"{'objects' if group.label == 'any' else group.label} found"
    )
    picture = tag("span", class_=f"picture {album.add(thumbnail(one.image, THUMBNAIL))}")
    return tag(
        "li",
        tag(
            "span", picture, frames, class_="thumb", role="img", aria_label=label,
            style=f"aspect-ratio:{width}/{height};--ratio:{width / height:.4f}",
        ),
        tag("span", f"{one.delta_v:.2f}" if one.delta_v else "the scene", class_="at"),
    )  # fmt: skip


def _placed(box: Sequence[float], width: int, height: int) -> str:
    left, top, right, bottom = (
        100 * min(max(value / size, 0.0), 1.0)
        for value, size in zip(box, (width, height) * 2, strict=True)
    )
    return f"left:{left:.2f}%;top:{top:.2f}%;width:{right - left:.2f}%;height:{bottom - top:.2f}%"
