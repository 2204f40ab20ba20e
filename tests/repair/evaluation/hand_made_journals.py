"""Journals made by hand: scenes with instances, each with tests that fail or hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.contract.verdict import Case, Status, Verdict
from snellen.repair.evaluation.evaluation_sides import CaseOutcome
from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.repair.evaluation.run_replay import REPLAY
from snellen.store.journal import Failure, Journal, UnitEnd
from snellen.vision.detections import Detections

TRAITS = {
    "name": "hand-made", "task": "detection", "classes": ["car", "dog"], "score": 0.5,
    "deterministic": True, "tolerance": 0.0,
}  # fmt: skip
Scene = Sequence[Sequence[bool]]
"""For each instance, whether each of its tests fails."""


def write_side(
    folder: Path,
    scenes: Mapping[str, Scene | None],
    *,
    fingerprint: str = "before",
    replay_of: tuple[str, str] | None = None,
    gone: frozenset[tuple[str, int]] = frozenset(),
    unsure: Mapping[tuple[str, int], float] | None = None,
) -> Path:
    """A folder with a journal; a scene that is None ended in an error."""
    folder.mkdir(parents=True)
    with closing(Journal(folder / "journal.sqlite")) as journal:
        journal.put(
            {"subject": {**TRAITS, "fingerprint": fingerprint}, "campaign": "c", "seed": 1,
             "method": "robustness", "finished": 1.0}
        )  # fmt: skip
        if replay_of is not None:
            journal.put({REPLAY: {"of": replay_of[0], "by": replay_of[1], "run": "r"}})
        for number, (id, instances) in enumerate(scenes.items()):
            end = _end(number, id, instances, replay_of is not None, gone, unsure or {})
            journal.write(end, ("car", "dog"))
    return folder


def _end(
    number: int,
    id: str,
    instances: Scene | None,
    replay: bool,
    gone: frozenset[tuple[str, int]],
    unsure: Mapping[tuple[str, int], float],
) -> UnitEnd:
    if instances is None:
        return UnitEnd(number, id, id, 1, None, Failure("subject", "E", "broke"))
    seen = _seen(len(instances))
    cases = []
    for name, tests in enumerate(instances):
        for place, fails in enumerate(tests):
            output = {"base": float(name), "base_label": float(name % 2), "level": 1.0 + place % 2}
            if replay:
                missing = (id, name) in gone
                output |= {"was": float(name), "gone": float(missing)}
                output["base"] = -1.0 if missing else float(name)
            status = Status.FAILING if fails else Status.HOLDS
            recipe = Insert("o", 10 * place, 0, 5, 5, "hard", 0.0)
            cases.append(Case(recipe, "test", status, seen, seen, measurements=output))
    notes = [
        {"base": name, "uncertainty": {"total": unsure[id, name]}}
        for name in range(len(instances))
        if (id, name) in unsure
    ]
    if replay:
        cases.append(Case(Identity(), "scene", Status.HOLDS, seen))
    return UnitEnd(number, id, id, 1, Verdict(tuple(cases), {"instances": notes}))


def _seen(count: int) -> Detections:
    boxes = np.array([[20 * n, 0, 20 * n + 9, 9] for n in range(count)]).reshape(-1, 4)
    return Detections(boxes, np.arange(count) % 2, np.full(count, 0.9))


def columns(
    before: Sequence[Scene], after: Sequence[Scene], gone: frozenset[tuple[int, int]] = frozenset()
) -> PairedCases:
    """Cases side by side. gone: (scene, instance) pairs that are gone after."""
    sides: tuple[list[CaseOutcome], list[CaseOutcome]] = ([], [])
    places: list[tuple[int, int]] = []
    for side, scenes in zip(sides, (before, after), strict=True):
        for scene, instances in enumerate(scenes):
            for name, tests in enumerate(instances):
                for place, fails in enumerate(tests):
                    missing = side is sides[1] and (scene, name) in gone
                    one = CaseOutcome(f"s{scene}", "id", (f"s{scene}", name), 1 + place % 2, "car",
                                 fails, missing)  # fmt: skip
                    side.append(one)
                    if side is sides[0]:
                        places.append((scene, name))
    instances_ = list(dict.fromkeys(places))
    return PairedCases(
        tuple(f"s{n}" for n in range(len(before))),
        tuple((f"s{scene}", name) for scene, name in instances_),
        np.array([scene for scene, _ in places], dtype=np.int64),
        np.array([instances_.index(one) for one in places], dtype=np.int64),
        np.array([one.level for one in sides[0]], dtype=np.int64),
        tuple(one.name for one in sides[0]),
        tuple(sides[0]),
        tuple(sides[1]),
    )
