from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import torch
import yaml

from snellen.repair.training.options import TrainingOptions
from tests.repair.toy_detector import ToyDetector
from tests.repair.toy_scenes import right_scenes, wrong_scenes

torch.set_num_threads(1)

PAGE = (Path(__file__).parents[3] / "docs/how-to/training.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_pages_example_trains_a_detector_and_its_queries_find_the_curves(
    tmp_path: Path,
) -> None:
    names = {
        "original": right_scenes(12, 1),
        "repair": wrong_scenes(12, 2),
        "detector": ToyDetector((48, 48)),
        "folder": tmp_path,
    }
    [example] = blocks("python")
    exec(compile(example, "training.md", "exec"), names)
    assert names["subject"]["kind"] == "torch"  # type: ignore[index]
    with sqlite3.connect(tmp_path / "training.sqlite") as curves:
        [queries] = blocks("sql")
        steps, aps = (curves.execute(one).fetchall() for one in queries.split(";")[:2])
    assert len(steps) >= 9
    assert aps == []


def test_the_page_lists_every_option_and_the_defaults_that_hold() -> None:
    table = PAGE.split("## Options")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    output: dict[str, str] = {}
    for names, defaults, *_ in rows:
        own = re.findall(r"`(\w+)`", names)
        output |= dict(zip(own, (one.strip() for one in defaults.split(", ")), strict=True))
    assert set(output) == set(TrainingOptions.model_fields)
    values = TrainingOptions().model_dump()
    for name, default in output.items():
        if default in ("-", "nothing"):
            assert not values[name], name
        elif default:
            assert yaml.safe_load(default.replace("e-", ".0e-")) == values[name], name
