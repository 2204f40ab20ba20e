"""The figures of the paper (MultiTest, ICSE 2024), for the tables."""

from __future__ import annotations

REALISM: dict[str, tuple[float, float, float]] = {
    "C&P + random pose": (106.13, 148.24, 0.31),
    "C&P + estimated pose": (107.62, 115.62, 0.30),
    "Sim + random pose": (91.34, 111.14, 0.83),
    "Sim + estimated pose": (86.89, 88.87, 0.82),
}
"""Table 2: FID, FRD and MC of 200 frames of KITTI."""

SEARCHES: dict[str, dict[str, float]] = {
    "random": {"AP 3D": 8.95, "AP 2D": 11.49, "missing": 72, "false": 45, "location": 35},
    "guided": {"AP 3D": 22.80, "AP 2D": 18.47, "missing": 108, "false": 50, "location": 36},
}
"""Table 3, means of four systems: AP difference, and errors in 3D of 200 seeds."""
SEEDS = 200

COUNTS: dict[str, dict[str, tuple[float, ...]]] = {
    "EPNet": {
        "seeds": (0.70, 0.48, 0.28, 0.20, 0.14, 0.12),
        "iterations": (1.46, 6.42, 16.93, 27.70, 43.57, 53.00),
    },
    "FConv": {
        "seeds": (0.92, 0.76, 0.60, 0.50, 0.40, 0.30),
        "iterations": (1.00, 3.58, 7.30, 11.20, 16.90, 25.87),
    },
    "CLOCs": {
        "seeds": (0.74, 0.66, 0.48, 0.34, 0.24, 0.22),
        "iterations": (2.03, 4.94, 11.25, 20.53, 34.92, 41.45),
    },
    "Second": {
        "seeds": (0.84, 0.72, 0.54, 0.40, 0.32, 0.20),
        "iterations": (1.29, 4.56, 10.89, 19.65, 28.25, 50.20),
    },
    "CasRCNN": {
        "seeds": (0.88, 0.74, 0.56, 0.48, 0.32, 0.26),
        "iterations": (1.45, 4.73, 10.25, 14.71, 27.00, 36.54),
    },
}
"""Table 5: the share of seeds that took 1 to 6 objects, and the insertions tried."""
