"""What a Darknet cfg says of how its heads learn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.subjects.darknet.cfg_sections import Section, read_sections


@dataclass(frozen=True)
class HeadSettings:
    """How one head learns; the defaults are Darknet's.

    ignore: a box that overlaps an object by more (IoU) is not told that nothing is there. also:
    anchors whose shape overlaps an object's by more (IoU) learn it beside the best one. box,
    objectness, classes: weights of the loss's parts. smoothing: how far class targets keep away
    from 0 and 1.
    """

    ignore: float = 0.5
    also: float = 1.0
    box: float = 0.75
    objectness: float = 1.0
    classes: float = 1.0
    smoothing: float = 0.0


def read_settings(path: Path) -> tuple[HeadSettings, ...]:
    """The settings of each `[yolo]` layer of a cfg, in order."""
    return tuple(_settings(one) for one in read_sections(path) if one.kind == "yolo")


def _settings(section: Section) -> HeadSettings:
    usual = HeadSettings()
    return HeadSettings(
        ignore=section.number("ignore_thresh", usual.ignore),
        also=section.number("iou_thresh", usual.also),
        box=section.number("iou_normalizer", usual.box),
        objectness=section.number("obj_normalizer", usual.objectness),
        classes=section.number("cls_normalizer", usual.classes),
        smoothing=section.number("label_smooth_eps", usual.smoothing),
    )
