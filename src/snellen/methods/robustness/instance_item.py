"""One base instance on the page: its picture with contour and insertions, and the results."""

from __future__ import annotations

from snellen.methods.robustness.instance_notes import ClusterNote, InstanceNote
from snellen.methods.robustness.instance_pictures import InstancePicture, Spot
from snellen.pages.embedded_pictures import Album, thumbnail
from snellen.pages.markup import Markup, tag
from snellen.store.estimate import Estimate, p_words

WIDTH = 520
RADIUS = 0.011
"""The radius of a spot as a share of the picture's longer side."""
STATUS = {
    "failing": "the instance broke",
    "borderline": "it changed, but only slightly",
    "flaky": "the answer did not repeat",
    "unconfirmed": "it broke, but was not asked again",
    "holds": "it was found as before",
}
ORDER = ("holds", "flaky", "unconfirmed", "borderline", "failing")


def instance_item(one: InstancePicture, album: Album) -> Markup:
    """A list item with the picture and a few lines."""
    height, width = one.image.shape[:2]
    note = one.note
    counted = f"{note.failing} of {note.tests} insertions break it"
    description = f"{note.name} in {note.scene}: {counted}"
    picture = tag("span", class_=f"picture {album.add(thumbnail(one.image, WIDTH))}")
    return tag(
        "li",
        tag(
            "div",
            picture,
            _drawing(one, width, height, description),
            class_="frame",
            style=f"aspect-ratio:{width}/{height}",
        ),
        tag(
            "div",
            tag("p", tag("strong", f"{note.name} {note.score:.2f}"), f" · {note.scene}"),
            tag("p", f"{counted}, {_share(note.rate)}"),
            tag("p", _distance_words(note), class_="facts"),
            tag("p", _cluster_words(note.clusters), class_="facts"),
            class_="says",
        ),
        class_="instance",
    )


def _drawing(one: InstancePicture, width: int, height: int, description: str) -> Markup:
    x1, y1, x2, y2 = one.box
    radius = round(RADIUS * max(width, height), 2)
    path = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in one.points.tolist()) + " Z"
    if one.note.contour in ("grad-cam", "saliency", "mask"):
        # Points of several parts must not be joined by lines across the picture.
        edge = [
            tag("circle", cx=round(x, 1), cy=round(y, 1), r=round(0.4 * radius, 2), class_="edge")
            for x, y in one.points.tolist()
        ]
    else:
        edge = [tag("path", d=path, class_="edge under"), tag("path", d=path, class_="edge")]
    spots = sorted(one.spots, key=lambda spot: ORDER.index(spot.status))
    return tag(
        "svg",
        tag("rect", x=round(x1, 1), y=round(y1, 1), width=round(x2 - x1, 1),
            height=round(y2 - y1, 1), class_="base"),
        edge,
        [spot_shape(spot, radius) for spot in spots],
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none",
        role="img",
        aria_label=description,
    )  # fmt: skip


def spot_shape(spot: Spot, radius: float) -> Markup:
    """A test's mark: a cross where it failed, a disc where it held, a square in between."""
    what = f"{spot.label or 'object'} at {spot.distance:g} px (level {spot.level}): "
    title = tag("title", what + STATUS.get(spot.status, spot.status))
    look = f"spot {spot.status}"
    x, y, r = spot.x, spot.y, radius
    if spot.status == "holds":
        return tag("circle", title, cx=x, cy=y, r=r, class_=look)
    if spot.status == "failing":
        return tag("path", title, d=cross(x, y, 1.5 * r), class_=look)
    return tag("rect", title, x=x - r, y=y - r, width=2 * r, height=2 * r, class_=look)


def cross(x: float, y: float, r: float) -> str:
    """The outline of a diagonal cross around a point, reaching `r` to each side."""
    a, b = r, r / 2.6
    corners = [(-a, -a + b), (-a + b, -a), (0, -b), (a - b, -a), (a, -a + b), (b, 0),
               (a, a - b), (a - b, a), (0, b), (-a + b, a), (-a, a - b), (-b, 0)]  # fmt: skip
    return "M" + " L".join(f"{x + dx:.2f},{y + dy:.2f}" for dx, dy in corners) + " Z"


def legend() -> Markup:
    """The legend of the marks."""
    middle = Spot(8, 8, "", 0, 0, None)
    items = []
    for status in reversed(ORDER):
        shape = spot_shape(Spot(middle.x, middle.y, status, 0, 0, None), 4.6)
        key = tag("svg", shape, viewBox="0 0 16 16", class_="key-spot", aria_hidden="true")
        items.append(tag("li", key, STATUS[status]))
    return tag("ul", items, class_="legend")


def _share(rate: Estimate) -> str:
    value, low, high = (f"{100 * one:.0f}%" for one in (rate.value or 0, rate.low, rate.high))
    return f"{value} ({low} to {high})"


def _distance_words(note: InstanceNote) -> str:
    near, far = note.smallest_failing_distance, note.largest_failing_distance
    if near is None:
        return f"holds at every distance, down to {note.smallest_holding_distance:g} px"
    return f"breaks at {near:g} to {far:g} px from the contour"


def _cluster_words(found: ClusterNote) -> str | None:
    if not found.sizes or found.p_value is None:
        return None
    chance = f"{p_words(found.p_value)} if failures were spread at random"
    return f"{100 * found.share:.0f}% of its failures are in one cluster, {chance}"
