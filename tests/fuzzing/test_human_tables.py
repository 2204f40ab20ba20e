"""Damaged tables of human answers, exports of a study, and estimated thresholds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from snellen.methods.human.answers.answer_files import read_all_human
from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.estimation import all_estimates
from snellen.methods.requirements.specification.estimate_file import read_estimates
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import DIGITS_401, DIGITS_5000, JSON, TEXT
from tests.methods.human.simulated_answers import falling
from tests.methods.human.simulated_exports import made_up_study, write_study

EDGES = np.round(np.arange(1, 11) / 10, 2)
BINS = "IQA,Accuracy,Count,Num_Accs\n" + "".join(
    f"{edge},{round(share * 50) / 50},50,{round(share * 50)}\n"
    for edge, share in zip(EDGES.tolist(), falling(EDGES, 0.5).tolist(), strict=True)
)
CLASSES = "image_link,transformation,ground_truth,human_label,IQA\n" + "".join(
    f"http://x/n{image}.JPEG,original,car,car,1\n"
    f"http://x/n{image}.JPEG.frost.png,frost,car,{'car' if image % 3 else 'not car'},0.{image}\n"
    for image in range(1, 10)
)
BOXES = "image,transformation,delta_v,object,truth,answer,confidence,segmented,measure\n" + "".join(
    f"i{image},{name},{delta},o1,person,{'person' if image % 3 else 'dog'},0.8,1,vifp\n"
    for image in range(1, 10)
    for name, delta in (("original", 0), ("frost", image / 10))
)
REQUEST = EstimateRequest(replicates=10, p0=0.95)
TABLES = {"bins_c_p_frost.csv": BINS, "classes.csv": CLASSES, "boxes.csv": BOXES}


def estimates() -> bytes:
    """What `snellen thresholds --json` prints for the bins."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bins_c_p_frost.csv").write_text(BINS)
        found = all_estimates(read_all_human(Path(folder)), REQUEST)
    items = [{**one.to_json(), "measure": "vifp(sigma_nsq=0.4)"} for one in found]
    return json.dumps({"thresholds": items}).encode()


def study() -> dict[str, bytes]:
    """The files of a study's exports."""
    with tempfile.TemporaryDirectory() as folder:
        place = write_study(Path(folder), made_up_study(np.random.default_rng(1), 2))
        return {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in sorted(place.rglob("*"))
            if path.is_file()
        }


def read(folder: Path) -> None:
    read_estimates(folder / "estimates.json")
    all_estimates(read_all_human(folder), REQUEST)


def read_study(folder: Path) -> None:
    all_estimates(read_all_human(folder), replace(REQUEST, kind="correctness"))


@cache
def target() -> Target:
    """The readers of tables and valid files."""
    tables = {name: text.encode() for name, text in TABLES.items()}
    damaged = {**dict.fromkeys(TABLES, TEXT), "estimates.json": JSON}
    return Target(
        "human tables", {**tables, "estimates.json": estimates()}, damaged, read, quick=50
    )


@cache
def study_target() -> Target:
    """The reader of exports and a valid study."""
    files = study()
    damaged = {name: TEXT for name in files if name.endswith(".csv")}
    return Target("exports of a study", files, damaged, read_study, quick=30)


def bins(old: str, new: str) -> Files:
    return {"bins_c_p_frost.csv": BINS.replace(old, new, 1).encode()}


def estimate(old: str, new: str) -> Files:
    return {
        "estimates.json": target().valid["estimates.json"].decode().replace(old, new, 1).encode()
    }


def export(name: str, old: str, new: str) -> Files:
    return {name: study_target().valid[name].decode().replace(old, new, 1).encode()}


def past() -> Mapping[str, Files]:
    """Files that are damaged in known ways."""
    return {
        "a count of 401 digits": bins(",50,", f",{DIGITS_401},"),
        "a count that is infinite": bins(",50,", ",inf,"),
        "a count of 5,000 digits": bins(",50,", f",{DIGITS_5000},"),
        "a count that is a digit but no number": bins(",50,", ",²,"),
        "a share that is no number": bins(",50,", ",nan,"),
        "a null": bins("0.1", "0\0.1"),
        "an open quote": bins("0.1", '"0.1'),
        "a carriage return alone": bins("\n", "\r"),
        "a header alone": {"bins_c_p_frost.csv": b"IQA,Accuracy,Count,Num_Accs\n"},
        "nothing": {"bins_c_p_frost.csv": b""},
        "bytes that are not text": {"bins_c_p_frost.csv": b"\xff\xfe"},
        "a column twice": bins("IQA", "Count"),
        "one answer": {"classes.csv": "\n".join(CLASSES.splitlines()[:2]).encode()},
        "one box": {"boxes.csv": "\n".join(BOXES.splitlines()[:2]).encode()},
        "a measure that is none": {"boxes.csv": BOXES.replace("vifp", "vifp(((").encode()},
        "deep lists": {"estimates.json": b"[" * 100_000},
        "estimates that are numbers": {"estimates.json": b'{"thresholds": [1]}'},
        "estimates that are a list": {"estimates.json": b"[]"},
        "a threshold of text": estimate('"threshold": 0', '"threshold": "x", "y": 0'),
        "a threshold of 401 digits": estimate(
            '"threshold": 0', f'"threshold": {DIGITS_401}, "y": 0'
        ),
        "a threshold that is infinite": estimate('"threshold": 0', '"threshold": 1e999, "y": 0'),
        **{
            f"a bin at {value}": estimate('"delta_v": ', f'"delta_v": {value}, "x": ')
            for value in (
                "4294967296",
                "-1",
                "1e19",
                "NaN",
                "null",
                "true",
                '"0.5"',
                "[1]",
                DIGITS_401,
            )
        },
        "a bin with 1e300 answers": estimate('"answers": ', '"answers": 1e300, "x": '),
        "estimates that are not text": {"estimates.json": b"\xff"},
        "half a pair": estimate('"label": "any"', '"label": "\\ud800"'),
    }


LABELS, VIEWS, IMAGES = "500_C|L.csv", "500_L.csv", "images_transformations_info_500.csv"


def past_study() -> Mapping[str, Files]:
    """Files that are damaged in known ways."""
    return {
        "answers in deep lists": export(LABELS, '"[{', '"' + "[" * 100_000 + "{"),
        "answers of 5,000 digits": export(LABELS, '"[{', f'"[{DIGITS_5000}, {{'),
        "boxes of 401 digits": export(LABELS, "[[", f"[[{DIGITS_401}, "),
        "boxes that are infinite": export(LABELS, "[[", "[[1e999, "),
        "boxes that are no numbers": export(VIEWS, "[[", "[[NaN, "),
        "a scale of 1e-320": export(VIEWS, '""scale-0"": ""2""', '""scale-0"": ""1e-320""'),
        "a scale that is infinite": export(VIEWS, '""scale-0"": ""2""', '""scale-0"": ""inf""'),
        "an address with a digit that is no number": export(LABELS, "url-1", "url-²"),
        "an address of 5,000 digits": export(LABELS, "url-1", f"url-{DIGITS_5000}"),
        "a column of 5,000 digits": export(LABELS, "bbox2", f"bbox{DIGITS_5000}"),
        "an address with a leading zero": export(VIEWS, "url-1", "url-010"),
        "a name that leads out": export(IMAGES, "2008_000000", "../../x"),
        "a name of 300 characters": export(IMAGES, "2008_000000", "n" * 300),
        "no boxes that people drew": {
            VIEWS: study_target().valid[VIEWS].splitlines(keepends=True)[0]
        },
        "an empty table": {IMAGES: b""},
    }


class TestHumanTables(ReaderTests):
    @property
    def target(self) -> Target:
        return target()

    @property
    def past(self) -> Mapping[str, Files]:
        return past()


class TestStudies(ReaderTests):
    @property
    def target(self) -> Target:
        return study_target()

    @property
    def past(self) -> Mapping[str, Files]:
        return past_study()


if __name__ == "__main__":
    import sys

    main(target(), *map(int, sys.argv[1:]))
    main(study_target(), *map(int, sys.argv[1:]))
