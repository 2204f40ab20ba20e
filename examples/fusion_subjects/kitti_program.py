"""The toy as a program that reads and writes KITTI folders; it needs nothing but numpy.

Without arguments it is asked line by line; with FOLDER and OUT it answers once and ends.
"""

import shlex
import sys
from pathlib import Path

import numpy as np
from toy_detector import cars


def calibration(path):
    """LiDAR to rectified camera (4, 4), and rectified camera to pixels (3, 4)."""
    rows = dict(line.split(":", 1) for line in path.read_text().splitlines() if ":" in line)
    values = {name: np.array(row.split(), dtype=float) for name, row in rows.items()}
    rectified, motion = np.eye(4), np.eye(4)
    rectified[:3, :3] = values["R0_rect"].reshape(3, 3)
    motion[:3] = values["Tr_velo_to_cam"].reshape(3, 4)
    return rectified @ motion, values["P2"].reshape(3, 4)


def label_row(box, score, to_camera, to_image):
    """One line of a KITTI label file with a score."""
    x, y, z, length, width, height, yaw = box
    bottom = to_camera @ [x, y, z - height / 2, 1]
    ahead = to_camera[:3, :3] @ [np.cos(yaw), np.sin(yaw), 0]
    rotation = np.arctan2(-ahead[2], ahead[0])
    alpha = rotation - np.arctan2(bottom[0], bottom[2])
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T / 2
    forward, left, up = signs.T * np.array([[length], [width], [height]])
    cos, sin = np.cos(yaw), np.sin(yaw)
    corners = [x + forward * cos - left * sin, y + forward * sin + left * cos, z + up]
    pixels = to_image @ to_camera @ np.vstack([*corners, np.ones(8)])
    u, v = pixels[:2] / pixels[2]
    flat = [u.min(), v.min(), u.max(), v.max()]
    values = [alpha, *flat, height, width, length, *bottom[:3], rotation, score]
    return "Car -1 -1 " + " ".join(f"{value:.4f}" for value in values)


def predict(folder, out):
    """Write a label file for each frame, an empty one where nothing is found."""
    for name in (folder / "frames.txt").read_text().split():
        points = np.fromfile(folder / "velodyne" / f"{name}.bin", dtype=np.float32).reshape(-1, 4)
        matrices = calibration(folder / "calib" / f"{name}.txt")
        rows = [label_row(box, score, *matrices) for box, score in zip(*cars(points), strict=True)]
        (out / f"{name}.txt").write_text("".join(row + "\n" for row in rows))


def serve():
    """Load the model here, once; then answer each line."""
    print("ready", flush=True)
    for line in sys.stdin:
        _, folder, out = shlex.split(line)
        try:
            predict(Path(folder), Path(out))
            print("done", flush=True)
        except Exception as error:
            print(f"error {error!r}", flush=True)


if __name__ == "__main__":
    predict(Path(sys.argv[1]), Path(sys.argv[2])) if len(sys.argv) == 3 else serve()
