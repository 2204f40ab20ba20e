"""What the gallery shows: for each method a run, and which of its faults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = Path("build", "gallery")
"""Where runs are made, relative to the repository."""
ITEMS = ("yolov4-tiny", "driving")
FETCH = f"snellen starter fetch {' '.join(ITEMS)} --to {WORK.as_posix()}/data"
BDD100K = (
    "Photographs: BDD100K, © 2018 The Regents of the University of California, free for "
    "educational, research and not-for-profit purposes; from the starter pack."
)
GENERATED = "Generated scenes."
STREETS = "Generated streets."


@dataclass(frozen=True)
class Exhibit:
    """One method's part of the gallery.

    command: what the run is made with, without `snellen`, from the repository's folder. out: what
    it is given as `--out`; run: the run folder below it. shown: beginnings of the ids of the faults
    to show, in this order; empty for the worst one. before: a command that must come first.
    """

    method: str
    title: str
    asks: str
    guide: str
    command: str
    out: str
    credit: str
    shown: tuple[str, ...] = ()
    run: str = ""
    before: str = ""

    @property
    def made_with(self) -> str:
        """The whole command."""
        return f"snellen {self.command} --out {(WORK / self.out).as_posix()}"

    @property
    def folder(self) -> Path:
        """The run folder, relative to the repository."""
        return WORK / self.out / self.run


EXHIBITS = (
    Exhibit(
        "insertion",
        "Insertion: an object beside another",
        "An object is put where it hides nothing. Everything else must be detected as before.",
        "insertion.md",
        "demo",
        "demo",
        BDD100K,
        ("70cb663900", "30632f49e6"),
        "insertion",
    ),
    Exhibit(
        "robustness",
        "Robustness: closer and closer",
        "Objects are brought closer to each thing that the detector found, step by step.",
        "robustness.md",
        "run documentation/gallery/robustness.yaml",
        "robustness",
        BDD100K,
        ("9979ec7511", "9beadd1984"),
        before=FETCH,
    ),
    Exhibit(
        "requirements",
        "Requirements: what must still be found in fog",
        "Photographs are changed up to a visual change that a requirement names. The detector must "
        "perform as well as on hardly changed ones. The requirement here is made up.",
        "requirements.md",
        "run documentation/gallery/requirements.yaml",
        "requirements",
        BDD100K,
        before=FETCH,
    ),
    Exhibit(
        "fusion",
        "Fusion: an object in image and point cloud",
        "A 3D object is inserted consistently into the image and the point cloud. It must be "
        "found, and everything else as before. The system under test is the demo's small one, "
        "which Snellen brings along.",
        "fusion-demo.md",
        "demo --fusion",
        "fusion",
        STREETS,
        ("87788af54a", "83df917cbf"),
        run="run",
    ),
    Exhibit(
        "combinations",
        "Combinations: labels that go wrong together",
        "Labels that a classifier recognises alone are shown together. The classifier here is a "
        "built-in one with two planted faults.",
        "combinations.md",
        "run examples/combinations.yaml",
        "combinations",
        GENERATED,
        ("c96bdd1c58", "dfa363704d"),
    ),
    Exhibit(
        "identity",
        "Identity: the same question twice",
        "The subject is asked the same question again; the answers must agree. The detector here "
        "is a built-in one that changes its mind on purpose; asked about one image at a time, it "
        "gives the same answers in every run.",
        "runs.md",
        "run examples/first.yaml --set engine.batch=1 --set engine.workers=0",
        "identity",
        GENERATED,
    ),
)
