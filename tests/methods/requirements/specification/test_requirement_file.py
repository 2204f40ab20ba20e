"""Requirement files: read back as written, and errors reported where they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.requirements.specification.generation import generate_requirements
from snellen.methods.requirements.specification.published_thresholds import published_thresholds
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import (
    read_requirements,
    requirements_yaml,
    write_requirements,
)


def both() -> tuple[Requirement, ...]:
    kinds = ("correctness", "preservation")
    known = [published_thresholds("decompovision-voc", "person", "frost", kind) for kind in kinds]  # type: ignore[arg-type]
    return generate_requirements(known, ["detection", "segmentation"])


@given(st.permutations(range(10)))
def test_what_is_written_is_read_back(order: list[int]) -> None:
    found = both()
    assert len(found) == 10
    shuffled = tuple(found[place] for place in order)
    values = yaml.safe_load(requirements_yaml(shuffled))
    assert tuple(Requirement.model_validate(one) for one in values["requirements"]) == shuffled


def test_a_file_is_written_and_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "requirements.yaml"
    write_requirements(path, both())
    assert read_requirements(path) == both()
    text = path.read_text()
    assert "thresholds: [0.6, 0.9]" in text
    assert text.count("name: person-frost-localise-correctness") == 1
    assert "shared_with: [segmentation]" in text


def change(key: str, value: Any) -> Callable[[dict], None]:
    def apply(values: dict) -> None:
        values["requirements"][0][key] = value

    return apply


def twice(values: dict) -> None:
    values["requirements"].append(values["requirements"][0])


def renamed_twice(values: dict) -> None:
    values["requirements"].append({**values["requirements"][0], "name": "another"})


FIRST = r"requirement 1 \('person-frost-localise-correctness'\)"


@pytest.mark.parametrize(
    ("apply", "message"),
    [
        (
            change("threshold", 1.5),
            FIRST + r"\.threshold: found 1.5, expected .* less than or equal",
        ),
        (
            change("thresholds", [0.9, 0.6]),
            FIRST + r": thresholds \[0.9, 0.6\] must be in increasing order",
        ),
        (change("thresholds", [0.6]), FIRST + r": the largest of thresholds \[0.6\] must be"),
        (change("thresold", 0.1), FIRST + r"\.thresold: unknown key; did you mean 'threshold'"),
        (change("subtask", "segment"), FIRST + ": segment is not a subtask of detection"),
        (change("subtask", "whole"), FIRST + ": a whole task cannot have shared_with"),
        (change("naive", 0.5), FIRST + ": naive is for whole tasks only"),
        (change("kind", "both"), FIRST + r"\.kind: found 'both'"),
        (change("source", {"study": "x", "sha256": "12"}), FIRST + r"\.source\.sha256: found '12'"),
        (change("name", 3), r"requirement 1\.name: found 3"),
        (twice, "the name 'person-frost-localise-correctness' occurs twice"),
        (renamed_twice, "subject matter 'localise, person, frost, .*' occurs twice"),
        (lambda values: values.update(requirements=[]), "requirements: found"),
        (lambda values: values.update(requirements=["a"]), "requirement 1: found 'a'"),
        (lambda values: values.update(snellen_requirements=2), "found 2, expected 1"),
        (lambda values: values.pop("snellen_requirements"), "has no key snellen_requirements"),
    ],
)
def test_a_mistake_is_reported_with_its_place(
    tmp_path: Path, apply: Callable[[dict], None], message: str
) -> None:
    values = yaml.safe_load(requirements_yaml(both()))
    apply(values)
    path = tmp_path / "requirements.yaml"
    path.write_text(yaml.safe_dump(values))
    with pytest.raises(UserError, match=message) as caught:
        read_requirements(path)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_none_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_requirements(tmp_path / "none.yaml")
    path = tmp_path / "broken.yaml"
    path.write_text("a: [")
    with pytest.raises(UserError, match="not valid YAML"):
        read_requirements(path)
