"""The cause that rungs show, and its words."""

from __future__ import annotations

import pytest

from snellen.changes.identity import Identity
from snellen.contract.explanation import Rung
from snellen.contract.verdict import PART, Case, Status
from snellen.methods.fusion.explanation.evidence import Evidence
from snellen.methods.fusion.explanation.evidence_words import says
from snellen.methods.fusion.explanation.rung_names import MOVED, RungName
from snellen.vision.detections3d import Detections3D

CASE = Case(Identity(), PART, Status.HOLDS, Detections3D.empty())
N, TINY = RungName, RungName.SMALLER
STABLE = {N.SLIGHT: (4, 4), N.NULL: (0, 3)}
FOUND = {N.SLIGHT: (4, 4)}


def evidence(
    rungs: dict[RungName, tuple[int, int]], *, inserted: bool = False, hidden: float = 0.0
) -> Evidence:
    """rungs: in how many of a name the failure persists, and how many there are.

    Where the insertion is moved or shrunk to `TINY`, nothing is hidden.
    """
    made = Evidence(inserted, hidden=hidden)
    for name, (persisting, asked) in rungs.items():
        for k in range(asked):
            share = 0.0 if name in (*MOVED, TINY) else hidden
            made.add(Rung(name, CASE, k < persisting), share)
    return made


YES, NO = (1, 1), (0, 1)


@pytest.mark.parametrize(
    ("rungs", "hidden", "cause", "proven"),
    [
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO}, 0.0, "camera", True),
        (STABLE | {N.IMAGE: NO, N.CLOUD: YES}, 0.0, "lidar", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: YES}, 0.0, "both", True),
        (STABLE | {N.IMAGE: NO, N.CLOUD: NO}, 0.0, "both", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: NO, N.BEHIND: NO}, 0.4, "occlusion", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: NO}, 0.4, "occlusion", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: YES, N.BEHIND: NO}, 0.4, "camera", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: NO, N.BEHIND: YES}, 0.4, "camera", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: NO, N.BEHIND: NO}, 0.0, "camera", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: (1, 2)}, 0.4, "camera", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: YES, N.ASIDE: NO, TINY: YES}, 0.4, "both", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: YES, N.ASIDE: NO, TINY: NO}, 0.4, "occlusion", True),
        (STABLE | {N.IMAGE: YES, N.CLOUD: YES, TINY: NO}, 0.4, "occlusion", True),
        ({N.SLIGHT: (3, 4), N.NULL: (0, 3), N.IMAGE: YES, N.CLOUD: NO}, 0.0, "camera", False),
        ({N.SLIGHT: (2, 4), N.NULL: (0, 3), N.IMAGE: YES, N.CLOUD: NO}, 0.0, "any-change", False),
        ({N.SLIGHT: (4, 4), N.NULL: (1, 3), N.IMAGE: YES, N.CLOUD: NO}, 0.0, "camera", False),
        ({N.SLIGHT: (4, 4), N.NULL: (2, 3), N.IMAGE: YES, N.CLOUD: NO}, 0.0, "seam", False),
        ({N.IMAGE: YES, N.CLOUD: NO}, 0.0, "camera", False),
        ({}, 0.0, "unexplained", False),
    ],
)
def test_the_cause_of_a_struck_object(
    rungs: dict[RungName, tuple[int, int]], hidden: float, cause: str, proven: bool
) -> None:
    found = evidence(rungs, hidden=hidden)
    assert (found.cause, found.proven) == (cause, proven)


@pytest.mark.parametrize(
    ("rungs", "hidden", "cause", "proven"),
    [
        (FOUND | {N.IMAGE: YES, N.CLOUD: NO}, 0.0, "camera", True),
        (FOUND | {N.IMAGE: NO, N.CLOUD: YES}, 0.0, "lidar", True),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.ASIDE: NO}, 0.5, "occlusion", True),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: NO, N.ELSEWHERE: NO}, 0.0, "object", True),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES, N.ELSEWHERE: NO}, 0.0, "place", True),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES, N.ELSEWHERE: YES}, 0.0, "both", False),
        (
            FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES, N.OTHER_CLASS: (1, 2)},
            0.0,
            "object",
            True,
        ),
        (
            FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES, N.ELSEWHERE: (2, 3)},
            0.0,
            "place",
            True,
        ),
        (
            FOUND
            | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES, N.ELSEWHERE: (3, 3)}
            | {N.OTHER_ELSEWHERE: NO},
            0.0,
            "object",
            True,
        ),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES}, 0.0, "unexplained", False),
        (FOUND | {N.IMAGE: YES, N.CLOUD: YES}, 0.0, "unexplained", False),
        ({N.SLIGHT: (1, 4), N.IMAGE: NO, N.CLOUD: YES}, 0.0, "any-change", False),
    ],
)
def test_the_cause_of_a_missed_insertion(
    rungs: dict[RungName, tuple[int, int]], hidden: float, cause: str, proven: bool
) -> None:
    found = evidence(rungs, inserted=True, hidden=hidden)
    assert (found.cause, found.proven) == (cause, proven)


def test_a_finding_in_one_sensor_is_that_sensors() -> None:
    found = evidence(STABLE)
    found.sensors = "lidar"
    assert (found.cause, found.proven) == ("lidar", True)


def test_the_words_count_and_name_the_rungs() -> None:
    assert says(evidence({})) == ""
    rungs = STABLE | {N.IMAGE: YES, N.CLOUD: NO, N.ASIDE: NO, N.OTHER: YES}
    assert says(evidence(rungs, hidden=0.38)) == (
        "The failure persists in 4 of 4 poses slightly off and 0 of 3 background nulls; also "
        "persists with the image alone and with another mesh of the class; does not persist with "
        "the cloud alone or moved aside; 38% of the struck object is hidden."
    )
    assert says(evidence({N.CLOUD: YES, N.IMAGE: NO})) == (
        "The failure persists with the cloud alone; does not persist with the image alone."
    )


@pytest.mark.parametrize(
    ("rungs", "end"),
    [
        ({N.OTHER: YES, N.OTHER_CLASS: (1, 2), N.ELSEWHERE: (2, 2)}, "on the class of the mesh."),
        ({N.OTHER: NO, N.OTHER_CLASS: (0, 2), N.ELSEWHERE: (2, 2)}, "on the mesh."),
        ({N.OTHER: YES, N.OTHER_CLASS: (2, 2), N.ELSEWHERE: (1, 2)}, "on the place."),
        ({N.OTHER: NO, N.OTHER_CLASS: NO, N.FARTHER: NO}, "on the mesh and the place."),
        (
            {N.OTHER: YES, N.OTHER_CLASS: YES, N.ELSEWHERE: YES},
            "neither on the mesh nor on the place, as far as tried.",
        ),
    ],
)
def test_the_words_say_what_a_loss_depends_on(
    rungs: dict[RungName, tuple[int, int]], end: str
) -> None:
    words = says(evidence(STABLE | {N.IMAGE: YES, N.CLOUD: YES} | rungs))
    assert words.endswith(f". It depends {end}")


def test_the_words_do_not_say_what_was_not_tried() -> None:
    assert "depends" not in says(evidence(STABLE | {N.IMAGE: YES, N.CLOUD: YES, N.OTHER: YES}))
    assert "1 of 2 times elsewhere" in says(evidence({N.ELSEWHERE: (1, 2)}))
