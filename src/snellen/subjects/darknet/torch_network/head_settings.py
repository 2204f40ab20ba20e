"""The training settings of the heads in a Darknet cfg."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.subjects.darknet.cfg_sections import Section, read_sections


@dataclass(frozen=True)
class HeadSettings:
    """The training settings of one head; the defaults are Darknet's.

    ignore: a box that overlaps an object by more (IoU) is not penalised as a false positive. also:
    anchors whose shape overlaps an object's by more (IoU) are assigned to it besides the best one.
    box, objectness, classes: weights of the loss terms. smoothing: label smoothing of the classes.
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
    default = HeadSettings()
    return HeadSettings(
        ignore=section.number("ignore_thresh", default.ignore),
        also=section.number("iou_thresh", default.also),
        box=section.number("iou_normalizer", default.box),
        objectness=section.number("obj_normalizer", default.objectness),
        classes=section.number("cls_normalizer", default.classes),
        smoothing=section.number("label_smooth_eps", default.smoothing),
    )
