"""`export_study`: a study's answers in the format of another tool."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.study.exports.answer_lines import answer_lines
from snellen.study.exports.decompovision import decompovision_files
from snellen.study.exports.exported_study import exported_study
from snellen.study.exports.icraf import icraf_files
from snellen.study.exports.links import link_files
from snellen.study.exports.tables import table_files
from snellen.study.exports.voc_annotations import write_voc_annotations

LOCAL = "http://127.0.0.1:8765/"
"""Where a study is served unless it is said otherwise."""


class StudyExport(StrEnum):
    """What a study is written as."""

    TABLES = "tables"
    ANSWERS = "answers"
    DECOMPOVISION = "decompovision"
    ICRAF = "icraf"
    LINKS = "links"


def export_study(
    folder: Path,
    form: StudyExport,
    out: Path,
    *,
    every: bool = False,
    recruiting: bool = False,
    address: str = LOCAL,
) -> list[str]:
    """Write a study into the new folder `out`; the names of the files.

    every: also answers of inattentive participants and of exposures that missed their target.
    recruiting: also what a recruiting site passed. address: where the study is served.
    """
    if form == StudyExport.LINKS:
        return _write(out, link_files(folder, address, recruiting=recruiting))
    study = exported_study(folder, every=every or form == StudyExport.ANSWERS)
    if not study.answers:
        raise UserError(f"{folder}: has no answers yet. Serve it: snellen study serve {folder}")
    if form == StudyExport.ANSWERS:
        return _write(out, {"answers.jsonl": answer_lines(study)})
    if form == StudyExport.DECOMPOVISION:
        with new_folder(out) as draft:
            names = _fill(draft, decompovision_files(study))
            write_voc_annotations(study, draft / "VOC2012")
        return [*names, "VOC2012"]
    files = icraf_files(study) if form == StudyExport.ICRAF else table_files(study)
    if not files:
        raise UserError(f"{folder}: has no answers for --to {form}: rankings are in --to answers.")
    return _write(out, files)


def _write(out: Path, files: dict[str, bytes]) -> list[str]:
    with new_folder(out) as draft:
        return _fill(draft, files)


def _fill(draft: Path, files: dict[str, bytes]) -> list[str]:
    for name, content in files.items():
        (draft / name).write_bytes(content)
    return list(files)
