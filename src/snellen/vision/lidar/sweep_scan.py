"""The rays of a sweep from nothing but its points, or by a sensor that is named."""

from __future__ import annotations

from snellen.vision.arrays import F32
from snellen.vision.lidar.beams import nearest_rings, recovered_beams
from snellen.vision.lidar.presets import preset
from snellen.vision.lidar.rings import azimuths, rings_in_order
from snellen.vision.lidar.scan import LidarScan, scan_of


def scan_of_sweep(points: F32, sensor: str | None = None) -> LidarScan:
    """The rays of a sweep, points (N, 4) in metres in the LiDAR frame.

    sensor: the name of a preset, for clouds whose points are not written one laser after the
    other; without one the beams are recovered from the points.
    """
    azimuth = azimuths(points)
    if sensor is not None:
        beams = preset(sensor)
        return scan_of(points, nearest_rings(points, beams), beams, azimuth)
    rings = rings_in_order(points, azimuth)
    return scan_of(points, rings, recovered_beams(points, rings, azimuth), azimuth)
