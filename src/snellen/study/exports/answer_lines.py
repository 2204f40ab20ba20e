"""Every answer as a line of JSON: what was asked, what is true, what was answered and how fast."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from snellen.study.exports.exported_study import ExportedStudy


def answer_lines(study: ExportedStudy) -> bytes:
    """The answers, in the order in which they were kept; checks and practice among them."""
    return "".join(f"{json.dumps(one, sort_keys=True)}\n" for one in _values(study)).encode()


def _values(study: ExportedStudy) -> Iterator[dict[str, Any]]:
    for one in study.answers:
        trial = study.record.trials[one.trial]
        samples = [study.record.samples[name].model_dump(mode="json") for name in trial.samples]
        yield {
            **one.model_dump(mode="json"),
            "task": trial.task.value,
            "kind": trial.kind.value,
            "label": trial.label,
            "choices": list(trial.choices),
            "right": trial.right,
            "box": trial.box,
            "object": trial.object,
            "samples": samples,
        }
