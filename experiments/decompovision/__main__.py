"""Requirements on real detectors: DecompoVision's Tables 3 and 4 on five small subjects.

    python -m experiments.decompovision --data FOLDER [--scenes N] [--samples N] [--out FOLDER]

For each subject a run at the published score threshold, one at a threshold with the precision that
all share, and the corruption benchmark. Predictions are cached, so the second run asks nothing new.
The tables go to `results.md` beside this file.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from experiments.decompovision.campaign_runs import (
    HERE,
    SCORE,
    benchmark_run,
    matched_score,
    requirement_run,
)
from experiments.decompovision.costs import costs_of
from experiments.decompovision.subject_summary import SubjectSummary
from experiments.decompovision.subjects import SEGMENTER, subjects
from experiments.decompovision.tables import written


def main() -> None:
    """Run what is missing, then write the tables."""
    parser = argparse.ArgumentParser(prog="python -m experiments.decompovision")
    parser.add_argument("--data", type=Path, required=True, help="where the shared data is")
    parser.add_argument("--scenes", type=int, default=None, help="the first so many scenes only")
    parser.add_argument("--samples", type=int, default=3, help="cases of a scene, each change")
    parser.add_argument("--out", type=Path, default=Path("runs/decompovision"))
    given = parser.parse_args()
    data, out = given.data.resolve(), given.out.resolve()
    published, found = {}, []
    for name, subject in subjects(data).items():
        at = {**subject, "score": SCORE}
        folder = out / name / "published"
        published[name] = requirement_run(name, at, data, given.scenes, given.samples, folder)
    for name, subject in subjects(data).items():
        at = {**subject, "score": matched_score(out / name / "published")}
        folder = out / name / "matched"
        matched = requirement_run(name, at, data, given.scenes, given.samples, folder)
        benchmark = benchmark_run(name, at, data, given.scenes, out / name / "benchmark.json")
        found.append(SubjectSummary(name, published[name], matched, benchmark, folder))
    command = f"python -m experiments.decompovision --data FOLDER --samples {given.samples}"
    costs = costs_of(out / SEGMENTER / "matched")
    text = written(found, costs, date.today().isoformat(), command)
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
