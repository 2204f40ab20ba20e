"""Our own tables, as `snellen thresholds` reads them."""

from __future__ import annotations

from snellen.study.exports.box_rows import box_table
from snellen.study.exports.exported_study import ExportedStudy
from snellen.study.exports.icraf import answer_table, class_rows


def table_files(study: ExportedStudy) -> dict[str, bytes]:
    """The files by name: answers to images, boxes, as far as there are any."""
    files = {}
    if rows := list(class_rows(study)):
        files["classes.csv"] = answer_table(rows)
    if boxes := box_table(study):
        files["boxes.csv"] = boxes
    return files
