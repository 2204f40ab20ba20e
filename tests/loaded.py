"""What a run imports, loaded once: processes forked from here start at once."""

from __future__ import annotations

import numpy as np
import pytest  # noqa: F401

import snellen.cli.main
import snellen.cli.watching
import snellen.engine.campaign
import snellen.engine.run
import snellen.report.gating
import snellen.report.report
import snellen.report.terminal  # noqa: F401
from snellen.vision.boxes import iou

iou(np.array([[0.0, 0.0, 2.0, 2.0]]), np.array([[1.0, 1.0, 3.0, 3.0]]))
