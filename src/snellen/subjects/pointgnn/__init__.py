"""`kind: pointgnn`: Point-GNN (CVPR 2020), a learned car detector on LiDAR points.

Points become vertices of a graph, a network passes messages along the edges, every vertex votes for
a box, and votes for the same car are merged.
"""

from snellen.subjects.pointgnn.adapter import ADAPTER, PointGnnOptions, open_pointgnn

__all__ = ["ADAPTER", "PointGnnOptions", "open_pointgnn"]
