"""A study's folder as human data, for `snellen thresholds`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.methods.human.human_formats import HumanFormat
from snellen.study.record import StudyRecord


def _is_study(path: Path) -> bool:
    from snellen.study.data.study_file import DATABASE

    return (path / DATABASE).is_file()


def _estimates(path: Path, request: EstimateRequest) -> list[HumanEstimate]:
    from snellen.study.data.record_reader import read_record
    from snellen.study.estimates.thresholds.study_thresholds import StudySource, study_thresholds

    record = read_record(path)
    return study_thresholds(record, StudySource(path.resolve(), record_digest(record)), request)


def record_digest(record: StudyRecord) -> str:
    """The SHA-256 of what was asked and answered, hexadecimal.

    Of the content, not of the file: a database changes when it is opened for writing.
    """
    found = sha256(f"{record.name}\n{record.seed}\n{record.measure}\n{record.flash_ms}".encode())
    for values in (*record.samples.values(), *record.trials.values(), *record.answers):
        found.update(values.model_dump_json().encode())
    for scene, objects in record.objects.items():
        found.update(scene.encode())
        for one in objects:
            found.update(one.model_dump_json().encode())
    return found.hexdigest()


FORMAT = HumanFormat(_is_study, _estimates)
