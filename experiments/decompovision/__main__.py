"""Requirements on real detectors: DecompoVision's Tables 3 and 4 on five small subjects.

    python -m experiments.decompovision --data FOLDER [--scenes N] [--samples N] [--out FOLDER]

For each subject: a run at the published score threshold, one at a threshold with the same precision
for all subjects, that again with a wider margin, and the corruption benchmark. Predictions are
cached, so the later runs need no new ones. The tables are written to `results.md` next to this
file.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from experiments.decompovision.campaign_runs import (
    HERE,
    SCORE,
    WIDER,
    benchmark_run,
    matched_score,
    requirement_run,
)
from experiments.decompovision.costs import costs_of
from experiments.decompovision.subject_summary import SubjectSummary
from experiments.decompovision.subjects import SEGMENTER, subjects
from experiments.decompovision.tables import results_page


def main() -> None:
    """Run what is missing, then write the tables."""
    parser = argparse.ArgumentParser(prog="python -m experiments.decompovision")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--scenes", type=int, default=None, help="use only the first N scenes")
    parser.add_argument("--samples", type=int, default=3, help="cases per scene and transformation")
    parser.add_argument(
        "--benchmark-scenes", type=int, default=200, help="use only the first N for the benchmark"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/decompovision"))
    options = parser.parse_args()
    data, out = options.data.resolve(), options.out.resolve()
    published, found = {}, []
    for name, subject in subjects(data).items():
        at = {**subject, "score": SCORE}
        folder = out / name / "published"
        published[name] = requirement_run(name, at, data, options.scenes, options.samples, folder)
    for name, subject in subjects(data).items():
        at = {**subject, "score": matched_score(out / name / "published")}
        folder = out / name / "matched"
        matched = requirement_run(name, at, data, options.scenes, options.samples, folder)
        wider = requirement_run(
            name, at, data, options.scenes, options.samples, out / name / "wider", WIDER
        )
        benchmark = benchmark_run(
            name, at, data, options.benchmark_scenes, out / name / "benchmark.json"
        )
        found.append(SubjectSummary(name, published[name], matched, wider, benchmark, folder))
    command = f"python -m experiments.decompovision --data FOLDER --samples {options.samples}"
    costs = costs_of(out / SEGMENTER / "matched")
    text = results_page(found, costs, date.today().isoformat(), command)
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
