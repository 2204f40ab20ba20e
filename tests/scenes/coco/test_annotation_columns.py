"""Annotations read in columns are those that are read one by one."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.scenes.coco import annotation_pieces, annotation_table
from snellen.scenes.scene import SceneSet
from tests.scenes.coco.coco_set import TRIANGLE, content_with, opened

SQUARE = [2, 2, 12, 2, 12, 12, 2, 12]
RUNS = {"size": [20, 30], "counts": [100, 50, 450]}
ODD_VALUES: dict[str, list[Any]] = {
    "id": [17, None, True, "4", 10**400, 2**62, 2**63, 2**64, -(2**65), -5],
    "image_id": [6, 99, None, True, [5], 2**62, 2**63 - 1, 2**64 + 6, 10**400],
    "category_id": [0, 3, 4, True, None, "cat", 3.0],
    "bbox": [
        [0, 0, 30, 20], [-0.0, 0, 1, 1], [-3, -3, 10, 10], [-0.0, -3, 10, 10],
        [25, 15, 100, 100], [1, 2, 0, 4],
        [1, 2, 3], [True, 0, 5, 5], [0, 1, 5, False], ["1", 2, 3, 4], [40, 2, 3, 4], None,
        [1, 2, float("nan"), 4], [1e308, 0, 1e308, 5], [-(2**60), 0, 2**60 + 5, 5], "1234",
        {"a": 1, "b": 2, "c": 3, "d": 4}, [[1], [2], [3], [4]],
    ],
    "area": [0, 1, True, None, -1, 2**64, 2**70 + 1, float("inf"), "big", 33],
    "iscrowd": [0, 1, True, 0.0, 1.0, 2, None, []],
    "ignore": [0, 1, False, 3, {}],
    "segmentation": [
        [], None, TRIANGLE, [SQUARE, TRIANGLE[0]], [[]], [[1, 2, 3, 4]], [[1, 2, 3, 4, 5, 6, 7]],
        [["1", 2, 3, 4, 5, 6]], [[True, 2, 3, 4, 5, 6]], [1, 2, 3, 4, 5, 6], [[[1, 2]] * 6], RUNS,
        {}, {"size": [20, 30]}, "oops", [[1, 2, 3, float("nan"), 5, 6]], [None],
        [[2**64, 2, 3, 4, 5, 6]],
    ],
}  # fmt: skip
"""Values of each key, of which some are valid and some only just not."""


def one_by_one(folder: Path, content: Any, *, skip: bool) -> SceneSet:
    """The scenes, with every annotation read by itself and the file parsed as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotation_table, "read_rows", lambda *_: None)
        patch.setattr(annotation_pieces, "_START", re.compile("no such key"))
        return opened(folder, content, skip=skip)


def outcome(read: Any, folder: Path, content: Any, *, skip: bool) -> Any:
    """What reading gives: an error's text, or everything there is to compare."""
    try:
        scenes = read(folder, content, skip=skip)
    except (UserError, OverflowError) as error:
        return type(error), str(error)
    arrays = [
        (
            [vars(one)[name].tobytes() for name in ("boxes", "labels", "crowd", "ignore", "areas")],
            None if one.masks is None else [run.tobytes() for run in one.masks.runs],
        )
        for one in (scene.annotations for scene in scenes)
        if one is not None
    ]
    return scenes.skipped, [scene.id for scene in scenes], arrays


@st.composite
def contents(draw: st.DrawFn) -> Any:
    """A file with many annotations, of which a few have odd values."""
    content = content_with()
    rows = [
        {**content["annotations"][0], "id": number, "image_id": 5 + number % 2}
        for number in range(100, 100 + draw(st.integers(0, 90)))
    ]
    for row in rows:
        if draw(st.integers(0, 20)) == 0:
            key = draw(st.sampled_from(sorted(ODD_VALUES)))
            row[key] = draw(st.sampled_from(ODD_VALUES[key]))
        if draw(st.integers(0, 30)) == 0:
            del row[draw(st.sampled_from(sorted(row)))]
    random.Random(draw(st.integers(0, 3))).shuffle(rows)
    return {**content, "annotations": rows}


@given(content=contents(), skip=st.booleans())
def test_columns_give_what_reading_one_by_one_gives(
    tmp_path_factory: pytest.TempPathFactory, content: Any, skip: bool
) -> None:
    folder = tmp_path_factory.mktemp("coco")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotation_pieces, "PIECE", 1500)
        columns = outcome(opened, folder, content, skip=skip)
    assert columns == outcome(one_by_one, folder, content, skip=skip)


@pytest.mark.parametrize("key", sorted(ODD_VALUES))
def test_each_odd_value_gives_the_same_in_columns(key: str, tmp_path: Path) -> None:
    for value in ODD_VALUES[key]:
        content = content_with(**{key: value})
        for skip in (False, True):
            found = outcome(opened, tmp_path, content, skip=skip)
            assert found == outcome(one_by_one, tmp_path, content, skip=skip), value


SPELLINGS = {
    "annotations last": lambda c: json.dumps({**c, "annotations": c["annotations"]}),
    "indented": lambda c: json.dumps(c, indent=2),
    "dense": lambda c: json.dumps(c, separators=(",", ":")),
    "annotations first": lambda c: json.dumps({"annotations": c["annotations"], **c}),
    "key in a text": lambda c: json.dumps({"info": '"annotations": [{}]', **c}),
    "key twice": lambda c: json.dumps(c)[:-1] + ', "annotations": [' + json.dumps(
        c["annotations"][0]
    ) + "]}",
    "key twice, then empty": lambda c: json.dumps(c)[:-1] + ', "annotations": []}',
    "key twice, before": lambda c: '{"annotations": [{"id": 1}], ' + json.dumps(c)[1:],
    "objects inside": lambda c: json.dumps(
        {
            **c,
            "annotations": [
                {**one, "parts": [{"a": 1}, {"b": [{"c": 2}]}], "x": "}, {", "y": "}]"}
                for one in c["annotations"]
            ],
        }
    ),
    "nested key": lambda c: json.dumps({"info": {"annotations": [{"id": 3}]}, **c}),
}  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("piece", [1, 60, 250_000])
def test_a_file_in_pieces_has_the_annotations_of_the_whole(
    spelling: str, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = content_with()
    content["annotations"] += [
        {**content["annotations"][0], "id": number, "image_id": 6} for number in range(20, 40)
    ]
    text = SPELLINGS[spelling](content)
    expected = json.loads(text)
    monkeypatch.setattr(annotation_pieces, "PIECE", piece)
    whole = outcome(one_by_one, tmp_path, expected, skip=False)
    assert outcome(opened_text(text), tmp_path, expected, skip=False) == whole
    # And pieces are what was parsed, if the text could be cut.
    try:
        rest, place = annotation_pieces.without_annotations(text)
        rows = [
            row
            for piece in annotation_pieces.annotation_pieces(text, place)
            for row in piece.exact()
        ]
    except annotation_pieces.UncutError:
        return
    assert {**rest, "annotations": rows} == expected


def opened_text(text: str) -> Any:
    """Opens a set with this text as its file."""

    def read(folder: Path, content: Any, *, skip: bool) -> SceneSet:
        from snellen.scenes.registry import open_scenes
        from tests.scenes.coco.coco_set import KIND

        opened(folder, content_with())
        (folder / "val.json").write_text(text)
        return open_scenes(KIND, folder, skip_invalid=skip)

    return read


@pytest.mark.parametrize("spelling", ["annotations last", "indented", "dense", "annotations first"])
def test_usual_files_are_cut(spelling: str) -> None:
    annotation_pieces.without_annotations(SPELLINGS[spelling](content_with()))


@pytest.mark.parametrize("broken", ["}, {", "},,{", "} {", "}, {]"])
def test_json_that_is_broken_between_annotations_is_invalid(broken: str, tmp_path: Path) -> None:
    text = json.dumps(content_with())
    first, rest = text.split("}, {", 1)
    if broken == "}, {":
        text = text.replace('"iscrowd": 0', '"iscrowd" 0', 1)
    else:
        text = first + broken + rest
    with pytest.raises(UserError, match=r"val.json: not valid JSON"):
        opened_text(text)(tmp_path, None, skip=False)
