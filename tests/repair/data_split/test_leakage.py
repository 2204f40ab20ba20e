"""What is evaluated on must not be trained on: by id, by content, by object, by looks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml

from snellen.errors import UserError
from snellen.repair.data_split.hash_matching import near_pairs
from snellen.repair.data_split.held_out_file import held_out_part
from snellen.repair.data_split.leakage import DataPart, near_duplicates, refuse_copies, refuse_leaks
from snellen.scenes.coco.reader import CocoOptions, read_coco
from snellen.scenes.folder import FolderOptions, read_folder
from snellen.scenes.pictures import write_picture
from snellen.scenes.scene import NoPicture, PictureArray, PictureFile, Scene
from snellen.scenes.sweep import Sweep
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.arrays import Image


def picture(seed: int, size: tuple[int, int] = (48, 64)) -> Image:
    """Smooth shapes, as of a photograph: other seeds look quite different."""
    import cv2

    small = np.random.default_rng(seed).integers(0, 256, (8, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, size[::-1], interpolation=cv2.INTER_CUBIC), np.uint8)


def scene(id: str, seed: int) -> Scene:
    return Scene(id, PictureArray(picture(seed)), (48, 64))


def part(
    name: str, *seeds: int, objects: dict[str, str] | None = None, held: bool = False
) -> DataPart:
    scenes = [scene(f"{name}{seed}", seed) for seed in seeds]
    return DataPart(name, scenes, objects or {}, held_out=held)


def test_disjoint_sets_pass_and_raise_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    parts = [part("train", 1, 2), part("repair", 3, 4), part("eval", 5, 6, held=True)]
    refuse_leaks(parts)
    assert near_duplicates(parts) == []
    assert not caplog.records


@pytest.mark.parametrize("places", [(0, 1), (0, 2), (1, 2)])
def test_a_scene_in_two_parts_is_refused_by_its_content_alone(places: tuple[int, int]) -> None:
    seeds = [[1, 2], [3, 4], [5, 6]]
    seeds[places[1]].append(seeds[places[0]][1])
    names = ("train", "repair", "eval")
    parts = [part(name, *own, held=name == "eval") for name, own in zip(names, seeds, strict=True)]
    one, other = names[places[0]], names[places[1]]
    seed = seeds[places[0]][1]
    with pytest.raises(UserError, match=f"'{one}{seed}' of {one}.*'{other}{seed}' of {other}"):
        refuse_leaks(parts)


def test_a_scene_is_refused_by_its_id_though_its_pixels_changed() -> None:
    parts = [
        DataPart("the run", [scene("000139.jpg", 1)]),
        DataPart("val.yaml", [scene("000139.jpg", 2)], held_out=True),
    ]
    with pytest.raises(UserError, match=r"'000139.jpg' is in the run and in val.yaml"):
        refuse_leaks(parts)
    refuse_leaks(parts, by_id=False)


def test_one_picture_twice_in_a_part_is_refused() -> None:
    copied = DataPart("repair", [scene("a", 1), scene("b", 2), scene("c", 1)])
    with pytest.raises(UserError, match="repair: scenes 'a' and 'c' are identical"):
        refuse_copies(copied)
    refuse_copies(part("repair", 1, 2, 3))


def test_what_is_held_out_may_overlap_itself() -> None:
    refuse_leaks([part("repair", 1), part("v", 2, held=True), part("v", 2, held=True)])


def test_the_same_pixels_in_another_file_format_are_refused(tmp_path: Path) -> None:
    pixels = picture(1)
    write_picture(tmp_path / "a.png", pixels)
    (tmp_path / "b.ppm").write_bytes(b"P6 64 48 255\n" + pixels.tobytes())
    files = [Scene(name, PictureFile(tmp_path / name), (48, 64)) for name in ("a.png", "b.ppm")]
    parts = [DataPart("repair", files[:1]), DataPart("eval", files[1:], held_out=True)]
    refuse_leaks(parts)
    with pytest.raises(UserError, match=r"'a.png' of repair and scene 'b.ppm' of eval have the"):
        near_duplicates(parts)


def test_a_resized_copy_is_warned_of_and_named(caplog: pytest.LogCaptureFixture) -> None:
    import cv2

    half = np.asarray(cv2.resize(picture(1), (32, 24), interpolation=cv2.INTER_AREA), np.uint8)
    small = Scene("small", PictureArray(half), (24, 32))
    parts = [part("repair", 1, 2), DataPart("eval", [scene("other", 9), small], held_out=True)]
    refuse_leaks(parts)
    output: list[tuple[int, int]] = []
    with caplog.at_level(logging.WARNING):
        [pair] = near_duplicates(parts, lambda done, total: output.append((done, total)))
    assert (pair.scene, pair.other_scene, pair.part) == ("repair1", "small", "repair")
    assert "'repair1' of repair looks like scene 'small' of eval" in caplog.text
    assert output[-1] == (4, 4)


def test_near_pairs_agree_with_counting_bits_one_by_one() -> None:
    rng = np.random.default_rng(3)
    ones, others = (rng.integers(0, 2**64, 40, dtype=np.uint64) for _ in range(2))
    flipped = np.uint64(0b1011) << np.arange(20, dtype=np.uint64)
    others[:20] = ones[:20] ^ flipped
    slow = {
        (i, j, bin(int(a) ^ int(b)).count("1"))
        for i, a in enumerate(ones)
        for j, b in enumerate(others)
        if bin(int(a) ^ int(b)).count("1") <= 10
    }
    found = near_pairs(ones, others)
    assert set(found) == slow
    assert len(found) == len(slow) >= 20
    assert [pair[2] for pair in found] == sorted(pair[2] for pair in found)


def test_an_object_that_both_insert_is_refused() -> None:
    parts = [
        part("repair", 1, objects={"ab12": "x"}),
        part("eval", 2, objects={"cd34": "y", "ab12": "x"}, held=True),
    ]
    with pytest.raises(UserError, match="object 'ab12' is inserted in repair and in eval"):
        refuse_leaks(parts)


@pytest.mark.parametrize("turned", [False, True])
def test_an_object_cut_out_of_a_held_out_scene_is_refused(turned: bool) -> None:
    eval_objects = {"ab12": scene("r", 1).digest} if turned else {}
    repair_objects = {} if turned else {"ab12": scene("e", 2).digest}
    parts = [
        part("repair", 1, objects=repair_objects),
        part("eval", 2, objects=eval_objects, held=True),
    ]
    with pytest.raises(UserError, match=r"object 'ab12' of .* was cut out of scene"):
        refuse_leaks(parts)


def test_objects_may_be_cut_out_of_training_scenes() -> None:
    own = {"ab12": scene("t", 2).digest, "made": ""}
    refuse_leaks([part("repair", 1, objects=own), part("train", 2)])


def test_a_frame_is_known_by_its_point_cloud_where_it_has_no_image() -> None:
    class Cloud:
        def digest(self) -> str:
            return "cloud"

    sweep: Sweep = Cloud()  # type: ignore[assignment]
    frames = [Scene(id, NoPicture(id), (0, 0), sweep=sweep) for id in ("000001", "000007")]
    with pytest.raises(UserError, match="'000001' of repair and scene '000007' of eval"):
        refuse_leaks([DataPart("repair", frames[:1]), DataPart("eval", frames[1:], held_out=True)])
    assert near_duplicates([DataPart("repair", frames[:1]), part("eval", 2)]) == []


def test_held_out_scenes_and_objects_are_read_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    scenes = {"kind": "synthetic", "count": 2, "seed": 4}
    whole, bare, none = (tmp_path / name for name in ("run.yaml", "scenes.yaml", "none.yaml"))
    whole.write_text(yaml.safe_dump({"scenes": scenes, "objects": {**scenes, "shade": "deep"}}))
    bare.write_text(yaml.safe_dump(scenes))
    none.write_text("method: insertion\n")
    ids = {one.id for one in synthetic_scenes(SyntheticOptions(count=2, seed=4))}
    for file, objects in ((whole, True), (bare, False)):
        found = held_out_part(file)
        assert {one.id for one in found.scenes} == ids
        assert bool(found.objects) == objects
        assert found.held_out
        assert found.name == str(file)
    with pytest.raises(UserError, match=r"none.yaml: names no scenes"):
        held_out_part(none)


def test_real_photographs_that_differ_are_not_taken_for_copies(
    shared: Callable[[str], Path],
) -> None:
    """Nor is a photograph missed that was compressed again, by half of its quality."""
    root = shared("coco_val64")
    options = CocoOptions(annotations=root / "instances.json", images=root / "images", limit=24)
    photographs = list(read_coco(options, root, skip_invalid=False))
    train = shared("coco_train128")
    folder = FolderOptions(path=train / "images", limit=24)
    others = list(read_folder(folder, train, False))
    assert near_duplicates([DataPart("a", photographs), DataPart("b", others)]) == []
    again = [
        Scene(f"again {one.id}", PictureArray(_compressed(one.pixels())), one.size)
        for one in photographs[:8]
    ]
    found = near_duplicates([DataPart("a", photographs), DataPart("c", again)])
    assert {(one.scene, one.other_scene) for one in found} == {
        (one.id, f"again {one.id}") for one in photographs[:8]
    }


def _compressed(pixels: Image) -> Image:
    import cv2

    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 40])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)
