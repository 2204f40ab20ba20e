"""Frames of video as scenes: the right pixels in any order, and errors with the next step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from typer.testing import CliRunner

import snellen as sn
from snellen.cli.main import app
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import FINE, UserError
from snellen.scenes.content_digest import content_digests
from snellen.scenes.recognition import recognise_scenes
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.scenes.video import clip_decoder as decoders
from snellen.scenes.video.clip_decoder import ClipDecoder
from snellen.scenes.writers import write_scenes
from snellen.vision.arrays import Image

RATE, FRAMES, SIZE = 10, 45, (64, 96)


def write_clip(path: Path, frames: int = FRAMES, code: str = "MJPG", seed: int = 1) -> Path:
    """A clip in which a bright square moves over a texture, a little further in each frame."""
    rng = np.random.default_rng(seed)
    ground = cv2.resize(rng.integers(0, 120, (8, 12, 3), dtype=np.uint8), SIZE[::-1])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, SIZE[::-1])
    if not writer.isOpened():
        pytest.skip(f"this OpenCV cannot write {code}")
    for number in range(frames):
        frame = ground.copy()
        frame[20:40, 2 * number : 2 * number + 8] = (255, 200, 40)
        writer.write(frame)
    writer.release()
    return path


def decoded_in_order(path: Path) -> list[Image]:
    """All frames, by the plainest loop there is."""
    capture = cv2.VideoCapture(str(path))
    out: list[Image] = []
    while True:
        done, frame = capture.read()
        if not done:
            return out
        out.append(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_clip(tmp_path / "clip.avi")


@pytest.fixture(autouse=True)
def fresh_decoders() -> None:
    decoders.clip_decoder.cache_clear()


def read(path: Path, **options: Any) -> SceneSet:
    return open_scenes({"kind": "video", "path": str(path), **options}, Path())


def test_scenes_are_the_chosen_frames_with_the_pixels_of_sequential_decoding(clip: Path) -> None:
    truth = decoded_in_order(clip)
    assert len(truth) == FRAMES
    scenes = read(clip, every=7, start=0.5, stop=4)
    assert [scene.id for scene in scenes] == [
        f"clip.avi#{number:06d}" for number in (5, 12, 19, 26, 33)
    ]
    for scene, number in zip(scenes, (5, 12, 19, 26, 33), strict=True):
        assert scene.size == SIZE
        assert np.array_equal(scene.pixels(), truth[number])
    assert not np.array_equal(truth[5], truth[12])


def test_one_frame_a_second_is_the_default(clip: Path) -> None:
    assert [scene.id[-6:] for scene in read(clip)] == [f"{n:06d}" for n in (0, 10, 20, 30, 40)]


@pytest.mark.parametrize(
    ("code", "name"), [("MJPG", "a.avi"), ("XVID", "b.avi"), ("mp4v", "c.mp4")]
)
def test_frames_are_exact_in_any_order_and_going_back_decodes_no_more_than_needed(
    tmp_path: Path, code: str, name: str
) -> None:
    """Codecs with frames that depend on others included, where seeking may miss."""
    path = write_clip(tmp_path / name, code=code)
    truth = decoded_in_order(path)
    decoder = ClipDecoder(path)
    order = np.random.default_rng(2).permutation(len(truth))
    for number in order.tolist():
        assert np.array_equal(decoder.frame(number), truth[number]), number
    assert decoder.passes == 1, "frames passed on the way are remembered"


def test_a_frame_that_is_forgotten_is_sought_and_compared(
    clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = decoded_in_order(clip)
    monkeypatch.setattr(decoders, "RECENT", 1)
    decoder = ClipDecoder(clip)
    for number in (30, 3, 44, 0):
        assert np.array_equal(decoder.frame(number, every=1), truth[number])
    assert decoder.passes == 1
    decoder._sums = dict.fromkeys(decoder._sums, 0)  # as if seeking gave other frames
    assert np.array_equal(decoder.frame(7), truth[7])
    assert decoder.passes == 2


def test_threads_and_workers_get_the_same_frames(clip: Path) -> None:
    truth = decoded_in_order(clip)
    scenes = read(clip, every=2)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda scene: scene.pixels(), reversed(scenes.scenes)))
    for pixels, number in zip(reversed(found), range(0, FRAMES, 2), strict=True):
        assert np.array_equal(pixels, truth[number])
    picture: Any = scenes[0].picture
    assert decoders.clip_decoder(picture.path, picture.content).passes == 1


def test_the_caller_may_change_the_pixels(clip: Path) -> None:
    scene = read(clip)[0]
    scene.pixels()[:] = 0
    assert scene.pixels().any()


def test_the_manifest_hashes_the_file_and_decodes_nothing(
    clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = read(clip, every=1)
    monkeypatch.setattr(ClipDecoder, "frame", None)
    digests = content_digests(scenes)
    assert len(set(digests)) == FRAMES
    assert content_digests(read(clip, every=1)) == digests
    write_clip(clip, seed=2)
    assert not set(content_digests(read(clip, every=1))) & set(digests)


def test_a_run_resumes_and_says_if_the_clip_was_replaced(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    values = {
        "method": "identity",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "video", "path": str(clip), "every": 15},
        "engine": {"workers": 0},
        "out": str(tmp_path / "run"),
    }
    run_campaign(campaign_from(values, Path("video")))
    run_campaign(campaign_from(values, Path("video")), resume=True)
    assert sn.open_run(tmp_path / "run").summary.cases == 3
    write_clip(clip, seed=2)
    with pytest.raises(UserError, match=r"the scenes differ \(clip\.avi#000000"):
        run_campaign(campaign_from(values, Path("video")), resume=True)


def test_frames_are_exported_as_images(clip: Path, tmp_path: Path) -> None:
    write_scenes(read(clip, every=20), "folder", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["clip.avi#000000.png", "clip.avi#000020.png", "clip.avi#000040.png"]
    saved = np.asarray(Pillow.open(tmp_path / "out" / names[1]))
    assert np.array_equal(saved, decoded_in_order(clip)[20])


def test_an_empty_file_and_no_video_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("no video " * 100)
    with pytest.raises(UserError, match=r"empty\.mp4: the file is empty"):
        read(tmp_path / "empty.mp4")
    with pytest.raises(UserError, match=r"text\.mp4: cannot be read as a video"):
        read(tmp_path / "text.mp4")
    with pytest.raises(UserError, match="no such file or folder"):
        read(tmp_path / "gone.mp4")
    write_clip(tmp_path / "whole.avi")
    scenes = open_scenes({"kind": "video", "path": str(tmp_path)}, Path(), skip_invalid=True)
    assert {scene.id.partition("#")[0] for scene in scenes} == {"whole.avi"}
    assert len(scenes.skipped) == 2


def test_a_truncated_file_is_an_error_at_the_frame_or_on_opening_with_verify(clip: Path) -> None:
    clip.write_bytes(clip.read_bytes()[: clip.stat().st_size // 2])
    whole = len(decoded_in_order(clip))
    assert 0 < whole < FRAMES
    decoder = ClipDecoder(clip)
    assert decoder.frame(whole - 1).any()
    with pytest.raises(UserError, match=f"frame {FRAMES - 1} cannot be decoded, .* frame {whole}"):
        decoder.frame(FRAMES - 1)
    assert len(read(clip, every=1)) == FRAMES, "the header still has the former number"
    with pytest.raises(UserError, match=f"frame {whole} cannot be decoded"):
        read(clip, every=1, verify=True)
    values = {"kind": "video", "path": str(clip), "every": 1, "verify": True}
    assert len(open_scenes(values, Path(), skip_invalid=True)) == whole


def test_folders_of_clips_and_of_frames(tmp_path: Path) -> None:
    (tmp_path / "clips" / "b").mkdir(parents=True)
    write_clip(tmp_path / "clips" / "a.avi", 20)
    write_clip(tmp_path / "clips" / "b" / "c.avi", 20)
    ids = [scene.id for scene in read(tmp_path / "clips")]
    assert ids == [f"{clip}#{n:06d}" for clip in ("a.avi", "b/c.avi") for n in (0, 10)]
    for clip in ("x", "y"):
        (tmp_path / "frames" / clip).mkdir(parents=True)
        for number in range(5):
            pixels = np.full((8, 8, 3), 40 * number, np.uint8)
            Pillow.fromarray(pixels).save(tmp_path / "frames" / clip / f"{number:03d}.png")
    every = [scene.id for scene in read(tmp_path / "frames", every=2)]
    assert every == [f"{clip}/{n:03d}.png" for clip in ("x", "y") for n in (0, 2, 4)]
    late = read(tmp_path / "frames", fps=2, start=1, stop=2)
    assert [scene.id for scene in late] == [f"{c}/{n:03d}.png" for c in ("x", "y") for n in (2, 3)]
    with pytest.raises(UserError, match=r"scenes\.fps: missing"):
        read(tmp_path / "frames", start=1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"start": 9}, "has no frame from 9 s on: it has 45 frames, 4.5 s"),
        ({"start": 2, "stop": 1}, "expected more than start"),
        ({"fps": 5}, "video files have their own rate"),
        ({"every": 0}, "greater than 0"),
    ],
)
def test_wrong_options_are_refused(clip: Path, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        read(clip, **options)


def test_a_clip_is_recognised_and_checked_from_the_command_line(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {"kind": "video", "path": str(clip.resolve())}
    assert recognise_scenes(clip).values == expected
    assert recognise_scenes(clip.parent).values["kind"] == "video"
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["init", "--scenes", "clip.avi", "--method", "identity"])
    assert done.exit_code == FINE, done.output
    assert "kind: video" in Path("snellen.yaml").read_text(encoding="utf-8")
