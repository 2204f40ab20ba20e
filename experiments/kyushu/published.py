"""The paper's figures (Wang et al., Towards Robust Object Detection Models by Metamorphic Testing).

Table 2 as printed: rows are repeated, and its uncertainty of 1.075 is an outlier. The paper reports
reductions of 12.8% and 26.3% for 3f+0r; they fit the last printed row best.
"""

from __future__ import annotations

LEVELS = ("0% - 20%", "20% - 40%", "40% - 60%", "60% - 80%", "80% - 100%")

UNCERTAINTY = ((1.435, 66_872), (1.973, 51_634), (2.305, 32_308), (2.456, 27_860), (2.720, 4_687))
"""Table 1: mean and number of instances of each level, the lowest first."""
UNCERTAINTY_OF_ALL = (2.214, 183_361)
SCORES: tuple[tuple[float, int] | None, ...] = (
    (0.7623, 9_901),
    (0.8328, 23_984),
    (0.8990, 44_355),
    None,
    None,
)
"""None: not legible in the copy at hand."""
SCORES_OF_ALL = (0.9075, 183_361)

RATES: tuple[tuple[float | None, ...], ...] = (
    (0.3675, 0.2712, 0.2478, 0.1854, 0.1446),
    (0.2581, 0.2336, 0.2045, 0.1832, 0.125),
    (0.225, 0.2653, 0.1729, 0.1564, 0.05),
    (0.1935, 0.2431, 0.2167, 0.1, 0.0),
    (0.2, 0.33, 0.1415, None, None),
)
"""Fig. 6: F_r by levels of uncertainty (rows) and score (columns), the lowest first."""

GRID: dict[str, tuple[float, float, float, float, float]] = {
    "0f+1r": (2.351, 0.136, 0.286, 0.322, 0.393),
    "0f+2r": (2.463, 0.131, 0.260, 0.339, 0.402),
    "0f+3r": (2.438, 0.141, 0.250, 0.378, 0.383),
    "0f+4r": (2.890, 0.150, 0.267, 0.401, 0.333),
    "0f+5r": (2.692, 0.165, 0.308, 0.328, 0.364),
    "1f+0r": (2.130, 0.133, 0.395, 0.284, 0.325),
    "2f+0r": (1.875, 0.125, 0.351, 0.343, 0.207),
    "3f+0r": (1.075, 0.123, 0.331, 0.343, 0.307),
    "4f+0r": (2.027, 0.123, 0.331, 0.343, 0.307),
    "5f+0r": (2.027, 0.103, 0.331, 0.405, 0.262),
}
"""Table 2: Unc, F_r, Pr1, Pr2, Pr3 after retraining."""
BASELINE = (2.314, 0.142)

CLUSTERS: dict[str, tuple[float, float, float, float, float, float]] = {
    "C_c": (2.617, 7.52, 3.31, 1.84, 0.2361, 0.3540),
    "C_r": (2.936, 11.41, 2.57, 2.66, 0.2012, 0.1950),
    "Nc_n": (2.072, 8.15, 1.46, 1.62, 0.2561, 0.1472),
    "Nc_f": (1.996, 7.43, 1.29, 1.37, 0.2234, 0.1688),
}
"""Table 3: uncertainty; of 100 tests failing, repaired, new; shares of instances whose failures are
mostly removed, and that have almost no new ones."""
CLUSTERS_BASELINE = (2.568, 12.39)

SIDES = ("low uncertain", "high uncertain", "low score", "high score")
CHARACTERISTICS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((0.036, 3.451), (0.052, 3.447), (0.842, 3.325), (0.151, 2.632)),
    ((1.825, 0.875), (1.469, 0.924), (1.536, 0.843), (1.057, 0.617)),
    ((1.215, 1.774), (1.226, 1.554), (2.536, 1.197), (2.057, 0.383)),
    ((1.657, 2.148), (1.832, 1.843), (1.317, 1.486), (3.057, 2.57)),
)
"""Table 4: new and repaired failures of 100 tests, by base (rows) and inserting instance."""
